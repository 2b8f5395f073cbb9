package ascent

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// certified are a problem and its kernel matrix K in float64, computed from the numbers of its examples, with the
// magnitudes of what the numbers of K are sums of.
type certified[T vec.Float] struct {
	Problem[T]
	o       Options
	k, size vec.Matrix[float64]
}

// certifiable are problems on features, in groups, on kernels and by levels, with couplings and factors of these, with
// weights of 0 to 2.
func certifiable[T vec.Float](t *testing.T, n int) map[string]certified[T] {
	const d, m = 6, 5
	x, y := blobs[T](rand.New(rand.NewPCG(81, 82)), n, d, m)
	long, _ := blobs[T](rand.New(rand.NewPCG(83, 84)), n, 12, 40)
	factor := quarters(rand.New(rand.NewPCG(85, 86)), 2, 4)
	all := map[string]certified[T]{
		"dense":    {Problem: hinge(t, design.Matrix[T](x), y, m, 2, .0123)},
		"sparse":   {Problem: hinge(t, design.Matrix[T](sparse(t, x)), y, m, 2, .0123)},
		"blocks":   {Problem: hinge(t, design.Matrix[T](x), y, m, 1, .0123), o: Options{BlockSize: 64}},
		"groups":   {Problem: squared[T](t, n, 12, 40)},
		"by dense": {Problem: labelled(t, design.Matrix[T](long), 40, 0, true)},
		"coupled":  {Problem: labelled(t, design.Matrix[T](x), 4, 2, false)},
		"margins":  {Problem: margined(labelled(t, design.Matrix[T](x), 4, 0, true))},
		"factor":   {Problem: factored(t, design.Matrix[T](x), factor, .25, true, false)},
	}
	for name, from := range map[string]string{"dense, constant": "dense", "sparse, constant": "sparse"} {
		c := all[from]
		c.Constant = 1.5
		all[name] = c
	}
	for name, from := range map[string]string{"linear": "dense", "linear, coupled": "coupled",
		"linear, factor": "factor", "linear, margins": "margins"} {
		all[name] = all[from].onKernel(t, kernel.Linear{}, 0)
	}
	all["gaussian"] = all["dense"].onKernel(t, kernel.Gaussian{Gamma: .05}, 0)
	all["levels"] = all["dense"].onKernel(t, kernel.Gaussian{Gamma: .05}, 100)
	for name, c := range all {
		c.Radius = append([]float64(nil), c.Radius...)
		for i := range c.Radius {
			if c.Radius[i] *= float64(i%7) / 3; c.Labels.Sets != nil {
				c.Radius[i] /= 100 // else scores, and with them the bounds, are large
			}
		}
		if c.Kernel == nil {
			c.k, c.size = gramOf(c.X, func(dot, abs, _, _ float64) (float64, float64) {
				square := float64(c.Constant) * float64(c.Constant)
				return dot + square, abs + square
			})
		}
		all[name] = c
	}
	return all
}

// margined returns the problem with the squared hinge of margins and least losses that are each example's own.
func margined[T vec.Float](p Problem[T]) Problem[T] {
	margins := func(i int, margins, least []float64) {
		for c := range margins {
			margins[c], least[c] = float64(1+(i+c)%4)/4, float64((i+2*c)%3)/8
		}
	}
	p.Loss = loss.SquaredHinge[T]{Label: &loss.Label[T]{Margins: margins}}
	p.Exact = loss.SquaredHinge[float64]{Label: &loss.Label[float64]{Margins: margins}}
	return p
}

// onKernel returns the problem on a kernel of its examples. Let |x| and |z| be the norms of two of them: a Gaussian
// value, which is at most 1, is off by as many u as gamma (|x| + |z|)² is.
func (c certified[T]) onKernel(t *testing.T, by kernel.Kernel, from int) certified[T] {
	var err error
	if c.Kernel, err = kernel.New(c.X, by, 1<<22); err != nil {
		t.Fatal(err)
	}
	c.k, c.size = gramOf(c.X, func(dot, abs, one, other float64) (float64, float64) {
		if g, ok := by.(kernel.Gaussian); ok {
			return math.Exp(-g.Gamma * (one + other - 2*dot)), 1 + 4*g.Gamma*(one+other)
		}
		return dot, abs
	})
	c.X, c.o.ActiveFrom = nil, from
	return c
}

// gramOf returns what value and magnitude say of the inner products of all pairs of rows, of the sums of their terms'
// magnitudes, and of the squared norms.
func gramOf[T vec.Float](x design.Matrix[T], of func(dot, abs, one, other float64) (value, magnitude float64)) (k,
	size vec.Matrix[float64]) {
	n, d := x.Dims()
	rows, all := vec.NewMatrix[T](n, d), make([]int, n)
	for i := range all {
		all[i] = i
	}
	x.Gather(rows, all)
	k, size = vec.NewMatrix[float64](n, n), vec.NewMatrix[float64](n, n)
	dots := func(a, b []T) (dot, abs float64) {
		for j, v := range a {
			dot += float64(v) * float64(b[j])
			abs += math.Abs(float64(v) * float64(b[j]))
		}
		return dot, abs
	}
	for i := range n {
		for j := range n {
			dot, abs := dots(rows.Row(i), rows.Row(j))
			one, _ := dots(rows.Row(i), rows.Row(i))
			other, _ := dots(rows.Row(j), rows.Row(j))
			k.Row(i)[j], size.Row(i)[j] = of(dot, abs, one, other)
		}
	}
	return k, size
}

// coupling returns R, formed.
func (c certified[T]) coupling() vec.Matrix[float64] {
	r := vec.NewMatrix[float64](c.Outputs, c.Outputs)
	factor, root := c.ExactFactor.Matrix()
	switch {
	case c.coupled():
		return c.Coupling
	case factor.Rows > 0:
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, factor, factor, 0, r)
	default:
		root = 1
	}
	for l := range c.Outputs {
		r.Row(l)[l] += root * root
	}
	return r
}

// times returns K A R, or of magnitudes what its numbers are sums of.
func times(k, a, r vec.Matrix[float64]) vec.Matrix[float64] {
	ar, f := vec.NewMatrix[float64](a.Rows, a.Cols), vec.NewMatrix[float64](a.Rows, a.Cols)
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, a, r, 0, ar)
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, k, ar, 0, f)
	return f
}

func magnitudes(a vec.Matrix[float64]) vec.Matrix[float64] {
	b := vec.NewMatrix[float64](a.Rows, a.Cols)
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			b.Row(i)[j] = math.Abs(v)
		}
	}
	return b
}

// recompute returns the certificate of the dual variables duals by the formulas of the package comment, D of what
// Repair makes of them. On features without a coupling P is the value of the weights w; else of W = Xᵀ A R, for A as it
// is on kernels and as it is repaired on features. gaps are the g_i, of A as it is and the scores of P.
//
// off is how far rounding in float64 may take the values and the gaps. A sum of t products is off by (t+1) u times the
// sum of their magnitudes, here and where Certify computes it in another way (Higham, Accuracy and Stability of
// Numerical Algorithms, section 3.1). A loss whose scores have the magnitudes s is off by sum_l (1 + s_l)², in these
// parts, since it grows no faster than the square.
func (c certified[T]) recompute(duals, w vec.Matrix[T]) (p solvers.Certificate, gaps []float64, off float64) {
	n, m, r := len(c.Radius), c.Outputs, c.coupling()
	a, repaired, terms := vec.NewMatrix[float64](n, m), vec.NewMatrix[float64](n, m), make([]float64, n)
	var work loss.Workspace[float64]
	for i, radius := range c.Radius {
		if radius == 0 {
			continue
		}
		vec.Convert(a.Row(i), duals.Row(i))
		copy(repaired.Row(i), a.Row(i))
		work.Example = i
		c.Exact.Repair(repaired.Row(i), c.Labels.Of(i), radius, &work)
		terms[i] = c.Exact.Dual(repaired.Row(i), c.Labels.Of(i), radius, &work)
		p.Dual += terms[i]
		for _, v := range repaired.Row(i) {
			off += math.Abs(v) + v*v/radius
		}
	}
	scores, sizes := times(c.k, repaired, r), times(c.size, magnitudes(repaired), magnitudes(r))
	quadratic := vec.Dot(repaired.Data, scores.Data) / 2
	p.Dual -= quadratic
	off += vec.Dot(magnitudes(repaired).Data, sizes.Data)
	switch {
	case c.Kernel != nil:
		scores = times(c.k, a, r)
		quadratic = vec.Dot(a.Data, scores.Data) / 2
	case !c.coupled() && c.Factor == nil:
		exact := vec.NewMatrix[float64](w.Rows, m)
		for j := range w.Rows {
			vec.Convert(exact.Row(j), w.Row(j))
		}
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		design.Float64(c.features(c.X)).Scores(scores, exact, all)
		quadratic = vec.SquaredNorm(exact.Data) / 2
	}
	p.Primal = quadratic
	for i, radius := range c.Radius {
		gaps = append(gaps, 0)
		if radius == 0 {
			continue
		}
		work.Example = i
		l := radius * c.Exact.Primal(scores.Row(i), c.Labels.Of(i), &work)
		p.Primal += l
		gaps[i] = l - terms[i] + vec.Dot(a.Row(i), scores.Row(i))
		for _, v := range sizes.Row(i) {
			off += radius * (1 + v) * (1 + v)
		}
	}
	p.Primal, p.Dual = c.Lambda*p.Primal, c.Lambda*p.Dual
	return p, gaps, off * 2 * float64(n+12+3*m+16) * 0x1p-53
}

// TestCertify: certificates in the middle of a training and of an epoch, of examples that rest and those that are not
// active, are what the formulas say. The examples fill two parts and a piece of a third one.
func TestCertify(t *testing.T) { prove.Both(t, testCertify[float32], testCertify[float64]) }

func testCertify[T vec.Float](t *testing.T) {
	for name, c := range certifiable[T](t, 527) {
		for workers := 1; workers <= 3; workers++ {
			c.o.Options = solvers.Options{Tol: 1e-2, Workers: workers}
			s, err := New(c.Problem, c.o)
			if err != nil {
				t.Fatal(err)
			}
			for epoch := range 10 {
				ctx := context.Context(context.Background())
				if epoch == 8 {
					ctx = soon(4)
				}
				if epoch == 9 {
					stretch(s)
				} else if s.Epoch(ctx); epoch != 0 && epoch < 7 {
					continue
				}
				what := fmt.Sprintf("%s, %d workers, epoch %d", name, workers, epoch)
				got := certify(t, s)
				var w vec.Matrix[T]
				if c.Kernel == nil {
					w = weightsOf(t, s)
				}
				want, gaps, off := c.recompute(s.Duals(), w)
				if limit := c.Lambda * off; !(math.Abs(got.Primal-want.Primal) <= limit) ||
					!(math.Abs(got.Dual-want.Dual) <= limit) {
					t.Errorf("%s: %v, want %v up to %.2g", what, got, want, limit)
				}
				if !(got.Gap() > 0) {
					t.Errorf("%s: %v is no certificate of a training under way", what, got)
				}
				if linear, ok := s.(*linearSolver[T]); ok {
					for i, gap := range gaps {
						if ex := linear.ex[i]; ex.r > 0 && !(math.Abs(ex.gap-gap) <= off) {
							t.Fatalf("%s: a gap of %v of example %d, want %v up to %.2g", what, ex.gap, i, gap, off)
						}
					}
				}
				if epoch == 9 {
					continue
				}
				// The g_i sum to the gap, but for <A, S> where |W|² is: W is rounded to T.
				estimate := s.Estimate()
				if limit := c.Lambda * off * prove.Unit[T]() / prove.Unit[float64](); !(math.Abs(
					estimate.Primal-got.Primal) <= limit) || !(math.Abs(estimate.Dual-got.Dual) <= limit) {
					t.Errorf("%s: an estimate of %v, certified as %v", what, estimate, got)
				}
			}
		}
	}
}

// TestRefused: there is no certificate where the kernel matrix is none, where rounding is most of what it says, and
// where numbers are beyond float64.
func TestRefused(t *testing.T) {
	crossed, large, apart := make([]float64, 16), make([]float64, 16), make([]float64, 16)
	for i := range 4 {
		crossed[4*i+3-i] = 1 // eigenvalues of 1 and -1
		apart[5*i] = 1e20    // so that no sum cancels
		for j := range 4 {
			large[4*i+j] = 1e20
		}
	}
	for _, c := range []struct {
		name     string
		k        []float64 // nil: features
		size     float64   // of the dual variables
		want     string
		rounding bool
	}{
		{"no kernel", crossed, .25, "not positive semi-definite", false},
		{"rounding", large, .25, "may be rounding", true},
		{"numbers on a kernel", apart, 1e200, "outgrew", false},
		{"numbers on features", nil, math.NaN(), "outgrew", false},
	} {
		x, y := blobs[float64](rand.New(rand.NewPCG(87, 88)), 4, 3, 2)
		p := hinge(t, design.Matrix[float64](x), y, 2, 1, .25)
		if c.k != nil {
			var err error
			if p.Kernel, err = kernel.Precomputed(vec.MatrixOf(4, 4, c.k)); err != nil {
				t.Fatal(err)
			}
			p.X = nil
		}
		s, err := New(p, Options{Options: solvers.Options{Tol: 1e-3, Workers: 1}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			a := [2]float64{c.size, -c.size}
			if y[i] == 1 {
				a[0], a[1] = a[1], a[0]
			}
			switch s := s.(type) {
			case *kernelSolver[float64]:
				copy(s.a.Row(i), a[:])
			case *linearSolver[float64]:
				copy(s.a.Row(i), a[:])
			}
		}
		if got, err := s.Certify(); err == nil || !strings.Contains(err.Error(), c.want) ||
			errors.Is(err, train.ErrRounding) != c.rounding {
			t.Errorf("%s: %v, %v, want %q", c.name, got, err, c.want)
		}
	}
}

// stretch takes dual variables that are at their bounds out of the domain, by far more than rounding does: without
// Repair that shows.
func stretch[T vec.Float](s Solver[T]) {
	switch s := s.(type) {
	case *linearSolver[T]:
		vec.Scale(1.001, s.a.Data)
	case *kernelSolver[T]:
		vec.Scale(1.001, s.a.Data)
	case *groupSolver[T]:
		for _, g := range s.groups {
			stretch[T](g)
		}
	}
}
