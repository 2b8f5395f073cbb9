package kernels

import (
	"fmt"

	"github.com/dualgap/dualgap/bench/internal/results"
)

// Case is one kernel at one size.
type Case struct {
	Name string
	M, N int // M rows by N columns; M is 0 for vectors of N elements
	K    int // of a projection; of Gemm the columns of the second factor; else 0
}

// large is the number of elements of vectors that no cache has room for.
const large = 1 << 24

// Cases is the table: short vectors, images of 784 pixels, vectors beyond the first cache and beyond all; the weights of 784
// features by 10 or 100 classes, and a matrix beyond the second cache; products of matrices that a cache has room for.
func Cases() (list []Case) {
	for _, name := range []string{"Dot", "SquaredDistance", "SquaredNorm", "Sum", "AbsSum", "Scale", "Axpy"} {
		for _, n := range []int{16, 784, 65536} {
			list = append(list, Case{Name: name, N: n})
		}
		if name == "Dot" || name == "Axpy" {
			list = append(list, Case{Name: name, N: large})
		}
	}
	for _, name := range []string{"Ger", "Gemv", "GemvT"} {
		for _, size := range [][2]int{{784, 10}, {784, 100}, {4096, 1000}} {
			list = append(list, Case{Name: name, M: size[0], N: size[1]})
		}
	}
	list = append(list, Case{"Gemm", 64, 64, 64}, Case{"Gemm", 256, 256, 256})
	for _, name := range []string{"Exp", "Log", "Sort"} {
		for _, n := range []int{16, 784, 65536} {
			list = append(list, Case{Name: name, N: n})
		}
	}
	for _, size := range [][2]int{{10, 3}, {100, 5}, {1000, 10}} {
		list = append(list, Case{Name: topKSimplex, N: size[0], K: size[1]})
	}
	return list
}

// slow tells whether c takes long: trial runs leave it out.
func (c Case) slow() bool { return max(c.M, 1)*c.N > 1e6 || c.Name == "Gemm" && c.N > 64 }

// keys returns the parts of the name of a benchmark of c.
func (c Case) keys(typ string) []results.Pair {
	keys := results.Parts("type", typ)
	if c.M > 0 {
		keys = append(keys, results.Pair{Key: "m", Value: fmt.Sprint(c.M)})
	}
	keys = append(keys, results.Pair{Key: "n", Value: fmt.Sprint(c.N)})
	if c.K > 0 {
		keys = append(keys, results.Pair{Key: "k", Value: fmt.Sprint(c.K)})
	}
	return keys
}

// Of returns the case that a benchmark measures.
func Of(l results.Line) Case { return Case{l.Base, l.Int("m"), l.Int("n"), l.Int("k")} }

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

// Bytes returns how many bytes a call loads and stores, each operand counted once when it is read and once when it is
// written.
func (c Case) Bytes(element int) int {
	n := c.N
	switch c.Name {
	case "Dot", "SquaredDistance", "Scale", "Exp", "Log", topKSimplex:
		n = 2 * c.N
	case "Axpy":
		n = 3 * c.N
	case "Sort": // it copies first
		n = 4 * c.N
	case "Ger":
		n = 2*c.M*c.N + c.M + c.N
	case "Gemv", "GemvT":
		n = c.M*c.N + c.M + c.N
	case "Gemm":
		n = c.M*c.N + c.N*c.K + c.M*c.K
	}
	return n * element
}

// Footprint returns how many bytes of memory a call touches.
func (c Case) Footprint(element int) int {
	n := c.Bytes(element)
	switch c.Name {
	case "Scale":
		n = c.N * element
	case "Axpy", "Sort":
		n = 2 * c.N * element
	case "Ger":
		n = (c.M*c.N + c.M + c.N) * element
	}
	return n
}

// Flops returns how many additions and multiplications a call makes, 0 where that says nothing of its work.
func (c Case) Flops() int {
	switch c.Name {
	case "Dot", "SquaredNorm", "Axpy":
		return 2 * c.N
	case "SquaredDistance":
		return 3 * c.N
	case "Sum", "AbsSum", "Scale":
		return c.N
	case "Ger", "Gemv", "GemvT":
		return 2 * c.M * c.N
	case "Gemm":
		return 2 * c.M * c.N * c.K
	}
	return 0
}

// Intensity returns the operations for each byte.
func (c Case) Intensity(element int) float64 {
	return float64(c.Flops()) / float64(c.Bytes(element))
}

// Levels are the places of operands, the nearest first.
var Levels = []string{"L1", "L2", "L3", "memory"}

// Level returns the index of the level that has room for so many bytes, by the caches' sizes in bytes; where a CPU does not
// tell them, by common ones.
func Level(bytes int, caches [3]int) int {
	for k, size := range caches {
		if size <= 0 {
			size = [3]int{32 << 10, 1 << 20, 32 << 20}[k]
		}
		if bytes <= size {
			return k
		}
	}
	return 3
}
