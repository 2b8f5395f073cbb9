package ascent

import (
	"math"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Where there is an offset, steps may see the examples less any m. The scores are <w, x_i - m> + b' with b' = b +
// <w, m>, and as sum_i a_i = 0,
//
//	w = sum_i a_i x_i = sum_i a_i (x_i - m).
//
// A step is about 1/(K_ii + c) long: where the mean is large beside the deviation, steps on the examples less their
// mean are longer by the square of that ratio. Certificates are of the examples as they are, and of w and b.
//
// Of sparse examples m is 0 but in columns whose mean² is above their variance v. Of the numbers of such a column more
// than half are not 0: if a part q of them is not, mean² <= q (mean² + v).

// worthCentring is the part of the mean squared norm that |m|² has to be: steps become longer by as much.
const worthCentring = 0.2

// stiffer is how much smaller c is than on a kernel: less of a step goes to the sum. Passes are a quarter to a third
// fewer; on kernels, where blocks see more than one example, a smaller c stalled.
const stiffer = 4

// centre chooses m and c, and sets what goes by them; e has the squared norms of the examples as they are.
func (p *Problem[T]) centre(e *measured[T]) {
	e.sizes = make([]float64, len(e.h)) // squares of float32 may be less than the least number
	design.Float64(p.X).SquaredNorms(e.sizes)
	for i, v := range e.sizes {
		e.sizes[i] = math.Sqrt(v)
	}
	if mean := p.meanOf(e.h); mean != nil {
		less := design.Centered(p.X, mean)
		sparse, isSparse := p.X.(design.SparseRows[T])
		if isSparse {
			less = design.CenteredRows(sparse, mean)
		}
		h := make([]T, len(e.h))
		less.SquaredNorms(h)
		if finite(h) { // the squares may be four times as large
			e.mean, e.h = mean, h
			if isSparse {
				p.X = less
			} else {
				p.mean = mean
			}
		}
	}
	p.Constant = T(math.Sqrt(stiffness(e.h) / stiffer))
}

func finite[T vec.Float](h []T) bool {
	for _, v := range h {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// meanOf returns m, or nil where it is little beside the mean of the squared norms h. O(n d), or O(nonzeros).
func (p *Problem[T]) meanOf(h []T) []T {
	n, d := p.X.Dims()
	sums, all := make([]float64, d), 0.0
	switch sparse, ok := p.X.(design.SparseRows[T]); {
	case ok:
		sumColumns(sums, sparse, n)
	case design.IsSparse(p.X): // rows of theirs are out of reach
		return nil
	default:
		ones := make([]float64, n)
		for i := range ones {
			ones[i] = 1
		}
		design.AccumulateAll(vec.MatrixOf(d, 1, sums), vec.MatrixOf(n, 1, ones), design.Float64(p.X), 1)
	}
	for _, v := range h {
		all += float64(v)
	}
	mean, square := make([]T, d), 0.0
	for j, v := range sums {
		v /= float64(n)
		mean[j], square = T(v), square+v*v
	}
	if !(square > worthCentring*all/float64(n)) {
		return nil
	}
	return mean
}

// sumColumns sets sums to the columns' sums of n sparse rows, 0 for a column whose mean² is not above its variance.
func sumColumns[T vec.Float](sums []float64, x design.SparseRows[T], n int) {
	squares := make([]float64, len(sums))
	for i := range n {
		columns, values := x.Row(i)
		for k, j := range columns {
			v := float64(values[k])
			sums[j], squares[j] = sums[j]+v, squares[j]+v*v
		}
	}
	for j, v := range sums {
		if !(2*v*v > float64(n)*squares[j]) {
			sums[j] = 0
		}
	}
}

// alongMean returns <w, m> of the weights of steps.
func (s *linearSolver[T]) alongMean() (sum float64) {
	step := s.weights.Stride
	if s.weights.byClass {
		step = 1
	}
	for j, v := range s.offset.mean {
		sum += float64(v) * float64(s.weights.Data[j*step])
	}
	return sum
}
