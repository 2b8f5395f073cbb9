package mkl

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// TestPath: every point of a path is a training whose certificate is within the tolerance, in the order that is
// promised, with the same optima as from 0; folds are tested by models of the other examples.
func TestPath(t *testing.T) {
	p := views[float64](t, 6, 90, 3)
	c := Config{Tol: 1e-4}
	points, err := p.Path(context.Background(), c, PathConfig{Ps: []float64{1.05, 2, 1.3}, Cs: []float64{10, .1, 1},
		CrossValidation: solvers.CrossValidation{Folds: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if len(points) != 9 {
		t.Fatalf("%d points", len(points))
	}
	k := 0
	for _, norm := range []float64{2, 1.3, 1.05} {
		for _, cost := range []float64{.1, 1, 10} {
			q := points[k]
			k++
			if q.P != norm || q.C != cost {
				t.Errorf("point %d is P = %v, C = %v", k, q.P, q.C)
			}
			c.P, c.C = norm, cost
			honest(t, p, c, q.Result)
			alone := fit(t, p, c)
			if a, b := q.Result.Certificate, alone.Certificate; q.Result.Status != solvers.Converged ||
				a.Primal < b.Dual || b.Primal < a.Dual {
				t.Errorf("P = %v, C = %v: %v, from 0 %v", norm, cost, q.Result.Outcome, alone.Outcome)
			}
			if a := q.Measures[0]; !(a.Mean > .4 && a.Mean <= 1 && a.Spread >= 0) {
				t.Errorf("P = %v, C = %v: %v", norm, cost, a)
			}
		}
	}
	if best := solvers.Best(points, 0); best < 0 || points[best].Measures[0].Mean < points[8].Measures[0].Mean {
		t.Errorf("the best of them is %d", best)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if points, err := p.Path(ctx, Config{}, PathConfig{}); !errors.Is(err, context.Canceled) || len(points) > 0 {
		t.Errorf("%d points, %v", len(points), err)
	}
}

// TestFold: the accuracy of a fold is the accuracy of a training on the others, tested on it.
func TestFold(t *testing.T) {
	p := views[float64](t, 7, 60, 3)
	c := Config{P: 1.2, C: 1, Workers: 1}
	points, err := p.Path(context.Background(), c,
		PathConfig{Cs: []float64{1}, CrossValidation: solvers.CrossValidation{Folds: 4}})
	if err != nil {
		t.Fatal(err)
	}
	fold, err := solvers.Folds(p.Y, 60, 4, 0)
	if err != nil {
		t.Fatal(err)
	}
	mean := 0.0
	for f := range 4 {
		var train, test, y []int
		for i, g := range fold {
			if g == f {
				test = append(test, i)
			} else {
				train, y = append(train, i), append(y, p.Y[i])
			}
		}
		r := fit(t, Problem[float64]{Bundle: p.Bundle.Compact(train), Y: y}, Config{P: 1.2, C: 1, Classes: 3})
		scores, right := vec.NewMatrix[float64](len(test), 3), 0.0
		r.Kernels.ScoresOf(scores, p.Bundle, test, train, 1)
		for q, i := range test {
			if vec.ArgMax(scores.Row(q)) == p.Y[i] {
				right++
			}
		}
		mean += right / float64(len(test)) / 4
	}
	if math.Abs(points[0].Measures[0].Mean-mean) > 1e-12 {
		t.Errorf("accuracy %v, want %v", points[0].Measures, mean)
	}
}

// TestStart: a training that starts from a solution ends at once; from one of other parameters, at the optimum.
func TestStart(t *testing.T) {
	p := views[float32](t, 8, 80, 3)
	c := Config{P: 1.1, C: 10, Tol: 1e-3}
	solved := fit(t, p, c)
	p.Start = solved
	again := fit(t, p, c)
	if again.Epochs > 0 || again.Status != solvers.Converged {
		t.Errorf("from the solution: %v", again.Outcome)
	}
	honest(t, p, c, again)
	for _, c := range []Config{{P: 1.9, C: 10}, {P: 1.01, C: .1}, {P: 2, C: 100}, {P: 1.1, C: 1, K: 2}} {
		r := fit(t, p, c)
		c.Tol = 1e-3
		honest(t, p, c, r)
		if r.Status != solvers.Converged {
			t.Errorf("%+v: %v", c, r.Outcome)
		}
	}
	// Of a pruned model, whose weights are 0 in part.
	pruned, err := p.Prune(solved, c, .3)
	if err != nil {
		t.Fatal(err)
	}
	p.Start = pruned
	if r := fit(t, p, c); r.Status != solvers.Converged {
		t.Errorf("from a pruned model: %v", r.Outcome)
	}
	for want, change := range map[string]func(r *Result[float32]){
		"80-by-2 dual variables and 4 weights to start from, for 80 examples, 3 classes and 4 " +
			"kernels": func(r *Result[float32]) {
			r.Duals = vec.NewMatrix[float32](80, 2)
		},
		"80-by-3 dual variables and 3 weights to start from, for 80 examples, 3 classes and 4 " +
			"kernels": func(r *Result[float32]) {
			r.Eta = r.Eta[:3]
		},
		"weight -1 of kernel 2 to start from, want a finite number of at least 0": func(r *Result[float32]) {
			r.Eta = []float64{1, 1, -1, 1}
		},
		"dual variable NaN of row 5 and class 1, want a finite number": func(r *Result[float32]) {
			r.Duals = vec.NewMatrix[float32](80, 3)
			r.Duals.Row(5)[1] = float32(math.NaN())
		},
	} {
		r := *solved
		change(&r)
		p.Start = &r
		if _, err := p.Fit(context.Background(), c); err == nil || err.Error() != "mkl: "+want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestPrune: a model without kernels that hardly matter has a certificate that says so, and files keep it.
func TestPrune(t *testing.T) {
	p := views[float64](t, 9, 80, 3)
	c := Config{P: 1.1, C: 1, Tol: 1e-4}
	r := fit(t, p, c)
	same, err := p.Prune(r, c, 0)
	if err != nil || math.Abs(same.Certificate.Primal-r.Certificate.Primal) > 1e-12*r.Certificate.Primal {
		t.Errorf("nothing dropped: %v, %v, want %v", same, err, r.Outcome)
	}
	share := 0.0
	for _, v := range r.Shares {
		share = max(share, v)
	}
	one, err := p.Prune(r, c, share)
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for j, v := range one.Kernels.Weights() {
		if v > 0 {
			left++
		}
		if v > 0 != (r.Shares[j] >= share) || v > 0 && one.Shares[j] != 1 {
			t.Errorf("weights %v, shares %v of shares %v", one.Kernels.Weights(), one.Shares, r.Shares)
		}
	}
	honest(t, p, c, one)
	if left != 1 || one.Certificate.Primal < r.Certificate.Primal || one.Certificate.Dual != same.Certificate.Dual {
		t.Errorf("%d kernels are left, %v of %v", left, one.Certificate, r.Certificate)
	}
	if r.Kernels.Weights()[3] == 0 {
		t.Error("the model that was pruned has changed")
	}
	for want, call := range map[string]func() error{
		"mkl: a share of 1 to keep kernels from, want at least 0 and less than 1": func() error {
			_, err := p.Prune(r, c, 1)
			return err
		},
		"mkl: no kernel has a share of 0.99":      func() error { _, err := p.Prune(r, c, .99); return err },
		"mkl: no result of this problem to prune": func() error { _, err := p.Prune(nil, c, 0); return err },
		"mkl: P = 3, want a number above 1, at most 2": func() error {
			_, err := p.Prune(r, Config{P: 3}, 0)
			return err
		},
	} {
		if err := call(); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
