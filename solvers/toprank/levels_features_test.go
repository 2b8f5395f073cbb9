package toprank

import (
	"bytes"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// manyExamples are n examples of d features, a tenth of them positive.
func manyExamples(n, d int) (*dataset.Dense[float64], []bool) {
	rng := rand.New(rand.NewPCG(5, 5))
	x, positive := vec.NewMatrix[float64](n, d), make([]bool, n)
	for i := range n {
		if positive[i] = i%10 == 0; positive[i] {
			x.Row(i)[0], x.Row(i)[1] = 2.5, 1
		}
		for j := range d {
			x.Row(i)[j] += rng.NormFloat64()
		}
	}
	return &dataset.Dense[float64]{Matrix: x}, positive
}

var leveled = []Config{
	{}, {K: 20, C: .01}, {Loss: Hinge}, {Method: PatMat, C: .1}, {Method: PatMat, Loss: Hinge, Tau: .02},
	{Method: PatMat, Loss: Hinge, All: true, Theta1: 2, Theta2: .5},
}

// shorter returns few with -short, else many.
func shorter(few, many int) int {
	if testing.Short() {
		return few
	}
	return many
}

// A training on many examples of few features ends where it ends without levels, by a certificate over all of them.
func TestFeatureLevels(t *testing.T) {
	x, positive := manyExamples(16384, 5)
	for _, c := range leveled[:shorter(2, len(leveled))] {
		c.Tol, c.Workers = 1e-6, 1
		p := Problem[float64]{X: x, Positive: positive}
		problem, err := p.prepare(c, c.options())
		if err != nil {
			t.Fatal(err)
		}
		all, err := newByFeatures(problem.o, p.X)
		if err != nil {
			t.Fatal(err)
		}
		if !all.others() {
			t.Fatalf("%+v: no levels", c)
		}
		if err := all.enter(all.levels.All()); err != nil || all.others() {
			t.Fatalf("%+v: %v, others %t", c, err, all.others())
		}
		for range 100 {
			if all.Epoch(context.Background()); all.stuck || all.estimate.RelativeGap() < 1e-6 {
				break
			}
		}
		want, err := all.Certify()
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Fit(context.Background(), c)
		if err != nil || r.Status != solvers.Converged {
			t.Fatalf("%+v: %v, %v", c, r, err)
		}
		got := r.Certificate
		if size := math.Abs(want.Primal); got.Dual > want.Primal+1e-9*size || want.Dual > got.Primal+1e-9*size {
			t.Errorf("%+v: %v, without levels %v", c, got, want)
		}
		if whole := r.Epochs * len(positive); r.Visits >= whole {
			t.Errorf("%+v: %d visits in %d epochs of all %d examples", c, r.Visits, r.Epochs, len(positive))
		}
	}
}

// A training that stops at any epoch of any level goes on to the same bits.
func TestFeatureLevelsResume(t *testing.T) {
	x, positive := manyExamples(16384, 5)
	for _, c := range leveled[:shorter(1, 3)] {
		c.Workers = 1
		p := Problem[float64]{X: x, Positive: positive}
		want, err := p.Fit(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		stopped := 0
		for stop := 1; stop < want.Epochs; stop += 4 {
			var state bytes.Buffer
			ctx, cancel := context.WithCancel(context.Background())
			c.Progress = func(p solvers.Progress) {
				if p.Epoch >= stop {
					cancel()
				}
			}
			c.Checkpoint.Save = func(write func(io.Writer) error) error {
				state.Reset()
				return write(&state)
			}
			if r, err := p.Fit(ctx, c); err == nil && r.Status == solvers.Converged { // by the certificate for the stop
				break
			}
			stopped++
			c.Progress, c.Checkpoint = nil, solvers.Checkpoint{}
			got, err := p.Resume(context.Background(), &state, c)
			if err != nil {
				t.Fatal(err)
			}
			if got.Certificate != want.Certificate || got.Visits != want.Visits ||
				!slices.Equal(got.Alpha, want.Alpha) || !slices.Equal(got.Beta, want.Beta) {
				t.Errorf("%+v: stopped at %d: %v, want %v", c, stop, got.Outcome, want.Outcome)
			}
		}
		if stopped < 3 {
			t.Errorf("%+v: stopped %d times in %d epochs", c, stopped, want.Epochs)
		}
	}
}

// Of very few positive examples the first level may have none.
func TestFeatureLevelsRare(t *testing.T) {
	x, positive := manyExamples(16384, 5)
	for i := range positive {
		positive[i] = i == 10 || i == 500
	}
	for _, c := range leveled[1:3] {
		c.Workers = 1
		r, err := Problem[float64]{X: x, Positive: positive}.Fit(context.Background(), c)
		if err != nil || r.Status != solvers.Converged {
			t.Errorf("%+v: %v, %v", c, r, err)
		}
	}
}

// TestLookAtGoal: a level ends where the gap of its examples is the goal, and not where it is larger.
func TestLookAtGoal(t *testing.T) {
	x, positive := manyExamples(16384, 5)
	c := Config{}
	p, err := Problem[float64]{X: x, Positive: positive}.prepare(c, c.options())
	if err != nil {
		t.Fatal(err)
	}
	for _, ends := range []bool{false, true} {
		s, err := newByFeatures(p.o, p.X)
		if err != nil || s.levels == nil {
			t.Fatal("no levels", err)
		}
		s.levels.Goal = 0
		s.Epoch(context.Background())
		alpha, beta := s.duals()
		norm := vec.SquaredNorm(s.scoreAll(x, alpha, beta).Data)
		if err := s.look(alpha, beta, norm); err != nil {
			t.Fatal(err)
		}
		plus, _ := s.Split(s.levels.At(), alpha)
		_, minus := s.Split(s.levels.At(), beta)
		ranked, below := s.Split(s.levels.At(), s.f)
		certificate, _ := s.part().Judge(plus, ranked, minus, below, norm)
		at := slices.Clone(s.levels.At())
		if s.levels.Goal = certificate.RelativeGap(); !ends {
			s.levels.Goal *= 1 - 1e-9
		}
		if err := s.look(alpha, beta, norm); err != nil || slices.Equal(at, s.levels.At()) == ends {
			t.Errorf("a gap of %v, a goal of %v: the same examples: %t, %v", certificate.RelativeGap(), s.levels.Goal,
				slices.Equal(at, s.levels.At()), err)
		}
	}
}
