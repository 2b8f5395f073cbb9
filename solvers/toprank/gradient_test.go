package toprank

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// gradientProblem is p with its features, whatever its kernel was.
func gradientProblem[T vec.Float](p ranktruth.Problem) (Problem[T], Config) {
	c := Config{C: p.C, K: p.K, Tau: p.Tau, All: p.All, Theta1: p.Theta1, Theta2: p.Theta2}
	if p.PatMat {
		c.Method, c.K = PatMat, 0
	}
	if p.Hinge {
		c.Loss = Hinge
	}
	return Problem[T]{X: &dataset.Dense[T]{Matrix: ranktruth.Features[T](p)}, Positive: p.Positive}, c
}

// TestGradientTruth: the linear problems with known optima to a gap of 1e-2, and those of a smooth objective, which are
// those of PatMat with the quadratic, to 1e-8. History and certificate are what the dual variables and the model say.
func TestGradientTruth(t *testing.T) {
	for _, truth := range ranktruth.Read(t, "testdata") {
		if _, linear := truth.Kernel.(kernel.Linear); !linear {
			continue
		}
		p, c := gradientProblem[float64](truth)
		c.Tol = 1e-2
		if truth.PatMat && !truth.Hinge {
			c.Tol = 1e-8
		}
		r, steps, err := p.Gradient(context.Background(), c, GradientOptions{Every: 7})
		if err != nil || r.Status != solvers.Converged {
			t.Errorf("%s: %v, %v", truth.Name, err, r)
			continue
		}
		if cert := r.Certificate; cert.Dual > truth.Optimum*(1+1e-9) || cert.Primal < truth.Optimum*(1-1e-9) {
			t.Errorf("%s: %v, the optimum is %v", truth.Name, cert, truth.Optimum)
		}
		honestGradient(t, truth, p, r)
		for k, s := range steps {
			if s.Steps != min(7*k, r.Epochs) || k > 0 && (s.Primal > steps[k-1].Primal || s.Dual < steps[k-1].Dual ||
				s.Elapsed < steps[k-1].Elapsed) {
				t.Fatalf("%s: %+v after %+v", truth.Name, s, steps[max(k-1, 0)])
			}
		}
		if s := steps[len(steps)-1]; s.Steps != r.Epochs || math.Abs(s.Primal-r.Certificate.Primal) > 1e-9*s.Primal ||
			math.Abs(s.Dual-r.Certificate.Dual) > 1e-9*s.Primal {
			t.Errorf("%s: history ends with %+v, the outcome is %v", truth.Name, s, r.Outcome)
		}
	}
}

// honestGradient compares the certificate with the formulas. Sums of n terms in float64, each rounded a few times, are
// off by a few n u of what they are sums of, here less than 1e-11 of the value.
func honestGradient[T vec.Float](t *testing.T, truth ranktruth.Problem, p Problem[T], r *Result[T]) {
	t.Helper()
	truth.Kernel = kernel.Linear{}
	k := truth.Gram()
	if missed := truth.Infeasible(r.Alpha, r.Beta); missed > 1e-11 {
		t.Errorf("%s: %v outside the domain", truth.Name, missed)
	}
	_, dual, _ := truth.Values(k, r.Alpha, r.Beta)
	if math.Abs(dual-r.Certificate.Dual) > 1e-11*r.Certificate.Primal {
		t.Errorf("%s: dual %v, the formulas say %v", truth.Name, r.Certificate.Dual, dual)
	}
	if gap := r.Certificate.RelativeGap(); gap < -1e-11 {
		t.Errorf("%s: gap %v", truth.Name, gap)
	}
}

// TestGradientSpecial: at the limits, with few examples, in both precisions, dense and sparse, by several workers, the
// certificate is what the model and the dual variables say.
func TestGradientSpecial(t *testing.T) {
	prove.Both(t, testGradientSpecial[float32], testGradientSpecial[float64])
}

func testGradientSpecial[T vec.Float](t *testing.T) {
	for _, special := range ranktruth.Special(rand.New(rand.NewPCG(3, 4))) {
		for k, truth := range special.Variants() {
			p, c := gradientProblem[T](truth)
			for i, row := range ranktruth.Features[T](truth).Data {
				truth.X[i/len(truth.X[0])][i%len(truth.X[0])] = float64(row) // as rounded to T
			}
			if c.Tol, c.Workers = .05, 1+k%2; k%2 == 1 {
				x, err := p.X.(*dataset.Dense[T]).CSR()
				if err != nil {
					t.Fatal(err)
				}
				p.X = x
			}
			r, _, err := p.Gradient(context.Background(), c, GradientOptions{Steps: 3000})
			if err != nil || r.Status != solvers.Converged {
				t.Errorf("%s: %v, %+v", truth.Name, err, r)
				continue
			}
			honestGradient(t, truth, p, r)
		}
	}
}

func TestGradientStops(t *testing.T) {
	p, c := gradientProblem[float64](ranktruth.Read(t, "testdata")[0])
	r, steps, err := p.Gradient(context.Background(), c, GradientOptions{Steps: 5})
	if err != nil || r.Status != solvers.EpochLimit || r.Epochs != 5 || len(steps) != 6 {
		t.Errorf("%v, %v, %d entries", err, r, len(steps))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, _, err = p.Gradient(ctx, c, GradientOptions{}); !errors.Is(err, context.Canceled) || r == nil ||
		r.Status != solvers.Canceled {
		t.Errorf("canceled: %v, %v", err, r)
	}
}

func TestGradientErrors(t *testing.T) {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{1, 2})}
	k, err := kernel.New[float64](x, kernel.Linear{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	good := Problem[float64]{X: x, Positive: []bool{true, false}}
	for want, run := range map[string]func(p Problem[float64]) error{
		"no context": func(p Problem[float64]) error {
			var none context.Context
			_, _, err := p.Gradient(none, Config{}, GradientOptions{})
			return err
		},
		"with a Kernel of 2 examples": func(p Problem[float64]) error {
			p.X, p.Kernel = nil, k
			return gradientError(p, Config{}, GradientOptions{})
		},
		"with Start, Progress": func(p Problem[float64]) error {
			p.Start = &Result[float64]{}
			return gradientError(p, Config{}, GradientOptions{})
		},
		"Steps = -1, Every = 0": func(p Problem[float64]) error {
			return gradientError(p, Config{}, GradientOptions{Steps: -1})
		},
		"Workers = -2": func(p Problem[float64]) error {
			return gradientError(p, Config{Workers: -2}, GradientOptions{})
		},
		"C = -1": func(p Problem[float64]) error { return gradientError(p, Config{C: -1}, GradientOptions{}) },
		"no examples": func(p Problem[float64]) error {
			p.X = nil
			return gradientError(p, Config{}, GradientOptions{})
		},
		"too large": func(p Problem[float64]) error {
			p.X = &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{1e300, -1e300})}
			return gradientError(p, Config{}, GradientOptions{})
		},
	} {
		if err := run(good); err == nil || !strings.HasPrefix(err.Error(), "toprank: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := gradientError(good, Config{}, GradientOptions{}); err != nil {
		t.Error(err)
	}
}

func gradientError(p Problem[float64], c Config, o GradientOptions) error {
	_, _, err := p.Gradient(context.Background(), c, o)
	return err
}

// TestGradientOverflow: rows whose squared norm is beyond T are an error, as they are of Fit.
func TestGradientOverflow(t *testing.T) {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{1, 1e157})}
	p := Problem[float64]{X: x, Positive: []bool{true, false}}
	r, _, err := p.Gradient(context.Background(), Config{}, GradientOptions{Steps: 3})
	if contains(t, err, "toprank: the squared norm of row 1 is +Inf"); r != nil {
		t.Error(told(r))
	}
}
