package mkl

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// described returns kernels of some numbers of features of the same examples, each of which tells the classes worse
// than the one before.
func described(t *testing.T, kernels int) (mkl.Problem[float32], mkl.Config) {
	t.Helper()
	const n, classes, features = 48, 3, 4
	random, y := rand.New(rand.NewPCG(4, 4)), make([]int, n)
	groups := make([]bundle.Group[float32], kernels)
	for j := range groups {
		x, k := vec.NewMatrix[float32](n, features), vec.NewMatrix[float32](n, n)
		for i := range n {
			y[i] = i % classes
			for l := range x.Row(i) {
				x.Row(i)[l] = float32(random.NormFloat64() * (1 + .3*float64(j)))
			}
			x.Row(i)[y[i]] += 1.5
		}
		kernel.Between(k, kernel.Gaussian{Gamma: .1}, x, x)
		given, err := kernel.Precomputed(k)
		if err != nil {
			t.Fatal(err)
		}
		groups[j].Matrix = given
	}
	b, err := bundle.New(0, groups...)
	if err != nil {
		t.Fatal(err)
	}
	return mkl.Problem[float32]{Bundle: b, Y: y},
		mkl.Config{C: 3, Classes: classes, Tol: 1e-4, Seed: 1, Workers: 1, Epochs: machineEpochs}
}

// TestSimpleTwo: of two kernels no weights on a grid have a smaller optimum than SimpleMKL's, and none near the best of
// the grid has one that is larger by more than the grid is coarse.
func TestSimpleTwo(t *testing.T) {
	p, c := described(t, 2)
	at := solveSimple(t, p, c)
	n, rows := p.Bundle.Len(), make([]int, p.Bundle.Len())
	for i := range rows {
		rows[i] = i
	}
	all := []vec.Matrix[float32]{vec.NewMatrix[float32](n, n), vec.NewMatrix[float32](n, n)}
	p.Bundle.Rows(all, rows)
	least, place := math.Inf(1), 0.
	for first := 0.; first <= 1; first += 1. / 64 {
		sum := vec.NewMatrix[float32](n, n)
		for k := range sum.Data {
			sum.Data[k] = float32(first)*all[0].Data[k] + float32(1-first)*all[1].Data[k]
		}
		given, err := kernel.Precomputed(sum)
		if err != nil {
			t.Fatal(err)
		}
		scale := c.C * float64(n)
		r, err := topk.Problem[float32]{Kernel: given, Y: p.Y}.Fit(context.Background(), topk.Config{Lambda: 1 / scale,
			Classes: c.Classes, Tol: 1e-5})
		if err != nil {
			t.Fatal(err)
		}
		if v := scale * r.Certificate.Primal; v < least {
			least, place = v, first
		}
	}
	if place < .1 || place > .9 {
		t.Errorf("the best weight is %v, at an end: no test", place)
	}
	if at.primal > least*(1+2*c.Tol) || at.primal < least*(1-1e-3) {
		t.Errorf("objective %v, %v on the grid", at.primal, least)
	}
	if math.Abs(at.d[0]-place) > .05 {
		t.Errorf("weight %v, %v on the grid", at.d[0], place)
	}
}

// TestSimpleNorm: for norms near 1 the optimum of package mkl is at most the one of p = 1, and that is at most
// F^(2 - 2/p) times as large, as |w|_{2,p} <= |w|_{2,1} <= F^(1 - 1/p) |w|_{2,p}; the shares are alike.
func TestSimpleNorm(t *testing.T) {
	const kernels = 5
	p, c := described(t, kernels)
	s, err := newSimple(p, c)
	if err != nil {
		t.Fatal(err)
	}
	at, err := s.solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if gap := at.gap(s.dual); !(gap <= c.Tol) || s.steps == 0 {
		t.Errorf("a gap of %v after %d steps", gap, s.steps)
	}
	m, shares, err := s.model(at)
	if err != nil {
		t.Fatal(err)
	}
	c.P = 1.001
	r, err := p.Fit(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	most := math.Pow(kernels, 2-2/c.P)
	if s.dual > most*r.Certificate.Primal || at.primal < r.Certificate.Dual || s.dual > at.primal {
		t.Errorf("from %v to %v, with p = %v from %v to %v", s.dual, at.primal, c.P, r.Certificate.Dual,
			r.Certificate.Primal)
	}
	sum := 0.
	for j, v := range shares {
		if sum += v; math.Abs(v-r.Shares[j]) > .05 {
			t.Errorf("share %d: %v, with p = %v %v", j, v, c.P, r.Shares[j])
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("shares sum to %v", sum)
	}
	if losses := hinges(t, p, m, at.d); math.Abs(at.primal-c.C*losses-weighted(at.d, at.forms)/2) > 1e-4*at.primal {
		t.Errorf("objective %v, %v of the model", at.primal, c.C*losses+weighted(at.d, at.forms)/2)
	}
}

// hinges returns the sum of the losses of a model on its own examples.
func hinges(t *testing.T, p mkl.Problem[float32], m *bundle.Combination[float32], d []float64) (sum float64) {
	t.Helper()
	n := p.Bundle.Len()
	var given []vec.Matrix[float32]
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	for range d {
		given = append(given, vec.NewMatrix[float32](n, n))
	}
	p.Bundle.Rows(given, rows)
	_, classes := m.Dims()
	s := vec.NewMatrix[float32](n, classes)
	if err := m.Scores(s, sideBySide(given), nil); err != nil {
		t.Fatal(err)
	}
	for i, y := range p.Y {
		worst := 0.
		for k, v := range s.Row(i) {
			if k != y {
				worst = max(worst, 1+float64(v)-float64(s.Row(i)[y]))
			}
		}
		sum += worst
	}
	return sum
}

func solveSimple(t *testing.T, p mkl.Problem[float32], c mkl.Config) *point {
	t.Helper()
	s, err := newSimple(p, c)
	if err != nil {
		t.Fatal(err)
	}
	at, err := s.solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestDirection: the largest weight balances what the others move by, and a weight of 0 moves where its kernel's form
// is above the pivot's alone.
func TestDirection(t *testing.T) {
	move, pivot := direction([]float64{.3, .7, 0, 0}, []float64{6, 4, 2, 8})
	want := []float64{1, -3, 0, 2}
	for j, v := range want {
		if move[j] != v || pivot != 1 {
			t.Fatalf("%v about %d, want %v about 1", move, pivot, want)
		}
	}
	if step, gone := longest([]float64{.3, .7, 0, 0}, move); math.Abs(step-.7/3) > 1e-15 || gone != 1 {
		t.Errorf("a step of %v, %d gone", step, gone)
	}
	if _, gone := longest([]float64{1, 0}, []float64{0, 0}); gone != -1 {
		t.Errorf("%d gone, and nothing moves", gone)
	}
}

// TestChoose: p is the one with the best validation, whatever the test says, and of equal ones the first.
func TestChoose(t *testing.T) {
	all := []candidate{{p: 1, valid: .5}, {p: 2, valid: .7}, {p: 3, valid: .7}, {p: 4, valid: .6}}
	for k, v := range []float64{70, 60, 90, 80} {
		all[k].test.overall = v
	}
	if chosen, best := choose(all); chosen.p != 2 || best.p != 3 {
		t.Errorf("chose %v, and %v in hindsight", chosen.p, best.p)
	}
}
