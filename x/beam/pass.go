package beam

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// pass adds up rows with memory of its own. One goroutine uses it.
type pass struct {
	problem *ProblemSpec
	loss    loss.Loss[float64]
	w       weights
	reader  reader[float64]
	sums    *Sums // nil: no row yet

	scores, duals []float64 // a row's m numbers after the other
	bytes         []byte
	labels        []int   // of dense rows
	sets          [][]int // true classes of each row
	before, delta []float64
	workspace     loss.Workspace[float64]
}

func newPass(p *ProblemSpec, w weights) (*pass, error) {
	l, err := p.loss()
	if err != nil {
		return nil, err
	}
	m := p.Classes
	return &pass{problem: p, loss: l, w: w, reader: reader[float64]{names: p.Names},
		before: make([]float64, m), delta: make([]float64, m)}, w.fit(p)
}

// add adds the rows of an element.
func (s *pass) add(ctx context.Context, e Rows) error {
	p, m := s.problem, s.problem.Classes
	b, err := s.reader.read(ctx, e)
	if err != nil {
		return err
	}
	if err := s.readLabels(ctx, e, b); err != nil {
		return err
	}
	s.scores, s.duals = resize(s.scores, e.Count*m), resize(s.duals, e.Count*m)
	if err := s.readDuals(ctx, e); err != nil {
		return err
	}
	if s.sums == nil {
		s.sums = newSums(p.inputs(), m)
	}
	x := b.matrix()
	if p.Bias != 0 {
		x = design.WithBias(x, p.Bias)
	}
	design.ScoresAll(vec.MatrixOf(e.Count, m, s.scores), s.w.Matrix, x, cores(p.Workers))
	for i := range e.Count {
		s.row(i)
		s.hash(e.First+int64(i), i, b)
	}
	design.AccumulateAll(s.sums.V, vec.MatrixOf(e.Count, m, s.duals), x, cores(p.Workers))
	return nil
}

// row adds the loss and the dual term of row i of the element, and leaves its dual variables feasible.
func (s *pass) row(i int) {
	m, r := s.problem.Classes, s.problem.radius()
	scores, a, y := s.scores[i*m:(i+1)*m], s.duals[i*m:(i+1)*m], s.sets[i]
	s.sums.Loss += s.loss.Primal(scores, y, &s.workspace)
	s.sums.Rows++
	if s.problem.Duals == "" {
		s.sums.Terms += named(s.loss, a, scores, y, r, s.delta, &s.workspace)
		return
	}
	copy(s.before, a)
	s.loss.Repair(a, y, r, &s.workspace)
	for c, v := range a {
		if math.Abs(v-s.before[c]) > 1e-6*r {
			s.sums.Moved++
			break
		}
	}
	s.sums.Terms += s.loss.Dual(a, y, r, &s.workspace)
}

// hash adds the row's number, and the row with its labels, to the sums that do not depend on the order.
func (s *pass) hash(id int64, i int, b *block[float64]) {
	h := rowID(id)
	s.sums.IDs += h
	if b.dense != nil {
		for j, v := range b.dense.Row(i) {
			if v != 0 {
				h = number(h, j, v)
			}
		}
	} else {
		columns, values := b.sparse.Row(i)
		for k, v := range values {
			if v != 0 {
				h = number(h, int(columns[k]), v)
			}
		}
	}
	for k, c := range s.sets[i] {
		h = number(h, -1-k, float64(c))
	}
	s.sums.Check += mix(h)
}

// readLabels sets the true classes of each row.
func (s *pass) readLabels(ctx context.Context, e Rows, b *block[float64]) error {
	if b.labels.Sets != nil {
		s.sets = b.labels.Sets
		return nil
	}
	if b.sparse != nil {
		s.labels = b.labels.Y
	} else {
		s.bytes = resize(s.bytes, 4*e.Count)
		if err := readRange(ctx, s.bytes, s.problem.Labels, 4*e.First); err != nil {
			return err
		}
		s.labels = resize(s.labels, e.Count)
		for i := range s.labels {
			s.labels[i] = int(int32(binary.LittleEndian.Uint32(s.bytes[4*i:])))
		}
	}
	s.sets = resize(s.sets, e.Count)
	for i, c := range s.labels {
		if c < 0 || c >= s.problem.Classes {
			return fmt.Errorf("beam: row %d has the class %d, want one of %d", e.First+int64(i), c, s.problem.Classes)
		}
		s.sets[i] = s.labels[i : i+1 : i+1]
	}
	return nil
}

// readDuals reads the caller's dual variables of the rows, if there are some.
func (s *pass) readDuals(ctx context.Context, e Rows) error {
	if s.problem.Duals == "" {
		return nil
	}
	s.bytes = resize(s.bytes, 8*len(s.duals))
	m := s.problem.Classes
	if err := readRange(ctx, s.bytes, s.problem.Duals, 8*int64(m)*e.First); err != nil {
		return err
	}
	for k := range s.duals {
		v := math.Float64frombits(binary.LittleEndian.Uint64(s.bytes[8*k:]))
		if v-v != 0 {
			return fmt.Errorf("beam: dual variable %v of row %d, class %d, want a finite number", v,
				e.First+int64(k/m), k%m)
		}
		s.duals[k] = v
	}
	return nil
}

// resize returns a slice of n elements, s if it has room.
func resize[S ~[]E, E any](s S, n int) S { return slices.Grow(s[:0], n)[:n] }

// cores returns the number of goroutines that workers stand for: 0 for all cores.
func cores(workers int) int { return max(workers, 0) }
