package tracenorm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/optim"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/vec"
)

// training is L-BFGS on the factors, first on samples of the examples, at last on all. An epoch is a step.
type training[T vec.Float] struct {
	*factored[T]
	Config
	data       risk.Data[T]
	n          int
	meanSquare float64       // of the |x_i|
	stages     []int         // sizes of the samples; the last is n
	stage      int           // of the present one
	sample     *risk.Risk[T] // the risk of that
	exact      *risk.Risk[float64]
	order      []int // of the examples; samples are the first of them

	memory               *optim.LBFGS[T]
	z, gradient          []T
	next, nextGradient   []T
	direction            []T
	at                   float64 // the objective at z
	begun                bool
	epoch, visits, since int // since: steps in this stage
	stuck                bool
	every, looked        int // steps between two estimates, and since the last one
	estimate             solvers.Certificate
	dual                 duals[T]

	solution[T]
}

const (
	pairs     = 60      // that L-BFGS remembers
	room      = 1 << 29 // bytes for them
	leave     = 1e-3    // a sample is left when the objective falls by less in a step
	armijo    = 1e-4
	perSample = 50 // examples of each class in the first sample; the second one is four times as large
)

func newTraining[T vec.Float](c Config, data risk.Data[T]) *training[T] {
	n, d := data.X.Dims()
	if data.Bias != 0 {
		d++
	}
	t := &training[T]{
		factored: newFactored[T](penalty{c.Lambda1, c.Lambda2}, d, c.Classes, c.Rank), Config: c, data: data, n: n,
		every: 1 + min(d, c.Classes)/32, looked: math.MaxInt32 / 2, dual: newDuals[T](n, d, c.Classes),
	}
	t.meanSquare, _ = meanSquare(data.X)
	for size := perSample * c.Classes; len(t.stages) < 2 && size <= n/4; size *= 4 {
		t.stages = append(t.stages, size)
	}
	t.stages = append(t.stages, n)
	size := t.size()
	t.memory = optim.NewLBFGS[T](min(pairs, max(5, room/(16*size+1))))
	for _, v := range []*[]T{&t.z, &t.gradient, &t.next, &t.nextGradient, &t.direction} {
		*v = make([]T, size)
	}
	if len(t.stages) > 1 {
		t.order = rand.New(rand.NewPCG(c.Seed, 0)).Perm(n)
	}
	t.setStage(0)
	return t
}

// setStage takes up the sample of a stage.
func (t *training[T]) setStage(stage int) {
	t.stage, t.since = stage, 0
	data := t.data
	if size := t.stages[stage]; size < t.n {
		rows := slices.Clone(t.order[:size])
		slices.Sort(rows)
		data.X, data.Y = solvers.Subset(t.data.X, rows), ascent.Pick(t.data.Y, rows)
		if t.data.Weights != nil {
			data.Weights = ascent.Pick(t.data.Weights, rows)
		}
		data.Decode = !solvers.IsSparse(data.X)
	}
	if x, err := solvers.WithColumns(data.X); err == nil { // no error where all examples gave none
		data.X = x
	}
	t.sample = risk.New(data, t.Workers)
}

// Epoch takes a step.
func (t *training[T]) Epoch(ctx context.Context) (int, bool) {
	if ctx.Err() != nil {
		return t.epoch, false
	}
	t.epoch++
	if !t.begun {
		t.begin()
	} else {
		t.step()
	}
	t.look()
	return t.epoch, true
}

// evaluate returns the objective at z on the present sample.
func (t *training[T]) evaluate(gradient, z []T) float64 {
	t.visits += t.stages[t.stage]
	return t.value(gradient, z, t.sample)
}

// begin goes to where steps begin, from W = 0 unless z is something else.
func (t *training[T]) begin() {
	t.begun = true
	if optim.Dot(t.z, t.z) == 0 {
		t.visits += t.stages[t.stage] * 3 / 2
		for !t.fromZero(t.z, t.sample) && t.stage < len(t.stages)-1 {
			t.setStage(t.stage + 1)
			t.visits += t.stages[t.stage]
		}
	}
	t.at = t.evaluate(t.gradient, t.z)
}

// step takes a step of L-BFGS.
func (t *training[T]) step() {
	slope := t.descent()
	length := 1.0
	if t.memory.Len() == 0 { // half of what would undo z
		length = 0.5 * math.Sqrt(optim.Dot(t.z, t.z)/max(-slope, math.SmallestNonzeroFloat64))
	}
	value, ok := t.search(slope, length)
	if !ok {
		t.stuck = t.memory.Len() == 0
		t.memory.Reset()
		t.at = t.evaluate(t.gradient, t.z)
		return
	}
	s, y := t.direction, t.gradient // their room serves for the differences
	for i, v := range t.next {
		s[i] = v - t.z[i]
	}
	for i, v := range t.nextGradient {
		y[i] = v - y[i]
	}
	t.memory.Add(s, y)
	fall := (t.at - value) / math.Abs(value)
	t.z, t.next, t.gradient, t.nextGradient, t.at = t.next, t.z, t.nextGradient, t.gradient, value
	t.since++
	if t.stage < len(t.stages)-1 && fall < leave && t.since > 3 {
		t.setStage(t.stage + 1)
		t.at = t.evaluate(t.gradient, t.z)
	}
}

// descent sets direction and returns the slope along it, below 0.
func (t *training[T]) descent() float64 {
	t.memory.Direction(t.direction, t.gradient)
	slope := optim.Dot(t.gradient, t.direction)
	if !(slope < 0) {
		t.memory.Reset()
		t.memory.Direction(t.direction, t.gradient)
		slope = optim.Dot(t.gradient, t.direction)
	}
	return slope
}

// search looks along direction for a point with Armijo's decrease, by quadratic interpolation, and leaves it in next.
func (t *training[T]) search(slope, length float64) (value float64, ok bool) {
	_, _, epsilon := ascent.Limits[T]()
	for try := range 12 {
		copy(t.next, t.z)
		vec.Axpy(T(length), t.direction, t.next)
		value = t.evaluate(t.nextGradient, t.next)
		rounding := 2 * epsilon * math.Abs(t.at)
		if value <= t.at+armijo*length*slope || try > 1 && math.Abs(value-t.at) <= rounding {
			return value, true
		}
		best := -slope * length * length / (2 * (value - t.at - length*slope))
		if !(best >= 0.1*length) {
			best = 0.1 * length
		}
		length = min(best, 0.6*length)
	}
	return value, false
}

// look estimates the certificate: from an evaluation on all examples, at no cost but singular values.
func (t *training[T]) look() {
	if t.stage < len(t.stages)-1 {
		t.estimate = solvers.Certificate{Primal: t.at} // the dual has 0
		return
	}
	if t.looked++; t.looked < t.every && !t.stuck {
		return
	}
	t.looked = 0
	var wg float64
	t.estimate.Primal, wg = t.primal(t.z)
	t.estimate.Dual = t.dual.mix(t.penalty, t.sample.Duals(), t.g, t.loss-wg)
}

func (t *training[T]) Estimate() solvers.Certificate { return t.estimate }

func (t *training[T]) Visits() (int, int) { return t.visits, t.n }
