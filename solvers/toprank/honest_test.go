package toprank

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/toprank/internal/ranktruth"
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
	const u = 0x1p-53
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

	// A score is a sum of n terms c_j K_ij, each K_ij off by 4 (d+3) eps of at most 4 sqrt(K_ii K_jj), as in TestRows
	// of package kernel, here and there: off by e. So is the threshold, and the values by their slopes and by sums of
	// n.
	largest, sizes, linear := 0.0, 0.0, 0.0
	for i := range n {
		largest = max(largest, math.Sqrt(k.Row(i)[i]))
		sizes += math.Sqrt(k.Row(i)[i]) * max(math.Abs(coefficients[i]), r.Alpha[i]+r.Beta[i])
		linear += (r.Alpha[i] + r.Beta[i]) * (1/p.Theta1 + 1/p.Theta2)
	}
	e := 2 * (float64(n+3) + 32*float64(len(p.X[0])+3)) * u * largest * sizes
	sum := 0.0
	for i := range n {
		sum += max(math.Abs(coefficients[i]), r.Alpha[i]+r.Beta[i])
	}
	bound := e*(sum+2*p.Slopes(f, threshold)) + 16*float64(n)*u*(primal+linear+norm)
	if off := math.Abs(primal - r.Certificate.Primal); !(off <= bound) {
		t.Errorf("%s: primal %v, from scratch %v, off by %g, bound %g",
			p.Name, r.Certificate.Primal, primal, off, bound)
	}
	if off := math.Abs(dual - r.Certificate.Dual); !(off <= bound) {
		t.Errorf("%s: dual %v, from scratch %v, off by %g, bound %g", p.Name, r.Certificate.Dual, dual, off, bound)
	}
	if p.Groups != nil {
		if r.Threshold != 0 || !r.WithinQueries || r.Queries != len(p.Within()) {
			t.Errorf("%s: threshold %v, within queries %t, %d queries", p.Name, r.Threshold, r.WithinQueries, r.Queries)
		}
		return
	}
	if off := math.Abs(threshold - r.Threshold); !(off <= e+8*u*(math.Abs(threshold)+1/p.Theta2)) {
		t.Errorf("%s: threshold %v, from scratch %v, off by %g", p.Name, r.Threshold, threshold, off)
	}
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
	wide.Rows(k, rows)
	return k
}
