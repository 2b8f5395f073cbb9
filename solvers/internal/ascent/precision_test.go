package ascent

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// gap32 is the relative gap that all-float32 arithmetic finds: of the W that updates have led to, and of losses and
// dual variables summed in float32.
func gap32(s *linearSolver[float32]) float64 {
	var losses, duals float32
	scores := make([]float32, s.weights.Cols)
	for i := range s.n {
		s.workers[0].rows.scores(scores, i, &s.weights.Matrix)
		losses += float32(s.ex[i].r * s.p.Loss.Primal(scores[:s.m], s.p.Labels.Of(i), &s.work))
		duals += s.a.Row(i)[s.p.Labels.One[i]]
	}
	norm := vec.SquaredNorm(s.weights.Data) / 2
	primal, dual := losses+norm, duals-norm
	return float64(primal-dual) / float64(primal)
}

// The gap that float32 finds can be smaller than the true one, even negative. The training asks for a certificate in
// float64, sees that the gap is too large, and does not stop for the other.
func TestFloat32GapIsNotTrusted(t *testing.T) {
	x, y := blobs[float32](rand.New(rand.NewPCG(51, 52)), 300, 20, 5)
	const tol = 1e-6
	p := hinge(t, design.Matrix[float32](x), y, 5, 2, .01)
	s := training(t, p, Options{Options: solvers.Options{Tol: tol, Workers: 1}})
	lies, worst := 0, 0.0
	for range 600 {
		s.Epoch(context.Background())
		claimed := gap32(s)
		if claimed > tol {
			continue
		}
		certificate := certify(t, Solver[float32](s))
		s.Reconsider()
		if truth := certificate.RelativeGap(); truth > tol {
			lies++
			worst = max(worst, truth/math.Max(claimed, 1e-300))
		}
	}
	t.Logf("float32 claimed a gap within %g %d times when it was not, one a factor %.3g less than the truth", tol, lies,
		worst)
	if lies == 0 {
		t.Skip("this tier never lied")
	}
	s = training(t, p, Options{Options: solvers.Options{Tol: tol, Workers: 1}})
	outcome, err := train.Run(context.Background(), s, train.Options[float32]{Options: solvers.Options{Tol: tol,
		Epochs: 5000}}, &train.Clock[float32]{})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(outcome)
	if outcome.Status == solvers.Converged && outcome.Certificate.RelativeGap() > tol {
		t.Error(outcome)
	}
	again := certificateOf(p, outcome.Primal.Matrix(20, 5), s.Duals())
	if c := outcome.Certificate; math.Abs(again.Primal-c.Primal) > 1e-12*c.Primal ||
		math.Abs(again.Dual-c.Dual) > 1e-12*c.Primal {
		t.Errorf("%v, computed again %v", outcome.Certificate, again)
	}
}

// certificateOf is the certificate of weights and of dual variables, of examples of weight 1, from their formulas; the
// dual variables are made feasible first. What rounding does to it is far below 1e-12: sums of 300 terms, and scores of
// 20.
func certificateOf(p Problem[float32], w, a vec.Matrix[float32]) (c solvers.Certificate) {
	var work loss.Workspace[float64]
	norm := 0.0
	for _, v := range w.Data {
		norm += float64(v) * float64(v)
	}
	sums := vec.NewMatrix[float64](w.Rows, w.Cols) // Xᵀ A
	for i := range a.Rows {
		x, scores, duals := make([]float32, w.Rows), make([]float64, w.Cols), make([]float64, w.Cols)
		p.X.Gather(vec.MatrixOf(1, len(x), x), []int{i})
		vec.Convert(duals, a.Row(i))
		p.Exact.Repair(duals, p.Labels.Of(i), p.Radius[i], &work)
		for j, v := range x {
			for k := range scores {
				scores[k] += float64(v) * float64(w.Row(j)[k])
				sums.Row(j)[k] += float64(v) * duals[k]
			}
		}
		c.Primal += p.Radius[i] * p.Exact.Primal(scores, p.Labels.Of(i), &work)
		c.Dual += p.Exact.Dual(duals, p.Labels.Of(i), p.Radius[i], &work)
	}
	c.Primal = p.Lambda * (c.Primal + norm/2)
	c.Dual = p.Lambda * (c.Dual - vec.SquaredNorm(sums.Data)/2)
	return c
}

// An epoch allocates nothing.
func TestAllocs(t *testing.T) {
	x, y := blobs[float32](rand.New(rand.NewPCG(21, 22)), 300, 10, 5)
	for name, change := range map[string]func(p *Problem[float32]){
		"dense": func(p *Problem[float32]) {},
		"csr":   func(p *Problem[float32]) { p.X = sparse(t, x) },
		"bias":  func(p *Problem[float32]) { p.X, p.Constant = sparse(t, x), 1 },
		"both":  func(p *Problem[float32]) { p.Constant = 1 },
	} {
		p := hinge(t, design.Matrix[float32](x), y, 5, 3, 1e-3)
		change(&p)
		for _, size := range []int{1, 8, 64} {
			s := training(t, p, Options{Options: solvers.Options{Tol: 1e-9, Workers: 1}, BlockSize: size})
			step := func() {
				s.Epoch(context.Background())
				certify(t, Solver[float32](s))
				s.Reconsider()
			}
			step()
			if n := prove.Allocs(10, step); n != 0 {
				t.Errorf("%s, blocks of %d: %v allocations an epoch", name, size, n)
			}
		}
	}
}
