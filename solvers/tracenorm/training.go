package tracenorm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/optim"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/vec"
)

// training is L-BFGS on the factors U, V of W, first on samples of the examples, at last on all: see factored.go for
// the objective in U and V. An epoch is a step.
type training[T vec.Float] struct {
	nuclear.Base[T]
	rank    int // r, columns of the factors
	descent *optim.Descent[T]
	h       vec.Matrix[T] // g + 2 lambda2 W

	epoch         int
	order         []int // of the examples; samples are the first of them
	stages        []int // sizes of the samples; the last is n
	stage         int   // of the present one
	since         int   // steps in this stage
	begun, stuck  bool
	again         bool // the epoch has come to an evaluation at Z, after its step or before the first one
	spent         int  // visits by the evaluations of the epoch, the last one if again, before they are in Visited
	every, looked int  // steps between two estimates, and since the last one
}

const (
	mostSteps = 60      // that L-BFGS remembers
	stepBytes = 1 << 29 // for them
	leastFall = 1e-3    // a sample is left when a step lets the objective fall by a smaller part
	perSample = 50      // examples of each class in the first sample; the second one is four times as large
)

func newTraining[T vec.Float](b nuclear.Base[T], rank int) *training[T] {
	t := &training[T]{Base: b, rank: rank}
	t.h = risk.Padded[T](t.D, t.M)
	t.every = 1 + min(t.D, t.M)/32
	t.looked = t.every
	for size := perSample * t.M; t.Data.KeepsRows() && len(t.stages) < 2 && size <= t.N/4; size *= 4 {
		t.stages = append(t.stages, size)
	}
	if len(t.stages) > 0 {
		t.order = rand.New(rand.NewPCG(t.Seed, 0)).Perm(t.N)
	}
	t.stages = append(t.stages, t.N)
	_, _, epsilon := family.Limits[T]()
	t.descent = optim.NewDescent[T]((t.D+t.M)*rank, remembered(t.D, t.M, rank), epsilon)
	t.setStage(0)
	return t
}

// remembered returns how many steps L-BFGS remembers.
func remembered(d, m, rank int) int { return min(mostSteps, max(5, stepBytes/(16*(d+m)*rank+1))) }

// setStage takes up the sample of a stage.
func (t *training[T]) setStage(stage int) {
	t.stage, t.since = stage, 0
	data := t.Data
	if size := t.stages[stage]; size < t.N {
		rows := slices.Clone(t.order[:size])
		slices.Sort(rows)
		data = t.Data.Some(rows)
	}
	t.Sample = risk.New(data, t.Workers)
}

// last reports whether steps go by all examples.
func (t *training[T]) last() bool { return t.stage == len(t.stages)-1 }

// Partial: see train.Method.
func (t *training[T]) Partial() bool { return !t.last() }

// Epoch takes a step. While it works what Save writes stays as it is, so that the end of ctx does not have to wait;
// where the epoch goes on from a state of its last evaluation that is done again.
func (t *training[T]) Epoch(ctx context.Context) (int, bool) {
	if ctx.Err() != nil {
		return t.epoch, false
	}
	t.Fresh = false
	evaluate := func(gradient, z []T) float64 { return t.evaluate(ctx, gradient, z) }
	switch {
	case t.again:
		t.descent.Begin(evaluate)
	case t.begun:
		t.step(evaluate)
	default:
		t.begin(ctx, evaluate)
	}
	t.Value = t.descent.Value
	looked := t.looked + 1
	switch {
	case !t.last():
		t.Estimated = solvers.Certificate{Primal: t.Value} // the dual has 0
	case looked >= t.every || t.stuck:
		looked = 0
		t.Look(ctx, t.Of(spectral.Lengths(t.split(t.descent.Z)), t.Squares()))
	}
	t.count()
	t.epoch, t.looked, t.again = t.epoch+1, looked, false
	return t.epoch, true
}

// count counts the visits that have been spent.
func (t *training[T]) count() { t.Visited, t.spent = t.Visited+t.spent, 0 }

// begin goes to where steps begin, from W = 0 unless z is something else.
func (t *training[T]) begin(ctx context.Context, evaluate optim.Function[T]) {
	if optim.Dot(t.descent.Z, t.descent.Z) == 0 {
		for !t.fromZero(ctx, evaluate) && !t.last() {
			t.count()
			t.setStage(t.stage + 1)
		}
	}
	t.count()
	t.begun, t.again = true, true
	t.descent.Begin(evaluate)
}

// step takes a step of L-BFGS.
func (t *training[T]) step(evaluate optim.Function[T]) {
	fall, ok, stuck := t.descent.Step(evaluate)
	t.since++
	last := t.stages[t.stage]
	t.Visited, t.spent = t.Visited+t.spent-last, last
	t.again = true
	t.stuck = stuck
	if ok && !t.last() && fall < leastFall*math.Abs(t.descent.Value) && t.since > 3 {
		t.count()
		t.setStage(t.stage + 1)
		t.descent.Begin(evaluate)
	}
}
