// Package cases is the table of kernels that are measured, by command bench and, beside rivals in other languages, by
// bench/peers: their sizes, operands and costs, and the implementations of this library, of plain Go and of gonum.
package cases

import (
	"fmt"
	"strings"
)

// Case is one kernel at one size.
type Case struct {
	Name string `json:"kernel"`
	M    int    `json:"m,omitempty"` // M rows by N columns; M is 0 for vectors of N elements
	N    int    `json:"n"`
	K    int    `json:"k,omitempty"` // of a product, the terms of a sum; of a projection; else 0
}

// Measured returns the cases of command bench: short vectors, images of 784 pixels, vectors beyond the first cache and
// beyond all; the weights of 784 features by 10 or 100 classes, and a matrix beyond the second cache; products of
// matrices that a cache has room for.
func Measured() (list []Case) {
	for _, k := range Table[float32]() {
		list = append(list, k.cases(k.bench)...)
	}
	return list
}

// Raced returns the cases of bench/peers.
func Raced() (list []Case) {
	for _, k := range Table[float32]() {
		list = append(list, k.cases(k.peers)...)
	}
	return list
}

func (k Kernel[T]) cases(sizes [][]int) (list []Case) {
	for _, size := range sizes {
		c := Case{Name: k.Name, N: size[0]}
		if len(size) > 1 {
			c.M, c.N = size[0], size[1]
		}
		if len(size) > 2 {
			c.K = size[2]
		}
		list = append(list, c)
	}
	return list
}

// Keys returns the parts of the name of a benchmark of c, keys and values in turn.
func (c Case) Keys(typ string) []any {
	keys := []any{"type", typ}
	if c.M > 0 {
		keys = append(keys, "m", c.M)
	}
	keys = append(keys, "n", c.N)
	if c.K > 0 {
		keys = append(keys, "k", c.K)
	}
	return keys
}

// Benchmark returns the name of a benchmark of c, without the implementation.
func (c Case) Benchmark(typ string) string {
	keys := c.Keys(typ)
	return c.Name + fmt.Sprintf(strings.Repeat("/%v=%v", len(keys)/2), keys...)
}

// String returns the size alone.
func (c Case) String() string {
	switch {
	case c.K > 0 && c.M > 0:
		return fmt.Sprintf("%dx%dx%d", c.M, c.N, c.K)
	case c.K > 0:
		return fmt.Sprintf("%d, k=%d", c.N, c.K)
	case c.M > 0:
		return fmt.Sprintf("%dx%d", c.M, c.N)
	}
	return fmt.Sprint(c.N)
}
