package toploss

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/internal/interior"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/vec"
)

func objectiveOf(p ranktruth.Problem) *Objective {
	return New(Objective{PatMat: p.PatMat, Hinge: p.Hinge, All: p.All, K: p.K,
		C: p.C, Tau: p.Tau, Theta1: p.Theta1, Theta2: p.Theta2, Positive: p.Positive})
}

// problems are at the limits and at random, with each method and loss, and with theta that is not 1.
func problems() (all []ranktruth.Problem) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, p := range append(ranktruth.Special(rng), ranktruth.Draw(rng, 40, 3)) {
		p.Theta1 = 1.7
		all = append(all, p.Variants()...)
	}
	return all
}

// near reports whether sums of n terms of at most 40 terms each, n up to 40 as well, whose magnitudes are scale in all,
// are equal but for their roundings: (40 + 40 + some for each term) u here and there.
func near(a, b, scale float64) bool { return math.Abs(a-b) <= 0x1p-45*scale }

// TestValues: the primal and the dual value and the threshold are what the formulas say, and so is what is minimised by
// Sides, with the scalar that is best for the dual variables, less its sign.
func TestValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, p := range problems() {
		o, k := objectiveOf(p), p.Gram()
		for range 5 {
			alpha, beta := p.Feasible(rng)
			f := ranktruth.Scores(k, alpha, beta)
			norm := vec.Dot(f, alpha) - vec.Dot(f, beta)
			primal, dual, threshold := p.Values(k, alpha, beta)
			got, at := o.Primal(f, norm)
			largest, sum := 0.0, vec.Sum(alpha)+vec.Sum(beta)
			for i := range alpha {
				largest = max(largest, k.At(i, i))
			}
			scale := primal + largest*sum*sum + sum*(1/p.Theta1+1/p.Theta2)
			if !near(got, primal, scale) || !near(at, threshold, 1+largest*sum) ||
				!near(o.Dual(alpha, beta, norm), dual, scale) {
				t.Errorf("%s: %v, %v, %v, want %v, %v, %v", p.Name, got, o.Dual(alpha, beta, norm), at, primal, dual,
					threshold)
			}
			q, s, minimum := o.Sides(o.Rows()), o.Scalar(alpha, beta), norm/2
			for side, of := range []interior.Side{q.Plus, q.Minus} {
				v := [][]float64{alpha, beta}[side]
				for _, i := range of.Examples {
					minimum += of.Quadratic/2*v[i]*v[i] - of.Linear*v[i]
					if side == 1 && q.Curve > 0 {
						minimum += q.Curve / 2 * v[i] * v[i] / s
					}
					if most := of.Upper + of.Ratio*s; most > 0 && v[i] > most*(1+1e-12) {
						t.Errorf("%s: a variable of %v above %v", p.Name, v[i], most)
					}
				}
			}
			if minimum += q.Cost * s; !near(-minimum, dual, scale) {
				t.Errorf("%s: %v by sides, want %v", p.Name, -minimum, dual)
			}
		}
	}
}

// TestTinyDuals: without alphas and a norm, the dual value goes in proportion to betas, and so does the scalar, however
// small or large these are: their squares may be neither.
func TestTinyDuals(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	for _, p := range problems() {
		o := objectiveOf(p)
		none, beta := make([]float64, len(p.X)), make([]float64, len(p.X))
		for i := range beta {
			if o.Ranked(i) {
				beta[i] = rng.Float64()
			}
		}
		want, scalar := o.Dual(none, beta, 0), o.Scalar(beta, beta)
		for _, e := range []int{-1000, -600, 600} {
			scaled := make([]float64, len(beta))
			for i, v := range beta {
				scaled[i] = math.Ldexp(v, e)
			}
			if got := math.Ldexp(o.Dual(none, scaled, 0), -e); !near(got, want, vec.Sum(beta)/p.Theta2) {
				t.Errorf("%s: 2^%d times %v, want %v", p.Name, e, got, want)
			}
			if got := math.Ldexp(o.Scalar(scaled, scaled), -e); !near(got, scalar, scalar) {
				t.Errorf("%s: a scalar of 2^%d times %v, want %v", p.Name, e, got, scalar)
			}
		}
	}
}

// TestFeasible: what Feasible, Uniform, Restart and Answer make are in the domain, and what is there already stays.
func TestFeasible(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, p := range problems() {
		o, k := objectiveOf(p), p.Gram()
		alpha, beta := p.Feasible(rng)
		f := ranktruth.Scores(k, alpha, beta)
		_, threshold := o.Primal(f, 0)
		check := func(what string, alpha, beta []float64) {
			t.Helper()
			if missed := p.Infeasible(alpha, beta); missed > 0x1p-40 {
				t.Errorf("%s: %s: outside the domain by %g of the sum", p.Name, what, missed)
			}
		}
		a, b := slices.Clone(alpha), slices.Clone(beta)
		if o.Feasible(a, b); vec.SquaredDistance(a, alpha)+vec.SquaredDistance(b, beta) > 1e-24*vec.SquaredNorm(alpha) {
			t.Errorf("%s: Feasible moves what is in the domain", p.Name)
		}
		for i := range a {
			a[i], b[i] = a[i]*3*rng.Float64(), b[i]*5*rng.Float64()
		}
		o.Feasible(a, b)
		check("Feasible", a, b)
		a, b = o.Uniform()
		check("Uniform", a, b)
		o.Answer(a, b, f, threshold)
		check("Answer", a, b)
		copy(b, beta)
		a = o.Restart(o.Rows(), f, threshold, b)
		if vec.Sum(a) > 0 {
			check("Restart", a, b)
		}
		one := slices.Index(o.Positive, false) // all that a smaller K of the last level allowed
		clear(b)
		b[one] = vec.Sum(beta)
		if a = o.Restart(o.Rows(), f, threshold, b); vec.Sum(a) > 0 {
			check("Restart from one", a, b)
		}
		if err := o.Check(a, b); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

// TestCheck: of given dual variables those are cleared that are no variables of the problem, and no others; what is no
// number, negative, or of an example of the other kind is an error that names it.
func TestCheck(t *testing.T) {
	positive := []bool{true, false, true, false, true}
	for _, c := range []struct {
		name                string
		o                   Objective
		alpha, beta         []float64
		wantAlpha, wantBeta []float64
		err                 string
	}{
		{"as given", Objective{K: 1}, []float64{1, 0, 2, 0, 0}, []float64{0, 1, 0, 2, 0}, []float64{1, 0, 2, 0, 0},
			[]float64{0, 1, 0, 2, 0}, ""},
		{"betas of positive examples", Objective{K: 1}, []float64{1, 0, 2, 0, 0}, []float64{3, 1, 4, 2, 5},
			[]float64{1, 0, 2, 0, 0}, []float64{0, 1, 0, 2, 0}, ""},
		{"all", Objective{PatMat: true, All: true, Tau: .5}, []float64{1, 0, 2, 0, 0}, []float64{3, 1, 4, 2, 5},
			[]float64{1, 0, 2, 0, 0}, []float64{3, 1, 4, 2, 5}, ""},
		{"queries", Objective{K: 1, Queries: [][]int{{0, 1}}}, []float64{1, 0, 2, 0, 3}, []float64{0, 1, 0, 2, 0},
			[]float64{1, 0, 0, 0, 0}, []float64{0, 1, 0, 0, 0}, ""},
		{"negative alpha", Objective{K: 1}, []float64{-1, 0, 0, 0, 0}, make([]float64, 5), nil, nil,
			"the dual variable -1 of example 0"},
		{"infinite beta", Objective{K: 1}, make([]float64, 5), []float64{0, 0, 0, math.Inf(1), 0}, nil, nil,
			"the dual variable +Inf of example 3"},
		{"no number", Objective{K: 1}, make([]float64, 5), []float64{0, math.NaN(), 0, 0, 0}, nil, nil,
			"the dual variable NaN of example 1"},
		{"alpha of a negative example", Objective{K: 1}, []float64{0, .5, 0, 0, 0}, make([]float64, 5), nil, nil,
			"alpha = 0.5 of example 1, which is negative"},
	} {
		c.o.C, c.o.Theta1, c.o.Theta2, c.o.Positive = 1, 1, 1, positive
		err := New(c.o).Check(c.alpha, c.beta)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", c.name, err, c.err)
			}
		case err != nil || !slices.Equal(c.alpha, c.wantAlpha) || !slices.Equal(c.beta, c.wantBeta):
			t.Errorf("%s: %v, %v and %v, want %v and %v", c.name, err, c.alpha, c.beta, c.wantAlpha, c.wantBeta)
		}
	}
}

// TestPart: of every second example of all that are there twice, a Part has twice the C, half of K, and the same
// threshold.
func TestPart(t *testing.T) {
	p := ranktruth.Draw(rand.New(rand.NewPCG(13, 14)), 30, 3)
	var half []int
	twice := ranktruth.Problem{C: p.C, Theta1: 1, Theta2: 1, K: 8, Tau: .1}
	for i, y := range p.Positive {
		twice.Positive = append(twice.Positive, y, y)
		half = append(half, 2*i)
	}
	for _, twice.PatMat = range []bool{false, true} {
		o := objectiveOf(twice)
		part := o.Part(half)
		if part.C != 2*o.C || part.K != 4 || part.bound != o.bound/2 || part.tied != o.tied {
			t.Errorf("%+v of %+v", part, o)
		}
		f := make([]float64, 60)
		for i := range 30 {
			f[2*i] = p.X[i][0]
			f[2*i+1] = f[2*i]
		}
		_, all := o.Split(o.Rows(), f)
		_, some := part.Split(half, f)
		if got, want := part.Threshold(some), o.Threshold(all); !near(got, want, 1+math.Abs(want)) {
			t.Errorf("PatMat %t: threshold %v, want %v", twice.PatMat, got, want)
		}
	}
}

// TestWants: at the optimum, which is known to 1e-9, every example with a dual variable above 0 is wanted, and those
// that are far from one are not.
func TestWants(t *testing.T) {
	for _, p := range ranktruth.Read(t, filepath.Join("..", "..", "toprank", "testdata")) {
		o, f := objectiveOf(p), ranktruth.Scores(p.Gram(), p.Alpha, p.Beta)
		_, ranked := o.Split(o.Rows(), f)
		slices.Sort(ranked)
		top, sum := ranked[len(ranked)-max(p.K, 1)], vec.Sum(p.Alpha)
		for i := range f {
			dual := max(p.Alpha[i], p.Beta[i]) > 1e-4*sum
			if dual && !o.Wants(i, f[i], p.Threshold, 1e-3, top-1e-3) {
				t.Errorf("%s: example %d with %v and %v is not wanted", p.Name, i, p.Alpha[i], p.Beta[i])
			}
			if o.Positive[i] && f[i] > p.Threshold+1/p.Theta1+.1 && o.Wants(i, f[i], p.Threshold, .1, math.Inf(1)) &&
				!(o.PatMat && o.All) {
				t.Errorf("%s: the positive example %d, far above the threshold, is wanted", p.Name, i)
			}
			if !o.Positive[i] && f[i] < p.Threshold-1/p.Theta2-.1 && o.Wants(i, f[i], p.Threshold, .1, top) {
				t.Errorf("%s: the negative example %d, far below the threshold, is wanted", p.Name, i)
			}
		}
	}
}

// TestFirst: the search for the scalar begins at the one that is best for the dual variables that scores of 0 name, and
// of TopPush at a tenth of it.
func TestFirst(t *testing.T) {
	for _, p := range problems() {
		o := objectiveOf(p)
		n := len(p.Positive)
		f, a, b := make([]float64, n), make([]float64, n), make([]float64, n)
		_, threshold := o.Primal(f, 0)
		o.Answer(a, b, f, threshold)
		want := o.Scalar(a, b)
		if !p.PatMat {
			want /= 10
		}
		if got := o.First(o.Rows()); !near(got, want, 1+want) {
			t.Errorf("%s: %v, want %v", p.Name, got, want)
		}
	}
}
