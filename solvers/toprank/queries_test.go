package toprank

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// least returns the least value of a convex f of one number between low and high, by thirds.
func least(low, high float64, f func(float64) float64) float64 {
	for range 90 {
		a, b := low+(high-low)/3, high-(high-low)/3
		if f(a) <= f(b) {
			high = b
		} else {
			low = a
		}
	}
	return f((low + high) / 2)
}

// TestWithinQueriesOptimum: of two features the least primal value by plain search over all weights is between the
// dual and the primal value of the certificate, in every form.
func TestWithinQueriesOptimum(t *testing.T) {
	draw := ranktruth.Draw(rand.New(rand.NewPCG(61, 62)), 24, 2)
	draw.C = 3
	for _, p := range ranktruth.Grouped(linearOf(draw).Variants()) {
		// At w = 0 the value is C times the number of positive examples, so that |w|² is at most twice that.
		far, f := math.Sqrt(2*p.C*8), make([]float64, len(p.X))
		want := least(-far, far, func(v float64) float64 {
			return least(-far, far, func(w float64) float64 {
				for i, x := range p.X {
					f[i] = v*x[0] + w*x[1]
				}
				value, _ := p.Primal(f, v*v+w*w)
				return value
			})
		})
		for name, q := range problemsOf[float64](t, p) {
			c := configOf(p)
			if c.Tol = 1e-6; q.visits {
				c.Tol = .05 // block steps in two dimensions are slow
			}
			got := solve(t, q, c).Certificate
			// The search ends within far (2/3)^90 of the best weights, which is below all rounding; the rounding of a
			// value of some 24 terms is below 1e-13 of it.
			if !(got.Dual <= want*(1+1e-13) && want <= got.Primal*(1+1e-13)) {
				t.Errorf("%s, %s: %v, the optimum is %v", p.Name, name, got, want)
			}
		}
	}
}

// meet reports whether both certificates may be of one optimum, but for rounding.
func meet(a, b solvers.Certificate) bool {
	return a.Dual <= b.Primal*(1+1e-12) && b.Dual <= a.Primal*(1+1e-12)
}

// TestOneQuery: with one group of all examples the optimum is that without groups.
func TestOneQuery(t *testing.T) {
	for _, p := range some(40) {
		if p.PatMat {
			continue
		}
		for name, q := range problemsOf[float64](t, linearOf(p)) {
			c := configOf(p)
			c.Tol = 1e-5
			want := solve(t, q, c).Certificate
			q.Groups = slices.Repeat([]int{-7}, 40)
			for _, q.visits = range []bool{false, true} {
				got := solve(t, q, c)
				if !meet(got.Certificate, want) || got.Queries != 1 || got.Idle != 0 {
					t.Errorf("%s, %s: %v of %d queries, not %v", p.Name, name, got.Certificate, got.Queries, want)
				}
			}
		}
	}
}

// TestApart: queries without a feature in common are problems of their own, whose values add up. The others that have
// examples of one kind only count as idle.
func TestApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	first, second := linearOf(ranktruth.Draw(rng, 20, 3)), linearOf(ranktruth.Draw(rng, 15, 3))
	x := vec.NewMatrix[float64](38, 6)
	var positive []bool
	var groups []int
	for i := range 38 {
		switch {
		case i < 20:
			copy(x.Row(i), first.X[i])
			positive, groups = append(positive, first.Positive[i]), append(groups, 3)
		case i < 35:
			copy(x.Row(i)[3:], second.X[i-20])
			positive, groups = append(positive, second.Positive[i-20]), append(groups, -1)
		default: // two queries of one kind
			x.Row(i)[i-35] = 9
			positive, groups = append(positive, i == 37), append(groups, 100+i/37)
		}
	}
	for _, c := range []Config{{Tol: 1e-6}, {Tol: 1e-6, K: 4, Loss: Hinge}} {
		var sum solvers.Certificate
		for _, p := range []ranktruth.Problem{first, second} {
			x := &dataset.Dense[float64]{Matrix: ranktruth.Features[float64](p)}
			r := solve(t, Problem[float64]{X: x, Positive: p.Positive}, c)
			sum.Primal, sum.Dual = sum.Primal+r.Certificate.Primal, sum.Dual+r.Certificate.Dual
		}
		q := Problem[float64]{X: &dataset.Dense[float64]{Matrix: x}, Positive: positive, Groups: groups}
		for _, q.visits = range []bool{false, true} {
			r := solve(t, q, c)
			if !meet(r.Certificate, sum) || r.Queries != 2 || r.Idle != 2 {
				t.Errorf("%v of %d queries, %d idle; apart %v", r.Certificate, r.Queries, r.Idle, sum)
			}
			if slices.Max(r.Alpha[35:]) != 0 || slices.Max(r.Beta[35:]) != 0 {
				t.Errorf("dual variables of idle queries: %v, %v", r.Alpha[35:], r.Beta[35:])
			}
		}
	}
}

// TestStartWithin: the solution of another C, another K, or without groups is a start that ends at the same optimum;
// its own takes no step.
func TestStartWithin(t *testing.T) {
	for _, p := range grouped(40) {
		for name, q := range problemsOf[float64](t, linearOf(p)) {
			c := configOf(p)
			c.Tol, c.C = 1e-4, 2
			want := solve(t, q, c)
			other, alone := c, q
			other.C, other.K, alone.Groups = .1, 2, nil
			for what, start := range map[string]*Result[float64]{
				"another C": solve(t, q, other), "no groups": solve(t, alone, c), "its own": want,
			} {
				q.Start = start
				got := solve(t, q, c)
				p := linearOf(p)
				p.C = c.C
				honest(t, p, q, got)
				if !meet(got.Certificate, want.Certificate) || what == "its own" && got.Visits != 0 {
					t.Errorf("%s, %s from %s: %s, from 0 %s", p.Name, name, what, told(got), told(want))
				}
			}
		}
	}
}

// TestGroupErrors: groups that make no problem are errors that name the numbers.
func TestGroupErrors(t *testing.T) {
	p := linearOf(ranktruth.Draw(rand.New(rand.NewPCG(65, 66)), 9, 2))
	x := &dataset.Dense[float64]{Matrix: ranktruth.Features[float64](p)}
	alone := []int{1, 2, 3, 4, 5, 6, 7, 8, 9}
	ctx := context.Background()
	for _, c := range []struct {
		want   string
		groups []int
		c      Config
	}{
		{"Groups of 3 examples, but there are 9", []int{1, 2, 3}, Config{}},
		{"Groups of 0 examples, but there are 9", []int{}, Config{}},
		{"none of 9 groups has a positive and a negative example", alone, Config{}},
		{"PatMat with Groups", make([]int, 9), Config{Method: PatMat}},
	} {
		r, err := Problem[float64]{X: x, Positive: p.Positive, Groups: c.groups}.Fit(ctx, c.c)
		if contains(t, err, "toprank: ", c.want); r != nil {
			t.Error(told(r))
		}
	}
}

// TestWithinModel: a model that ranks within queries has no threshold, says so in its file, and decides nothing.
func TestWithinModel(t *testing.T) {
	for _, p := range grouped(30)[:1] {
		for name, q := range problemsOf[float32](t, p) {
			r := solve(t, q, configOf(p))
			var file bytes.Buffer
			if _, err := r.WriteTo(&file); err != nil {
				t.Fatal(err)
			}
			m, err := model.Read[float32](&file)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Open(m)
			if err != nil || !again.WithinQueries || again.Threshold != 0 {
				t.Fatalf("%s: %+v, %v", name, again, err)
			}
			if q.Kernel != nil && q.Kernel.Features() == nil {
				continue
			}
			_, err = again.Decide(q.Kernel.Features(), 1)
			contains(t, err, "toprank: ", "no threshold")
		}
	}
	if s := fmt.Sprint(withinNote); s != "within queries" {
		t.Error(s) // files have it
	}
}

// TestPathWithin: the folds hold queries together, and the measure is computed by a loop over them; Recall is none of
// it.
func TestPathWithin(t *testing.T) {
	p := ranktruth.Grouped([]ranktruth.Problem{linearOf(ranktruth.Draw(rand.New(rand.NewPCG(67, 68)), 90, 3))})[0]
	all := &dataset.Dense[float64]{Matrix: ranktruth.Features[float64](p)}
	q := Problem[float64]{X: all, Positive: p.Positive, Groups: p.Groups}
	c := Config{Tol: 1e-6, Seed: 3}
	path := PathConfig{Cs: []float64{.1, 1}}
	path.Folds = 3
	points, err := q.Path(context.Background(), c, path)
	if err != nil || len(points) != 2 {
		t.Fatal(points, err)
	}
	fold, err := solvers.Strata{Y: classes(p.Positive), Groups: p.Groups}.Folds(3, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, point := range points {
		name := point.Measures[0].Name
		if c.C = point.C; point.Result.Queries != len(p.Within()) || name != "mean average precision by query" {
			t.Errorf("C = %v: %+v", c.C, point)
		}
		for f, got := range point.Measures[0].Folds {
			var rows, rest []int
			for i, of := range fold {
				if of == f {
					rest = append(rest, i)
				} else {
					rows = append(rows, i)
				}
			}
			pick := func(rows []int) (x *dataset.Dense[float64], positive []bool, groups []int) {
				x = &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](len(rows), 3)}
				q.X.Gather(x.Matrix, rows)
				for _, i := range rows {
					positive, groups = append(positive, p.Positive[i]), append(groups, p.Groups[i])
				}
				return x, positive, groups
			}
			part := Problem[float64]{}
			var x *dataset.Dense[float64]
			x, part.Positive, part.Groups = pick(rows)
			part.X = x
			r := solve(t, part, c)
			x, positive, groups := pick(rest)
			scores := vec.NewMatrix[float64](len(rest), 1)
			if err := r.Scores(scores, x, nil); err != nil {
				t.Fatal(err)
			}
			if want, err := metrics.MeanAveragePrecision(scores.Data, positive, groups); err != nil || want != got {
				t.Errorf("C = %v, part %d: %v, want %v, %v", c.C, f, got, want, err)
			}
		}
	}
	path.Recall = .5
	_, err = q.Path(context.Background(), c, path)
	contains(t, err, "toprank: ", "Recall = 0.5 with Groups")
	path = PathConfig{Cs: []float64{.1}}
	if points, err = q.Path(context.Background(), c, path); err != nil || points[0].Measures != nil {
		t.Errorf("without folds: %+v, %v", points, err)
	}
}
