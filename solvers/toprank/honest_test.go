package toprank

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/vec"
)

// TestHonest: certificates are what plain loops in float64 find from the model and the dual variables, whatever the
// precision of the training, its storage and the tolerance.
func TestHonest(t *testing.T) { prove.Both(t, testHonest[float32], testHonest[float64]) }

func testHonest[T vec.Float](t *testing.T) {
	p := ranktruth.Draw(rand.New(rand.NewPCG(43, 44)), 40, 4)
	variants := append(p.Variants(), linearOf(p).Variants()...)
	for _, p := range append(variants, ranktruth.Grouped(variants)...) {
		for name, q := range problemsOf[T](t, p) {
			for _, tol := range []float64{1e18, .1, 1e-3} {
				c := configOf(p)
				c.Tol = tol
				t.Logf("%s, %s, to %g", p.Name, name, tol)
				honest(t, p, q, solve(t, q, c))
			}
		}
	}
}

// honest compares the certificate and the threshold of r with those by plain loops: the primal value of the model, the
// dual value of the dual variables, which are within their domain.
func honest[T vec.Float](t *testing.T, p ranktruth.Problem, q Problem[T], r *Result[T]) {
	t.Helper()
	p = in[T](p)
	k, n := gramOf(t, p, q), len(p.X)
	// Sums are equal, and caps held, up to rounding. What a part 2^-40 of S does to the dual value is far below all
	// else.
	if missed := p.Infeasible(r.Alpha, r.Beta); missed > 0x1p-40 {
		t.Errorf("%s: dual variables outside their domain by %g of their sum", p.Name, missed)
	}
	f, norm := make([]float64, n), 0.0
	coefficients := make([]float64, n)
	if r.Linear != nil {
		w := r.Linear.Weights()
		for i, x := range p.X {
			for j, v := range x {
				f[i] += v * float64(w.Row(j)[0])
			}
		}
		for j := range w.Rows {
			norm += float64(w.Row(j)[0]) * float64(w.Row(j)[0])
		}
		for i := range n {
			coefficients[i] = r.Alpha[i] - r.Beta[i]
		}
	} else {
		for s, i := range r.Kernel.Support() {
			coefficients[i] = float64(r.Kernel.Coefficients().Row(s)[0])
		}
		f = ranktruth.Scores(k, coefficients, make([]float64, n))
		for i, c := range coefficients {
			norm += c * f[i]
		}
	}
	primal, threshold := p.Primal(f, norm)
	_, dual, _ := p.Values(k, r.Alpha, r.Beta)
	off := offOf(t, p, q, r, k, f, coefficients)
	off.primal += 16 * float64(n) * hostile.Unit * primal
	if miss := math.Abs(primal - r.Certificate.Primal); !(miss <= off.primal) {
		t.Errorf("%s: primal %v, from scratch %v, off by %g, bound %g",
			p.Name, r.Certificate.Primal, primal, miss, off.primal)
	}
	if miss := math.Abs(dual - r.Certificate.Dual); !(miss <= off.dual) {
		t.Errorf("%s: dual %v, from scratch %v, off by %g, bound %g", p.Name, r.Certificate.Dual, dual, miss, off.dual)
	}
	if n <= hostile.Most {
		exactly(t, p, q, r, off)
	}
	if p.Groups != nil {
		if r.Threshold != 0 || !r.WithinQueries || r.Queries != len(p.Within()) {
			t.Errorf("%s: threshold %v, within queries %t, %d queries", p.Name, r.Threshold, r.WithinQueries, r.Queries)
		}
		return
	}
	if miss := math.Abs(threshold - r.Threshold); !(miss <= off.threshold) {
		t.Errorf("%s: threshold %v, from scratch %v, off by %g, bound %g", p.Name, r.Threshold, threshold, miss,
			off.threshold)
	}
}

// offs is what rounding may do to a certificate and its threshold.
type offs struct{ primal, dual, threshold float64 }

// offOf returns it for the scores f of a model of coefficients, but for the sum of the primal value: see hostile.Bound.
// A threshold moves by no more than the scores do. It is a mean of them, or solves an equation whose sum is as if each
// score were off by n roundoffs of 1/theta + |t| + |f|, and |t| is at most 1/theta + |f|. Losses then rise as if t - f
// were off by twice as much.
func offOf[T vec.Float](t *testing.T, p ranktruth.Problem, q Problem[T], r *Result[T], k vec.Matrix[float64],
	f, coefficients []float64) (off offs) {
	t.Helper()
	n := float64(len(p.X))
	model := hostile.Bound{Terms: n + float64(len(p.X[0])+8)}
	if q.Kernel != nil {
		wide, err := q.Kernel.Float64()
		if err != nil {
			t.Fatal(err)
		}
		model.Off, _ = wide.Rounding()
	}
	duals, largest, diagonal, linear := model, 0.0, 0.0, 0.0
	for i, v := range f {
		largest, diagonal = max(largest, math.Abs(v)), max(diagonal, k.Row(i)[i])
		model.Add(k.Row(i)[i], math.Abs(coefficients[i]))
		duals.Add(k.Row(i)[i], r.Alpha[i]+r.Beta[i])
		linear += r.Alpha[i] / p.Theta1 * (1 + r.Alpha[i]/(4*p.C*p.Theta1))
		if p.PatMat {
			linear += r.Beta[i] / p.Theta2 * (2 + p.Tau*n)
		}
	}
	model.Size = max(model.Size, duals.Size) // of weights: by the dual variables, which they are sums of
	off.threshold = model.Score(diagonal) + (n+16)*hostile.Unit*2*largest
	if p.PatMat {
		off.threshold += 2 * (n + 16) * hostile.Unit / p.Theta2
	}
	off.primal = model.Form()/2 + p.Rises(f, 2*off.threshold+8*hostile.Unit/p.Theta1)
	off.dual = duals.Form()/2 + 16*n*hostile.Unit*linear
	return off
}

// gramOf is K as the training sees it.
func gramOf[T vec.Float](t *testing.T, p ranktruth.Problem, q Problem[T]) vec.Matrix[float64] {
	t.Helper()
	if q.Kernel == nil || q.Kernel.Kernel() != nil {
		return p.Gram()
	}
	wide, err := q.Kernel.Float64()
	if err != nil {
		t.Fatal(err)
	}
	k, rows := vec.NewMatrix[float64](len(p.X), len(p.X)), make([]int, len(p.X))
	for i := range rows {
		rows[i] = i
	}
	wide.Rows(k, rows, 1)
	return k
}
