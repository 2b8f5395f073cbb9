package family

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"

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
	h := sha256.New()
	n, d := p.size()
	writeInts(h, n, d, p.Outputs)
	for i := range n {
		writeInts(h, append(p.Labels.Of(i), -1)...)
	}
	writeFloats(h, p.Weights)
	writeFloats(h, []T{p.Constant})
	for _, row := range prior {
		writeFloats(h, row)
	}
	x := p.X
	if p.Kernel != nil {
		h.Write(fmt.Appendf(nil, "%#v", p.Kernel.Kernel()))
		x = p.Kernel.Features()
	}
	const rows = 16
	if x == nil { // a given kernel matrix
		block, index := vec.NewMatrix[T](rows, n), [rows]int{}
		each(n, index[:], func(some []int) {
			p.Kernel.Rows(block.Slice(0, len(some), 0, n), some, 1)
			writeFloats(h, block.Data[:len(some)*n])
		})
		return h.Sum(nil)
	}
	_, d = x.Dims()
	block, index := vec.NewMatrix[T](rows, d), [rows]int{}
	each(n, index[:], func(some []int) {
		x.Gather(block.Slice(0, len(some), 0, d), some)
		writeFloats(h, block.Data[:len(some)*d])
	})
	return h.Sum(nil)
}

// Rows returns what Fingerprint takes of a prior W0: its size and its rows; nil for an empty one.
func Rows(w0 vec.Matrix[float64]) (rows [][]float64) {
	if w0.Rows == 0 {
		return nil
	}
	rows = append(rows, []float64{float64(w0.Rows), float64(w0.Cols)})
	for j := range w0.Rows {
		rows = append(rows, w0.Row(j))
	}
	return rows
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

// writeInts and writeFloats write numbers, each in as many bits as it has.
func writeInts(h hash.Hash, v ...int) {
	for _, v := range v {
		binary.Write(h, binary.LittleEndian, int64(v))
	}
}

func writeFloats[T vec.Float](h hash.Hash, v []T) { binary.Write(h, binary.LittleEndian, v) }
