package ascent

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Fingerprint returns a hash of the data of p: sizes, features or kernel, labels, weights, coupling. It is the same on
// every architecture if the storage decodes its rows to the same bits there. It costs a pass over the data.
func (p *Problem[T]) Fingerprint() []byte {
	f := fingerprint{h: sha256.New()}
	n, d := p.size()
	f.ints(n, d, p.Outputs)
	for i := range n {
		f.ints(append(p.Labels.Of(i), -1)...)
	}
	hashFloats(&f, p.Radius)
	hashFloats(&f, []T{p.Constant})
	for i := range p.Coupling.Rows {
		hashFloats(&f, p.Coupling.Row(i))
	}
	if factor, root := p.ExactFactor.Matrix(); factor.Rows > 0 {
		hashFloats(&f, factor.Data)
		hashFloats(&f, []float64{root})
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
			p.Kernel.Rows(block.Slice(0, len(some), 0, n), some)
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
