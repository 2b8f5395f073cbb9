package tracenorm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/optim"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/vec"
)

// training is L-BFGS on the factors, first on samples of the examples, at last on all. An epoch is a step.
type training[T vec.Float] struct {
	nuclear.Base[T]
	Config
	descent *optim.Descent[T]
	h       vec.Matrix[T] // g + 2 lambda2 W

	epoch         int
	order         []int // of the examples; samples are the first of them
	stages        []int // sizes of the samples; the last is n
	stage         int   // of the present one
	since         int   // steps in this stage
	begun, stuck  bool
	every, looked int // steps between two estimates, and since the last one
}

const (
	pairs     = 60      // that L-BFGS remembers
	room      = 1 << 29 // bytes for them
	leave     = 1e-3    // a sample is left when a step lets the objective fall by a smaller part
	perSample = 50      // examples of each class in the first sample; the second one is four times as large
)

func newTraining[T vec.Float](c Config, b nuclear.Base[T]) *training[T] {
	t := &training[T]{Base: b, Config: c}
	t.h = risk.Padded[T](t.D, t.K)
	t.every = 1 + min(t.D, t.K)/32
	t.looked = t.every
	for size := perSample * t.K; t.Data.KeepsRows() && len(t.stages) < 2 && size <= t.N/4; size *= 4 {
		t.stages = append(t.stages, size)
	}
	if len(t.stages) > 0 {
		t.order = rand.New(rand.NewPCG(c.Seed, 0)).Perm(t.N)
	}
	t.stages = append(t.stages, t.N)
	_, _, epsilon := ascent.Limits[T]()
	t.descent = optim.NewDescent[T]((t.D+t.K)*c.Rank, remembered(t.D, t.K, c.Rank), epsilon)
	t.setStage(0)
	return t
}

// remembered returns how many pairs L-BFGS remembers.
func remembered(d, k, rank int) int { return min(pairs, max(5, room/(16*(d+k)*rank+1))) }

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

// Epoch takes a step.
func (t *training[T]) Epoch(ctx context.Context) (int, bool) {
	if ctx.Err() != nil {
		return t.epoch, false
	}
	t.epoch++
	t.Fresh = false
	if t.begun {
		t.step()
	} else {
		t.begin()
	}
	t.Value = t.descent.Value
	switch t.looked++; {
	case !t.last():
		t.Estimated = solvers.Certificate{Primal: t.Value} // the dual has 0
	case t.looked >= t.every || t.stuck:
		t.looked = 0
		t.Look(t.Of(spectral.Lengths(t.split(t.descent.Z)), t.Squares()))
	}
	return t.epoch, true
}

// begin goes to where steps begin, from W = 0 unless z is something else.
func (t *training[T]) begin() {
	t.begun = true
	if optim.Dot(t.descent.Z, t.descent.Z) == 0 {
		for !t.fromZero() && !t.last() {
			t.setStage(t.stage + 1)
		}
	}
	t.descent.Begin(t.evaluate)
}

// step takes a step of L-BFGS.
func (t *training[T]) step() {
	fall, ok, stuck := t.descent.Step(t.evaluate)
	t.since++
	if t.stuck = stuck; ok && !t.last() && fall < leave*math.Abs(t.descent.Value) && t.since > 3 {
		t.setStage(t.stage + 1)
		t.descent.Begin(t.evaluate)
	}
}
