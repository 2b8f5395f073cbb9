package bundle

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// certifyLanes is how many sums of the same scores there are, at most: the order of their terms does not depend on the
// number of goroutines.
const certifyLanes = 16

// ScoresAndForms sets dst, n-by-m, to the scores Σ_k weights[k] K_k a of all examples, with coefficients a, n-by-m,
// and returns Forms of the matrices as, by workers goroutines, 0 for all cores: what a certificate is made of. Of two
// examples that have rows in one of the matrices each kernel is evaluated once, and of all others with these. It
// returns an error where a weight is negative or a number is not finite. It panics where sizes do not fit or workers is
// negative.
//
// O(n s (d + F + m)) for s examples whose rows are not 0. Memory: n s numbers for each goroutine's 64 rows, and a copy
// of the features of the s examples where they are dense.
func (b *Bundle[T]) ScoresAndForms(dst vec.Matrix[T], weights []float64, a vec.Matrix[T], as []vec.Matrix[T],
	workers int) ([][]float64, error) {
	const function = "bundle: Bundle.ScoresAndForms"
	if len(weights) != b.kernels || dst.Rows != b.n || a.Rows != b.n || dst.Cols != a.Cols {
		panic(shape.Errorf(function, "dst is %d-by-%d for %d examples, a is %d-by-%d, %d weights of %d kernels",
			dst.Rows, dst.Cols, b.n, a.Rows, a.Cols, len(weights), b.kernels))
	}
	dst.Check()
	all := append([]vec.Matrix[T]{a}, as...)
	for _, a := range all {
		if a.Rows != b.n {
			panic(shape.Errorf(function, "%d rows for %d examples", a.Rows, b.n))
		}
		a.Check()
	}
	workers, err := parallel.Cores(workers, b.n)
	if err != nil {
		panic(shape.Errorf(function, "%v", err))
	}
	if err := (&part[T]{weights: weights}).check(); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	if _, err := core.NewCoefficients("bundle", b.n, a, nil); err != nil {
		return nil, err
	}
	some, rest := b.split(all)
	if len(rest) > 0 && !b.each(core.Products[T].Prefix) {
		if err := b.scoresOf(dst, weights, a, rest, workers); err != nil {
			return nil, err
		}
		rest = nil
	}
	if len(some) == 0 {
		for _, i := range rest {
			clear(dst.Row(i))
		}
		return (&forms[T]{b: b, as: as}).sums(), nil
	}
	order := append(some, rest...)
	c := b
	if len(some) < b.n || !b.each(core.Products[T].Held) {
		c = b.compact(order, false)
		c.prepare(len(some))
	}
	parts := rowsOfEach(all, some)
	s := newCertify(c, weights, parts[0], parts[1:], workers)
	for p, i := range order {
		copy(dst.Row(i), s.scores.Row(p))
	}
	return s.forms.sums(), nil
}

// split returns the examples whose rows are not 0 in all of the matrices, ascending, and the others. Where these are
// less than half of all, and the budget keeps all products, there are no others, as in Forms.
func (b *Bundle[T]) split(all []vec.Matrix[T]) (some, rest []int) {
	some = b.nonZero(all)
	if len(some) > b.n/2 && b.keepsAll() {
		return core.Some(some, 0, b.n), nil
	}
	for i, p := 0, 0; i < b.n; i++ {
		if p < len(some) && some[p] == i {
			p++
		} else {
			rest = append(rest, i)
		}
	}
	return some, rest
}

// scoresOf sets the given rows of dst to scores.
func (b *Bundle[T]) scoresOf(dst vec.Matrix[T], weights []float64, a vec.Matrix[T], rows []int, workers int) error {
	m, err := NewCombination(b, weights, a, nil)
	if err != nil {
		return err
	}
	scores := vec.NewMatrix[T](len(rows), dst.Cols)
	m.ScoresOf(scores, b, rows, nil, workers)
	for p, i := range rows {
		copy(dst.Row(i), scores.Row(p))
	}
	return nil
}

// certify is what ScoresAndForms computes of the examples of a bundle, of which the first s have coefficients. It meets
// each pair of these once, and all others with these: of the kernel K of some stripe of rows I and the columns up to
// there, or up to s, J,
//
//	scores_I += K_IJ a_J, and scores_J += K_IJᵀ a_I, where J is not in I
type certify[T vec.Float] struct {
	weights []float64
	a       vec.Matrix[T] // s-by-m
	forms   *forms[T]
	k       []vec.Matrix[T] // of each goroutine: a stripe
	scores  vec.Matrix[T]
	lanes   []vec.Matrix[T] // of each lane: sums of columns
}

func newCertify[T vec.Float](b *Bundle[T], weights []float64, a vec.Matrix[T], as []vec.Matrix[T],
	workers int) *certify[T] {
	c := &certify[T]{weights: weights, a: a, forms: newForms(b, as, a.Rows, workers), k: make([]vec.Matrix[T], workers),
		scores: vec.NewMatrix[T](b.n, a.Cols), lanes: make([]vec.Matrix[T], certifyLanes)}
	b.eachPair(0, workers, pairVisit[T]{lanes: certifyLanes, cols: a.Rows, begin: c.begin, value: c.value, end: c.end})
	for _, lane := range c.lanes {
		for i := range lane.Rows {
			vec.Axpy(1, lane.Row(i), c.scores.Row(i))
		}
	}
	return c
}

func (c *certify[T]) begin(w, stripe, from, to int) {
	cols := min(to, c.a.Rows)
	if from < cols {
		c.forms.begin(w, stripe, from, cols)
	}
	if c.k[w].Cols < cols {
		c.k[w] = core.Aligned[T](StripeRows, cols)
	}
	for i := from; i < to; i++ {
		clear(c.k[w].Row(i - from)[:cols])
	}
}

func (c *certify[T]) value(w, stripe int, p *piece[T]) {
	row, weight := c.k[w].Row(p.place), c.weights[p.k]
	switch {
	case stripe*StripeRows+p.place < c.a.Rows:
		vec.Axpy(T(weight), c.forms.value(w, stripe, p), row[p.from:p.to])
	case weight != 0:
		p.addTo(row, weight)
	}
}

func (c *certify[T]) end(w, lane, from, to int) {
	m, cols := c.a.Cols, min(to, c.a.Rows)
	k := c.k[w].Slice(0, to-from, 0, cols)
	for i := range cols - from {
		for j := range i {
			k.Row(j)[from+i] = k.Row(i)[from+j]
		}
	}
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, k, c.a.Slice(0, cols, 0, m), 0, c.scores.Slice(from, to, 0, m))
	if from == 0 || from >= cols {
		return
	}
	if c.lanes[lane].Rows == 0 { // its first stripe has the most columns
		c.lanes[lane] = vec.NewMatrix[T](from, m)
	}
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, k.Slice(0, cols-from, 0, from), c.a.Slice(from, cols, 0, m), 1,
		c.lanes[lane].Slice(0, from, 0, m))
}
