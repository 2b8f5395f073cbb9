package family

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Data are the examples of a problem, as a method takes them.
type Data[T vec.Float] struct {
	X        design.Matrix[T]  // n-by-d, or
	Kernel   *kernel.Matrix[T] // n-by-n
	Constant T                 // value of one more feature of every example of X; 0: none
	Labels   Labels
	Outputs  int       // m
	Weights  []float64 // of the examples, or anything else that goes by these
}

// Fingerprint returns a hash of the data and of a prior: sizes, features or kernel, labels, weights. It is the same on
// every architecture if the storage decodes its rows to the same bits there. It costs a pass over the data.
func (p *Data[T]) Fingerprint(prior ...[]float64) []byte {
	f := fingerprint{h: sha256.New()}
	n, d := p.size()
	f.ints(n, d, p.Outputs)
	for i := range n {
		f.ints(append(p.Labels.Of(i), -1)...)
	}
	hashFloats(&f, p.Weights)
	hashFloats(&f, []T{p.Constant})
	for _, row := range prior {
		hashFloats(&f, row)
	}
	x := p.X
	if p.Kernel != nil {
		f.h.Write(fmt.Appendf(nil, "%#v", p.Kernel.Kernel()))
		x = p.Kernel.Features()
	}
	const rows = 16
	if x == nil { // a given kernel matrix
		block, index := vec.NewMatrix[T](rows, n), [rows]int{}
		each(n, index[:], func(some []int) {
			p.Kernel.Rows(block.Slice(0, len(some), 0, n), some, 1)
			hashFloats(&f, block.Data[:len(some)*n])
		})
		return f.h.Sum(nil)
	}
	_, d = x.Dims()
	block, index := vec.NewMatrix[T](rows, d), [rows]int{}
	each(n, index[:], func(some []int) {
		x.Gather(block.Slice(0, len(some), 0, d), some)
		hashFloats(&f, block.Data[:len(some)*d])
	})
	return f.h.Sum(nil)
}

// size returns the number of examples and of features, the constant one included; 0 features for a kernel.
func (p *Data[T]) size() (n, d int) {
	if p.Kernel != nil {
		return p.Kernel.Len(), 0
	}
	n, d = p.X.Dims()
	if p.Constant != 0 {
		d++
	}
	return n, d
}

// each calls do with the numbers below n, in order, len(index) at a time.
func each(n int, index []int, do func(some []int)) {
	for i := 0; i < n; i += len(index) {
		some := index[:min(len(index), n-i)]
		for q := range some {
			some[q] = i + q
		}
		do(some)
	}
}

type fingerprint struct {
	h      hash.Hash
	buffer []byte
}

func (f *fingerprint) ints(v ...int) {
	f.buffer = f.buffer[:0]
	for _, v := range v {
		f.buffer = binary.LittleEndian.AppendUint64(f.buffer, uint64(int64(v)))
	}
	f.h.Write(f.buffer)
}

func hashFloats[T vec.Float](f *fingerprint, v []T) {
	f.buffer = f.buffer[:0]
	for _, v := range v {
		if is64[T]() {
			f.buffer = binary.LittleEndian.AppendUint64(f.buffer, math.Float64bits(float64(v)))
		} else {
			f.buffer = binary.LittleEndian.AppendUint32(f.buffer, math.Float32bits(float32(v)))
		}
	}
	f.h.Write(f.buffer)
}
