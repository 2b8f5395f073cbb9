package topk

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// withWeights is p with the loss L_beta.
func withWeights[T vec.Float](t *testing.T, p Problem[T], beta []float64, smoothing float64) Problem[T] {
	t.Helper()
	own, err := loss.NewUsunier[T](beta)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := loss.NewUsunier[float64](beta)
	if err != nil {
		t.Fatal(err)
	}
	own.Smoothing, exact.Smoothing = smoothing, smoothing
	p.Loss, p.Exact = own, exact
	return p
}

// TestUsunier: L_beta with weights of one's own is trained to a gap of 1e-8 in float64 and 1e-4 in float32, of features
// and of a kernel, and the certificate is what a plain program computes in float64 from the dual variables: the primal
// value by sorted margins, the dual value with the constraints of the set checked.
func TestUsunier(t *testing.T) { prove.Both(t, testUsunier[float32], testUsunier[float64]) }

func testUsunier[T vec.Float](t *testing.T) {
	x, y := blobs[T](rand.New(rand.NewPCG(31, 32)), 80, 12, 6)
	tol, within := 1e-8, 1e-12
	if one := T(1); one+0x1p-40 == one {
		tol, within = 1e-4, 1e-6
	}
	for _, beta := range [][]float64{{1, .5, .25}, {.4, .4, .1, .1, 0}, {3}, {1, 1, 1, 1, 1, 1, 1}} {
		for _, smoothing := range []float64{0, .5} {
			c := Config{Lambda: .01, Epochs: 1 << 20, Tol: tol}
			for name, p := range map[string]Problem[T]{"features": {X: x, Y: y},
				"kernel": {Kernel: matrix(t, design.Matrix[T](x), kernel.Linear{}, 1<<20), Y: y}} {
				r, err := withWeights(t, p, beta, smoothing).Fit(context.Background(), c)
				if err != nil || r.Status != solvers.Converged || !(r.Certificate.RelativeGap() <= tol) {
					t.Fatalf("%s, %v, smoothing %v: %v, %v", name, beta, smoothing, told(r), err)
				}
				if name == "features" {
					dual := dualOf(t, x, y, r.Duals, beta, smoothing, c.Lambda)
					primal := primalOf(x, y, r.Linear.Weights(), beta, smoothing, c.Lambda)
					if cert := r.Certificate; !(math.Abs(primal-cert.Primal) <= within*primal) ||
						!(math.Abs(dual-cert.Dual) <= within*primal) {
						t.Errorf("%v, smoothing %v: %v and %v, certified %v", beta, smoothing, primal, dual, cert)
					}
				}
			}
		}
	}
}

// primalOf is P(W) by sorted margins. Smoothed: the loss is its own conjugate's, by a projection checked elsewhere.
func primalOf[T vec.Float](x design.DenseRows[T], y []int, w vec.Matrix[T], beta []float64, smoothing,
	lambda float64) float64 {
	sum := 0.0
	for _, v := range w.Data {
		sum += lambda / 2 * float64(v) * float64(v)
	}
	l, _ := loss.NewUsunier[float64](beta)
	l.Smoothing = smoothing
	var space loss.Workspace[float64]
	for i, c := range y {
		s := make([]float64, w.Cols)
		for j, v := range x.Row(i) {
			for k := range s {
				s[k] += float64(v) * float64(w.Row(j)[k])
			}
		}
		if smoothing > 0 {
			sum += l.Primal(s, []int{c}, &space) / float64(len(y))
			continue
		}
		h := []float64{}
		for k, v := range s {
			if k != c {
				h = append(h, max(0, 1+v-s[c]))
			}
		}
		slices.Sort(h)
		slices.Reverse(h)
		for k, v := range h {
			if k < len(beta) {
				sum += beta[k] * v / float64(len(y))
			}
		}
	}
	return sum
}

// dualOf is D(A), and fails where a row is outside its set by more than the rounding of its numbers.
func dualOf[T vec.Float](t *testing.T, x design.DenseRows[T], y []int, a vec.Matrix[T], beta []float64, smoothing,
	lambda float64) float64 {
	t.Helper()
	_, d := x.Dims()
	r := 1 / (lambda * float64(len(y)))
	w, sum := vec.NewMatrix[float64](d, a.Cols), 0.0
	for i, c := range y {
		var u []float64
		whole := 0.0
		for k, v := range a.Row(i) {
			if k != c {
				u, whole = append(u, -float64(v)), whole-float64(v)
				sum += lambda * (-float64(v) - smoothing/(2*r)*float64(v)*float64(v))
			}
		}
		for j, v := range x.Row(i) {
			for k, b := range a.Row(i) {
				if k == c {
					w.Row(j)[k] += float64(v) * whole
				} else {
					w.Row(j)[k] += float64(v) * float64(b)
				}
			}
		}
		slices.Sort(u)
		slices.Reverse(u)
		most, have := 0.0, 0.0
		for k, v := range u {
			if have += v; k < len(beta) {
				most += r * beta[k]
			}
			if v < 0 || have > most*(1+1e-14) {
				t.Fatalf("row %d: %v is outside: %v of %v", i, u, have, most)
			}
		}
	}
	for _, v := range w.Data {
		sum -= lambda / 2 * v * v
	}
	return sum
}

// TestUsunierAsTopK: with equal weights the optimum is TopKUsunier's: both have a gap of 1e-9, so that they differ by
// no more.
func TestUsunierAsTopK(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(33, 34)), 60, 10, 5)
	for k := 1; k < 5; k++ {
		c := Config{Lambda: .02, Epochs: 1 << 20, Tol: 1e-9, K: k, Loss: TopKUsunier}
		want := converge(t, x, y, c, 1e-9)
		c.K, c.Loss = 0, 0
		p := withWeights(t, Problem[float64]{X: x, Y: y}, slices.Repeat([]float64{1 / float64(k)}, k), 0)
		got, err := p.Fit(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := got.Certificate.Primal, want.Certificate.Primal; !(math.Abs(a-b) <= 1e-9*(a+b)) {
			t.Errorf("k = %d: %v, want %v", k, got.Certificate, want.Certificate)
		}
	}
}
