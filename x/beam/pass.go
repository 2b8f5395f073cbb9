package beam

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers/loss"
)

// pass adds up rows with memory of its own, by Workers goroutines. One goroutine calls it.
type pass struct {
	problem *ProblemSpec
	loss    loss.Loss[float64]
	naming  loss.Loss[float64] // whose dual variables the scores name
	w       weights
	reader  reader[float64]
	lanes   []*lane

	scores, duals []float64 // a row's m numbers after the other
	bytes         []byte
	labels        []int   // of dense rows
	sets          [][]int // true classes of each row
}

func newPass(p *ProblemSpec, w weights) (*pass, error) {
	l, err := p.loss()
	if err != nil {
		return nil, err
	}
	if err := w.fit(p); err != nil {
		return nil, err
	}
	other := *p
	other.Smoothing = cmp.Or(p.Named, p.Smoothing)
	naming, err := other.loss()
	if err != nil {
		return nil, err
	}
	s := &pass{problem: p, loss: l, naming: naming, w: w, reader: reader[float64]{names: p.Names}}
	s.lanes = newLanes(s)
	return s, nil
}

// add adds the rows of an element.
func (s *pass) add(ctx context.Context, e Rows) error {
	b, err := s.read(ctx, e)
	if err != nil {
		return err
	}
	s.duals = resize(s.duals, e.Count*s.problem.Classes)
	if err := s.readDuals(ctx, e); err != nil {
		return err
	}
	s.sum(b, e.Row, func(sums *Sums, i int) { s.hash(sums, e.First+int64(i), i, b) })
	return nil
}

// take returns the sums of all rows so far and begins anew; nil: there was no row.
func (s *pass) take() (all *Sums) {
	for _, l := range s.lanes {
		switch {
		case l.sums == nil:
		case all == nil:
			all = l.sums
		default:
			all.Add(l.sums) // of the same size
		}
		l.sums = nil
	}
	return all
}

// read reads the rows of an element, and their true classes into sets.
func (s *pass) read(ctx context.Context, e Rows) (*block[float64], error) {
	b, err := s.reader.read(ctx, e)
	if err != nil {
		return nil, err
	}
	return b, s.readLabels(ctx, e, b)
}

// hash adds the row's number, and the row with its labels, to the sums that do not depend on the order.
func (s *pass) hash(sums *Sums, id int64, i int, b *block[float64]) {
	h := rowID(id)
	sums.IDs += h
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
	sums.Check += mix(h)
}

// readLabels sets the true classes of each row.
func (s *pass) readLabels(ctx context.Context, e Rows, b *block[float64]) error {
	s.labels, s.sets = b.y, b.sets
	if b.dense != nil {
		s.bytes = resize(s.bytes, 4*e.Count)
		if err := readRange(ctx, s.bytes, s.problem.Labels, 4*e.First); err != nil {
			return err
		}
		s.labels = make([]int, e.Count)
		for i := range s.labels {
			s.labels[i] = int(int32(binary.LittleEndian.Uint32(s.bytes[4*i:])))
		}
	}
	if s.sets == nil {
		s.sets = make([][]int, len(s.labels))
		for i := range s.labels {
			s.sets[i] = s.labels[i : i+1 : i+1]
		}
	}
	if len(s.sets) != e.Count {
		return fmt.Errorf("beam: %v: labels of %d rows, want %d", e, len(s.sets), e.Count)
	}
	for i, set := range s.sets {
		for _, c := range set {
			if c < 0 || c >= s.problem.Classes {
				return fmt.Errorf("beam: row %d has the class %d, want one of %d", e.First+int64(i), c,
					s.problem.Classes)
			}
		}
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
