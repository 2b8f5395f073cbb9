package l1

import (
	"context"
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// training is a train.Method: an epoch takes some Newton steps for each output that is not within its goal.
type training[T vec.Float] struct {
	*store[T]
	solvers.Options
	exact   exact
	d       int // features, with the constant one
	labels  []int
	radius  []float64
	largest float64 // of the radii
	loss    Loss

	outputs []output
	first   *hessian[T] // at scores of 0, or nil
	warm    bool        // weights are another training's in the beginning
	pool    []*scratch[T]
	epoch   int
	share   float64 // of Tol: the relative gap that an output is left with

	w, a vec.Matrix[T] // of the last certificate
}

// firstShare is share in the beginning.
const firstShare = 0.5

func (t *training[T]) begin(classes []int) {
	for _, c := range classes {
		o := output{class: c, w: make([]float64, len(t.columns)), live: make([]int32, len(t.columns))}
		for f := range o.live {
			o.live[f] = int32(f)
		}
		t.outputs = append(t.outputs, o)
	}
	t.share = firstShare
	t.pool = make([]*scratch[T], min(t.Workers, len(classes)))
}

// scratch returns what goroutine k computes with.
func (t *training[T]) scratch(k int) *scratch[T] {
	if t.pool[k] == nil {
		s := &scratch[T]{losses: newLosses(t.loss, t.n), scores: make([]float64, t.n), delta: make([]float64, t.n),
			ahead: make([]float64, t.n), known: make([]float64, len(t.columns)), as: make([]int, len(t.columns))}
		s.radius, s.largest = t.radius, t.largest
		t.pool[k] = s
	}
	return t.pool[k]
}

// within reports whether o needs no steps for now.
func (t *training[T]) within(o *output) bool {
	return o.looked && (o.stuck || o.primal-o.dual <= t.share*t.Tol*o.primal)
}

// Epoch: see train.Method. An output that the end of ctx cuts short is as it was before the epoch.
func (t *training[T]) Epoch(ctx context.Context) (int, bool) {
	if ctx.Err() != nil {
		return t.epoch, false
	}
	t.beginHessian()
	parallel.Do(len(t.pool), len(t.outputs), func(k, i int) {
		o := &t.outputs[i]
		if !o.visited {
			o.visited = t.within(o) || t.advance(ctx, o, t.scratch(k))
		}
	})
	for i := range t.outputs {
		if !t.outputs[i].visited {
			return t.epoch, false
		}
	}
	for i := range t.outputs {
		t.outputs[i].visited = false
	}
	t.epoch++
	return t.epoch, true
}

// beginHessian computes the second derivatives at scores of 0, which are the same for all outputs that begin there.
func (t *training[T]) beginHessian() {
	fresh := slices.ContainsFunc(t.outputs, func(o output) bool { return !o.looked })
	if t.first != nil || t.warm || !fresh || len(t.outputs) == 1 || len(t.columns) > mostColumns {
		return
	}
	t.first = &hessian[T]{}
	all := make([]int32, len(t.columns))
	for f := range all {
		all[f] = int32(f)
	}
	s := t.scratch(0)
	clear(s.scores)
	s.at(s.scores)
	t.first.begin(t, all)
	t.first.set(s.curve, true)
}

// Visits: see train.Method. A pass for each output is a pass over the data.
func (t *training[T]) Visits() (visits, n int) {
	passes := 0
	for i := range t.outputs {
		passes += t.outputs[i].passes
	}
	return int(float64(passes) / float64(len(t.outputs)) * float64(t.n)), t.n
}

func (t *training[T]) Estimate() (c solvers.Certificate) {
	for i := range t.outputs {
		o := &t.outputs[i]
		c.Primal, c.Dual = c.Primal+o.primal, c.Dual+o.dual
	}
	return c
}

func (t *training[T]) Partial() bool { return false }

// Reconsider asks more of all outputs.
func (t *training[T]) Reconsider() (more bool) {
	t.share /= 3
	for i := range t.outputs {
		more = more || !t.outputs[i].stuck
	}
	return more && t.share*t.Tol > 1e-16
}

// Off: see train.Certified.
func (t *training[T]) Off() float64 { return t.exact.trust.Off() }

// Certify: see train.Certified. The dual variables are the ones that the scores of the weights name.
func (t *training[T]) Certify() (solvers.Certificate, error) {
	m := len(t.outputs)
	if t.w.Rows == 0 {
		t.w, t.a = vec.NewMatrix[T](t.d, m), vec.NewMatrix[T](t.n, m)
	}
	clear(t.w.Data)
	parallel.Do(len(t.pool), m, func(k, l int) {
		o, s := &t.outputs[l], t.scratch(k)
		for f, v := range o.w {
			t.w.Row(int(t.features[f]))[l] = T(v)
		}
		s.begin(t, o)
		s.at(s.scores)
		for i, v := range s.slope {
			t.a.Row(i)[l] = narrowed[T](-o.theta*v, t.most(i))
		}
	})
	return certificate(&t.exact, t.store, t.w, t.a)
}

// most returns what the size of a dual variable of example i is at most.
func (t *training[T]) most(i int) float64 {
	if t.loss == Logistic {
		return t.radius[i]
	}
	return math.Inf(1)
}

// narrowed returns v, at most of that size, in numbers of T of which none is larger: rounding takes one at its bound
// beyond it, and all of an output would have to be divided by what it is.
func narrowed[T vec.Float](v, most float64) T {
	x := T(v)
	if math.Abs(float64(x)) > most { // T is float32
		x = T(math.Nextafter32(float32(x), 0))
	}
	return x
}

// Zero: see train.Certified. The sum has the order of a certificate's.
func (t *training[T]) Zero() solvers.Certificate {
	sum, one := 0.0, phi(t.loss, 0)
	for _, r := range t.radius {
		if r > 0 {
			sum += float64(r * one)
		}
	}
	all := 0.0
	for range t.outputs {
		all += sum
	}
	return solvers.Certificate{Primal: all}
}

func (t *training[T]) PrimalVariables() (train.Variables[T], error) {
	w := vec.NewMatrix[T](t.d, len(t.outputs))
	for l := range t.outputs {
		for f, v := range t.outputs[l].w {
			w.Row(int(t.features[f]))[l] = T(v)
		}
	}
	return train.Variables[T]{Matrices: []vec.Matrix[T]{w}}, nil
}

func (t *training[T]) DualVariables() *train.Variables[T] {
	return &train.Variables[T]{Matrices: []vec.Matrix[T]{t.a}}
}

func (t *training[T]) Fits(primal, dual train.Variables[T]) bool {
	m := len(t.outputs)
	return primal.Sized(t.d, m) && dual.Sized(t.n, m)
}
