package bundle

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// certifyLanes is how many sums of the same scores there are, at most: the order of their terms does not depend on the
// number of goroutines.
const certifyLanes = 16

// ScoresAndForms sets dst, n-by-m, to the scores of all examples of the bundle that m was made of, and returns Forms of
// some matrices, by workers goroutines, 0 for all cores: what a certificate is made of. Of two examples that have rows
// in one of the matrices, or are support vectors, each kernel is evaluated once, and of all others with these. It
// panics where sizes do not fit or workers is negative.
func (m *Combination[T]) ScoresAndForms(dst vec.Matrix[T], b *Bundle[T], as []vec.Matrix[T], workers int) [][]float64 {
	if m.c.N != b.n || dst.Rows != b.n || dst.Cols != m.c.A.Cols {
		panic(shape.Errorf("bundle: Combination.ScoresAndForms",
			"dst is %d-by-%d for %d examples and %d outputs of a model of %d",
			dst.Rows, dst.Cols, b.n, m.c.A.Cols, m.c.N))
	}
	dst.Check()
	for _, a := range as {
		if a.Rows != b.n {
			panic(shape.Errorf("bundle: Combination.ScoresAndForms", "%d rows for %d examples", a.Rows, b.n))
		}
		a.Check()
	}
	workers, err := parallel.Cores(workers, b.n)
	if err != nil {
		panic(shape.Errorf("bundle: Combination.ScoresAndForms", "%v", err))
	}
	own := vec.NewMatrix[T](m.c.N, m.c.A.Cols) // the coefficients of all examples
	for p, i := range m.c.Support {
		copy(own.Row(i), m.c.A.Row(p))
	}
	some := b.nonZero(append([]vec.Matrix[T]{own}, as...))
	rest := []int{}
	for i, p := 0, 0; i < b.n; i++ {
		if p < len(some) && some[p] == i {
			p++
		} else {
			rest = append(rest, i)
		}
	}
	scores := vec.NewMatrix[T](len(rest), m.c.A.Cols)
	m.ScoresOf(scores, b, rest, nil, workers)
	for p, i := range rest {
		copy(dst.Row(i), scores.Row(p))
	}
	if len(some) == 0 {
		return (&forms[T]{b: b, as: as}).sums()
	}
	parts := rowsOfEach(append([]vec.Matrix[T]{own}, as...), some)
	c := newCertify(b.Compact(some), m.Weights(), parts[0], parts[1:], workers)
	for p, i := range some {
		copy(dst.Row(i), c.scores.Row(p))
	}
	return c.forms.sums()
}

// certify is the part of ScoresAndForms that meets pairs of examples with coefficients, each once: of the kernel K of
// some stripe of rows I and all columns up to there, J,
//
//	scores_I += K_IJ a_J, and scores_J += K_IJᵀ a_I, where J is not in I
type certify[T vec.Float] struct {
	weights []float64
	a       vec.Matrix[T]
	forms   *forms[T]
	k       []vec.Matrix[T] // of each goroutine: a stripe
	scores  vec.Matrix[T]
	lanes   []vec.Matrix[T] // of each lane: sums of columns
}

func newCertify[T vec.Float](b *Bundle[T], weights []float64, a vec.Matrix[T], as []vec.Matrix[T],
	workers int) *certify[T] {
	b.prepare(true) // a copy of the examples: a model has one, too
	c := &certify[T]{weights: weights, a: a, forms: newForms(b, as, workers), k: make([]vec.Matrix[T], workers),
		scores: vec.NewMatrix[T](b.n, a.Cols), lanes: make([]vec.Matrix[T], certifyLanes)}
	b.eachPair(0, workers, pairVisit[T]{lanes: certifyLanes, begin: c.begin, value: c.value, end: c.end})
	for _, lane := range c.lanes {
		for i := range lane.Rows {
			vec.Axpy(1, lane.Row(i), c.scores.Row(i))
		}
	}
	return c
}

func (c *certify[T]) begin(w, stripe, from, to int) {
	c.forms.begin(w, stripe, from, to)
	if c.k[w].Cols < to {
		c.k[w] = core.Aligned[T](stripeRows, to)
	}
	for i := from; i < to; i++ {
		clear(c.k[w].Row(i - from)[:to])
	}
}

func (c *certify[T]) value(w, stripe int, p *piece[T]) {
	vec.Axpy(T(c.weights[p.k]), c.forms.value(w, stripe, p), c.k[w].Row(p.place)[p.from:p.to])
}

func (c *certify[T]) end(w, lane, from, to int) {
	k, m := c.k[w].Slice(0, to-from, 0, to), c.a.Cols
	for i := range k.Rows {
		for j := range i {
			k.Row(j)[from+i] = k.Row(i)[from+j]
		}
	}
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, k, c.a.Slice(0, to, 0, m), 0, c.scores.Slice(from, to, 0, m))
	if from == 0 {
		return
	}
	if c.lanes[lane].Rows == 0 { // its first stripe has the most columns
		c.lanes[lane] = vec.NewMatrix[T](from, m)
	}
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, k.Slice(0, k.Rows, 0, from), c.a.Slice(from, to, 0, m), 1,
		c.lanes[lane].Slice(0, from, 0, m))
}
