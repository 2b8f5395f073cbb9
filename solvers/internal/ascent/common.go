package ascent

import (
	"math/rand/v2"

	"github.com/dualgap/dualgap/internal/pages"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// common is what trainings on features and on kernels share.
type common[T vec.Float] struct {
	train.Trust
	p    Problem[T]
	o    Options
	n, m int
	cols int // of W, of scores and of moves: m, or the columns of U where there is a factor

	a      vec.Matrix[T] // dual variables, n-by-m; in groups of sparse examples with 0 behind them
	ex     []example
	epoch  int
	random rand.PCG
	counts
	momentum momentum[T]
	offset   offset
	changed  []uint8 // 1 where dual variables may differ from momentum's: all others are skipped

	certificate solvers.Certificate // the last one
	tilt        float64             // <Xᵀ A, W0> as of that
	work        loss.Workspace[T]
	scores      []T // of all outputs, where there is a factor
}

// example is what a visit needs to know of an example besides its features and dual variables: in one place, since
// visits are in random order, and each place may be far away in memory.
type example struct {
	r    float64 // weight of its loss
	h    float64 // |x_i|² or K_ii, at least the least number that divides safely
	gap  float64 // g_i of package loss as of the last visit
	term float64 // its dual term

	next  int32 // epoch of the next visit; 0: never
	rests uint8 // visits in a row that left it alone, as far as the wait grows
	zero  bool  // all its dual variables are 0

	labels uint16 // of a group: bit c is set where label c is true
}

// counts are sums over all examples and visits.
type counts struct {
	dual      float64 // sum of the dual terms
	gaps      float64 // sum of the g_i
	quadratic float64 // 1/2 <A, K A R>, kept up to date where there is a Coupling, otherwise as of the end of the epoch
	visits    int
}

// collect adds from to c and clears it.
func (c *counts) collect(from *counts) {
	c.dual, c.gaps, c.quadratic, c.visits = c.dual+from.dual, c.gaps+from.gaps, c.quadratic+from.quadratic,
		c.visits+from.visits
	*from = counts{}
}

// newCommon is the state at W = 0 and A = 0, whose rows are stride numbers apart, with h_i = |x_i|² or K_ii.
func newCommon[T vec.Float](p Problem[T], o Options, stride int, h []T) common[T] {
	n, m := len(h), p.Outputs
	s := common[T]{
		p: p, o: o, n: n, m: m, cols: p.Factor.Cols(m), a: vec.NewMatrix[T](n, stride), ex: make([]example, n),
		random: *rand.NewPCG(o.Seed, 0), changed: make([]uint8, n), scores: make([]T, m), offset: newOffset(&p),
	}
	s.a.Cols = m
	pages.Huge(s.a.Data) // visits are in random order
	pages.Huge(s.ex)
	// With a larger h an update maximises a lower bound of the dual objective instead of itself. The one example in
	// question has norm 0, or next to it: its dual variables go to their optimum in one step, and W stays.
	least, _, _ := family.Limits[T]()
	zero, like := make([]T, m), likeness{on: loss.BinaryOf(p.Loss) != nil && m == 1}
	term, gap := 0.0, 0.0
	for i, r := range p.Radius {
		ex := &s.ex[i]
		*ex = example{r: r, h: max(float64(h[i]), float64(T(least))), zero: true}
		if r == 0 {
			continue
		}
		if y := p.Labels.Of(i); !like.theLast(r, len(y)) {
			s.work.Example = i
			term = p.Loss.Dual(zero, y, r, &s.work)
			gap = r*p.Loss.Primal(zero, y, &s.work) - term
		}
		ex.term, ex.gap = term, gap
		s.dual += ex.term
		s.gaps += ex.gap
	}
	return s
}

// Zero: see train.Certified, as of the next ones.
func (s *common[T]) Zero() solvers.Certificate { return s.zeroOffset(s.p.Zero()) }

func (s *common[T]) Partial() bool { return false }

func (s *common[T]) Duals() vec.Matrix[T] { return s.a }

// duals returns the dual variables of example i: a.Row(i), without its checks.
func (s *common[T]) duals(i int) []T { return s.a.Data[i*s.a.Stride:][:s.m:s.m] }

// outputs returns u Q, for all outputs, in float64 and rounded once.
func (s *common[T]) outputs(u vec.Matrix[T]) vec.Matrix[T] {
	z, exact, row := vec.NewMatrix[T](u.Rows, s.m), make([]float64, s.cols), make([]float64, s.m)
	for j := range u.Rows {
		vec.Convert(exact, u.Row(j))
		vec.Convert(z.Row(j), s.p.ExactFactor.Scores(row, exact))
	}
	return z
}

// isZero reports whether all numbers are 0.
func isZero[T vec.Float](a []T) bool {
	for _, v := range a {
		if v != 0 {
			return false
		}
	}
	return true
}
