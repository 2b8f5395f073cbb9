package bundle

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Forms returns <a, K_k a> = Σ_ij <a_i, a_j> K_k[i, j] for each of some matrices a, which have a row for each example,
// and each kernel k, by workers goroutines, 0 for all cores. Each pair of examples is evaluated once, for all matrices
// and kernels, and those with rows of 0 in all matrices are left out where that pays. Sums of up to 2048 terms are in
// T, and of these in float64; their order does not depend on the number of goroutines. It panics where sizes do not fit
// or workers is negative. O(s² (d + F + m)) for s examples whose rows are not 0.
func (b *Bundle[T]) Forms(as []vec.Matrix[T], workers int) [][]float64 {
	for _, a := range as {
		if a.Rows != b.n {
			panic(shape.Errorf("bundle: Bundle.Forms", "%d rows for %d examples", a.Rows, b.n))
		}
		a.Check()
	}
	workers, err := parallel.Cores(workers, b.n)
	if err != nil {
		panic(shape.Errorf("bundle: Bundle.Forms", "%v", err))
	}
	some := b.nonZero(as)
	switch {
	case len(some) == 0:
		return (&forms[T]{b: b, as: as}).sums()
	case len(some) <= b.n/2 || len(some) < b.n && !b.keepsAll():
		b, as = b.Compact(some), rowsOfEach(as, some)
	}
	f := newForms(b, as, b.n, workers)
	b.eachPair(0, workers, pairVisit[T]{begin: f.begin,
		value: func(w, stripe int, p *piece[T]) { f.value(w, stripe, p) }})
	return f.sums()
}

// forms is a call of Forms.
type forms[T vec.Float] struct {
	b     *Bundle[T]
	as    []vec.Matrix[T] // each times 2^by
	by    []int           // of each matrix
	parts [][]float64     // of each stripe: the sums of each matrix and kernel
	// of each goroutine and matrix: <a_i, a_j> of the stripe, and twice that below the diagonal
	products [][]vec.Matrix[T]
	room     [][]T // of each goroutine
}

// newForms is of the first n examples of b, of which as have rows.
func newForms[T vec.Float](b *Bundle[T], as []vec.Matrix[T], n, workers int) *forms[T] {
	f := &forms[T]{b: b, as: make([]vec.Matrix[T], len(as)), by: make([]int, len(as)),
		parts:    make([][]float64, stripes(n)),
		products: make([][]vec.Matrix[T], workers), room: make([][]T, workers)}
	for p, a := range as {
		f.as[p], f.by[p] = inRange(a)
	}
	return f
}

// inRange returns a as a rule. Where its largest number is so small, or so large, that products of two numbers would be
// beyond T it returns a copy, times a power of two, and the exponent. Down to low products are normal numbers of T for
// all numbers that are not below the roundoff of the largest one.
func inRange[T vec.Float](a vec.Matrix[T]) (scaled vec.Matrix[T], by int) {
	low, high := -458, 450
	if unsafe.Sizeof(T(0)) == 4 {
		low, high = -39, 50
	}
	largest := T(0)
	for i := range a.Rows {
		if row := a.Row(i); len(row) > 0 {
			largest = max(largest, vec.Max(row), -vec.Min(row))
		}
	}
	if largest == 0 || largest-largest != 0 {
		return a, 0
	}
	_, e := math.Frexp(float64(largest))
	if by = min(max(e, low), high) - e; by == 0 {
		return a, 0
	}
	scaled = vec.NewMatrix[T](a.Rows, a.Cols)
	for i := range a.Rows {
		for c, v := range a.Row(i) {
			scaled.Row(i)[c] = T(math.Ldexp(float64(v), by))
		}
	}
	return scaled, by
}

// sums returns the sums of all stripes.
func (f *forms[T]) sums() [][]float64 {
	sums, kernels := make([][]float64, len(f.as)), f.b.kernels
	for p := range sums {
		sums[p] = make([]float64, kernels)
		for _, part := range f.parts {
			vec.Axpy(1, part[p*kernels:(p+1)*kernels], sums[p])
		}
		if f.by != nil && f.by[p] != 0 {
			for k, v := range sums[p] {
				sums[p][k] = math.Ldexp(v, -2*f.by[p])
			}
		}
	}
	return sums
}

func (f *forms[T]) begin(w, stripe, from, to int) {
	f.parts[stripe] = make([]float64, len(f.as)*f.b.kernels)
	if f.room[w] == nil {
		f.room[w], f.products[w] = make([]T, pieceCols), make([]vec.Matrix[T], len(f.as))
	}
	for p, a := range f.as {
		if f.products[w][p].Cols < to {
			f.products[w][p] = core.Aligned[T](StripeRows, to)
		}
		products := f.products[w][p].Slice(0, to-from, 0, to)
		vec.Gemm(vec.NoTrans, vec.Transposed, 1, a.Slice(from, to, 0, a.Cols), a.Slice(0, to, 0, a.Cols), 0, products)
		for i := from; i < to; i++ {
			vec.Scale(2, products.Row(i - from)[:i])
		}
	}
}

// value adds what the values of a piece make, and returns these.
func (f *forms[T]) value(w, stripe int, p *piece[T]) []T {
	v := p.values(f.room[w])
	for q := range f.as {
		weights := f.products[w][q].Row(p.place)[p.from:p.to]
		f.parts[stripe][q*f.b.kernels+p.k] += float64(vec.Dot(weights, v))
	}
	return v
}

// nonZero returns the examples whose rows are not 0 in all of the matrices, ascending.
func (b *Bundle[T]) nonZero(as []vec.Matrix[T]) (some []int) {
	for i := range b.n {
		for _, a := range as {
			if core.AnyNonZero(a.Row(i)) {
				some = append(some, i)
				break
			}
		}
	}
	return some
}

// rowsOfEach returns copies of some rows of each matrix.
func rowsOfEach[T vec.Float](as []vec.Matrix[T], some []int) []vec.Matrix[T] {
	parts := make([]vec.Matrix[T], len(as))
	for p, a := range as {
		parts[p] = core.Pick(a, some)
	}
	return parts
}
