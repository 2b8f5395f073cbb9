package design

import (
	"slices"
	"sync"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Centered returns the examples x_i - mean, without touching x, so that sparse and compressed examples stay what they
// are. mean, one number for each of d features, is copied; dataset.Standardize finds one, its Shift.
//
// With μ the mean, Scores are X W - 1 (μᵀW), Accumulate adds Xᵀ A - μ (1ᵀA), and Gram is ⟨x_i, x_j⟩ - ⟨x_i, μ⟩ -
// ⟨μ, x_j⟩ + |μ|²: each call costs d m operations more than one of x. That is little for a block of dense examples and
// much for a single sparse one: where examples are few or d is small, a copy of them trains quicker. Rounding is in
// proportion to the numbers of x and of μ: where these are far larger than what is left of them, subtract in float64
// first, as the method Scaled of package dataset does. It panics where mean has not d numbers.
func Centered[T vec.Float](x Matrix[T], mean []T) Matrix[T] {
	n, d := x.Dims()
	if len(mean) != d {
		panic(shape.Errorf("design: Centered", "a mean of %d numbers for %d features", len(mean), d))
	}
	return &centered[T]{x: x, mean: slices.Clone(mean), n: n, d: d, pool: new(pool[T])}
}

type centered[T vec.Float] struct {
	x    Matrix[T]
	mean []T
	n, d int
	pool *pool[T]

	needNorms, needShares sync.Once
	norms                 []T
	shares                []float64 // ⟨x_i, μ⟩ - |μ|²/2
}

func (f *centered[T]) Dims() (n, d int) { return f.n, f.d }

// SquaredNorms sums (x_ij - μ_j)² in float64, over the stored numbers of sparse rows as |μ|² + sum x_ij (x_ij - 2 μ_j).
func (f *centered[T]) SquaredNorms(dst []T) {
	mustHold(dst, f.n)
	f.needNorms.Do(func() {
		f.norms = make([]T, f.n)
		if x, ok := f.x.(SparseRows[T]); ok {
			whole := f.squaredMean()
			for i := range f.norms {
				sum := whole
				columns, values := x.Row(i)
				for k, j := range columns {
					v := float64(values[k])
					sum += v * (v - 2*float64(f.mean[j]))
				}
				f.norms[i] = T(max(0, sum))
			}
			return
		}
		gatherEach(f.x, f.n, func(p int) int { return p }, func(i int, row []T) {
			sum := 0.0
			for j, v := range row {
				c := float64(v - f.mean[j])
				sum += c * c
			}
			f.norms[i] = T(sum)
		})
	})
	copy(dst, f.norms)
}

func (f *centered[T]) Gather(dst vec.Matrix[T], rows []int) {
	f.x.Gather(dst, rows)
	for p := range dst.Rows {
		vec.Axpy(-1, f.mean, dst.Row(p))
	}
}

func (f *centered[T]) Scores(dst, w vec.Matrix[T], rows []int) {
	f.x.Scores(dst, w, rows)
	if w.Cols == 0 {
		return
	}
	s := f.pool.get(w.Cols, 0)
	vec.GemvT(1, w, f.mean, 0, s.numbers)
	for p := range dst.Rows {
		vec.Axpy(-1, s.numbers, dst.Row(p))
	}
	f.pool.put(s)
}

func (f *centered[T]) Accumulate(w, a vec.Matrix[T], rows []int) {
	f.x.Accumulate(w, a, rows)
	if w.Cols == 0 {
		return
	}
	s := f.pool.get(w.Cols, 0)
	clear(s.numbers)
	for p := range a.Rows {
		vec.Axpy(1, a.Row(p), s.numbers)
	}
	vec.Ger(-1, f.mean, s.numbers, w)
	f.pool.put(s)
}

func (f *centered[T]) Gram(dst vec.Matrix[T], rows, cols []int) {
	f.x.Gram(dst, rows, cols)
	f.needShares.Do(f.setShares)
	if dst.Cols == 0 {
		return
	}
	for p := range dst.Rows {
		to, share := dst.Row(p), f.shares[at(rows, p)]
		for q, v := range to {
			to[q] = T(float64(v) - share - f.shares[at(cols, q)])
		}
	}
}

func (f *centered[T]) setShares() {
	f.shares = make([]float64, f.n)
	half := f.squaredMean() / 2
	if x, ok := f.x.(SparseRows[T]); ok {
		for i := range f.shares {
			columns, values := x.Row(i)
			sum := 0.0
			for k, j := range columns {
				sum += float64(values[k]) * float64(f.mean[j])
			}
			f.shares[i] = sum - half
		}
		return
	}
	gatherEach(f.x, f.n, func(p int) int { return p }, func(i int, row []T) {
		sum := 0.0
		for j, v := range row {
			sum += float64(v) * float64(f.mean[j])
		}
		f.shares[i] = sum - half
	})
}

// squaredMean is |μ|².
func (f *centered[T]) squaredMean() (sum float64) {
	for _, v := range f.mean {
		sum += float64(v) * float64(v)
	}
	return sum
}

func (f *centered[T]) widen() Matrix[float64] {
	mean := make([]float64, f.d)
	vec.Convert(mean, f.mean)
	return Centered(Float64(f.x), mean)
}

func (f *centered[T]) window(from, to int) Matrix[T] {
	return &centered[T]{x: Window(f.x, from, to), mean: f.mean, n: to - from, d: f.d, pool: f.pool}
}

func (f *centered[T]) keepsRows() bool { return keepsRows(f.x) }
func (f *centered[T]) InFile() bool    { return inFile(f.x) }
