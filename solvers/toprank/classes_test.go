package toprank

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// clouds are 60 examples of three classes around three centres.
func clouds[T vec.Float]() (*dataset.Dense[T], []int) {
	rng := prove.Rand(81)
	x, y := vec.NewMatrix[T](60, 4), make([]int, 60)
	for i := range y {
		y[i] = i % 3
		for j := range 4 {
			x.Row(i)[j] = T(.5 * rng.NormFloat64())
		}
		x.Row(i)[y[i]]++
	}
	return &dataset.Dense[T]{Matrix: x}, y
}

// TestClasses: each ranker is the Result of its own problem, to the bit, with a certificate that plain sums over the
// examples confirm; the Outcome is the sum of theirs; the scores are the rankers' less their thresholds; and
// the model that was written and read has the same.
func TestClasses(t *testing.T) { prove.Both(t, testClasses[float32], testClasses[float64]) }

func testClasses[T vec.Float](t *testing.T) {
	x, y := clouds[T]()
	k, err := kernel.New(design.Matrix[T](x), kernel.Gaussian{Gamma: .5}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Config{{Tol: 1e-4}, {K: 4, Loss: Hinge, Tol: 1e-3}, {Method: PatMat, Tau: .2, Tol: 1e-3}} {
		for _, p := range []Classes[T]{{X: x, Y: y, Names: []string{"a", "b", "c"}}, {Kernel: k, Y: y}} {
			r, err := p.Fit(context.Background(), c)
			if err != nil || r.Status != solvers.Converged || !(r.Certificate.RelativeGap() <= c.Tol) {
				t.Fatalf("%+v: %v, %v", c, r, err)
			}
			scores := vec.NewMatrix[T](60, 3)
			if err := r.Scores(scores, x, nil); err != nil {
				t.Fatal(err)
			}
			sum := solvers.Certificate{}
			for class, ranker := range r.Rankers {
				own := Problem[T]{X: p.X, Kernel: p.Kernel, Positive: make([]bool, 60)}
				for i := range y {
					own.Positive[i] = y[i] == class
				}
				want := solve(t, own, c)
				if ranker.Certificate != want.Certificate || !slices.Equal(ranker.Alpha, want.Alpha) ||
					ranker.Threshold != want.Threshold || r.Thresholds[class] != want.Threshold {
					t.Errorf("%+v, class %d: %v, want %v", c, class, ranker.Outcome, want.Outcome)
				}
				honest(t, truthOf(x, own, c), own, ranker)
				sum.Primal += want.Certificate.Primal
				sum.Dual += want.Certificate.Dual
				f := vec.NewMatrix[T](60, 1)
				if err := want.Scores(f, x, nil); err != nil {
					t.Fatal(err)
				}
				// Of products of 4 features, or 60 kernel values, in T, in another order.
				unit := 0x1p-23
				if one := T(1); one+0x1p-40 != one {
					unit = 0x1p-52
				}
				for i, v := range f.Data {
					wanted := float64(v) - want.Threshold
					if bound := 64 * unit * (20 + math.Abs(want.Threshold)); !(math.Abs(float64(scores.Row(i)[class])-
						wanted) <= bound) {
						t.Fatalf("%+v, class %d, row %d: %v, want %v", c, class, i, scores.Row(i)[class], wanted)
					}
				}
			}
			if sum != r.Certificate {
				t.Errorf("%+v: %v, want %v", c, r.Certificate, sum)
			}
			rightOf(t, r, x, y)
		}
	}
}

// rightOf asks that most guesses are right, and that the model read from its file has the same scores.
func rightOf[T vec.Float](t *testing.T, r *ClassesResult[T], x design.Matrix[T], y []int) {
	t.Helper()
	guesses, err := solvers.Predict(r.ClassModel, x, 0)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i, c := range guesses {
		if c == y[i] {
			right++
		}
	}
	if right < 45 {
		t.Errorf("%d of 60 are right", right)
	}
	var file bytes.Buffer
	if _, err := r.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	read, err := model.Read[T](&file)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := OpenClasses(read)
	if err != nil {
		t.Fatal(err)
	}
	again, err := solvers.Predict(opened, x, 0)
	if err != nil || !slices.Equal(again, guesses) {
		t.Errorf("read: %v, %v, want %v", again, err, guesses)
	}
	for k, v := range opened.Thresholds {
		if T(v) != T(r.Thresholds[k]) {
			t.Errorf("read: threshold %v of class %d, want %v", v, k, r.Thresholds[k])
		}
	}
}

// truthOf is the problem as package ranktruth knows it.
func truthOf[T vec.Float](x *dataset.Dense[T], q Problem[T], c Config) ranktruth.Problem {
	c, _ = c.check()
	p := ranktruth.Problem{Positive: q.Positive, Kernel: kernel.Linear{}, PatMat: c.Method == PatMat,
		Hinge: c.Loss == Hinge, K: c.K, C: c.C, Tau: c.Tau, Theta1: c.Theta1, Theta2: c.Theta2}
	if q.Kernel != nil {
		p.Kernel = q.Kernel.Kernel()
	}
	for i := range x.Rows {
		row := make([]float64, x.Cols)
		vec.Convert(row, x.Matrix.Row(i))
		p.X = append(p.X, row)
	}
	return p
}

// TestClassesErrors: what makes no problem is an error with the class or the number; a context that has ended gives a
// model all the same.
func TestClassesErrors(t *testing.T) {
	x, y := clouds[float64]()
	good := Classes[float64]{X: x, Y: y}
	for want, change := range map[string]func(p *Classes[float64], c *Config){
		"toprank: class 3: toprank: 0 positive examples of 60": func(p *Classes[float64], _ *Config) {
			p.Names = []string{"a", "b", "c", "d"}
		},
		"label 2 of row 2":    func(p *Classes[float64], _ *Config) { p.Names = []string{"a", "b"} },
		"label":               func(p *Classes[float64], _ *Config) { p.Y = y[:7] },
		"all 60 labels are 0": func(p *Classes[float64], _ *Config) { p.Y = make([]int, 60) },
		"Start of 1 classes, but there are 3": func(p *Classes[float64], _ *Config) {
			p.Start = &ClassesResult[float64]{Rankers: make([]*Result[float64], 1)}
		},
		"Checkpoint": func(_ *Classes[float64], c *Config) {
			c.Checkpoint.Save = func(func(io.Writer) error) error { return nil }
		},
		"toprank: class 0: toprank: K = 50": func(_ *Classes[float64], c *Config) { c.K = 50 },
	} {
		p, c := good, Config{}
		change(&p, &c)
		r, err := p.Fit(context.Background(), c)
		if r != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := good.Fit(ended, Config{})
	if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled || len(r.Rankers) != 3 {
		t.Errorf("%v, %v", r, err)
	}
	first, err := good.Fit(context.Background(), Config{Tol: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	good.Start = first
	if again, err := good.Fit(context.Background(), Config{}); err != nil || again.Visits != 0 {
		t.Errorf("%v, %v from its own end", again.Outcome, err)
	}
	if m, err := good.Memory(Config{}); err != nil || m.Bytes() <= 0 {
		t.Errorf("%v, %v", m, err)
	}
	for want, m := range map[string]*model.Model[float64]{"no model": {}, "no \"thr": {Kernel: expansion(t, nil)},
		"threshold \"x\"":              {Kernel: expansion(t, map[string]string{thresholdsNote: "1 x"})},
		"2 classes whose notes have 1": {Kernel: expansion(t, map[string]string{thresholdsNote: "1"})},
		"without offsets":              {Linear: first.Rankers[0].Linear}} {
		if _, err := OpenClasses(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// expansion is a model of two outputs with notes.
func expansion(t *testing.T, notes map[string]string) *kernel.Expansion[float64] {
	t.Helper()
	x, _ := clouds[float64]()
	k, err := kernel.New(design.Matrix[float64](x), kernel.Linear{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := kernel.NewExpansion(k, vec.NewMatrix[float64](60, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m.WithNotes(notes)
}
