package beam

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/x/beam/internal/fit"
)

// sample is some rows of all files in the driver's memory.
type sample struct {
	rows *block[float64]
	sets [][]int // true classes of each row
}

// data returns the sample for package fit.
func (s *sample) data(p *ProblemSpec) fit.Data {
	d := fit.Data{X: s.rows.matrix(), Names: p.Names}
	if l, err := p.loss(); err == nil && l.Traits().Sets {
		d.Sets = s.sets
		return d
	}
	d.Y = make([]int, len(s.sets))
	for i, set := range s.sets {
		d.Y[i] = set[0]
	}
	return d
}

// sums returns what a pass of p over the sample adds up.
func (s *sample) sums(p ProblemSpec, w vec.Matrix[float64]) (*Sums, error) {
	p.N = int64(len(s.sets))
	pass, err := newPass(&p, weights{w})
	if err != nil {
		return nil, err
	}
	pass.sets = s.sets
	pass.sum(s.rows, 0, nil)
	sums := pass.take()
	sums.settle()
	return sums, nil
}

// drawn returns size of the rows 0 to n-1, ascending: one from each of size parts of equal length, at random.
func drawn(n int64, size int, seed uint64) []int64 {
	ids := make([]int64, size)
	for k := range ids {
		// n k/size without overflow
		begin := func(k int64) int64 { return n/int64(size)*k + n%int64(size)*k/int64(size) }
		from, to := begin(int64(k)), begin(int64(k)+1)
		ids[k] = from + int64(mix(seed^mix(uint64(k)))%uint64(to-from))
	}
	return ids
}

// draw reads a sample. It does not depend on the ranges. Of dense files it reads no more than the rows where these are
// few, of others every element that has one.
func (p *ProblemSpec) draw(ctx context.Context, rows []Rows, size int, seed uint64) (*sample, error) {
	if size < 1 || int64(size) > p.N {
		return nil, fmt.Errorf("beam: a sample of %d of %d rows, want 1 to all", size, p.N)
	}
	if err := p.sizes(ctx, rows); err != nil {
		return nil, err
	}
	rows = slices.SortedFunc(slices.Values(rows), func(a, b Rows) int { return cmp.Compare(a.First, b.First) })
	d, err := newDrawing(p)
	if err != nil {
		return nil, err
	}
	ids, next := drawn(p.N, size, seed), int64(0)
	for _, e := range rows {
		if e.First != next {
			return nil, fmt.Errorf("beam: %v: want row %d next, and each row once", e, next)
		}
		next += int64(e.Count)
		k := 0
		for k < len(ids) && ids[k] < e.First+int64(e.Count) {
			k++
		}
		if err := d.element(ctx, e, ids[:k]); err != nil {
			return nil, err
		}
		ids = ids[k:]
	}
	return d.sample()
}

// drawing is a sample that is being read.
type drawing struct {
	problem ProblemSpec
	pass    *pass

	sets    [][]int
	numbers []float64 // of dense rows, or
	ptr     []int     // of sparse ones
	columns []int32
	values  []float64
}

func newDrawing(p *ProblemSpec) (*drawing, error) {
	d := &drawing{problem: *p, ptr: []int{0}}
	s, err := newPass(&d.problem, weights{vec.NewMatrix[float64](p.inputs(), p.Classes)})
	d.pass = s
	return d, err
}

// element reads the rows ids of an element.
func (d *drawing) element(ctx context.Context, e Rows, ids []int64) error {
	if 8*len(ids) < e.Count {
		for k, id := range ids {
			i := int(id - e.First)
			one, ok := e.part(i, i+1)
			if !ok {
				break
			}
			if err := d.rows(ctx, one, ids[k:k+1]); err != nil {
				return err
			}
		}
		if e.Format.dense() || len(ids) == 0 {
			return nil
		}
	}
	return d.rows(ctx, e, ids)
}

func (d *drawing) rows(ctx context.Context, e Rows, ids []int64) error {
	b, err := d.pass.read(ctx, e)
	if err != nil {
		return err
	}
	for _, id := range ids {
		i := int(id - e.First)
		d.sets = append(d.sets, slices.Clone(d.pass.sets[i]))
		if b.dense != nil {
			d.numbers = append(d.numbers, b.dense.Row(i)...)
			continue
		}
		columns, values := b.sparse.Row(i)
		d.columns, d.values = append(d.columns, columns...), append(d.values, values...)
		d.ptr = append(d.ptr, len(d.values))
	}
	return nil
}

func (d *drawing) sample() (*sample, error) {
	n, features := len(d.sets), d.problem.Features
	if d.numbers != nil && len(d.ptr) > 1 {
		return nil, fmt.Errorf("beam: a sample of dense and of sparse rows")
	}
	if d.numbers != nil {
		x, err := dataset.NewDense(vec.MatrixOf(n, features, d.numbers))
		return &sample{&block[float64]{dense: x}, d.sets}, err
	}
	x, err := dataset.NewCSR(features, d.ptr, d.columns, d.values)
	return &sample{&block[float64]{sparse: x}, d.sets}, err
}
