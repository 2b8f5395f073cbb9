package newton

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// draw returns a problem of n examples of d features with a loss by its number.
func draw[T vec.Float](n, d, which int) ascent.Problem[T] {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	x := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](n, d)}
	p := ascent.Problem[T]{X: x, Outputs: 1, Lambda: 1, Labels: family.Labels{Sets: make([][]int, n)}}
	targets := &loss.Targets{Epsilon: .2}
	for i := range n {
		s := .5 * rng.NormFloat64()
		for j := range d {
			x.Row(i)[j] = T(rng.NormFloat64())
			s += float64(x.Row(i)[j]) / float64(1+j)
		}
		if s > 0 {
			p.Labels.Sets[i] = []int{0}
		}
		targets.Y = append(targets.Y, s)
		p.Radius = append(p.Radius, []float64{0, .5, 1, 3}[rng.IntN(4)])
	}
	switch which {
	case 0:
		p.Loss, p.Exact = loss.LabelHinge[T]{}, loss.LabelHinge[float64]{}
	case 1:
		p.Loss, p.Exact = loss.SquaredHinge[T]{}, loss.SquaredHinge[float64]{}
	case 2:
		p.Loss = loss.EpsilonInsensitive[T]{Targets: targets}
		p.Exact = loss.EpsilonInsensitive[float64]{Targets: targets}
	case 3:
		p.Loss = loss.SquaredEpsilonInsensitive[T]{Targets: targets}
		p.Exact = loss.SquaredEpsilonInsensitive[float64]{Targets: targets}
	case 4:
		p.Loss, p.Exact = loss.Logistic[T]{}, loss.Logistic[float64]{}
	}
	return p
}

const lossCount = 5

func begin[T vec.Float](t testing.TB, p ascent.Problem[T], tol float64) *solver[T] {
	t.Helper()
	s, err := New(p, ascent.Options{Options: solvers.Options{Tol: tol, Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return s.(*solver[T])
}

// TestLosses: the losses, their dual terms and dual variables are package loss's at random scores, and the first and
// second derivatives are difference quotients.
func TestLosses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for which := range lossCount {
		p := draw[float64](50, 3, which)
		l := lossesOf(&p)
		n := len(p.Radius)
		s, q, a, c := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range s {
			s[i], q[i] = 2*rng.NormFloat64(), rng.NormFloat64()
		}
		primal, dual := 0.0, 0.0
		var work loss.Workspace[float64]
		mu := l.kink() * .3
		l.set(a, c, s, mu)
		for i, r := range p.Radius {
			if r == 0 {
				if a[i] != 0 || c[i] != 0 {
					t.Errorf("loss %d, weight 0: %v, %v", which, a[i], c[i])
				}
				continue
			}
			work.Example = i
			primal += r * p.Exact.Primal(s[i:i+1], p.Labels.Of(i), &work)
			dual += p.Exact.Dual(a[i:i+1], p.Labels.Of(i), r, &work)
			if mu == 0 {
				var want [1]float64
				loss.At(want[:], p.Exact, s[i:i+1], p.Labels.Of(i), r, &work)
				if math.Abs(a[i]-want[0]) > 1e-14*(1+math.Abs(want[0])) {
					t.Errorf("loss %d, example %d: dual variable %v, want %v", which, i, a[i], want[0])
				}
			}
		}
		if got := l.primal(s); math.Abs(got-primal) > 1e-12*primal {
			t.Errorf("loss %d: %v, want %v", which, got, primal)
		}
		if got := l.dual(a); math.Abs(got-dual) > 1e-12*(1+math.Abs(dual)) {
			t.Errorf("loss %d: dual terms %v, want %v", which, got, dual)
		}
		const h = 1e-6
		slope, bend := l.along(s, q, .5, mu)
		low, _ := l.along(s, q, .5-h, mu)
		high, _ := l.along(s, q, .5+h, mu)
		if got := (high - low) / (2 * h); math.Abs(got-bend) > 1e-4*(1+bend) {
			t.Errorf("loss %d: second derivative %v, by differences %v", which, bend, got)
		}
		middle := make([]float64, n)
		for i := range s {
			middle[i] = s[i] + .5*q[i]
		}
		l.set(a, c, middle, mu)
		if want := -vec.Dot(a, q); math.Abs(slope-want) > 1e-12*(1+math.Abs(want)) {
			t.Errorf("loss %d: derivative %v, want %v", which, slope, want)
		}
		want := 0.0
		for i, v := range c {
			want += v * q[i] * q[i]
		}
		if math.Abs(bend-want) > 1e-12*want {
			t.Errorf("loss %d: second derivative %v, want %v", which, bend, want)
		}
		before := append([]float64(nil), a...)
		if l.repair(a); !slices.Equal(a, before) {
			t.Errorf("loss %d: repair changes what is feasible", which)
		}
	}
}

// TestHessian: H is the sum of its terms, for several parts and blocks, whatever the number of goroutines.
func TestHessian(t *testing.T) {
	const n, d = 8*blockRows*3 + 5, 7
	p := draw[float64](n, d, 0)
	rng, c := rand.New(rand.NewPCG(3, 4)), make([]float64, n)
	for i := range c {
		c[i] = max(0, float64(rng.IntN(5)-1))
	}
	var first []float64
	for _, workers := range []int{1, 3} {
		h := newHessian(p.X, workers)
		if len(h.sums) != 3 {
			t.Fatalf("%d sums", len(h.sums))
		}
		for range 2 { // what an earlier one left does no harm
			if err := h.factor(c, 0); err != nil {
				t.Fatal(err)
			}
		}
		l := h.sums[0]
		for j := range d {
			for k := range j + 1 {
				want, got := 0.0, vec.Dot(l.Row(j)[:k+1], l.Row(k)[:k+1])
				if j == k {
					want = 1
				}
				for i, v := range c {
					x := p.X.(*dataset.Dense[float64]).Row(i)
					want += v * x[j] * x[k]
				}
				if math.Abs(got-want) > 1e-11*n {
					t.Errorf("H[%d, %d] = %v, want %v", j, k, got, want)
				}
			}
		}
		if first == nil {
			first = append(first, l.Data...)
		} else if fmt.Sprint(first) != fmt.Sprint(l.Data) {
			t.Error("goroutines change the bits")
		}
	}
}

// TestSteps: every loss comes to a relative gap of 1e-9 in some steps, and no step of a smooth loss lets the objective
// rise.
func TestSteps(t *testing.T) {
	for which := range lossCount {
		s := begin(t, draw[float64](400, 6, which), 1e-9)
		last, steps := math.Inf(1), 0
		for ; s.Estimate().RelativeGap() > 1e-9; steps++ {
			if steps == 100 {
				t.Fatalf("loss %d: %v after %d steps", which, s.Estimate(), steps)
			}
			s.Epoch(context.Background())
			if s.mu == 0 && s.at.primal > last*(1+1e-14) {
				t.Errorf("loss %d: P rises from %v to %v", which, last, s.at.primal)
			}
			last = s.at.primal
		}
		if s.mu == 0 && steps > 12 {
			t.Errorf("loss %d: %d steps", which, steps)
		}
		c, err := s.Certify()
		if gap := c.RelativeGap(); err != nil || !(gap <= 1.1e-9 && gap > -1e-14) {
			t.Errorf("loss %d: %v, %v", which, c, err)
		}
	}
}

// TestEven: ascent comes to the same values.
func TestEven(t *testing.T) { prove.Both(t, testEven[float32], testEven[float64]) }

func testEven[T vec.Float](t *testing.T) {
	for which := range lossCount {
		const tol = 1e-5
		p := draw[T](300, 5, which)
		p.Constant = .5
		s := begin(t, p, tol)
		for s.Estimate().RelativeGap() > tol/2 && s.epoch < 200 {
			s.Epoch(context.Background())
		}
		got, err := s.Certify()
		if err != nil {
			t.Fatal(err)
		}
		of, err := ascent.New(p, ascent.Options{Options: solvers.Options{Tol: tol, Workers: 1}})
		if err != nil {
			t.Fatal(err)
		}
		want := of.Zero()
		if z := s.Zero(); math.Abs(z.Primal-want.Primal) > 1e-12*want.Primal || z.Dual != 0 {
			t.Errorf("loss %d: zero %v, want %v", which, z, want)
		}
		for range 2000 {
			if of.Epoch(context.Background()); of.Estimate().RelativeGap() < tol/2 {
				break
			}
		}
		want, err = of.Certify()
		if err != nil || math.Abs(got.Primal-want.Primal) > 2*tol*want.Primal || got.RelativeGap() > tol {
			t.Errorf("loss %d: %v, by ascent %v, %v", which, got, want, err)
		}
	}
}

// TestAllocations: what is done for each example allocates nothing.
func TestAllocations(t *testing.T) {
	for which := range lossCount {
		s := begin(t, draw[float64](300, 5, which), 1e-9)
		p := s.at
		s.Epoch(context.Background())
		if count := prove.Allocs(10, func() {
			s.set(p.a, p.c, p.s, p.mu)
			s.along(p.s, s.q, .5, p.mu)
			s.primal(p.s)
			s.dual(p.a)
			s.repair(p.a)
		}); count > 0 {
			t.Errorf("loss %d: %v allocations", which, count)
		}
	}
}

// TestRefused: what Newton's method is not for.
func TestRefused(t *testing.T) {
	p := draw[float64](9, 2, 0)
	p.Outputs = 2
	if _, err := New(p, ascent.Options{}); err == nil {
		t.Error("no error for two outputs")
	}
	p = draw[float64](9, 2, 0)
	p.Exact = loss.TopKHinge[float64]{K: 1}
	if _, err := New(p, ascent.Options{}); err == nil {
		t.Error("no error for the top-k hinge")
	}
	p = draw[float64](9, 2, 0)
	p.X.(*dataset.Dense[float64]).Row(3)[1] = math.NaN()
	if _, err := New(p, ascent.Options{}); err == nil || err.Error() !=
		"row 3, column 1: value NaN, want a finite number" {
		t.Error(err)
	}
}

// TestPays: few features of many examples.
func TestPays(t *testing.T) {
	for _, c := range []struct {
		n, d, width  int
		smooth, want bool
	}{
		{5000, 12, 12, true, true}, {5000, 12, 12, false, true}, {60000, 784, 150, true, false},
		{60000, 784, 150, false, false}, {5000, 58, 14, true, true}, {5000, 58, 14, false, false},
		{10000, 100, 100, false, true}, {100, 50, 50, true, false}, {20000, 47236, 75, true, false},
		{0, 0, 0, true, false},
	} {
		if got := Pays(c.n, c.d, c.width, c.smooth, false); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestUnderflow: a certificate whose values are made of numbers below the normal ones is refused.
func TestUnderflow(t *testing.T) {
	p := draw[float64](50, 3, 3)
	of := p.Exact.(loss.SquaredEpsilonInsensitive[float64]).Targets
	of.Epsilon = 0
	for i := range of.Y {
		of.Y[i] *= 1e-161
	}
	training := begin(t, p, 1e-3)
	training.Epoch(context.Background())
	c, err := training.Certify()
	if !errors.Is(err, train.ErrRounding) || !(c.Primal > 0) {
		t.Errorf("%v, %v", c, err)
	}
}

// TestRounding: a certificate without a gap is refused where a roundoff of scores moves losses by as much as P, and is
// believed where the weights of losses are as usual.
func TestRounding(t *testing.T) {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{1, 3})}
	l := loss.SquaredEpsilonInsensitive[float64]{Targets: &loss.Targets{Y: []float64{1e8, 3e8}}}
	for r, refused := range map[float64]bool{1: false, 1e40: true} {
		s := begin(t, ascent.Problem[float64]{X: x, Outputs: 1, Lambda: 1, Loss: l, Exact: l,
			Labels: family.Labels{Sets: make([][]int, 2)}, Radius: []float64{r, r}}, 1e-3)
		s.Epoch(context.Background())
		if _, err := s.Certify(); err != nil {
			t.Fatal(err)
		}
		e := &s.exact
		norm := vec.SquaredNorm(s.at.w)
		e.certificate.Dual = e.certificate.Primal
		clear(e.a) // their rounding is another matter
		s.round(e.certificate.Primal-norm/2, norm)
		if err := s.believe(); errors.Is(err, train.ErrRounding) != refused || !refused && err != nil {
			t.Errorf("weights of %v: %v, %v", r, e.certificate, err)
		}
	}
}
