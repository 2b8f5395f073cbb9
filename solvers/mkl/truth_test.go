package mkl

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// truth is small problems with optima that were computed by other means: see testdata/README.md.
type truth struct {
	N, M, F int
	Y       []int         `json:"y"`
	Phi     [][][]float64 `json:"phi"`
	Results []struct{ P, Lam, Primal, Dual float64 }
}

func readTruth(t testing.TB) (all truth) {
	t.Helper()
	f, err := os.Open("testdata/truth.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err == nil {
		err = json.NewDecoder(z).Decode(&all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// bundleOf returns linear kernels on the features of each cue.
func bundleOf[T vec.Float](t testing.TB, phi [][][]float64, budget int64) *bundle.Bundle[T] {
	t.Helper()
	var groups []bundle.Group[T]
	for _, rows := range phi {
		x := vec.NewMatrix[T](len(rows), len(rows[0]))
		for i, row := range rows {
			vec.Convert(x.Row(i), row)
		}
		groups = append(groups, bundle.Group[T]{X: design.Matrix[T](&dataset.Dense[T]{Matrix: x}),
			Kernels: []kernel.Kernel{kernel.Linear{}}})
	}
	b, err := bundle.New(budget, groups...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTruth: the optima, to 1e-6 within 15 steps of the weights and 100 epochs, and the same problems at p = 1.01, of
// which the certificate says how near they are.
func TestTruth(t *testing.T) {
	all := readTruth(t)
	type problem struct{ p, lambda, optimum float64 }
	var problems []problem
	for _, r := range all.Results {
		problems = append(problems, problem{r.P, r.Lam, r.Primal})
	}
	problems = append(problems, problem{1.01, .1, 0}, problem{1.01, .01, 0}, problem{1.5, .01, 0},
		problem{1.25, .001, 0})
	b := bundleOf[float64](t, all.Phi, 1<<20)
	for _, q := range problems {
		t.Run(fmt.Sprintf("p=%v,lambda=%v", q.p, q.lambda), func(t *testing.T) {
			scale := q.lambda // of the paper's objective
			c := Config{P: q.p, C: 1 / (q.lambda * float64(all.N)), Tol: 1e-6}
			r, err := Fit(context.Background(), b, all.Y, c)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v; %d steps, %d rounds, eta %.3g, shares %.3f", r.Outcome, r.Steps, r.Rounds, r.Eta, r.Shares)
			if r.Status != solvers.Converged || r.Steps > 15 || r.Rounds > 100 {
				t.Errorf("%v after %d steps, want 1e-6 within 15 steps and 100 epochs", r.Outcome, r.Steps)
			}
			if p, d := scale*r.Certificate.Primal, scale*r.Certificate.Dual; q.optimum > 0 &&
				(p < q.optimum*(1-1e-9) || p > q.optimum*(1+1e-6) || d > q.optimum*(1+1e-9)) {
				t.Errorf("primal %.12g, dual %.12g, optimum %.12g", p, d, q.optimum)
			}
			if math.Abs(vec.Sum(r.Shares)-1) > 1e-12 {
				t.Errorf("shares %v", r.Shares)
			}
		})
	}
}
