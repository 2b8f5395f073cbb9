package predictor

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// Predict answers to one example, a number for each feature in their order.
func (p *Predictor) Predict(row []float64) (Prediction, error) {
	return p.one(func(r *Rows) error { return r.Add(row) })
}

// Predict32 is Predict of numbers of 32 bits.
func (p *Predictor) Predict32(row []float32) (Prediction, error) {
	return p.one(func(r *Rows) error { return r.Add32(row) })
}

// PredictSparse answers to one example whose features at the indices, from 0, have the values, and whose others are 0.
func (p *Predictor) PredictSparse(indices []int, values []float64) (Prediction, error) {
	return p.one(func(r *Rows) error { return r.AddSparse(indices, values) })
}

// PredictNamed answers to one example whose numbers are found by the names of the features, of which none may be
// missing.
func (p *Predictor) PredictNamed(row map[string]float64) (Prediction, error) {
	return p.one(func(r *Rows) error { return r.AddNamed(row) })
}

func (p *Predictor) one(add func(*Rows) error) (q Prediction, err error) {
	r := p.NewRows()
	if err := add(r); err != nil {
		return q, fmt.Errorf("predictor: %w", err)
	}
	err = p.Each(context.Background(), r, func(_ int, found *Prediction) error { q = *found; return nil }, 1)
	return q, err
}

// PredictBatch answers to all examples of x by several goroutines, 0 for all cores. It returns dst, with as many
// predictions as there are examples: the memory of dst, and of the predictions in it, is used where it suffices. With
// Rows, a dst of the size and one worker, a linear model allocates nothing that grows with the examples.
func (p *Predictor) PredictBatch(dst []Prediction, x Examples, workers int) ([]Prediction, error) {
	if isNil(x) {
		return nil, errNoExamples
	}
	n, _ := x.Dims()
	dst = slices.Grow(dst[:0], max(n, 0))[:max(n, 0)]
	err := p.engine.each(p, x, eachOptions{
		ctx: context.Background(), workers: workers, to: func(i int) *Prediction { return &dst[i] },
	})
	if err != nil {
		return nil, err
	}
	return dst, nil
}

// Each calls use with the prediction of each example of x in order, until it returns an error or ctx ends. The
// prediction is overwritten by the next one. Scores of at most 2^20 numbers, or 256 examples, are held at a time.
// workers is the number of goroutines that compute scores, 0 for all cores.
func (p *Predictor) Each(ctx context.Context, x Examples, use func(i int, q *Prediction) error, workers int) error {
	var q Prediction
	return p.engine.each(p, x, eachOptions{ctx: ctx, workers: workers, to: func(int) *Prediction { return &q },
		use: use})
}

type eachOptions struct {
	ctx     context.Context
	workers int
	to      func(i int) *Prediction          // where the prediction of example i goes
	use     func(i int, q *Prediction) error // or nil
}

// typed is the part of a Predictor that depends on the type of the numbers.
type typed[T vec.Float] struct {
	m    *model.Model[T]
	pool sync.Pool // of *scratch[T]
}

// scratch is memory of one call.
type scratch[T vec.Float] struct {
	scores []T
	soft   []T // probabilities of one example
	raw    []T // examples that are scaled
}

func (e *typed[T]) dims() (features, outputs int) { return e.m.Dims() }

func (e *typed[T]) newRows(features int) numbers {
	r := new(rows[T])
	r.dense.Cols, r.dense.Stride, r.sparse.Cols = features, features, features
	return r
}

func (e *typed[T]) each(p *Predictor, x Examples, o eachOptions) error {
	all, err := examplesOf[T](x)
	if err != nil {
		return err
	}
	n, d, features, outputs := all.n, all.d, 0, 0
	if features, outputs = e.m.Dims(); d != features {
		return fmt.Errorf("predictor: examples of %d features, the model has %d", d, features)
	}
	s, _ := e.pool.Get().(*scratch[T])
	if s == nil {
		s = new(scratch[T])
	}
	defer e.pool.Put(s)
	scaling := p.scaling
	if scaling.Shift == nil && scaling.Factor == nil && !scaling.UnitRows {
		scaling = nil
	}
	size := max(256, 1<<20/outputs)
	if scaling != nil || !all.whole {
		size = max(16, min(size, 1<<22/d)) // examples that are copied
	}
	for from := 0; from < n; from += size {
		if err := o.ctx.Err(); err != nil {
			return err
		}
		to := min(from+size, n)
		some, err := all.cut(from, to)
		if err == nil && scaling != nil {
			some, err = s.scaled(some, scaling, from)
		}
		if err != nil {
			return err
		}
		numbers := (to - from) * outputs
		s.scores = slices.Grow(s.scores[:0], numbers)[:numbers]
		scores := vec.MatrixOf(to-from, outputs, s.scores)
		if err := e.m.ScoresWorkers(scores, some, nil, o.workers); err != nil {
			return err
		}
		for i := from; i < to; i++ {
			q := o.to(i)
			if err := s.fill(p, q, i, scores.Row(i-from)); err != nil {
				return err
			}
			if o.use == nil {
				continue
			}
			if err := o.use(i, q); err != nil {
				return err
			}
		}
	}
	return nil
}

// ScoreError is the error of an example so large that a score is infinite or NaN.
type ScoreError struct {
	Row   int    // from 0
	Class string // "": the model has no names
	Value float64
}

func (e *ScoreError) Error() string {
	of := ""
	if e.Class != "" {
		of = " for " + e.Class
	}
	return fmt.Sprintf("predictor: the score of row %d%s is %v, want a finite number", e.Row, of, e.Value)
}

// ScaleError is the error of an example whose numbers, scaled, are beyond the range of the model's.
type ScaleError struct {
	Row int   // from 0
	Err error // of [dataset.ScaleRow], which names the column
}

func (e *ScaleError) Error() string { return fmt.Sprintf("predictor: row %d: %v", e.Row, e.Err) }

// Unwrap returns the reason.
func (e *ScaleError) Unwrap() error { return e.Err }

// sigmoids sets p to the 1/(1 + exp(-s)) of scores, and where there is one class over their sum, as
// liblinear-predict -b 1 does: the softmax of their logarithms, which does not underflow.
func sigmoids(p, scores []float64, one bool) {
	for c, s := range scores {
		if one {
			p[c] = min(s, 0) - math.Log1p(math.Exp(-math.Abs(s)))
		} else {
			p[c] = 1 / (1 + math.Exp(-s))
		}
	}
	if one {
		vec.Softmax(p, p)
	}
}

// fill makes q the prediction of example i with these scores.
func (s *scratch[T]) fill(p *Predictor, q *Prediction, i int, scores []T) error {
	q.Scores = q.Scores[:0]
	for c, v := range scores {
		if v-v != 0 {
			wrong := &ScoreError{Row: i, Value: float64(v)}
			switch {
			case p.signed:
				wrong.Class = p.classes[1]
			case p.classes != nil:
				wrong.Class = p.classes[c]
			}
			return wrong
		}
		if p.signed {
			q.Scores = append(q.Scores, -float64(v))
		}
		q.Scores = append(q.Scores, float64(v)+p.offset)
	}
	switch {
	case p.calibration != nil:
		own := p.Own(q)
		q.Probabilities = slices.Grow(q.Probabilities[:0], len(q.Scores))[:len(q.Scores)]
		p.calibration.Apply(q.Probabilities[len(q.Scores)-len(own):], own)
		if p.signed {
			q.Probabilities[0] = 1 - q.Probabilities[1]
		}
	case p.sigmoids:
		q.Probabilities = slices.Grow(q.Probabilities[:0], len(q.Scores))[:len(q.Scores)]
		sigmoids(q.Probabilities, q.Scores, p.task == Classes)
	case p.probabilities:
		q.Probabilities = q.Probabilities[:0]
		s.soft = slices.Grow(s.soft[:0], len(scores))[:len(scores)]
		vec.Softmax(s.soft, scores)
		for _, v := range s.soft {
			q.Probabilities = append(q.Probabilities, float64(v))
		}
	default:
		q.Probabilities = nil // of another model
	}
	p.decide(q)
	return nil
}

// scaled returns the examples scaled, in memory of s but for sparse columns. The first one is example from of all.
func (s *scratch[T]) scaled(x design.Matrix[T], by *dataset.Scaling, from int) (design.Matrix[T], error) {
	n, d := x.Dims()
	if x, ok := x.(*dataset.CSR[T]); ok && by.Shift == nil {
		s.raw = slices.Grow(s.raw[:0], len(x.Val))[:len(x.Val)]
		for i := range n {
			columns, values := x.Row(i)
			if err := dataset.ScaleRow(s.raw[x.Ptr[i]:x.Ptr[i+1]], by, values, columns); err != nil {
				return nil, &ScaleError{from + i, err}
			}
		}
		return &dataset.CSR[T]{Rows: n, Cols: d, Ptr: x.Ptr, Idx: x.Idx, Val: s.raw}, nil
	}
	s.raw = slices.Grow(s.raw[:0], n*d)[:n*d]
	dense := vec.MatrixOf(n, d, s.raw)
	x.Gather(dense, nil)
	for i := range n {
		if err := dataset.ScaleRow(dense.Row(i), by, dense.Row(i), nil); err != nil {
			return nil, &ScaleError{from + i, err}
		}
	}
	return &dataset.Dense[T]{Matrix: dense}, nil
}
