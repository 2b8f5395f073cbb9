package alternate

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
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// truth is a problem with its kernel matrices in float64, computed from the numbers of the examples, and the magnitudes
// of what the numbers of each matrix are sums of.
type truth[T vec.Float] struct {
	Problem[T]
	k, size []vec.Matrix[float64]
}

func truthOf[T vec.Float](p Problem[T]) truth[T] {
	c, n := truth[T]{Problem: p}, p.Bundle.Len()
	for _, g := range p.Bundle.Groups() {
		x := g.X.(*dataset.Dense[T])
		for _, by := range g.Kernels {
			k, size := vec.NewMatrix[float64](n, n), vec.NewMatrix[float64](n, n)
			for i := range n {
				for l := range n {
					k.Row(i)[l], size.Row(i)[l] = value(by, x.Row(i), x.Row(l))
				}
			}
			c.k, c.size = append(c.k, k), append(c.size, size)
		}
	}
	return c
}

// value returns a kernel of two examples. Let |x| and |z| be their norms: a Gaussian value, which is at most 1, is off
// by as many u as gamma (|x| + |z|)² is.
func value[T vec.Float](by kernel.Kernel, x, z []T) (v, magnitude float64) {
	dot, abs, distance, norms := 0.0, 0.0, 0.0, 0.0
	for j := range x {
		a, b := float64(x[j]), float64(z[j])
		dot, abs = dot+a*b, abs+math.Abs(a*b)
		distance, norms = distance+(a-b)*(a-b), norms+a*a+b*b
	}
	if g, ok := by.(kernel.Gaussian); ok {
		return math.Exp(-g.Gamma * distance), 1 + 4*g.Gamma*norms
	}
	p := by.(kernel.Polynomial)
	power := func(dot float64) float64 { return math.Pow(p.Scale*dot+p.Offset, float64(p.Degree)) }
	return power(dot), power(abs)
}

// times returns K A and <A, K A>.
func times(k, a vec.Matrix[float64]) (f vec.Matrix[float64], form float64) {
	f = vec.NewMatrix[float64](a.Rows, a.Cols)
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, k, a, 0, f)
	return f, vec.Dot(a.Data, f.Data)
}

func magnitudes(a vec.Matrix[float64]) vec.Matrix[float64] {
	b := vec.NewMatrix[float64](a.Rows, a.Cols)
	for i, v := range a.Data {
		b.Data[i] = math.Abs(v)
	}
	return b
}

// group returns (sum_j n_j^{r/2})^{2/r} of forms n_j that are off by the given numbers, from least to most. It grows
// with each n_j.
func group(forms, off []float64, r float64) (least, most float64) {
	low, high := 0.0, 0.0
	for j, v := range forms {
		low, high = low+math.Pow(max(0, v-off[j]), r/2), high+math.Pow(max(0, v+off[j]), r/2)
	}
	return math.Pow(low, 2/r) * (1 - 64*0x1p-53), math.Pow(high, 2/r) * (1 + 64*0x1p-53)
}

// evaluated is what Evaluate is to find: the values, which are off by at most a number each, the |w^j|² from least to
// most, and the examples that have a loss for certain, and those that may.
type evaluated struct {
	value, off        solvers.Certificate
	least, most       []float64
	certain, possible []int
}

// evaluate computes the objectives by the formulas of package mkl,
//
//	P = 1/2 |w|²_{2,p} + sum_i r_i loss_i,   D = sum_i dual term_i - 1/2 |theta|²_{2,q}
//
// with w^j = eta_j theta^j of the model, and theta of what Repair makes of the dual variables. A sum of t products is
// off by (t+1) u times the sum of their magnitudes, here and there (Higham, Accuracy and Stability of Numerical
// Algorithms, section 3.1). A loss is off by at most twice what its scores are.
func (c *truth[T]) evaluate(eta []float64, coefficients, duals vec.Matrix[T]) (e evaluated) {
	var work loss.Workspace[float64]
	machine, model, a := c.Machine, widened(coefficients), widened(duals)
	unit := 2 * float64(len(machine.Radius)+32) * 0x1p-53
	terms := 0.0
	for i, r := range machine.Radius {
		if r == 0 {
			clear(a.Row(i))
			continue
		}
		machine.Exact.Repair(a.Row(i), machine.Labels.Of(i), r, &work)
		terms += machine.Exact.Dual(a.Row(i), machine.Labels.Of(i), r, &work)
		e.off.Dual += unit * vec.AbsSum(a.Row(i))
	}
	scores, sizes := vec.NewMatrix[float64](a.Rows, a.Cols), vec.NewMatrix[float64](a.Rows, a.Cols)
	var primal, primalOff, dual, dualOff []float64 // |w^j|², |theta^j|²
	for j, k := range c.k {
		f, form := times(k, model)
		size, formSize := times(c.size[j], magnitudes(model))
		vec.Axpy(eta[j], f.Data, scores.Data)
		vec.Axpy(eta[j], size.Data, sizes.Data)
		primal, primalOff = append(primal, eta[j]*eta[j]*form), append(primalOff, eta[j]*eta[j]*formSize*unit)
		_, form = times(k, a)
		_, formSize = times(c.size[j], magnitudes(a))
		dual, dualOff = append(dual, form), append(dualOff, formSize*unit)
		e.least = append(e.least, max(0, primal[j]-primalOff[j]))
		e.most = append(e.most, primal[j]+primalOff[j])
	}
	least, most := group(primal, primalOff, c.P)
	e.value.Primal, e.off.Primal = (least+most)/4, (most-least)/4
	least, most = group(dual, dualOff, c.P/(c.P-1))
	e.value.Dual, e.off.Dual = terms-(least+most)/4, e.off.Dual+(most-least)/4
	for i, r := range machine.Radius {
		if r == 0 {
			continue
		}
		y := machine.Labels.Of(i)
		v, off := machine.Exact.Primal(scores.Row(i), y, &work), 2*unit*(1+vec.Max(sizes.Row(i)))
		e.value.Primal, e.off.Primal = e.value.Primal+r*v, e.off.Primal+r*off
		if v > off {
			e.certain = append(e.certain, i)
		}
		scores.Row(i)[y[0]] -= off
		if machine.Exact.Primal(scores.Row(i), y, &work) > 0 {
			e.possible = append(e.possible, i)
		}
	}
	return e
}

// check compares what Evaluate has found, and left in s.
func (e *evaluated) check(t *testing.T, what string, got solvers.Certificate, norms []float64, lossy []int) {
	t.Helper()
	if !(math.Abs(got.Primal-e.value.Primal) <= e.off.Primal) || !(math.Abs(got.Dual-e.value.Dual) <= e.off.Dual) {
		t.Errorf("%s: %v, want %v up to %.2g and %.2g", what, got, e.value, e.off.Primal, e.off.Dual)
	}
	for j, v := range norms {
		if !(v*v >= e.least[j]*(1-8*0x1p-53) && v*v <= e.most[j]*(1+8*0x1p-53)) {
			t.Errorf("%s: a norm of %v of kernel %d, want the root of %v up to %v", what, v, j, e.least[j], e.most[j])
		}
	}
	for _, i := range e.certain {
		if !slices.Contains(lossy, i) {
			t.Fatalf("%s: example %d has a loss, which is not among %d", what, i, lossy)
		}
	}
	for _, i := range lossy {
		if !slices.Contains(e.possible, i) {
			t.Fatalf("%s: example %d is among those with a loss, and has none", what, i)
		}
	}
}

// TestCertify: certificates are what the formulas say, of any model and any dual variables, also such that are out of
// the domain, and in the middle of a training and of a machine, where they are of the best model and the best dual
// variables.
func TestCertify(t *testing.T) { prove.Both(t, testCertify[float32], testCertify[float64]) }

func testCertify[T vec.Float](t *testing.T) {
	midway := 0
	for k, norm := range []float64{1.05, 1.5, 2} {
		p := blobs[T](t, 150, 4, norm, 1)
		p.Workers, p.Tol = k+1, 1e-3
		for i := range p.Machine.Radius {
			p.Machine.Radius[i] = float64((i+2)%4) / 2 // of the last one 1.5
		}
		switch k {
		case 1:
			p.Machine.Loss, p.Machine.Exact = loss.TopKUsunier[T]{K: 2}, loss.TopKUsunier[float64]{K: 2}
		case 2:
			p.Machine.Loss, p.Machine.Exact = loss.TopKHinge[T]{K: 2}, loss.TopKHinge[float64]{K: 2}
		}
		c := truthOf(p)
		for _, p.ActiveFrom = range []int{0, 60} {
			s := solver(t, p)
			for epoch := range 6 {
				what := fmt.Sprintf("p = %v, from %d, epoch %d", norm, p.ActiveFrom, epoch)
				ctx := context.Context(context.Background())
				if epoch%2 == 1 {
					ctx = statetest.Soon(int64(1 + epoch/2))
				}
				if s.Epoch(ctx); s.midway {
					midway++
				}
				certifyOne(t, what, &c, s)
			}
		}
		evaluateAny(t, fmt.Sprintf("p = %v", norm), &c, solver(t, p))
	}
	if midway < 5 {
		t.Errorf("%d certificates in the middle of a machine", midway)
	}
}

// certifyOne compares a certificate with its formulas, and what it is of with the values that measure has found.
func certifyOne[T vec.Float](t *testing.T, what string, c *truth[T], s *Solver[T]) {
	t.Helper()
	got, err := s.Certify()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	v, err := s.PrimalVariables()
	if err != nil {
		t.Fatal(err)
	}
	eta, norms := s.Weights(v)
	e := c.evaluate(eta, v.Matrices[0], s.Duals())
	e.check(t, what, got, norms, s.lossy)
	if s.Estimate() != got {
		t.Errorf("%s: an estimate of %v, certified as %v", what, s.Estimate(), got)
	}
	if s.others() { // measure knows of the active examples alone
		return
	}
	slack := 1e4 * prove.Unit[T]() * got.Primal
	if !(math.Abs(got.Primal-s.primal.value) <= slack) || !(math.Abs(got.Dual-s.dual.value) <= slack) {
		t.Errorf("%s: %v of a model of %v and dual variables of %v", what, got, s.primal.value, s.dual.value)
	}
	if !s.midway { // else the weights have moved since
		return
	}
	last, at := s.lossy, point[T]{times: 1, at: s.levels.At(), a: s.in.Duals()}
	here, err := s.Evaluate(s.weights.eta(), at.coefficients(s.n), at.coefficients(s.n))
	if err != nil || here.Primal < got.Primal-slack || here.Dual > got.Dual+slack {
		t.Errorf("%s: %v, and %v, %v of what is at hand", what, got, here, err)
	}
	s.lossy = last
}

// evaluateAny compares the values of a model and dual variables that have nothing in common.
func evaluateAny[T vec.Float](t *testing.T, what string, c *truth[T], s *Solver[T]) {
	t.Helper()
	rng, n, m := prove.Rand(17), len(c.Machine.Radius), c.Machine.Outputs
	for round := range 3 {
		model, duals, eta := vec.NewMatrix[T](n, m), vec.NewMatrix[T](n, m), make([]float64, len(c.k))
		for i, r := range c.Machine.Radius {
			if r == 0 {
				continue
			}
			for l := range m {
				duals.Row(i)[l] = T(rng.NormFloat64() / 4)
				if i%5 < 3 {
					model.Row(i)[l] = T(rng.NormFloat64() / 8)
				}
			}
		}
		for j := range eta {
			eta[j] = rng.Float64()
		}
		eta[round] = 0 // of a kernel that was pruned
		got, err := s.Evaluate(eta, model, duals)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		e := c.evaluate(eta, model, duals)
		e.check(t, what, got, s.norms, s.lossy)
	}
}

// given returns a training on kernel matrices of four examples of two classes, which are given.
func given(t *testing.T, ks ...[]float64) *Solver[float64] {
	t.Helper()
	var groups []bundle.Group[float64]
	for _, k := range ks {
		m, err := kernel.Precomputed(vec.Matrix[float64]{Rows: 4, Cols: 4, Stride: 4, Data: k})
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, bundle.Group[float64]{Matrix: m})
	}
	p := blobs[float64](t, 4, 2, 1.5, 1)
	p.Machine.Radius[0] = 1
	var err error
	if p.Bundle, err = bundle.New(1<<20, groups...); err != nil {
		t.Fatal(err)
	}
	return solver(t, p)
}

// TestRefused: there is no certificate where a kernel is none, whichever it is and whether the model or the dual
// variables show it, where rounding is most of what it says, where numbers are beyond float64, and where training has
// ended in an error.
func TestRefused(t *testing.T) {
	unit, crossed, large := make([]float64, 16), make([]float64, 16), slices.Repeat([]float64{1e20}, 16)
	for i := range 4 {
		unit[5*i] = 1
		crossed[4*i+3-i] = 1 // eigenvalues of 1 and -1
	}
	plain, odd := vec.NewMatrix[float64](4, 2), vec.NewMatrix[float64](4, 2)
	for i, v := range []float64{.25, -.25, .25, -.25} { // of classes 0, 1, 0, 1
		plain.Row(i)[0], plain.Row(i)[1] = v, -v
	}
	for i, v := range []float64{.25, -.125, .125, -.25} {
		odd.Row(i)[0], odd.Row(i)[1] = v, -v
	}
	big := vec.NewMatrix[float64](4, 2)
	copy(big.Data, slices.Repeat([]float64{1e200, -1e200, -1e200, 1e200}, 2))
	zero := vec.NewMatrix[float64](4, 2)
	for _, c := range []struct {
		name         string
		kernels      [][]float64
		model, duals vec.Matrix[float64]
		want         string
		rounding     bool
	}{
		{"fine", [][]float64{unit, unit}, plain, odd, "", false},
		{"first kernel of the model", [][]float64{crossed, unit}, plain, zero, "kernel 0: ", false},
		{"last kernel of the model", [][]float64{unit, unit, crossed}, plain, zero, "kernel 2: ", false},
		{"last kernel of the duals", [][]float64{unit, unit, crossed}, zero, plain, "kernel 2: ", false},
		{"rounding of the model", [][]float64{unit, large}, plain, zero, "may be rounding", true},
		{"rounding of the duals", [][]float64{large, unit}, zero, plain, "may be rounding", true},
		{"numbers", [][]float64{unit, unit}, big, zero, "numbers outgrew", false},
	} {
		s := given(t, c.kernels...)
		got, err := s.Evaluate(slices.Repeat([]float64{.5}, len(c.kernels)), c.model, c.duals)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, train.ErrRounding) != c.rounding {
			t.Errorf("%s: %v, %v, want %q", c.name, got, err, c.want)
		}
	}
	s := given(t, unit)
	s.fail(errors.New("broken"))
	if c, err := s.Certify(); err == nil || err.Error() != "broken" || !math.IsNaN(s.Estimate().Primal) {
		t.Errorf("%v, %v, an estimate of %v after an error", c, err, s.Estimate())
	}
}
