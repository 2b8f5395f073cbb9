package topk

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// recompute returns the primal value of the model of r and the dual value of its dual variables by plain loops in
// float64. The conjugates are written out here; the losses are package loss's, whose tests tie them to the conjugates.
//
// offPrimal and offDual are what rounding may do to them.
func recompute[T vec.Float](t testing.TB, p Problem[T], c Config, r *Result[T]) (primal, dual, offPrimal,
	offDual float64) {
	t.Helper()
	given, err := p.prepare(c, c.options())
	if err != nil {
		t.Fatal(err)
	}
	inner, full := given.Problem, given.c
	phi, err := listed[float64](full)
	if err != nil {
		t.Fatal(err)
	}
	y := sortedSets(p)
	n, m := r.Duals.Rows, r.Duals.Cols
	exact, radius := vec.NewMatrix[float64](n, m), inner.Radius // to the bit: Repair is of that
	var work loss.Workspace[float64]
	for i := range n {
		v := 1.0
		if p.Weights != nil {
			v *= p.Weights[i]
		}
		if c.ClassWeights != nil {
			v *= c.ClassWeights[y[i][0]]
		}
		if want := v / (c.Lambda * float64(n)); !(math.Abs(radius[i]-want) <= 4*0x1p-53*want) {
			t.Fatalf("row %d weighs %v, want %v", i, radius[i], want)
		}
		if v == 0 {
			continue
		}
		for j, v := range r.Duals.Row(i) {
			exact.Row(i)[j] = float64(v)
		}
		phi.Repair(exact.Row(i), y[i], radius[i], &work)
		dual += conjugate(full, exact.Row(i), y[i], radius[i])
	}
	scores, quadratic, exactQuadratic := scoresAndNorms(p, c, r, exact)
	for i, r := range radius {
		if r > 0 {
			primal += r * phi.Primal(scores.Row(i), y[i], &work)
		}
	}
	offPrimal, offDual = off(t, p, full, r, exact, scores, radius)
	exactly(t, p, full, r, exact, radius, offPrimal, offDual)
	return c.Lambda * (primal + quadratic/2), c.Lambda * (dual - exactQuadratic/2), offPrimal, offDual
}

// scoresAndNorms returns the scores of the model, its |W|², and |W|² of the given dual variables; with a prior |W -
// W0|² and |Xᵀ A|² + 2 <Xᵀ A, W0>.
func scoresAndNorms[T vec.Float](p Problem[T], c Config, r *Result[T],
	exact vec.Matrix[float64]) (s vec.Matrix[float64], norm, exactNorm float64) {
	n, m := exact.Rows, exact.Cols
	s = vec.NewMatrix[float64](n, m)
	if p.Kernel != nil {
		k, model := plainKernel(p.Kernel), vec.NewMatrix[T](n, m)
		for q, i := range r.Kernel.Support() {
			copy(model.Row(i), r.Kernel.Coefficients().Row(q))
		}
		for i := range n {
			for j, v := range k[i] {
				for o, a := range model.Row(j) {
					s.Row(i)[o] += v * float64(a)
					exactNorm += exact.Row(i)[o] * v * exact.Row(j)[o]
				}
			}
			for o, a := range model.Row(i) {
				norm += s.Row(i)[o] * float64(a)
			}
		}
		return s, norm, exactNorm
	}
	w := allWeights(r.Linear)
	fromDuals := vec.NewMatrix[float64](w.Rows, m)
	for i, row := range rowsOf(p.X) {
		if c.Bias != 0 {
			row = append(row, float64(T(c.Bias)))
		}
		for j, v := range row {
			for o := range m {
				s.Row(i)[o] += v * w.Row(j)[o]
				fromDuals.Row(j)[o] += v * exact.Row(i)[o]
			}
		}
	}
	prior := p.Prior
	if prior.Rows == 0 {
		prior = vec.NewMatrix[float64](w.Rows, m)
	}
	for k, v := range w.Data {
		w0, dual := prior.Data[k], fromDuals.Data[k]
		norm, exactNorm = norm+(v-w0)*(v-w0), exactNorm+dual*dual+2*dual*w0
	}
	return s, norm, exactNorm
}

// allWeights returns W with the row of the constant feature, if there is one.
func allWeights[T vec.Float](m *linear.Model[T]) vec.Matrix[float64] {
	w, bias := m.Weights(), m.Bias()
	all := vec.NewMatrix[float64](w.Rows+min(1, len(bias)), w.Cols)
	for j := range w.Rows {
		for c, v := range w.Row(j) {
			all.Row(j)[c] = float64(v)
		}
	}
	for c, v := range bias {
		all.Row(w.Rows)[c] = float64(v) / float64(m.Constant())
	}
	return all
}

// rowsOf returns all examples.
func rowsOf[T vec.Float](x design.Matrix[T]) [][]float64 {
	n, d := x.Dims()
	all := vec.NewMatrix[T](n, d)
	x.Gather(all, nil)
	rows := make([][]float64, n)
	for i := range rows {
		for _, v := range all.Row(i) {
			rows[i] = append(rows[i], float64(v))
		}
	}
	return rows
}

// plainKernel returns the kernel matrix by loops.
func plainKernel[T vec.Float](k *kernel.Matrix[T]) [][]float64 {
	if k.Kernel() == nil { // given
		n := k.Len()
		given, rows := vec.NewMatrix[T](n, n), make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		k.Rows(given, rows, 1)
		return rowsOf(design.Matrix[T](&dataset.Dense[T]{Matrix: given}))
	}
	x := rowsOf(k.Features())
	all := make([][]float64, len(x))
	for i := range x {
		all[i] = make([]float64, len(x))
		for j := range x {
			product, distance := 0.0, 0.0
			for f, v := range x[i] {
				product += v * x[j][f]
				distance += (v - x[j][f]) * (v - x[j][f])
			}
			switch k := k.Kernel().(type) {
			case kernel.Linear:
				all[i][j] = product
			case kernel.Polynomial:
				scale := k.Scale
				if scale == 0 {
					scale = 1
				}
				all[i][j] = math.Pow(scale*product+k.Offset, float64(k.Degree))
			case kernel.Gaussian:
				all[i][j] = math.Exp(-k.Gamma * distance)
			default:
				panic(k)
			}
		}
	}
	return all
}

// sortedSets returns the true classes of each example.
func sortedSets[T vec.Float](p Problem[T]) [][]int {
	if p.Sets == nil {
		return singles(p.Y)
	}
	sets := make([][]int, len(p.Sets))
	for i, set := range p.Sets {
		sets[i] = slices.Sorted(slices.Values(set))
	}
	return sets
}

// conjugate returns -r phi*(x/r).
func conjugate(c Config, a []float64, y []int, r float64) float64 {
	plogp := func(p float64) float64 {
		if p < 1e-300 {
			return 0
		}
		return p * math.Log(p)
	}
	sum := 0.0
	for j, v := range a {
		isTrue := slices.Contains(y, j)
		switch {
		case c.Loss == TopKEntropy && isTrue:
			sum -= r * plogp(1-v/r)
		case c.Loss == TopKEntropy:
			sum -= r * plogp(-v/r)
		case c.Loss == MultilabelSoftmax && isTrue:
			sum -= r * plogp(1/float64(len(y))-v/r)
		case c.Loss == MultilabelSoftmax && len(y) > 0:
			sum -= r * plogp(-v/r)
		case c.Loss == MultilabelSoftmax:
		case c.Loss == SquaredHinge:
			sum += math.Abs(v) - v*(v/r)/4
		case isTrue:
			sum += v
		default:
			sum -= v * (v / r * c.Smoothing) / 2
		}
	}
	return sum
}

// honest checks the certificate of r.
func honest[T vec.Float](t *testing.T, p Problem[T], c Config, r *Result[T]) {
	t.Helper()
	primal, dual, offPrimal, offDual := recompute(t, p, c, r)
	if !(math.Abs(primal-r.Certificate.Primal) <= offPrimal) || !(math.Abs(dual-r.Certificate.Dual) <= offDual) {
		t.Fatalf("%+v: certificate %v %v, recomputed %v ± %.1g, %v ± %.1g", c, r.Certificate.Primal, r.Certificate.Dual,
			primal, offPrimal, dual, offDual)
	}
	if r.Certificate.Gap() < -(offPrimal + offDual) {
		t.Fatalf("%+v: gap %g, of which %.1g may be rounding", c, r.Certificate.Gap(), offPrimal+offDual)
	}
}

// solve fits, fails the test unless that converged, and checks the certificate.
func solve[T vec.Float](t *testing.T, p Problem[T], c Config) *Result[T] {
	t.Helper()
	r, err := p.Fit(context.Background(), c)
	if err != nil || r.Status != solvers.Converged || !(r.Certificate.RelativeGap() <= c.Tol) {
		t.Fatalf("%+v: %s, %v", c, told(r), err)
	}
	honest(t, p, c, r)
	return r
}

// converge is solve for features and classes, to the given gap.
func converge[T vec.Float](t *testing.T, x design.Matrix[T], y []int, c Config, tol float64) *Result[T] {
	t.Helper()
	c.Tol = tol
	return solve(t, Problem[T]{X: x, Y: y}, c)
}

func told[T vec.Float](r *Result[T]) string {
	if r == nil {
		return "no result"
	}
	return fmt.Sprintf("%v, %d visits", r.Outcome, r.Visits)
}

// fitHinge fits a hinge loss, fails the test unless it converged, and verifies the certificate.
func fitHinge[T vec.Float](t *testing.T, x design.Matrix[T], y []int, c Config) *Result[T] {
	t.Helper()
	r, err := Fit(context.Background(), x, y, c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != solvers.Converged {
		t.Fatalf("%+v: %s", c, told(r))
	}
	verify(t, x, y, c, r)
	return r
}

// verify computes the certificate of a hinge loss again, by loops in float64 from the weights, the dual variables and
// the data, and the losses by sorting.
func verify[T vec.Float](t *testing.T, x design.Matrix[T], y []int, c Config, r *Result[T]) {
	t.Helper()
	n, _ := x.Dims()
	_, m := r.Dims()
	k, radius := max(1, c.K), 1/(c.Lambda*float64(n))
	sum, losses := 0.0, 0.0
	exact := vec.NewMatrix[float64](n, m)
	for i := range n {
		a := exact.Row(i)
		most, least := 0.0, 0.0
		for j, v := range r.Duals.Row(i) {
			if j != y[i] {
				a[j] = float64(v)
				a[y[i]] -= a[j]
				most, least = max(most, -a[j]), min(least, -a[j])
			}
		}
		sum += a[y[i]]
		limit := radius
		if c.Loss != TopKUsunier {
			limit = a[y[i]]
		}
		if out := max(-least, most-limit/float64(k), a[y[i]]-radius); out > 1e-12*radius {
			t.Fatalf("dual variables of row %d leave their set by %g", i, out)
		}
	}
	scores, norm, normDual := scoresAndNorms(Problem[T]{X: x, Y: y}, c, r, exact)
	for i := range n {
		s, h := scores.Row(i), []float64{}
		for cl, v := range s {
			if cl != y[i] {
				h = append(h, 1+v-s[y[i]])
			}
		}
		slices.Sort(h)
		phi := 0.0
		for _, v := range h[len(h)-k:] {
			if c.Loss != TopKUsunier || v > 0 {
				phi += v / float64(k)
			}
		}
		losses += max(0, phi)
	}
	primal, dual := losses/float64(n)+c.Lambda/2*norm, c.Lambda*(sum-normDual/2)
	if math.Abs(primal-r.Certificate.Primal) > 1e-9*primal || math.Abs(dual-r.Certificate.Dual) > 1e-9*primal {
		t.Fatalf("certificate %v %v, recomputed %v %v", r.Certificate.Primal, r.Certificate.Dual, primal, dual)
	}
	if gap := r.Certificate.Gap(); !(gap >= -1e-14*primal) {
		t.Fatalf("gap %g", gap)
	}
}
