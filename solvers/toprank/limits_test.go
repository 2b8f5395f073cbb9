package toprank

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/vec"
)

// TestLimits: one positive example, one negative one, K of all negative examples, every example twice, every example of
// both kinds, scores that are all equal: the optimum.
func TestLimits(t *testing.T) { prove.Both(t, testLimits[float32], testLimits[float64]) }

func testLimits[T vec.Float](t *testing.T) {
	for _, special := range ranktruth.Special(rand.New(rand.NewPCG(51, 52))) {
		variants := append(special.Variants(), linearOf(special).Variants()...)
		for _, p := range append(variants, withSome(variants)...) {
			solveAll[T](t, p)
		}
	}
}

// withSome returns the problems that have groups, some with positive and negative examples.
func withSome(problems []ranktruth.Problem) []ranktruth.Problem {
	return slices.DeleteFunc(ranktruth.Grouped(problems),
		func(p ranktruth.Problem) bool { return len(p.Within()) == 0 })
}

// TestExtremes: C of 1e-8 and 1e8, and Tau so small that no negative example may pass.
func TestExtremes(t *testing.T) {
	for _, p := range append(some(30), grouped(30)...) {
		for _, p := range []ranktruth.Problem{p, linearOf(p)} {
			for _, weight := range []float64{1e-8, 1e8} {
				p := p
				p.C = weight
				p.Name += fmt.Sprintf(", C = %g", weight)
				solveAll[float64](t, p)
			}
			if p.PatMat {
				p.Tau = 1e-6 // of 20 or 30 examples
				p.Name += ", tau = 1e-6"
				solveAll[float64](t, p)
			}
		}
	}
}

// solveAll trains p in every form to the default tolerance.
func solveAll[T vec.Float](t *testing.T, p ranktruth.Problem) {
	for name, q := range problemsOf[T](t, p) {
		if p.C > 1e6 && q.visits {
			continue // they are slow there, as steps of few variables are
		}
		t.Run(p.Name+", "+name, func(t *testing.T) { honest(t, p, q, solve(t, q, configOf(p))) })
	}
}

// TestAllNegatives: with K of all negative examples the threshold is their mean and every beta is S/K; one more is an
// error with both numbers.
func TestAllNegatives(t *testing.T) {
	p := ranktruth.Draw(rand.New(rand.NewPCG(53, 54)), 30, 4)
	for name, q := range problemsOf[float64](t, linearOf(p)) {
		r := solve(t, q, Config{K: 20, Tol: 1e-6})
		sum := 0.0
		for _, a := range r.Alpha {
			sum += a
		}
		for i, b := range r.Beta {
			if !p.Positive[i] && !(b > sum/20*(1-1e-12) && b < sum/20*(1+1e-12)) {
				t.Errorf("%s: beta %v of row %d, want %v", name, b, i, sum/20)
			}
		}
		if slices.Max(r.Alpha) == 0 {
			t.Errorf("%s: no alpha", name)
		}
		r, err := q.Fit(context.Background(), Config{K: 21})
		if contains(t, err, "toprank: ", "K = 21", "20 negative"); r != nil {
			t.Error(told(r))
		}
	}
}

// TestLargeScores: where scores are so large that rounding hides their distance from the threshold no certificate says
// that a loss is 0.
func TestLargeScores(t *testing.T) {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{1.1163755666177534e39, -1.482594912685972e39})}
	for _, c := range []Config{{Tau: .6606977946609007, C: 1.178906731627736e-4}, {Tau: .3}, {Tau: .9, C: 1e-6}} {
		c.Method, c.All = PatMat, true
		r, err := Problem[float64]{X: x, Positive: []bool{false, true}}.Fit(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		if !(r.Certificate.Gap() >= 0) {
			t.Errorf("%+v: %s", c, told(r))
		}
	}
}

// TestLargeK: within queries any K above the number of negative examples is as good as that number.
func TestLargeK(t *testing.T) {
	draw := linearOf(ranktruth.Draw(rand.New(rand.NewPCG(71, 72)), 30, 3))
	for _, p := range ranktruth.Grouped([]ranktruth.Problem{draw}) {
		p.K = 30
		for name, q := range problemsOf[float64](t, p) {
			c := configOf(p)
			c.K = math.MaxInt
			if c.Tol = 1e-3; q.visits {
				c.Tol = .05
			}
			t.Log(name)
			honest(t, p, q, solve(t, q, c))
		}
	}
}
