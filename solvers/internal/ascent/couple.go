package ascent

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// coupledVisits is how a training on features visits examples whose labels are coupled by a matrix: with the true
// labels as bits, which are found in the cache, where a set is far away, and then its labels are.
type coupledVisits[T vec.Float] struct {
	loss.Coupled[T] // nil: visits are not by its kernel
	bits            []uint64
	words           int // of an example
}

// newCoupledVisits is O(n + number of true labels).
func newCoupledVisits[T vec.Float](p *Problem[T], n int) coupledVisits[T] {
	l, ok := p.Loss.(loss.Coupled[T])
	if !ok || !l.Couples() {
		return coupledVisits[T]{}
	}
	words := shape.Pieces(p.Outputs, 64)
	v := coupledVisits[T]{Coupled: l, bits: make([]uint64, n*words), words: words}
	for i := range n {
		of := v.of(i)
		for _, c := range p.Labels.Of(i) {
			of[c/64] |= 1 << (c % 64)
		}
	}
	return v
}

// of returns the true labels of example i.
func (v *coupledVisits[T]) of(i int) []uint64 { return v.bits[i*v.words : (i+1)*v.words] }
