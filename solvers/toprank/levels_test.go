package toprank

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// soonLevels has levels pay for few examples, with -short.
func soonLevels(t *testing.T) {
	if was := active.Pairs; testing.Short() {
		active.Pairs.From, active.Pairs.First = 400, 100
		t.Cleanup(func() { active.Pairs = was })
	}
}

// TestLevels: with enough examples for levels of active ones, certificates are of all of them, and trainings that stop
// at any level end with the same bits.
func TestLevels(t *testing.T) { prove.Both(t, testLevels[float32], testLevels[float64]) }

func testLevels[T vec.Float](t *testing.T) {
	soonLevels(t)
	p := ranktruth.Draw(rand.New(rand.NewPCG(61, 62)), active.Pairs.From+100, 4)
	for i, x := range p.X {
		if p.Positive[i] {
			x[0] += 2 // some of them still lie among the others
		}
	}
	for _, p := range p.Variants() {
		// K = 3 with the quadratic in float32, tau over the negative examples with the hinge in float64.
		if narrow := p.K == 3 && !p.Hinge; narrow != prove.IsF32[T]() || !narrow && !(p.PatMat && p.Hinge && !p.All) {
			continue
		}
		make := func() Problem[T] {
			x := &dataset.Dense[T]{Matrix: ranktruth.Features[T](p)}
			k, err := kernel.New(design.Matrix[T](x), p.Kernel, 1<<28)
			if err != nil {
				t.Fatal(err)
			}
			return Problem[T]{Kernel: k, Positive: p.Positive}
		}
		var f trainings[T]
		f.Add(p.Name, func(testing.TB) known[T] { return known[T]{make(), p} }, configOf(p))
		r := f.Trainings[0]
		asked := statetest.Soon(1 << 60)
		want, err := make().Fit(asked, r.Config)
		if err != nil || !(want.Certificate.RelativeGap() <= want.Tol) {
			t.Fatal(p.Name, told(want), err)
		}
		honest(t, p, make(), want)
		for part := range int64(2) {
			state := f.Stopped(t, r, nil, statetest.Soon((1<<60-asked.Left())*(part+1)/3))
			if state == nil {
				continue
			}
			got, err := make().Resume(context.Background(), bytes.NewReader(state), r.Config)
			if err != nil {
				t.Fatal(p.Name, err)
			}
			if got, want := familytest.Bits(t, got), familytest.Bits(t, want); got != want {
				t.Errorf("%s: %s, want %s", p.Name, got, want)
			}
		}
		holds := statetest.Anywhere(t, p.Name, 2, func(ctx context.Context, s statetest.Stop) (string, *solvers.Outcome,
			error) {
			c := r.Config
			c.Checkpoint, c.Epochs = s.Checkpoint, s.Epochs
			var r *Result[T]
			var err error
			if s.State == nil {
				r, err = make().Fit(ctx, c)
			} else {
				r, err = make().Resume(ctx, s.State, c)
			}
			if r == nil {
				return "", nil, err
			}
			return statetest.End(r.Outcome, r.Alpha, r.Beta, r.Threshold), &r.Outcome, err
		})
		if holds < 3 {
			t.Errorf("%s: %d looks before work that takes long, want the levels' looks too", p.Name, holds)
		}
	}
}

// TestLevelsOfK: K is scaled to a level.
func TestLevelsOfK(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	p := ranktruth.Draw(rand.New(rand.NewPCG(61, 62)), active.Pairs.From+100, 4)
	negatives := 0
	for i, x := range p.X {
		if p.Positive[i] {
			x[0] += 2
		} else {
			negatives++
		}
	}
	k, err := kernel.New(&dataset.Dense[float64]{Matrix: ranktruth.Features[float64](p)}, kernel.Gaussian{Gamma: .2},
		1<<28)
	if err != nil {
		t.Fatal(err)
	}
	for _, top := range []int{30, 300, negatives} {
		for _, loss := range []Loss{Quadratic, Hinge} {
			r, err := Problem[float64]{Kernel: k, Positive: p.Positive}.Fit(context.Background(),
				Config{K: top, Loss: loss, C: .7})
			if err != nil || r.Status != solvers.Converged {
				t.Errorf("K = %d, %v: %s, %v", top, loss, told(r), err)
			}
		}
	}
}

// TestWithhold: an estimate of active examples asks for no certificate, whatever the size of the objective, and one
// that is above the tolerance stays.
func TestWithhold(t *testing.T) {
	for _, size := range []float64{1e-6, .5, 1, 1e6} {
		for _, off := range []float64{0, 1e-6, .1} {
			s := base[float64]{objective: &objective{}}
			s.Tol = 1e-3
			s.estimate = solvers.Certificate{Primal: size, Dual: size * (1 - off)}
			s.withhold()
			if gap := s.estimate.RelativeGap(); !(gap > s.Tol) || off == .1 && s.estimate.Dual != size*(1-off) {
				t.Errorf("%v with a gap of %v: %v", size, off, s.estimate)
			}
		}
	}
}

// TestLevelScores: the scores of examples that are not active are the ones that a certificate has. Where all dual
// variables are 0 a training on them begins as it does without any.
func TestLevelScores(t *testing.T) {
	was := active.Pairs
	active.Pairs.From, active.Pairs.First = 100, 40
	defer func() { active.Pairs = was }()
	x, positive := manyExamples(120, 3)
	k, err := kernel.New(x, kernel.Gaussian{Gamma: .5}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{K: 5}
	p, err := Problem[float64]{Kernel: k, Positive: positive}.prepare(c, c.options())
	if err != nil {
		t.Fatal(err)
	}
	s, err := newTraining[float64](p.o, nil, k)
	if err != nil || s.levels.Last() {
		t.Fatal("no levels", err)
	}
	s.activate(s.PositivesFirst(slices.Clone(s.levels.At())))
	s.begin()
	alpha, beta := s.allDuals()
	zeros := make([]float64, len(alpha))
	if slices.Equal(alpha, zeros) {
		t.Fatal("it begins at 0: this test cannot fail")
	}
	s.activate(s.levels.At())
	if s.resume(zeros, zeros, 0); !slices.Equal(s.difference(), difference(alpha, beta)) {
		t.Error("it does not begin from dual variables that are 0 as from none")
	}
	s.solver.Train(1000)
	others := s.levels.Others()
	if !s.score(others) {
		t.Fatal("scores are not finite")
	}
	got := slices.Clone(s.f)
	if _, err := s.Certify(); err != nil {
		t.Fatal(err)
	}
	for i, f := range s.f {
		if math.Abs(got[i]-f) > 1e-12 {
			t.Errorf("the score of example %d is %v, want %v", i, got[i], f)
		}
	}
	if !s.score(nil) {
		t.Error("the scores of no examples are not finite")
	}
}

func (s *training[T]) difference() []float64 { return difference(s.allDuals()) }
