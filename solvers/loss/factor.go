package loss

import (
	"math"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Factor is a coupling of m outputs, R = PᵀP + ridge I, that is held as P, r-by-m, and never formed. With the rows
// sqrt(ridge) e_c below P's, where ridge > 0, it is R = QᵀQ, and a training holds U = W Qᵀ in place of W R, which is U
// Q: then the scores of an example are Qᵀ u, where u = Uᵀx, its block a moves U by x (Q a)ᵀ, and <W, W R> is |U|².
//
// Rows of 0 fill P up to a multiple of 16: the moves of a visit are added up there, and each reads those before it,
// which is quicker where all of a vector register was written.
//
// Nil stands for no coupling, Q = I.
type Factor[T vec.Float] struct {
	p    vec.Matrix[T]
	rows vec.Matrix[T] // the same, transposed and with what fills it up: p_c of each output
	own  []float64     // R_cc
	root T             // sqrt(ridge)
	cols int           // rows of Q, columns of U
}

// NewFactor returns the coupling of P and ridge >= 0, in memory of its own; nil where P is empty.
func NewFactor[T vec.Float](p vec.Matrix[float64], ridge float64) *Factor[T] {
	if p.Rows == 0 {
		return nil
	}
	wide := shape.Padded(p.Rows, 16)
	f := &Factor[T]{
		p: vec.NewMatrix[T](p.Rows, p.Cols), rows: vec.NewMatrix[T](p.Cols, wide), own: make([]float64, p.Cols),
		root: T(math.Sqrt(ridge)), cols: wide,
	}
	if ridge > 0 { // though its root may be 0 in T: of all T there are as many columns
		f.cols += p.Cols
	}
	for k := range p.Rows {
		vec.Convert(f.p.Row(k), p.Row(k))
		for c, v := range f.p.Row(k) {
			f.rows.Row(c)[k] = v
		}
	}
	for c := range f.own {
		f.own[c] = float64(vec.SquaredNorm(f.rows.Row(c))) + float64(f.root)*float64(f.root)
	}
	return f
}

// Cols returns the number of columns of U, where W has m.
func (f *Factor[T]) Cols(m int) int {
	if f == nil {
		return m
	}
	return f.cols
}

// ridged reports whether there is a ridge.
func (f *Factor[T]) ridged() bool { return f.cols > f.rows.Cols }

// Matrix returns P, which must not be changed, and sqrt(ridge); without a coupling an empty one and 0.
func (f *Factor[T]) Matrix() (p vec.Matrix[T], root T) {
	if f == nil {
		return p, 0
	}
	return f.p, f.root
}

// Scores returns Qᵀ u, in the memory of s, which is as long as there are outputs; without a coupling u itself. u may be
// longer than U has columns. O(r m).
func (f *Factor[T]) Scores(s, u []T) []T {
	if f == nil {
		return u[:len(s)]
	}
	vec.GemvT(1, f.p, u[:f.p.Rows], 0, s)
	if f.ridged() {
		vec.Axpy(f.root, u[f.rows.Cols:f.cols], s)
	}
	return s
}

// Move sets u to Q a; without a coupling to a. u may be longer than that. O(r m).
func (f *Factor[T]) Move(u, a []T) {
	if f == nil {
		copy(u, a)
		return
	}
	clear(u[f.p.Rows:f.rows.Cols])
	vec.Gemv(1, f.p, a, 0, u[:f.p.Rows])
	if f.ridged() {
		for c, v := range a {
			u[f.rows.Cols+c] = f.root * v
		}
	}
}

// along returns what the moves of other outputs, delta = Q a, have moved the score of output c by, for h = 1.
func (f *Factor[T]) along(c int, delta []T) float64 {
	r := f.rows.Cols
	return float64(vec.Dot(f.rows.Data[c*r:(c+1)*r], delta[:r]))
}

// add adds a move of output c, which has not moved yet, to delta.
func (f *Factor[T]) add(c int, step T, delta []T) {
	r := f.rows.Cols
	vec.Axpy(step, f.rows.Data[c*r:(c+1)*r], delta[:r])
	if f.ridged() {
		delta[r+c] = f.root * step
	}
}
