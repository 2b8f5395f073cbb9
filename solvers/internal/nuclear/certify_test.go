package nuclear

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// TestCertify: a certificate is what the formulas of the package say of the factors and of A, each computed here in
// float64 from the numbers of the examples. These fill two windows and a part of a third one, so that two workers have
// unequal shares; they have weights, a mean and a constant feature. A has rounding: negative numbers, sums above 1, and
// another number than the sum for the true class.
func TestCertify(t *testing.T) { prove.Both(t, testCertify[float32], testCertify[float64]) }

func testCertify[T vec.Float](t *testing.T) {
	const n, d, k = 1501, 80, 4
	rng := prove.Rand(8)
	dense := problem[T](rng, n, d, k)
	e := evaluate(dense, normal[T](rng, d, k, .1))
	dense.Center(1)
	dense.Bias = .75
	csr, err := dense.X.(*dataset.Dense[T]).CSR()
	if err != nil {
		t.Fatal(err)
	}
	w := normal[T](rng, d+1, k, .2)
	for i := range n {
		row, y := e.rows.Row(i), dense.Y[i]
		switch row[y] *= .9; i % 5 { // the true class has what the others leave
		case 1:
			row[(y+1)%k] = -1e-7
		case 2:
			vec.Scale(3, row) // the others sum to more than w_i
		}
	}
	for _, p := range []Penalty{{.01, .02}, {.01, 0}, {10, 0}, {0, .02}} {
		for name, x := range map[string]design.Matrix[T]{"dense": dense.X, "sparse": csr} {
			for workers := 1; workers <= 3; workers++ {
				data := dense
				data.X = x
				b, err := New(p, data, solvers.Options{Tol: 1e-3, Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				for j := range w.Rows {
					copy(b.W.Row(j), w.Row(j))
				}
				for i := range n {
					copy(b.Dual.A.Row(i), e.rows.Row(i))
				}
				what := fmt.Sprintf("%+v, %s, %d workers", p, name, workers)
				got, err := b.Certify()
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				r := recompute(dense, b.U, b.V, e.rows)
				want, off := r.certificate(p)
				if !(math.Abs(got.Primal-want.Primal) <= off.Primal) || !(math.Abs(got.Dual-want.Dual) <= off.Dual) {
					t.Errorf("%s: %v, want %v up to %.2g and %.2g", what, got, want, off.Primal, off.Dual)
				}
				s, part := p.Reach(r.sigma), 2*prove.Unit[T]()+r.slip(p)/r.sigma[0]
				for i, v := range b.Dual.A.Data {
					if want := s * float64(e.rows.Data[i]); !(math.Abs(float64(v)-want) <= part*math.Abs(want)) {
						t.Fatalf("%s: dual variable %v, want %v times %v", what, v, s, e.rows.Data[i])
					}
				}
				if p.Lambda1 == 0 || p.Lambda2 == 0 {
					continue
				}
				b.Penalty = Penalty{p.Lambda1 * 2, p.Lambda2 / 3}
				got = b.Assemble()
				want, off = r.certificate(b.Penalty)
				if !(math.Abs(got.Primal-want.Primal) <= off.Primal) || !(math.Abs(got.Dual-want.Dual) <= off.Dual) {
					t.Errorf("%s: %v under %+v, want %v", what, got, b.Penalty, want)
				}
			}
		}
	}
}

// TestTrust: a certificate is refused where the bound of rounding, u w (1 + |x| (|W| + slope)), is above the gap and
// what the tolerance allows. The mean weight w is .75, |x| is 2, |W| is 3; the slope is H/lambda1 = 3 without lambda2,
// else the root of the conjugate, 1, over lambda2. Where singular values are above lambda1 by rounding alone there is
// its square over 4 lambda2, (u w |x|)²/(4 lambda2), and nothing where they are below for sure.
func TestTrust(t *testing.T) {
	data := problem[float64](prove.Rand(9), 40, 3, 5)
	for _, c := range []struct {
		p     Penalty
		off   float64
		sigma float64 // the largest
	}{
		{Penalty{Lambda1: 2}, .75 * (1 + 2*(3+3)) * 0x1p-53, 6},
		{Penalty{Lambda1: 2, Lambda2: 4}, .75 * (1 + 2*(3+.5)) * 0x1p-53, 6},
		{Penalty{Lambda1: 2, Lambda2: 0x1p-53}, (.75*(1+2*3) + 1.5*1.5/4) * 0x1p-53, 2},
		{Penalty{Lambda1: 2, Lambda2: 0x1p-53}, .75 * (1 + 2*3) * 0x1p-53, 1.5},
	} {
		b, err := New(c.p, data, solvers.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		b.meanSquare, b.parts = 4, &parts{squares: 9, h: 6, sigma: []float64{c.sigma, 1}}
		for _, v := range []struct {
			gap, tol float64 // in parts of off
			refused  bool
		}{{.99, .99, true}, {1.01, .99, false}, {.99, 1.01, false}} {
			b.Tol = v.tol * c.off / .0625
			got := b.trust(solvers.Certificate{Primal: .0625, Dual: .0625 - v.gap*c.off})
			if errors.Is(got, train.ErrRounding) != v.refused || (got != nil) != v.refused {
				t.Errorf("%+v, %+v: %v", c, v, got)
			}
		}
	}
}

// TestSettled: dual variables that scaling rounds to few digits have the certificate of what they are then, and are 0
// where rounding has taken them out of the domain.
func TestSettled(t *testing.T) {
	const n, d, k = 40, 5, 4
	kept, cleared := 0, 0
	for seed := range uint64(40) {
		rng := prove.Rand(100 + seed)
		data := problem[float32](rng, n, d, k)
		data.Mean, data.Bias = make([]float32, d), .5
		p := Penalty{Lambda1: math.Pow(10, -38-float64(seed%6))}
		b, err := New(p, data, solvers.Options{Tol: 1e-3, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		plain := data
		plain.Bias = 0
		copy(b.Dual.A.Data, evaluate(plain, normal[float32](rng, d, k, .1)).rows.Data)
		got, err := b.Certify()
		if err != nil {
			t.Fatal(err)
		}
		r := recompute(data, b.U, b.V, b.Dual.A)
		// The domain ends at lambda1, which rounding in float64 does not tell from what is next to it.
		switch slip := r.slip(p); {
		case r.sigma[0] > p.Lambda1+slip, got.Dual == 0:
			cleared++
			if vec.AbsSum(b.Dual.A.Data) != 0 || got.Dual != 0 {
				t.Errorf("seed %d: %v of a singular value of %v, lambda1 = %v", seed, got, r.sigma[0], p.Lambda1)
			}
		default:
			kept++ // H is sum_l -p_l log p_l over the wrong classes: p_y rounds to 1
			if !(math.Abs(got.Dual-r.h) <= r.off*r.h) || b.Dual.H != got.Dual {
				t.Errorf("seed %d: a dual value of %v, and a sum of H of %v, want %v", seed, got.Dual, b.Dual.H, r.h)
			}
		}
	}
	if kept < 5 || cleared < 5 {
		t.Errorf("%d dual variables were kept, %d cleared", kept, cleared)
	}
}

// TestBeyond: a certificate beyond float64 is an error, of weights and of examples, and so is one that is rounding: at
// the optimum, W = 0 and uniform probabilities, of examples that are far from their mean.
func TestBeyond(t *testing.T) {
	data := problem[float64](prove.Rand(10), 40, 3, 5)
	for want, change := range map[string]func(b *Base[float64]){
		"examples whose products with weights are not finite": func(b *Base[float64]) {
			b.Data.Weights = slices.Repeat([]float64{math.MaxFloat64}, b.N)
		},
		"weights that are not finite": func(b *Base[float64]) { b.W.Row(1)[2] = math.Inf(1) },
		"may be rounding": func(b *Base[float64]) {
			copy(b.Dual.A.Data, evaluate(data, vec.NewMatrix[float64](3, 5)).rows.Data)
			b.Lambda1, b.Tol, b.meanSquare = 10, 1e-30, 1e12
		},
	} {
		b, err := New(Penalty{Lambda1: .01}, data, solvers.Options{Tol: 1e-3, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		change(&b)
		if c, err := b.Certify(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want %q", c, err, want)
		}
	}
}

// TestLook: the estimate is of W, and a lower bound of the dual value of the mixture, which from A = 0 is a part c of
// the rows at W: there it is c sum_i w_i H(p_i)/n less the conjugate.
func TestLook(t *testing.T) { prove.Both(t, testLook[float32], testLook[float64]) }

func testLook[T vec.Float](t *testing.T) {
	const n, d, k = 300, 6, 4
	rng := prove.Rand(11)
	data := problem[T](rng, n, d, k)
	slack := 1e4 * prove.Unit[T]() // sums of 300 terms, and a conjugate that lambda2 makes 50 times as large
	for _, p := range []Penalty{{.01, .02}, {.01, 0}, {0, .02}} {
		b, err := New(p, data, solvers.Options{Tol: 1e-9, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		b.Sample = risk.New(data, 1)
		for look := range 2 {
			w := normal[T](rng, d, k, .5)
			for j := range w.Rows {
				copy(b.W.Row(j), w.Row(j))
			}
			b.Loss = b.Sample.Evaluate(b.G, b.W)
			penalty := p.Of(spectral.Values(b.W), b.Squares())
			b.Value = b.Loss + penalty
			b.Look(context.Background(), penalty)
			got := b.Estimate()
			if rows := b.Sample.Duals(); look == 0 {
				h, product, square := 0.0, 0.0, 0.0
				for i := range n {
					h += data.Weights[i] * entropy(rows.Row(i), data.Y[i], data.Weights[i]) / n
					product += float64(vec.Dot(b.Dual.A.Row(i), rows.Row(i)))
					square += float64(vec.SquaredNorm(rows.Row(i)))
				}
				want := product/square*h - p.Conjugate(Sigma(p, b.Dual.G))
				if !(product > 0) || !(math.Abs(got.Dual-want) <= slack) {
					t.Errorf("%+v: a dual value of %v, want %v, of a part %v", p, got.Dual, want, product/square)
				}
			}
			c, err := b.Certify()
			if err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(got.Primal-c.Primal) <= slack) || !(got.Dual <= c.Dual+slack) {
				t.Errorf("%+v, look %d: an estimate of %v, certified as %v", p, look, got, c)
			}
		}
	}
}

// entropy returns H of the probabilities of a row w (p - e_y).
func entropy[T vec.Float](row []T, y int, w float64) (h float64) {
	for l, v := range row {
		p := float64(v) / max(w, 1e-300)
		if l == y {
			p++
		}
		if p > 0 {
			h -= p * math.Log(p)
		}
	}
	return h
}

// recomputed is what a certificate is made of, and how far rounding in float64 takes each number.
type recomputed struct {
	loss, penalty, squares, h    float64 // penalty: sum_j |u_j| |v_j|
	sigma                        []float64
	lossOff, hOff, sigmaOff, off float64 // off: of sums of squares, in parts
}

// recompute computes the parts from U, V and rows, whose numbers of the true classes do not matter. Terms of sums are
// multiplied by magnitudes instead of numbers for the bounds: a sum of t products is off by (t+1) u times their sum
// (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), here and in Certify, and a loss by at most
// twice what its scores are.
func recompute[T vec.Float](data risk.Data[T], u, v, rows vec.Matrix[T]) (r recomputed) {
	n, d := data.X.Dims()
	k := data.Classes
	w, size := vec.NewMatrix[float64](d+1, k), vec.NewMatrix[float64](d+1, k) // W and the magnitudes of its terms
	for q := range u.Cols {
		uu, vv := 0.0, 0.0
		for j := range d + 1 {
			a := float64(u.Row(j)[q])
			uu += a * a
			for l := range k {
				b := float64(v.Row(l)[q])
				w.Row(j)[l] += a * b
				size.Row(j)[l] += math.Abs(a * b)
			}
		}
		for l := range k {
			vv += float64(v.Row(l)[q]) * float64(v.Row(l)[q])
		}
		r.penalty += math.Sqrt(uu * vv)
	}
	r.squares = vec.SquaredNorm(w.Data)
	g, gSize := vec.NewMatrix[float64](d+1, k), vec.NewMatrix[float64](d+1, k) // Xᵀ A/n
	for i := range n {
		x, xSize := make([]float64, d+1), make([]float64, d+1)
		for j, v := range data.X.(*dataset.Dense[T]).Row(i) {
			x[j] = float64(v) - float64(data.Mean[j])
			xSize[j] = math.Abs(float64(v)) + math.Abs(float64(data.Mean[j]))
		}
		x[d], xSize[d] = float64(data.Bias), float64(data.Bias)
		scores, sizes := make([]float64, k), make([]float64, k)
		for j := range d + 1 {
			vec.Axpy(x[j], w.Row(j), scores)
			vec.Axpy(xSize[j], size.Row(j), sizes)
		}
		y, weight, sum := data.Y[i], data.Weights[i], 0.0
		for _, s := range scores {
			sum += math.Exp(s - scores[y])
		}
		r.loss += weight * math.Log(sum) / float64(n)
		r.lossOff += weight * (2*vec.Max(sizes) + math.Log(float64(k)) + 1) / float64(n)
		if weight == 0 {
			continue
		}
		probabilities, others := make([]float64, k), 0.0
		for l, v := range rows.Row(i) {
			if l != y {
				probabilities[l] = max(0, float64(v)/weight)
				others += probabilities[l]
			}
		}
		vec.Scale(1/max(1, others), probabilities)
		probabilities[y] = 1 - min(1, others)
		r.hOff += weight * 80 / float64(n) // p_y is off by k u, and its part of H by k u |log(k u)|
		for _, p := range probabilities {
			if p > 0 {
				r.h -= weight * p * math.Log(p) / float64(n)
			}
		}
		probabilities[y] -= 1
		for j := range d + 1 {
			vec.Axpy(weight*x[j]/float64(n), probabilities, g.Row(j))
			vec.Axpy(2*weight*xSize[j]/float64(n), []float64{1, 1, 1, 1}, gSize.Row(j))
		}
	}
	r.sigma, _ = svd(g, 0, 1)
	r.off = 2 * float64(n+d+2*k+16) * 0x1p-53
	r.lossOff, r.hOff, r.sigmaOff = r.lossOff*r.off, r.hOff*r.off, math.Sqrt(vec.SquaredNorm(gSize.Data))*r.off
	return r
}

// slip returns how far rounding takes a singular value of at least lambda1, which is the root of an eigenvalue.
func (r recomputed) slip(p Penalty) float64 {
	if p.Lambda1 == 0 {
		return r.sigmaOff
	}
	return r.sigmaOff + r.sigma[0]*r.sigma[0]/p.Lambda1*r.off
}

// certificate returns the certificate under a penalty, and how far rounding takes either value.
func (r recomputed) certificate(p Penalty) (c, off solvers.Certificate) {
	penalty := p.Lambda1*r.penalty + p.Lambda2*r.squares
	c.Primal, off.Primal = r.loss+penalty, r.lossOff+penalty*r.off*10
	slip := r.slip(p)
	if p.Lambda2 == 0 {
		s := min(1, p.Lambda1/r.sigma[0]*(1-1e-12))
		c.Dual, off.Dual = s*r.h, r.hOff+slip/r.sigma[0]*r.h
		return c, off
	}
	conjugate := 0.0
	for _, v := range r.sigma {
		over := max(0, v-p.Lambda1)
		conjugate += over * over / (4 * p.Lambda2)
		off.Dual += (over + slip) * slip / (2 * p.Lambda2)
	}
	c.Dual, off.Dual = r.h-conjugate, off.Dual+r.hOff+conjugate*r.off
	return c, off
}
