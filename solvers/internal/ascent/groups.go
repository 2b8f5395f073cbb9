package ascent

import (
	"context"
	"slices"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/pages"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// groupSize returns the number of outputs of a group, or 0 where all are to be trained together. On sparse features it
// is a line of memory of float32 numbers. On dense ones, where blocks are small, a group is to be as large as it can
// be, so that examples are not read more often than need be, and there are two groups at least; large blocks, with all
// outputs together, are quicker than groups.
func groupSize[T vec.Float](p *Problem[T], o Options) int {
	const line = 16
	_, d := p.X.Dims()
	switch {
	case !p.Loss.Traits().Separable || p.coupled() || p.Factor != nil:
	case design.IsSparse(p.X) && p.Outputs > line:
		return line
	case !design.IsSparse(p.X) && p.Outputs > 2*line && o.BlockSize == 0 && d < smallBlocks:
		groups := max(2, shape.Pieces(p.Outputs, family.MostInGroup))
		return shape.Pieces(p.Outputs, groups)
	}
	return 0
}

// groupVisits returns the loss of a group if it visits sparse examples by one kernel, and they have no constant
// feature, which is no number of their rows; or nil. Rows of A and of W then have 0 behind the outputs, up to
// loss.GroupSize.
func groupVisits[T vec.Float](p *Problem[T], r *rows[T], size int) loss.Grouped[T] {
	l, ok := p.Loss.(loss.Grouped[T])
	if !ok || !l.Groups() || p.Labels.Masks() == nil || p.Outputs > loss.GroupSize || r.sparse == nil ||
		r.constant != 0 || size > 1 {
		return nil
	}
	return l
}

// updateGroup is updateOne with a visit that reads and moves W itself.
func (w *worker[T]) updateGroup(i int) (moved bool) {
	s, ex := w.s, &w.s.ex[i]
	columns, values := w.rows.row(i)
	a := s.a.Data[i*loss.GroupSize:][:loss.GroupSize]
	w.visits++
	gap, term, moved := s.grouped.VisitGroup(
		&w.weights.Matrix, columns, values, a, s.m, int(ex.labels), ex.h, ex.r, ex.term, s.negligible, &w.work)
	w.note(i, gap)
	if moved {
		w.dual += term - ex.term
		ex.term, s.changed[i] = term, 1
		ex.zero = term == 0 && isZero(a)
	}
	return moved
}

// groupSolver trains where the outputs do not depend on each other: groups of them are trainings of their own, in which
// examples rest for one group while others still visit them, and which goroutines take in turn: with 100 outputs one of
// each example always moves. The bits are the same for any number of workers.
type groupSolver[T vec.Float] struct {
	train.Trust
	p       Problem[T]
	workers int
	groups  []*linearSolver[T]
	classes [][]int     // of each group
	order   []int       // in which goroutines take them
	done    []bool      // which of them are through with the epoch
	exact   [][]float64 // memory of each worker for W in float64
	epoch   int
	n, d, m int
}

func newGroupSolver[T vec.Float](p Problem[T], o Options, size int) (*groupSolver[T], error) {
	n, d := p.size()
	s := &groupSolver[T]{p: p, workers: o.Workers, n: n, d: d, m: p.Outputs}
	o.Workers = 1
	s.classes = p.Labels.Groups(s.m, size)
	s.exact = make([][]float64, min(s.workers, len(s.classes)))
	s.groups, s.done = make([]*linearSolver[T], len(s.classes)), slices.Repeat([]bool{true}, len(s.classes))
	e, err := measure(&p)
	if err != nil {
		return nil, err
	}
	errs := make([]error, len(s.classes))
	parallel.Do(s.workers, len(s.classes), func(_, g int) {
		part, classes := p, s.classes[g]
		part.Prior = p.priorWithin(classes)
		part.Outputs, part.Labels = len(classes), p.Labels.Within(classes, s.m)
		part.Loss, part.Exact = within(p.Loss, classes, s.m), within(p.Exact, classes, s.m)
		s.groups[g], errs[g] = newLinearSolverOf(part, o, &e)
	})
	for g, err := range errs {
		if err != nil {
			return nil, err
		}
		s.order = append(s.order, g)
	}
	return s, nil
}

// within returns the loss of some of m classes.
func within[T vec.Float](l loss.Loss[T], classes []int, m int) loss.Loss[T] {
	if p, ok := l.(loss.Parted[T]); ok {
		return p.Part(classes, m)
	}
	return l
}

// Epoch takes an epoch of each group.
func (s *groupSolver[T]) Epoch(ctx context.Context) (epoch int, whole bool) {
	if ctx.Err() != nil {
		return s.epoch, false
	}
	if !slices.Contains(s.done, false) {
		clear(s.done)
		s.epoch++
	}
	workers := s.longestFirst()
	parallel.Do(workers, len(s.groups), func(_, q int) {
		if g := s.order[q]; !s.done[g] {
			_, s.done[g] = s.groups[g].Epoch(ctx)
		}
	})
	if slices.Contains(s.done, false) {
		return s.epoch, false
	}
	share := s.Estimate().Primal / float64(len(s.groups)) // what matters in a group is a part of the whole objective
	for _, g := range s.groups {
		g.setNegligible(share)
	}
	return s.epoch, true
}

// longestFirst orders the groups by how many examples were due in their last epochs, the most first, so that goroutines
// end together. It returns how many of these the next epochs are worth.
func (s *groupSolver[T]) longestFirst() (workers int) {
	slices.SortFunc(s.order, func(g, g2 int) int { return len(s.groups[g2].due) - len(s.groups[g].due) })
	const visit = 300. // ns
	due := 0
	for _, g := range s.groups {
		due += len(g.due)
	}
	if due == 0 { // there was none
		due = s.n * len(s.groups)
	}
	return parallel.Worth(s.workers, visit*float64(due))
}

// Visits counts a visit of all outputs of an example as one.
func (s *groupSolver[T]) Visits() (visits, n int) {
	for _, g := range s.groups {
		v, _ := g.Visits()
		visits += v
	}
	return visits / len(s.groups), s.n
}

// Estimate: see train.Method.
func (s *groupSolver[T]) Estimate() (sum solvers.Certificate) {
	for _, g := range s.groups {
		sum = add(sum, g.Estimate())
	}
	return sum
}

// Certify: see train.Method.
func (s *groupSolver[T]) Certify() (sum solvers.Certificate, err error) {
	errs, offs := make([]error, len(s.groups)), make([]float64, len(s.groups))
	parallel.Do(len(s.exact), len(s.groups), func(worker, g int) {
		s.lend(s.groups[g], worker)
		_, offs[g], errs[g] = s.groups[g].certify()
	})
	off := 0.0
	for q, g := range s.groups {
		if errs[q] != nil && err == nil {
			err = errs[q]
		}
		sum, off = add(sum, g.certificate), off+offs[q]
	}
	if err != nil {
		return sum, err
	}
	return sum, s.Judge(sum, off, s.groups[0].o.Tol)
}

// Bound: see train.Bounded.
func (s *groupSolver[T]) Bound() (sum float64) {
	for _, g := range s.groups {
		sum += g.bound
	}
	return sum
}

// lend gives a group a worker's memory for a certificate: memory for all groups would be as much as for all of W, in
// float64.
func (s *groupSolver[T]) lend(g *linearSolver[T], worker int) {
	if s.exact[worker] == nil {
		s.exact[worker] = make([]float64, s.d*exactCols(len(s.classes[0])))
	}
	w := &g.exact.parts[0].w
	w.Data = s.exact[worker][:s.d*w.Stride]
}

// Reconsider: see train.Method.
func (s *groupSolver[T]) Reconsider() bool {
	primal := 0.0
	for _, g := range s.groups {
		primal += g.certificate.Primal
	}
	for _, g := range s.groups {
		g.reconsider(primal / float64(len(s.groups)))
	}
	return true
}

// Start: see Solver. Feasible dual variables whose gap is within the tolerance stay what they are: the best multiples
// of each group by itself may have a larger one.
func (s *groupSolver[T]) Start(duals vec.Matrix[T]) (sum solvers.Certificate, err error) {
	if err := CheckDuals(duals, s.n, s.m); err != nil {
		return sum, err
	}
	feasible := true
	parts := make([]vec.Matrix[T], len(s.groups))
	for q, g := range s.groups {
		parts[q] = vec.NewMatrix[T](s.n, g.m)
		for p, c := range s.classes[q] {
			for i := range s.n {
				parts[q].Row(i)[p] = duals.Row(i)[c]
			}
		}
		scale, _ := g.reach(parts[q])
		feasible = feasible && scale >= 1
	}
	if feasible {
		for q, g := range s.groups {
			g.multiple(parts[q], 1)
		}
		if sum, err = s.Certify(); err != nil || sum.RelativeGap() <= s.groups[0].o.Tol {
			return sum, err
		}
	}
	sum = solvers.Certificate{}
	for q, g := range s.groups {
		s.lend(g, 0)
		c, err := g.Start(parts[q])
		if err != nil {
			return sum, err
		}
		sum = add(sum, c)
	}
	return sum, nil
}

// Duals puts together the groups' dual variables.
func (s *groupSolver[T]) Duals() vec.Matrix[T] {
	all := vec.NewMatrix[T](s.n, s.m)
	for q, g := range s.groups {
		spread(all, g.a, s.classes[q])
	}
	return all
}

// Zero: see train.Certified, as of the next ones.
func (s *groupSolver[T]) Zero() (sum solvers.Certificate) {
	for _, g := range s.groups {
		if s.p.hasPrior() {
			s.lend(g, 0)
		}
		sum = add(sum, g.Zero())
	}
	return sum
}

func (s *groupSolver[T]) PrimalVariables() (train.Variables[T], error) {
	return variables(s.Weights()), nil
}

func (s *groupSolver[T]) DualVariables() *train.Variables[T] { return nil }

func (s *groupSolver[T]) Partial() bool { return false }

func (s *groupSolver[T]) Fits(primal, dual train.Variables[T]) bool {
	return primal.Sized(s.d, s.m) && dual.None()
}

// Weights puts together the groups' weights.
func (s *groupSolver[T]) Weights() vec.Matrix[T] {
	all := vec.NewMatrix[T](s.d, s.m)
	pages.Huge(all.Data)
	s.weightsTo(all.Row)
	return all
}

// weightsTo sets row(j) to the weights of feature j, of all features: m numbers.
func (s *groupSolver[T]) weightsTo(row func(j int) []T) {
	workers := parallel.Worth(s.workers, float64(s.d)*float64(s.m))
	parallel.Ranges(workers, s.d, func(_, from, to int) {
		for j := from; j < to; j++ {
			to := row(j)
			for q, g := range s.groups {
				g.weights.spread(to, j, s.classes[q])
			}
		}
	})
}

// spread copies the columns of part to the given columns of all.
func spread[T vec.Float](all, part vec.Matrix[T], columns []int) {
	for i := range all.Rows {
		from, to := part.Row(i), all.Row(i)
		for p, c := range columns {
			to[c] = from[p]
		}
	}
}

// Save writes which groups are through with the epoch, and their states.
func (s *groupSolver[T]) Save(w *container.Writer) {
	done := make([]byte, len(s.done))
	for g, yes := range s.done {
		if yes {
			done[g] = 1
		}
	}
	w.Ints("epch", s.epoch)
	w.Bytes("done", done)
	for _, g := range s.groups {
		g.Save(w)
	}
}

// Load: see train.Method.
func (s *groupSolver[T]) Load(r *container.Reader) {
	epoch, done := r.Ints("epch", 1), r.Bytes("done", len(s.done))
	for _, g := range s.groups {
		g.Load(r)
	}
	if r.Err() == nil && !container.Counts(epoch[0]) {
		r.Corrupt("epoch %d", epoch[0])
	}
	if r.Err() != nil {
		return
	}
	s.epoch = epoch[0]
	for g := range done {
		s.done[g] = done[g] != 0
	}
}

func add(a, b solvers.Certificate) solvers.Certificate {
	return solvers.Certificate{Primal: a.Primal + b.Primal, Dual: a.Dual + b.Dual}
}
