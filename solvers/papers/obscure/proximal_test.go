package obscure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

// TestProximal: with the multi-kernel problem's g_t, Algorithm 3 takes the steps of Algorithm 2 as printed.
func TestProximal(t *testing.T) {
	const n, m, d, kernels = 30, 4, 5, 3
	for _, norm := range []float64{1.25, 1.5, 2} {
		for _, bound := range []float64{.05, 2.5} { // the first is in the way at every step
			p, x := cues[float64](t, n, m, kernels, d)
			q, lambda := norm/(norm-1), 1/(p.C*n)
			want := plain{x: x, y: p.Y, q: q}
			for range x {
				want.theta = append(want.theta, vec.NewMatrix[float64](d, m))
			}
			var at, sum float64
			method := Proximal{P: norm, Groups: kernels, Sigma: lambda / q, R: bound}
			method.Receive = func(step int, w, z []float64) float64 {
				here, size := want.w()
				for j, wj := range here {
					for c, v := range wj.Data {
						if got := w[j*d*m+c]; math.Abs(got-v) > 1e-12*bound {
							t.Fatalf("p = %v, R = %v, step %d: w is %v, want %v", norm, bound, step, got, v)
						}
					}
				}
				i := (7 * step) % n
				clear(z)
				length := subgradient(&want, here, i, z)
				for j, own := range want.theta {
					vec.Axpy64(lambda/q, own.Data, z[j*d*m:(j+1)*d*m])
				}
				want.step(i, 0, lambda, bound, &at, &sum)
				return lambda/q*size + length
			}
			if err := method.Descend(context.Background(), make([]float64, kernels*d*m), 150); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// subgradient adds a subgradient of the loss of example i at w to z, and returns its norm.
func subgradient(s *plain, w []vec.Matrix[float64], i int, z []float64) (length float64) {
	scores, y, worst := s.scores(w, i), s.y[i], -1
	for c, v := range scores {
		if c != y && (worst < 0 || v > scores[worst]) {
			worst = c
		}
	}
	if !(1+scores[worst]-scores[y] > 0) {
		return 0
	}
	own := make([]float64, len(z))
	size, m := len(z)/len(w), len(scores)
	for j := range w {
		for c, v := range s.x[j].Row(i) {
			own[j*size+c*m+y], own[j*size+c*m+worst] = -v, v
		}
	}
	vec.Axpy(1, own, z)
	return DualNorm(own, len(w), s.q/(s.q-1))
}

// TestProximalErrors: what cannot be is an error that names it; the context ends it.
func TestProximalErrors(t *testing.T) {
	zero := func(_ int, _, z []float64) float64 {
		clear(z)
		return 0
	}
	good := Proximal{P: 1.5, Groups: 2, R: 1, Receive: zero}
	w := []float64{1, 0, 0, 0}
	if err := good.Descend(context.Background(), w, 5); err != nil || w[0] != 1 {
		t.Errorf("%v, %v: functions without slope moved w", w, err)
	}
	if err := good.Descend(statetest.EndAt(2), w, 5); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for want, change := range map[string]func(a *Proximal){
		"no Receive":                              func(a *Proximal) { a.Receive = nil },
		"P = 1, want a number above 1":            func(a *Proximal) { a.P = 1 },
		"P = 2.5, want a number above 1":          func(a *Proximal) { a.P = 2.5 },
		"4 numbers in Groups = 3":                 func(a *Proximal) { a.Groups = 3 },
		"4 numbers in Groups = 0":                 func(a *Proximal) { a.Groups = 0 },
		"Sigma = +Inf, want a finite number":      func(a *Proximal) { a.Sigma = math.Inf(1) },
		"Sigma = -1, want a finite number":        func(a *Proximal) { a.Sigma = -1 },
		"R = 0, want a positive":                  func(a *Proximal) { a.R = 0 },
		"R = NaN, want a positive":                func(a *Proximal) { a.R = math.NaN() },
		"Sigma = NaN, want a finite number, at l": func(a *Proximal) { a.Sigma = math.NaN() },
	} {
		a := good
		change(&a)
		if err := a.Descend(context.Background(), w, 5); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := good.Descend(context.Background(), nil, 5); err == nil || !strings.Contains(err.Error(), "0 numbers") {
		t.Errorf("%v, want 0 numbers", err)
	}
	if err := good.Descend(context.Background(), w, -1); err == nil || !strings.Contains(err.Error(), "-1 steps") {
		t.Errorf("%v, want -1 steps", err)
	}
}

// TestSeparation: the norm over the least margin to any wrong class, by plain loops over w; +Inf where a margin is not
// above 0.
func TestSeparation(t *testing.T) {
	for shift := range 3 { // so that the class nearest to a true one comes before it, or behind
		testSeparation(t, shift)
	}
}

func testSeparation(t *testing.T, shift int) {
	t.Helper()
	p, x := cues[float64](t, 24, 3, 4, 12)
	for i, y := range p.Y {
		p.Y[i] = (y + shift) % 3
	}
	p.P = 1.5
	best, err := mkl.Fit(context.Background(), p.Bundle, p.Y, mkl.Config{P: p.P, C: 1000, Tol: 1e-4})
	if err != nil {
		t.Fatal(err)
	}
	sum, margin := 0.0, math.Inf(1)
	scores := vec.NewMatrix[float64](24, 3)
	for j, xj := range x {
		w := vec.NewMatrix[float64](xj.Cols, 3)
		vec.Gemm(vec.Transposed, vec.NoTrans, best.Eta[j], xj, best.Duals, 0, w)
		sum += math.Pow(vec.Norm(w.Data), p.P)
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, xj, w, 1, scores)
	}
	for i, y := range p.Y {
		for c, v := range scores.Row(i) {
			if c != y {
				margin = min(margin, scores.At(i, y)-v)
			}
		}
	}
	got, err := p.Separation(best.Eta, best.Duals, 1)
	if want := math.Pow(sum, 1/p.P) / margin; err != nil || math.Abs(got-want) > 1e-9*want {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	vec.Scale(-1, best.Duals.Data)
	if got, err := p.Separation(best.Eta, best.Duals, 1); err != nil || !math.IsInf(got, 1) {
		t.Errorf("of -w: %v, %v, want +Inf", got, err)
	}
}

// TestTheorem2: where the examples are separable, stage 1 moves less often than the theorem says, for every p and eta,
// and its R is less.
func TestTheorem2(t *testing.T) {
	p, _ := cues[float64](t, 24, 3, 4, 12)
	for _, norm := range []float64{1.05, 1.5, 2} {
		p.P = norm
		best, err := mkl.Fit(context.Background(), p.Bundle, p.Y, mkl.Config{P: norm, C: 1000, Tol: 1e-4})
		if err != nil {
			t.Fatal(err)
		}
		size, err := p.Separation(best.Eta, best.Duals, 1)
		if err != nil || math.IsInf(size, 1) {
			t.Fatalf("%v, %v: not separable", size, err)
		}
		if total := lengthOf(best.Norms, norm); size < .999*total {
			t.Errorf("|u| = %v, but all that separate have at least the %v of w*", size, total)
		}
		for _, eta := range []float64{.1, 2} {
			r, err := Solve(context.Background(), p, Options{Options: papers.Options{Every: 24}, Online: 1000,
				Eta: eta})
			if err != nil || r.Status != solvers.EpochLimit && r.Status != solvers.Converged {
				t.Fatal(err)
			}
			moves, bound := p.Theorem2(eta, size)
			if last, before := r.Last().Count, r.Steps[len(r.Steps)-2].Count; last != before || float64(last) >= moves {
				t.Errorf("p = %v, eta = %v: %d moves, %d in the last pass, bound %v", norm, eta, last, last-before,
					moves)
			}
			if !(r.R < bound) {
				t.Errorf("p = %v, eta = %v: R = %v, bound %v", norm, eta, r.R, bound)
			}
		}
	}
}

// lengthOf returns |w|_{2,p} of the norms of the kernels.
func lengthOf(norms []float64, p float64) (sum float64) {
	for _, v := range norms {
		sum += math.Pow(v, p)
	}
	return math.Pow(sum, 1/p)
}

// TestTheorem2Formula: numbers by hand, of a kernel whose largest diagonal element is X.
func TestTheorem2Formula(t *testing.T) {
	p, x := cues[float64](t, 12, 3, 2, 4)
	largest := 0.0
	for _, m := range x {
		for i := range m.Rows {
			largest = max(largest, vec.SquaredNorm(m.Row(i)))
		}
	}
	p.P = 1.5 // q = 3
	moves, r := p.Theorem2(.5, 3)
	f := largest * math.Pow(2, 2./3)
	if want := 6 * (2 + f) * 9; math.Abs(moves-want) > 1e-12*want {
		t.Errorf("%v moves, want %v", moves, want)
	}
	if want := 2 * (1 + f/2) * 3; math.Abs(r-want) > 1e-12*want {
		t.Errorf("R = %v, want %v", r, want)
	}
	moves, r = p.Theorem2(0, 3)
	if wantMoves, wantR := p.Theorem2(2, 3); moves != wantMoves || r != wantR {
		t.Errorf("%v moves and R = %v of the default step, want %v and %v", moves, r, wantMoves, wantR)
	}
}

// Algorithm 3 on the distances of w to random numbers, whose median is 3.
func ExampleProximal() {
	rng := rand.New(rand.NewPCG(1, 2))
	method := Proximal{P: 2, Groups: 1, R: 10, Receive: func(_ int, w, z []float64) float64 {
		z[0] = math.Copysign(1, w[0]-(3+rng.NormFloat64()))
		return 1
	}}
	w := []float64{0}
	if err := method.Descend(context.Background(), w, 20000); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.0f\n", w[0])
	// Output: 3
}
