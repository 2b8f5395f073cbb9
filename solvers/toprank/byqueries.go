package toprank

import (
	"context"
	"math/rand/v2"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// byQueries is the training within queries: block coordinate ascent of the dual (7) with a sum S_q for each query,
// whose blocks are the dual variables of a query. An epoch visits the queries that have a share in the gap, see visit,
// and then computes all scores.
type byQueries[T vec.Float] struct {
	base[T]
	space          space
	queries        []*query
	next           int     // of the queries that the epoch visits
	keep           int     // how many more numbers of rows may be kept
	least, epsilon float64 // the least curvature, and its value for a diagonal of 1
}

// space is where the model is at work: weights of features, or scores by a kernel.
type space interface {
	renew(c []float64)                    // makes the model of all coefficients, which are certified
	add(rows []int, c []float64)          // adds c to the coefficients of some
	scores(f []float64, rows []int)       // sets f to the scores of the examples rows
	row(dst []float64, i int, rows []int) // sets dst to K of example i with those
	state() vec.Matrix[float64]           // what add changes
}

const (
	// skipBelow is the part of the mean gap of a query below which an epoch leaves one out.
	skipBelow = 0.1

	// mostKept is how many numbers of K are kept: 1 GB.
	mostKept = 1 << 27
)

func newByQueries[T vec.Float](o *objective, x design.Matrix[T], k *kernel.Matrix[T]) (*byQueries[T], error) {
	n := len(o.Positive)
	s := &byQueries[T]{base: newBase[T](o, x), keep: mostKept}
	s.duals = s.allDuals
	diagonal, epsilon := make([]float64, n), 0.0
	s.least, _, epsilon = family.Limits[float64]()
	if k == nil {
		wide := design.Float64(x)
		_, d := wide.Dims()
		wide.SquaredNorms(diagonal)
		s.space = &onFeatures{wide, vec.NewMatrix[float64](d, 1), o.Workers}
	} else {
		norms := make([]T, n)
		k.Diagonal(norms)
		vec.Convert(diagonal, norms)
		_, _, epsilon = family.Limits[T]()
		s.space = &onKernel[T]{k, s.f}
		var err error
		if s.wide, err = k.Float64(); err != nil {
			return nil, err
		}
	}
	s.epsilon = 8 * epsilon
	for _, rows := range o.Queries {
		q := &query{at: o.PositivesFirst(append([]int(nil), rows...)), rows: make([][]float64, len(rows))}
		for _, i := range rows {
			if o.Positive[i] {
				q.positives++
			}
		}
		q.k = min(o.K, len(rows)-q.positives)
		q.alpha, q.p = make([]float64, q.positives), make([]float64, len(rows)-q.positives)
		q.diagonal = family.Pick(diagonal, q.at)
		s.queries = append(s.queries, q)
	}
	s.measure()
	return s, finite(diagonal)
}

// measure computes the scores, what each query has of the gap, and the estimate.
func (s *byQueries[T]) measure() {
	s.estimate = solvers.Certificate{}
	all := make([]float64, len(s.f))
	s.space.scores(all, nil)
	for _, q := range s.queries {
		c := q.judge(s.objective, family.Pick(all, q.at))
		q.gap = c.Gap()
		s.estimate.Primal += c.Primal
		s.estimate.Dual += c.Dual
	}
}

// Epoch visits the queries whose gap is not far below the mean, in random order.
func (s *byQueries[T]) Epoch(ctx context.Context) (int, bool) {
	s.fresh = false
	least := skipBelow * s.estimate.Gap() / float64(len(s.queries))
	var order []*query
	for _, u := range rand.New(rand.NewPCG(s.Seed, uint64(s.epoch))).Perm(len(s.queries)) {
		if q := s.queries[u]; q.gap >= least {
			order = append(order, q)
		}
	}
	for ; s.next < len(order); s.next++ {
		if ctx.Err() != nil {
			return s.epoch, false
		}
		release := func() {}
		if size := len(order[s.next].at); size > len(s.f)/size { // others take less time than to copy the state does
			release = train.Hold(ctx)
		}
		s.visit(order[s.next])
		release()
	}
	defer train.Hold(ctx)()
	s.measure()
	s.next = 0
	s.epoch++
	s.visits += len(s.f) // of a pass, since all scores are computed
	return s.epoch, true
}

// allDuals returns the dual variables of all examples.
func (s *byQueries[T]) allDuals() (alpha, beta []float64) {
	alpha, beta = make([]float64, len(s.f)), make([]float64, len(s.f))
	for _, q := range s.queries {
		sum := vec.Sum(q.alpha)
		for u, i := range q.at {
			if u < q.positives {
				alpha[i] = q.alpha[u]
			} else {
				beta[i] = sum * q.p[u-q.positives]
			}
		}
	}
	return alpha, beta
}

// start begins with the given dual variables and returns their certificate.
func (s *byQueries[T]) start(alpha, beta []float64) (solvers.Certificate, error) {
	c, err := s.certify(alpha, beta)
	for _, q := range s.queries {
		q.set(alpha, beta)
	}
	s.Reconsider()
	return c, err
}

// Reconsider computes the model from the dual variables anew, free of what rounding has added up.
func (s *byQueries[T]) Reconsider() bool {
	s.space.renew(difference(s.duals()))
	s.measure()
	return true
}

func (s *byQueries[T]) Save(w *container.Writer) { s.fields(w.Fields) }

func (s *byQueries[T]) Load(r *container.Reader) {
	s.fields(r.FiniteFields)
	s.checkEpoch(r)
	s.visits = s.epoch * len(s.f)
	for _, q := range s.queries {
		if low := min(vec.Min(q.alpha), vec.Min(q.p)); low < 0 {
			r.Corrupt("a dual variable of %v", low)
		}
	}
}

// fields are what a state holds: do writes or reads them.
func (s *byQueries[T]) fields(do func(tag string, of ...any)) {
	do("rank", &s.epoch, &s.next)
	do("esti", &s.estimate.Primal, &s.estimate.Dual)
	var all []any
	for _, q := range s.queries {
		all = append(all, &q.gap, q.alpha, q.p)
	}
	do("vars", all...)
	do("modl", s.space.state().Data)
}

// onFeatures is the model as weights.
type onFeatures struct {
	x       design.Matrix[float64]
	w       vec.Matrix[float64]
	workers int
}

func (s *onFeatures) renew(c []float64) {
	clear(s.w.Data)
	design.AccumulateAll(s.w, vec.MatrixOf(len(c), 1, c), s.x, s.workers)
}

func (s *onFeatures) add(rows []int, c []float64) {
	if len(rows) > 0 {
		s.x.Accumulate(s.w, vec.MatrixOf(len(c), 1, c), rows)
	}
}

func (s *onFeatures) scores(f []float64, rows []int) {
	to := vec.MatrixOf(len(f), 1, f)
	if rows == nil {
		design.ScoresAll(to, s.w, s.x, s.workers)
	} else {
		s.x.Scores(to, s.w, rows)
	}
}

func (s *onFeatures) row(dst []float64, i int, rows []int) {
	s.x.Gram(vec.MatrixOf(1, len(dst), dst), []int{i}, rows)
}

func (s *onFeatures) state() vec.Matrix[float64] { return s.w }

// onKernel is the model as scores of all examples, which a certificate sets right.
type onKernel[T vec.Float] struct {
	k *kernel.Matrix[T]
	f []float64
}

func (s *onKernel[T]) renew([]float64) {}

func (s *onKernel[T]) add(rows []int, c []float64) {
	for q, i := range rows {
		for j, v := range s.k.Pin(i) {
			s.f[j] += float64(c[q] * float64(v))
		}
		s.k.Release(i)
	}
}

func (s *onKernel[T]) scores(f []float64, rows []int) {
	if rows == nil {
		copy(f, s.f)
	}
	for q, i := range rows {
		f[q] = s.f[i]
	}
}

func (s *onKernel[T]) row(dst []float64, i int, rows []int) {
	all := s.k.Pin(i)
	for q, j := range rows {
		dst[q] = float64(all[j])
	}
	s.k.Release(i)
}

func (s *onKernel[T]) state() vec.Matrix[float64] { return vec.MatrixOf(len(s.f), 1, s.f) }
