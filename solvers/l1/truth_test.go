package l1

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
)

// TestOptimum: the objective is the optimum that a proximal gradient method finds, which shares no code.
func TestOptimum(t *testing.T) {
	for _, m := range []int{2, 3} {
		s := draw(3, 60, 7, m)
		for name, x := range forms[float64](t, s) {
			for _, loss := range []Loss{SquaredHinge, Logistic} {
				for _, cost := range []float64{.1, 2} {
					c := Config{C: cost, Loss: loss, Bias: 1, Tol: 1e-9}
					p := Problem[float64]{X: x, Y: s.y, Weights: familytest.Uneven(60)}
					r := fit(t, p, c)
					want := proximal(p, c, r.Duals.Cols)
					if got := r.Certificate.Primal; !(math.Abs(got-want) <= 1e-8*want) {
						t.Errorf("%s, %d classes, %v, C = %v: %v, want %.12g", name, m, loss, cost, r.Outcome, want)
					}
				}
			}
		}
	}
}

// TestWide: trainings on sparse examples of more columns than have second derivatives together converge, by steps that
// sweep over the columns: all examples have a part in these with one loss, and some with the other.
func TestWide(t *testing.T) { prove.Both(t, testWide[float32], testWide[float64]) }

func testWide[T vec.Float](t *testing.T) {
	s := draw(3, 300, mostColumns+400, 2)
	for k := range s.x.Data {
		if k%3 != 0 {
			s.x.Data[k] = 0
		}
	}
	sparse, err := dense[T](s).CSR()
	if err != nil {
		t.Fatal(err)
	}
	for _, loss := range []Loss{SquaredHinge, Logistic} {
		fit(t, Problem[T]{X: sparse, Y: s.y}, Config{C: 30, Loss: loss, Tol: 1e-4})
	}
}

// proximal returns the least objective that FISTA finds, with steps of one over the Lipschitz constant of the slope,
// begun anew whenever the objective rises.
func proximal(p Problem[float64], c Config, outputs int) (sum float64) {
	s := plain(p, c)
	d := len(s.rows[0])
	curve := 2.0
	if c.Loss == Logistic {
		curve = .25
	}
	lipschitz := 0.0
	for i, x := range s.rows {
		for _, v := range x {
			lipschitz += curve * s.r[i] * v * v
		}
	}
	for l := range outputs {
		class := l
		if outputs == 1 {
			class = 1
		}
		w, v, last, momentum := make([]float64, d), make([]float64, d), math.Inf(1), 1.0
		for range 20000 {
			next, change := s.proximalStep(p.Y, class, c.Loss, v, lipschitz), 0.0
			after := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
			for j := range w {
				v[j] = next[j] + (momentum-1)/after*(next[j]-w[j])
				change = max(change, math.Abs(next[j]-w[j]))
			}
			w, momentum = next, after
			now := s.objective(p.Y, class, c.Loss, w)
			if now > last {
				copy(v, w)
				momentum = 1
			}
			if last = now; change == 0 {
				break
			}
		}
		sum += s.objective(p.Y, class, c.Loss, w)
	}
	return sum
}

func (s *scratch64) objective(y []int, class int, l Loss, w []float64) (sum float64) {
	for i, x := range s.rows {
		z := vec.Dot(x, w)
		if y[i] != class {
			z = -z
		}
		sum += s.r[i] * phi(l, z)
	}
	return sum + vec.AbsSum(w)
}

// proximalStep returns where a step from v leads.
func (s *scratch64) proximalStep(y []int, class int, l Loss, v []float64, lipschitz float64) []float64 {
	next := make([]float64, len(v))
	copy(next, v)
	for i, x := range s.rows {
		sign := -1.0
		if y[i] == class {
			sign = 1
		}
		z := sign * vec.Dot(x, v)
		slope := -2 * max(0, 1-z)
		if l == Logistic {
			slope = -1 / (1 + math.Exp(z))
		}
		for j := range x {
			next[j] -= s.r[i] * sign * slope * x[j] / lipschitz
		}
	}
	for j, u := range next {
		next[j] = math.Copysign(max(0, math.Abs(u)-1/lipschitz), u)
	}
	return next
}

// liblinear are objectives of liblinear-train 2.3.0 on the ionosphere set, -e 1e-9, by -s, -c and -B.
var liblinear = []struct {
	loss      Loss
	c, bias   float64
	objective float64
}{
	{SquaredHinge, .1, 0, 19.112009}, {SquaredHinge, .1, 1, 17.237105}, {SquaredHinge, 1, 0, 133.652179},
	{SquaredHinge, 1, 1, 95.404375}, {SquaredHinge, 10, 0, 1221.394039}, {SquaredHinge, 10, 1, 738.366969},
	{Logistic, .1, 0, 19.264661}, {Logistic, .1, 1, 19.179611}, {Logistic, 1, 0, 127.429215},
	{Logistic, 1, 1, 107.011698}, {Logistic, 10, 0, 1005.781991}, {Logistic, 10, 1, 662.364191},
}

// TestLIBLINEAR: the objective is at most LIBLINEAR's, whose figures have six digits behind the point, in both
// precisions.
func TestLIBLINEAR(t *testing.T) { prove.Both(t, testLIBLINEAR[float32], testLIBLINEAR[float64]) }

func testLIBLINEAR[T vec.Float](t *testing.T) {
	set := samples.Ionosphere[T]()
	tol := 1e-7
	if prove.IsF32[T]() {
		tol = 3e-5
	}
	for _, want := range liblinear {
		p := Problem[T]{X: set.X, Y: set.Y}
		c := Config{C: want.c, Loss: want.loss, Bias: want.bias, Tol: tol}
		r := fit(t, p, c)
		honest(t, fmt.Sprint(want), p, c, r)
		if got := r.Certificate; got.Primal > want.objective*(1+tol)+5e-7 || got.Dual > want.objective+5e-7+
			1e-6*float64(len(set.Y))*prove.Unit[T]()*want.objective {
			t.Errorf("%+v: %v", want, r.Outcome)
		}
	}
}

// TestSpambase: numbers from 0 to 15841 as they are, to a gap of 1e-6.
func TestSpambase(t *testing.T) {
	set := samples.Spambase[float64]()
	for loss, most := range map[Loss]float64{SquaredHinge: 21.780099, Logistic: 22.493668} { // liblinear-train -e 1e-8
		p, c := Problem[float64]{X: set.X, Y: set.Y}, Config{C: .01, Loss: loss, Tol: 1e-6}
		r := fit(t, p, c)
		honest(t, loss.String(), p, c, r)
		if r.Certificate.Primal > most*(1+1e-6) {
			t.Errorf("%v: %v, want at most %v", loss, r.Outcome, most)
		}
	}
}

// TestLargestC: with it W = 0 is the optimum, and a little above it no more.
func TestLargestC(t *testing.T) {
	for _, m := range []int{2, 4} {
		s := draw(5, 50, 8, m)
		for name, x := range forms[float64](t, s) {
			for _, loss := range []Loss{SquaredHinge, Logistic} {
				p, c := Problem[float64]{X: x, Y: s.y, Weights: familytest.Uneven(50)}, Config{Loss: loss, Tol: 1e-9}
				largest, err := p.LargestC(c)
				if err != nil {
					t.Fatal(err)
				}
				c.C = largest * (1 - 1e-6)
				if r := fit(t, p, c); r.Nonzeros() > 0 {
					t.Errorf("%s, %v: C = %v: %d features", name, loss, c.C, r.Nonzeros())
				}
				c.C = largest * 1.01
				if r := fit(t, p, c); r.Nonzeros() == 0 {
					t.Errorf("%s, %v: C = %v: no features", name, loss, c.C)
				}
			}
		}
	}
	s := draw(5, 50, 8, 2)
	clear(s.x.Data)
	if c, err := (Problem[float64]{X: dense[float64](s), Y: s.y}).LargestC(Config{}); err == nil {
		t.Errorf("C = %v of features that are all 0", c)
	}
}

// TestScreened: what is left out has the weight 0 at the optimum, whatever the working sets are.
func TestScreened(t *testing.T) {
	s := draw(6, 80, 40, 2)
	for name, x := range forms[float64](t, s) {
		for _, loss := range []Loss{SquaredHinge, Logistic} {
			p := Problem[float64]{X: x, Y: s.y}
			q, err := p.prepare(Config{C: .3, Loss: loss, Tol: 1e-10}, solvers.Options{Tol: 1e-10, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := q.Begin(); err != nil {
				t.Fatal(err)
			}
			for range 12 {
				q.t.Epoch(context.Background())
			}
			o := &q.t.outputs[0]
			if len(o.live) == len(o.w) {
				t.Errorf("%s, %v: nothing is left out", name, loss)
			}
			live := map[int32]bool{}
			for _, f := range o.live {
				live[f] = true
			}
			sc := q.t.scratch(0)
			sc.begin(q.t, o)
			sc.at(sc.scores)
			for f, w := range o.w {
				g := q.t.columns[f].dot(sc.slope)
				if !live[int32(f)] && (w != 0 || math.Abs(g) > 1) {
					t.Errorf("%s, %v: column %d is left out with weight %v and slope %v", name, loss, f, w, g)
				}
			}
		}
	}
}
