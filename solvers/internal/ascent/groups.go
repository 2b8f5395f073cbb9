package ascent

import (
	"context"
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// groupSize is the number of outputs of a group: a line of memory of float32 numbers.
const groupSize = 16

// groupSolver trains on sparse features where the outputs do not depend on each other: groups of them are trainings of
// their own, in which examples rest for one group while others still visit them, and which goroutines take in turn:
// with 100 outputs one of each example always moves. The bits are the same for any number of workers. On dense features
// large blocks of examples, with all outputs together, are the quicker ones.
type groupSolver[T vec.Float] struct {
	p       Problem[T]
	workers int
	groups  []*linearSolver[T]
	done    []bool      // which of them are through with the epoch
	exact   [][]float64 // memory of each worker for W in float64, d-by-16
	epoch   int
	n, d, m int
}

func newGroupSolver[T vec.Float](p Problem[T], o Options) (*groupSolver[T], error) {
	n, d := p.size()
	s := &groupSolver[T]{p: p, workers: o.Workers, n: n, d: d, m: p.Outputs}
	s.exact = make([][]float64, min(o.Workers, (s.m+groupSize-1)/groupSize))
	o.Workers = 1
	for from := 0; from < s.m; from += groupSize {
		part := p
		part.Outputs = min(groupSize, s.m-from)
		part.Labels = p.Labels.within(from, from+part.Outputs)
		part.Loss, part.Exact = within(p.Loss, from, from+part.Outputs, s.m), within(p.Exact, from, from+part.Outputs, s.m)
		g, err := newLinearSolver(part, o)
		if err != nil {
			return nil, err
		}
		s.groups = append(s.groups, g)
		s.done = append(s.done, true)
	}
	return s, nil
}

// within returns the loss of the outputs from..to of m.
func within[T vec.Float](l loss.Loss[T], from, to, m int) loss.Loss[T] {
	if p, ok := l.(loss.Parted[T]); ok {
		return p.Part(from, to, m)
	}
	return l
}

// within returns the sets of labels in [from, to), less from.
func (l *Labels) within(from, to int) Labels {
	n := l.Count()
	sets, flat := make([][]int, n), make([]int, 0, n)
	for i := range sets {
		first := len(flat)
		for _, c := range l.Of(i) {
			if from <= c && c < to {
				flat = append(flat, c-from)
			}
		}
		sets[i] = flat[first:len(flat):len(flat)] // in older memory where flat has grown since
	}
	return Labels{Sets: sets}
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
	parallel.Do(s.workers, len(s.groups), func(_, g int) {
		if !s.done[g] {
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
	errs := make([]error, len(s.groups))
	parallel.Do(len(s.exact), len(s.groups), func(worker, g int) {
		s.lend(s.groups[g], worker)
		_, errs[g] = s.groups[g].Certify()
	})
	for q, g := range s.groups {
		if errs[q] != nil && err == nil {
			err = errs[q]
		}
		sum = add(sum, g.certificate)
	}
	return sum, err
}

// lend gives a group a worker's memory for a certificate: all groups together would take that of W, in float64.
func (s *groupSolver[T]) lend(g *linearSolver[T], worker int) {
	if s.exact[worker] == nil {
		s.exact[worker] = make([]float64, s.d*groupSize)
	}
	w := &g.exact.parts[0].w
	w.Data = s.exact[worker][:s.d*w.Stride]
}

// Reconsider: see train.Method.
func (s *groupSolver[T]) Reconsider() {
	primal := 0.0
	for _, g := range s.groups {
		primal += g.certificate.Primal
	}
	for _, g := range s.groups {
		g.reconsider(primal / float64(len(s.groups)))
	}
}

// Start: see Solver.
func (s *groupSolver[T]) Start(duals vec.Matrix[T]) (sum solvers.Certificate, err error) {
	if err := fits(duals, s.n, s.m); err != nil {
		return sum, err
	}
	for q, g := range s.groups {
		s.lend(g, 0)
		c, err := g.Start(duals.Slice(0, s.n, q*groupSize, q*groupSize+g.m))
		if err != nil {
			return sum, err
		}
		sum = add(sum, c)
	}
	return sum, nil
}

// Duals puts together those of the groups.
func (s *groupSolver[T]) Duals() vec.Matrix[T] {
	all := vec.NewMatrix[T](s.n, s.m)
	for q, g := range s.groups {
		for i := range s.n {
			copy(all.Row(i)[q*groupSize:], g.duals(i))
		}
	}
	return all
}

func (s *groupSolver[T]) Coefficients() vec.Matrix[T] { return vec.Matrix[T]{} }

// Weights puts together those of the groups.
func (s *groupSolver[T]) Weights() vec.Matrix[T] {
	all := vec.NewMatrix[T](s.d, s.m)
	for q, g := range s.groups {
		g.weights.copyTo(all.Slice(0, s.d, q*groupSize, q*groupSize+g.m))
	}
	return all
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
	if r.Err() == nil && (epoch[0] < 0 || epoch[0] > math.MaxInt32/2) {
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
