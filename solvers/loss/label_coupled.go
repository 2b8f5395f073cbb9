package loss

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// Coupled is a loss of labels that may be coupled by a matrix, and then visits an example by one kernel.
type Coupled[T vec.Float] interface {
	// Couples reports whether VisitCoupled may be called.
	Couples() bool

	// VisitCoupled is Visit where bit c%64 of y[c/64] is set where label c is true. It is quickest where delta has room
	// for m numbers rounded up to a multiple of 64 bytes, which it then writes.
	VisitCoupled(a, s []T, y []uint64, h, r, term, least float64, delta []T, w *Workspace[T]) (gap, after float64,
		moved bool)
}

// NewCoupling returns R in the memory that visits of a Label read it from quickest, with rows of 0 up to a multiple of
// 64 bytes. Any other Coupling is copied by each Workspace. O(m²).
func NewCoupling[T vec.Float](r vec.Matrix[float64]) vec.Matrix[T] {
	to := paddedMatrix[T](r.Rows, r.Cols)
	for l := range r.Rows {
		vec.Convert(to.Row(l), r.Row(l))
	}
	return to
}

// paddedMatrix returns a matrix whose rows have numbers up to a multiple of 64 bytes, the last one too.
func paddedMatrix[T vec.Float](rows, cols int) vec.Matrix[T] {
	a := vec.NewMatrix[T](rows, padded[T](cols))
	a.Cols = cols
	return a
}

// padded rounds m numbers up to a multiple of 64 bytes.
func padded[T vec.Float](m int) int {
	var number T
	line := 64 / int(unsafe.Sizeof(number))
	return shape.Padded(m, line)
}

// isPadded reports whether the rows of r have zeros up to a multiple of 64 bytes. O(m).
func isPadded[T vec.Float](r *vec.Matrix[T]) bool {
	wide := padded[T](r.Cols)
	if r.Stride < wide || len(r.Data) < (r.Rows-1)*r.Stride+wide {
		return false
	}
	for c := range r.Rows {
		for _, v := range r.Data[c*r.Stride+r.Cols : c*r.Stride+wide] {
			if v != 0 {
				return false
			}
		}
	}
	return true
}

// matrixed is what VisitCoupled needs to know of the labels: u_c, r v_c where psi is not the square, and R.
type matrixed[T vec.Float] struct {
	box     unchecked.BoxCoupled[T]
	numbers vec.Matrix[T] // u_c, the ends, R_cc
	couples *Label[T]     // whose R that is
	label   *Label[T]     // whose the rest is, of which weight r
	r       float64
	squared bool
	words   []uint64 // the labels of an example that are true
}

// couples is Couples: of the square all bends must be the same.
func (l *Label[T]) couples(squared bool) bool {
	return l != nil && l.Coupling.Rows > 0 && (!squared || l.Costs == nil)
}

// couple sets what does not depend on the weight of the example.
func (x *matrixed[T]) couple(l *Label[T], m int) {
	r := l.Coupling
	if !isPadded(&r) {
		r = paddedMatrix[T](m, m)
		for c := range m {
			copy(r.Row(c), l.Coupling.Row(c))
		}
	}
	x.numbers, x.words = paddedMatrix[T](3, m), make([]uint64, shape.Pieces(m, 64))
	u, hi, own := x.numbers.Row(0), x.numbers.Row(1), x.numbers.Row(2)
	for c := range m {
		u[c], own[c] = 1, r.Row(c)[c]
	}
	x.box = unchecked.BoxCoupled[T]{U: &u[0], Hi: &hi[0], Coupling: &r.Data[0], Own: &own[0], Stride: r.Stride}
	x.couples, x.label = l, nil
}

func (x *matrixed[T]) fill(l *Label[T], m int, r float64, squared bool) {
	if x.couples != l {
		x.couple(l, m)
	}
	for c, hi := 0, x.numbers.Row(1); c < m; c++ {
		hi[c] = below[T](r * l.cost(c))
		if squared {
			hi[c] = T(math.Inf(1))
		}
	}
	x.box.R, x.box.Bend = T(r), T(1/(2*r))
	x.label, x.r, x.squared = l, r, squared
}

// visitCoupled is VisitCoupled: the labels whose part of the gap is not 0 move one after the other, each with the
// scores that the moves before it have left. Labels that earlier moves set free wait for the next visit. The curvature
// of a label is h R_cc, or h 2^-100 where that is less, so that h over it is finite.
func (l *Label[T]) visitCoupled(
	a, s []T, y []uint64, h, r, term, least float64, squared bool, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	x := &w.matrixed
	if x.label != l || x.r != r || x.squared != squared {
		x.fill(l, len(a), r, squared)
	}
	if l.Margins != nil {
		margins, _ := l.margins(len(a), w)
		vec.Convert(x.numbers.Row(0), margins)
	}
	x.box.Floor = T(0x1p-100 * max(h, 1))
	to, wide := delta, padded[T](len(a))
	if cap(to) < wide {
		to = w.take(wide)
	}
	growth, quadratic, outcome := 0.0, 0.0, 0
	if squared {
		gap, growth, quadratic, outcome = unchecked.BoxCoupledSquared(a, s, to, y, &x.box, T(h), least)
	} else {
		gap, growth, quadratic, outcome = unchecked.BoxCoupledHinge(a, s, to, y, &x.box, T(h), least)
	}
	if outcome != unchecked.Moved {
		return gap, term, false
	}
	if cap(delta) < wide {
		copy(delta, to[:len(a)])
	}
	w.Quadratic += quadratic
	return gap, term + growth, true
}

// wordsOf returns the labels y as VisitCoupled takes them, until it is called again.
func (l *Label[T]) wordsOf(y []int, m int, w *Workspace[T]) []uint64 {
	x := &w.matrixed
	if x.couples != l {
		x.couple(l, m)
	}
	clear(x.words)
	for _, c := range y {
		x.words[c/64] |= 1 << (c % 64)
	}
	return x.words
}
