package l1

import (
	"fmt"
	"math"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/vec"
)

// TestHonest: certificates are what plain loops in float64 find from the model and the dual variables, whatever the
// precision of the training, the loss, the storage and the tolerance.
func TestHonest(t *testing.T) { prove.Both(t, testHonest[float32], testHonest[float64]) }

func testHonest[T vec.Float](t *testing.T) {
	for _, m := range []int{2, 4} {
		s := draw(1, 90, 12, m)
		for form, x := range forms[T](t, s) {
			for _, loss := range []Loss{SquaredHinge, Logistic} {
				for q, c := range []Config{{}, {Bias: 1}, {C: .2, Bias: -.5}, {C: 5}} {
					for _, c.Tol = range []float64{.1, 1e-4} {
						c.Loss, c.Workers = loss, 1+2*(q%2)
						p := Problem[T]{X: x, Y: s.y}
						if q%2 == 1 {
							p.Weights = familytest.Uneven(len(s.y))
						}
						honest(t, fmt.Sprintf("%s, %+v", form, c), p, c, fit(t, p, c))
					}
				}
			}
		}
	}
}

// TestEmulated is a short training of each kind: what runs of this package where an emulator makes everything slow.
func TestEmulated(t *testing.T) { prove.Both(t, testEmulated[float32], testEmulated[float64]) }

func testEmulated[T vec.Float](t *testing.T) {
	s := draw(2, 40, 8, 3)
	for form, x := range forms[T](t, s) {
		for _, loss := range []Loss{SquaredHinge, Logistic} {
			c := Config{C: .5, Loss: loss, Bias: 1, Workers: 1}
			p := Problem[T]{X: x, Y: s.y, Weights: familytest.Uneven(40)}
			honest(t, form, p, c, fit(t, p, c))
		}
	}
}

// scratch64 is a problem in plain rows, with the constant feature.
type scratch64 struct {
	rows [][]float64
	r    []float64
}

func plain[T vec.Float](p Problem[T], c Config) (s scratch64) {
	n, d := p.X.Dims()
	narrow := vec.NewMatrix[T](n, d)
	p.X.Gather(narrow, nil)
	if c.C == 0 {
		c.C = 1
	}
	for i := range n {
		row := make([]float64, d, d+1)
		for j, v := range narrow.Row(i) {
			row[j] = float64(v)
		}
		if b := float64(T(c.Bias)); b != 0 {
			row = append(row, b)
		}
		r := c.C
		if p.Weights != nil {
			r *= p.Weights[i]
		}
		if c.ClassWeights != nil {
			r *= c.ClassWeights[p.Y[i]]
		}
		s.rows, s.r = append(s.rows, row), append(s.r, r)
	}
	return s
}

// weight returns the weight of feature j for class l, the constant one's last.
func weight[T vec.Float](r *Result[T], j, l int) float64 {
	if w := r.Weights(); j < w.Rows {
		return float64(w.Row(j)[l])
	}
	return float64(r.Bias()[l]) / float64(r.Constant())
}

// honest fails where the certificate is not what loops find. With u = 2⁻⁵³ a score, a sum of d terms, is off by 2 (d +
// 4) u times the sum of their sizes, by twice as much where an offset has been divided by the constant feature, and
// the loss by its slope times that; an inner product with the dual variables likewise, and the dual value by what
// dividing them by 1 + rho does: p h'(p) is 2 + |log rho| at most.
func honest[T vec.Float](t testing.TB, what string, p Problem[T], c Config, r *Result[T]) {
	t.Helper()
	s := plain(p, c)
	_, classes := r.Dims()
	outputs := r.Duals.Cols
	n, d, u := len(s.rows), len(s.rows[0]), 0x1p-53
	primal, dual, inPrimal, inDual := 0.0, 0.0, 0.0, 0.0
	for l := range outputs {
		class := classes - outputs + l
		xa, sizes := make([]float64, d), make([]float64, d)
		for i, x := range s.rows {
			y, a := -1.0, float64(r.Duals.Row(i)[l])
			if p.Y[i] == class {
				y = 1
			}
			if y*a < 0 || c.Loss == Logistic && math.Abs(a) > s.r[i]*(1+2*u) { // r is a product in any order
				t.Errorf("%s: dual variable %v of row %d, y = %v, r = %v", what, a, i, y, s.r[i])
			}
			z, size := 0.0, 0.0
			for j, v := range x {
				w := weight(r, j, class)
				z, size = z+y*v*w, size+math.Abs(v*w)
				xa[j], sizes[j] = xa[j]+v*a, sizes[j]+math.Abs(v*a)
			}
			off := 2 * float64(d+4) * u * size
			if s.r[i] > 0 {
				primal += s.r[i] * phi(c.Loss, z)
				inPrimal += s.r[i] * (2*max(1, 1-z)*off + off*off)
			}
		}
		largest, rho := 1.0, 0.0
		for j := range d {
			w := math.Abs(weight(r, j, class))
			primal += w
			largest, rho = max(largest, math.Abs(xa[j])), max(rho, 2*float64(n+4)*u*sizes[j])
		}
		rho = max(rho/largest, u)
		for i := range s.rows {
			if s.r[i] > 0 {
				q := math.Abs(float64(r.Duals.Row(i)[l])) / largest / s.r[i]
				dual += s.r[i] * conjugate(c.Loss, q)
				inDual += s.r[i] * rho * (2 + math.Abs(math.Log(rho))) * max(1, q*q)
			}
		}
	}
	inPrimal, inDual = inPrimal+float64(n+d+8)*u*primal, inDual+float64(n+8)*u*math.Abs(dual)
	if r.ZeroModel {
		inPrimal += float64(n) * u * primal
	}
	if !(math.Abs(primal-r.Certificate.Primal) <= inPrimal) || !(math.Abs(dual-r.Certificate.Dual) <= inDual) {
		t.Errorf("%s: %v, but loops find %v ± %.2g and %v ± %.2g", what, r.Outcome, primal, inPrimal, dual, inDual)
	}
	if n <= hostile.Most {
		exactly(t, p, c, r, inPrimal, inDual)
	}
}

// conjugate returns -phi*(-p), for p a little outside of the domain by rounding: p - p²/4, p >= 0, or the entropy of p
// and 1 - p.
func conjugate(l Loss, p float64) float64 {
	p = max(0, p)
	if l == Logistic {
		if p = min(1, p); p == 0 || p == 1 {
			return 0
		}
		return -p*math.Log(p) - (1-p)*math.Log1p(-p)
	}
	return p - p*p/4
}
