package nuclear

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/vec"
)

func normal[T vec.Float](rng *rand.Rand, rows, cols int, scale float64) vec.Matrix[T] {
	a := vec.NewMatrix[T](rows, cols)
	for i := range a.Data {
		a.Data[i] = T(scale * rng.NormFloat64())
	}
	return a
}

// svd returns the singular values of a, and SVT(a, least)/over: what is left of it where they fall by least and not
// below 0.
func svd(a vec.Matrix[float64], least, over float64) (values []float64, b vec.Matrix[float64]) {
	m := mat.NewDense(a.Rows, a.Cols, nil)
	for i := range a.Rows {
		m.SetRow(i, a.Row(i))
	}
	var d mat.SVD
	d.Factorize(m, mat.SVDThin)
	var u, v mat.Dense
	d.UTo(&u)
	d.VTo(&v)
	values, b = d.Values(nil), vec.NewMatrix[float64](a.Rows, a.Cols)
	for q, s := range values {
		for i := range a.Rows {
			for j := range a.Cols {
				b.Row(i)[j] += u.At(i, q) * max(0, s-least) / over * v.At(j, q)
			}
		}
	}
	return values, b
}

// inner is <W, G> less the penalty of W: the conjugate at G is its supremum over W.
func inner(p Penalty, w, g vec.Matrix[float64]) float64 {
	values, _ := svd(w, 0, 1)
	return vec.Dot(w.Data, g.Data) - p.Of(values, vec.SquaredNorm(w.Data))
}

// TestConjugate: no W gives more than the conjugate, SVT(G)/(2 lambda2) gives as much, and what is near it hardly less.
func TestConjugate(t *testing.T) {
	rng := prove.Rand(1)
	for try := range 60 {
		d, k := 1+rng.IntN(6), 1+rng.IntN(6)
		p := Penalty{float64(try%3) * rng.Float64(), .01 + rng.Float64()}
		g := normal[float64](rng, d, k, 1)
		want := p.Conjugate(Sigma(p, g))
		_, best := svd(g, p.Lambda1, 2*p.Lambda2)
		if got := inner(p, best, g); !(math.Abs(got-want) <= 1e-12*(1+want)) {
			t.Errorf("%+v: %v at the maximiser, conjugate %v", p, got, want)
		}
		for range 20 {
			w := normal[float64](rng, d, k, math.Pow(10, -float64(rng.IntN(4))))
			if rng.IntN(2) == 0 {
				vec.Axpy(1, best.Data, w.Data)
			}
			if got := inner(p, w, g); !(got <= want+1e-12*(1+want)) {
				t.Errorf("%+v: %v, conjugate %v", p, got, want)
			}
		}
	}
}

// TestReach: the conjugate is finite at s times the matrix and infinite at a little more; with lambda2 it is finite
// anywhere.
func TestReach(t *testing.T) {
	rng := prove.Rand(2)
	for range 30 {
		g := normal[float64](rng, 5, 3, 1)
		sigma, _ := svd(g, 0, 1)
		for _, lambda1 := range []float64{.01, .5, sigma[0] * (1 + 1e-9), 10} {
			p := Penalty{Lambda1: lambda1}
			s := p.Reach(Sigma(p, g))
			at := func(s float64) float64 {
				vec.Scale(s, g.Data)
				defer vec.Scale(1/s, g.Data)
				return p.Conjugate(Sigma(p, g))
			}
			if !(s > 0 && s <= 1) || (s < 1) != (sigma[0] > lambda1) || at(s) != 0 || s < 1 &&
				!math.IsInf(at(s*(1+1e-9)), 1) {
				t.Errorf("lambda1 = %v, sigma %v: s = %v, conjugates %v and %v", lambda1, sigma, s, at(s),
					at(s*(1+1e-9)))
			}
			p.Lambda2 = 1
			if s := p.Reach(Sigma(p, g)); s != 1 {
				t.Errorf("with lambda2 s = %v", s)
			}
		}
	}
	if s := (Penalty{Lambda1: 1}).Reach([]float64{0}); s != 1 {
		t.Error(s)
	}
}

// evaluation is what a risk has at some W: the rows w_i (p_i - e_y), their gradient and their mean entropy.
type evaluation[T vec.Float] struct {
	rows, g vec.Matrix[T]
	h       float64
}

// problem returns n examples with weights.
func problem[T vec.Float](rng *rand.Rand, n, d, k int) risk.Data[T] {
	data := risk.Data[T]{X: &dataset.Dense[T]{Matrix: normal[T](rng, n, d, 1)}, Classes: k}
	for i := range n {
		data.Y, data.Weights = append(data.Y, rng.IntN(k)), append(data.Weights, float64(i%4)/2)
	}
	return data
}

func evaluate[T vec.Float](data risk.Data[T], w vec.Matrix[T]) evaluation[T] {
	r := risk.New(data, 1)
	n, d := data.X.Dims()
	e := evaluation[T]{vec.NewMatrix[T](n, data.Classes), vec.NewMatrix[T](d, data.Classes), 0}
	e.h = r.Evaluate(e.g, w) - vec64Dot(w, e.g)
	for i := range n {
		copy(e.rows.Row(i), r.Duals().Row(i))
	}
	return e
}

func vec64Dot[T vec.Float](a, b vec.Matrix[T]) (sum float64) {
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			sum += float64(v) * float64(b.Row(i)[j])
		}
	}
	return sum
}

// TestMix: D never falls, is what the mixture has at least, and is at least the value of either part; the dual
// variables stay differences of probabilities, their gradient theirs. Without lambda1 D is a parabola along the way,
// and its vertex is found.
//
// In T, u the unit, 20 mixtures add 20 roundings to each number: rows are off by 40 u, the gradient by (n + 40) u times
// the mean of |x_ij| times 1.5, the largest weight.
func TestMix(t *testing.T) { prove.Both(t, testMix[float32], testMix[float64]) }

func testMix[T vec.Float](t *testing.T) {
	rng := prove.Rand(3)
	const n, d, k = 30, 4, 3
	unit := prove.Unit[T]()
	for _, p := range []Penalty{{.1, .01}, {.1, 0}, {0, .05}, {1, 1}} {
		data := problem[T](rng, n, d, k)
		x := data.X.(*dataset.Dense[T])
		a := NewDuals[T](n, d, k)
		w := vec.NewMatrix[T](d, k)
		last := a.value(p)
		if last != 0 {
			t.Fatalf("%+v: D = %v at 0", p, last)
		}
		for step := range 20 {
			for i := range w.Data {
				w.Data[i] = T(float64(w.Data[i])*.7 + rng.NormFloat64()*.3)
			}
			e := evaluate(data, w)
			s := p.Reach(Sigma(p, e.g))
			alone := s*e.h - p.Conjugate(Sigma(p, scaled(e.g, s)))
			most := last
			for part := 1. / 64; part <= 1; part += 1. / 64 {
				a.towards(part, s, e.g)
				most = max(most, (1-part)*a.H+s*part*e.h-p.Conjugate(Sigma(p, a.some)))
			}
			got := mixed(&a, p, e.rows, e.g, e.h)
			rounding := 64 * unit * (1 + math.Abs(e.h)) * 20
			if p.Lambda2 > 0 {
				rounding *= 1 + 1/p.Lambda2
			}
			// D of the same A is computed in two ways, of which Go may fuse operations in one: 8 roundings at most.
			same := 0x1p-50 * (1 + math.Abs(last) + math.Abs(a.H))
			if !(got >= last-same) || !(got >= alone-rounding) || !(math.Abs(a.value(p)-got) <= rounding) {
				t.Errorf("%+v, step %d: D = %v after %v, of the evaluation alone %v, of the mixture %v", p, step,
					got, last, alone, a.value(p))
			}
			if p.Lambda1 == 0 && !(got >= most-rounding) {
				t.Errorf("%+v, step %d: D = %v, of the best of 64 mixtures %v", p, step, got, most)
			}
			last = got
		}
		if !(last > 0) {
			t.Errorf("%+v: D = %v in the end", p, last)
		}
		h, g := 0.0, vec.NewMatrix[float64](d, k)
		for i := range n {
			sum := 0.0
			for l, v := range a.A.Row(i) {
				q := float64(v)
				for j, xj := range x.Row(i) {
					g.Row(j)[l] += q * float64(xj) / n
				}
				if sum += q; l == data.Y[i] {
					q += data.Weights[i]
				}
				if !(q >= -40*unit) {
					t.Fatalf("%+v, row %d: %v for class %d", p, i, a.A.Row(i), data.Y[i])
				}
				if q > 0 {
					h -= q * math.Log(q/data.Weights[i]) / n
				}
			}
			if !(math.Abs(sum) <= 40*unit*k) {
				t.Fatalf("%+v, row %d: %v sums to %v", p, i, a.A.Row(i), sum)
			}
		}
		for j := range d {
			for l, v := range a.G.Row(j) {
				if off := math.Abs(float64(v) - g.Row(j)[l]); !(off <= (n+40)*unit*1.5*3) {
					t.Errorf("%+v: gradient %v, want %v", p, v, g.Row(j)[l])
				}
			}
		}
		if !(a.H <= h+40*unit*k*(1-math.Log(unit))) {
			t.Errorf("%+v: H = %v is no lower bound of %v", p, a.H, h)
		}
		if p.Lambda2 == 0 {
			if sigma, _ := svd(g, 0, 1); !(sigma[0] <= p.Lambda1+(n+40)*unit*5*d) {
				t.Errorf("%+v: singular value %v", p, sigma[0])
			}
		}
		before := a.Copy()
		e := evaluate(data, normal[T](rng, d, k, .1))
		mixed(&a, p, e.rows, e.g, e.h)
		if vec64Dot(before.A, before.A) == 0 || &before.A.Data[0] == &a.A.Data[0] {
			t.Errorf("%+v: a copy shares A", p)
		}
	}
}

func scaled[T vec.Float](a vec.Matrix[T], s float64) vec.Matrix[T] {
	b := vec.NewMatrix[T](a.Rows, a.Cols)
	for i := range a.Rows {
		copy(b.Row(i), a.Row(i))
	}
	vec.Scale(T(s), b.Data)
	return b
}

// TestRank: what a certificate leaves out of W costs at most a twentieth of the tolerance. W is the optimum, by
// proximal gradient steps, with small components besides: they go as long as the tolerance allows, and none goes
// without lambda1.
func TestRank(t *testing.T) {
	const n, d, k = 40, 5, 4
	for _, p := range []Penalty{{.05, .01}, {.1, 0}, {0, .05}} {
		rng := prove.Rand(4)
		data := problem[float64](rng, n, d, k)
		r, g, w := risk.New(data, 1), risk.Padded[float64](d, k), risk.Padded[float64](d, k)
		steep := 0.0 // the curvature of the risk is at most that
		for i := range n {
			steep = max(steep, vec.SquaredNorm(data.X.(*dataset.Dense[float64]).Row(i)))
		}
		for range 3000 {
			r.Evaluate(g, w)
			for j := range d {
				vec.Scale(-1/steep, g.Row(j))
				vec.Axpy(1, w.Row(j), g.Row(j))
			}
			_, next := svd(g, p.Lambda1/steep, 1+2*p.Lambda2/steep)
			for j := range d {
				copy(w.Row(j), next.Row(j))
			}
		}
		objective := func(w vec.Matrix[float64]) float64 {
			values, _ := svd(w, 0, 1)
			squares := 0.0
			for _, v := range values {
				squares += v * v
			}
			return r.Evaluate(g, w) + p.Of(values, squares)
		}
		optimum, _ := svd(w, 0, 1)
		full := 0
		for _, v := range optimum {
			if v > 1e-9*optimum[0] {
				full++
			}
		}
		reduced := 0
		for _, tol := range []float64{1e-1, 1e-3, 1e-6} {
			for _, noise := range []float64{1e-2, 1e-4, 1e-6, 1e-9} {
				name := fmt.Sprintf("%+v, tolerance %g, noise %g", p, tol, noise)
				b, err := New(p, data, solvers.Options{Tol: tol, Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				for j := range d {
					for l, v := range w.Row(j) {
						b.W.Row(j)[l] = v + noise*rng.NormFloat64()
					}
				}
				was := objective(b.W)
				b.Value = was
				c, err := b.Certify()
				if err != nil {
					t.Fatal(err)
				}
				// The noise takes a component's slope to lambda1 + its curvature at most: second order in it.
				if rise := c.Primal - was; !(rise <= .05*tol*was+steep*noise*noise*d*k+1e-13) {
					t.Errorf("%s: the objective rises by %g, %g of the tolerance", name, rise, rise/(tol*was))
				}
				if len(b.Spectrum) < min(d, k) {
					reduced++
				}
				if p.Lambda1 == 0 && len(b.Spectrum) < full {
					t.Errorf("%s: rank %d, want %d", name, len(b.Spectrum), full)
				}
				if p.Lambda1 > 0 && noise*100 < tol*p.Lambda1 && len(b.Spectrum) != full {
					t.Errorf("%s: rank %d, the optimum has %d: %v", name, len(b.Spectrum), full, b.Spectrum)
				}
				if lengths := spectral.Lengths(b.U, b.V); len(lengths) != max(1, len(b.Spectrum)) {
					t.Errorf("%s: %d columns for %v", name, len(lengths), b.Spectrum)
				}
			}
		}
		if (reduced > 0) != (p.Lambda1 > 0) {
			t.Errorf("%+v: %d were of lower rank, the optimum has %v", p, reduced, optimum)
		}
	}
}

// TestRankOf: W's components go while lambda1 s and the mean |x|² s²/4 sum to a twentieth of the tolerance at most, and
// those below an epsilon of the largest go at no cost.
func TestRankOf(t *testing.T) { prove.Both(t, testRankOf[float32], testRankOf[float64]) }

func testRankOf[T vec.Float](t *testing.T) {
	b, err := New(Penalty{Lambda1: 1}, problem[T](prove.Rand(6), 6, 3, 2), solvers.Options{Tol: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	b.meanSquare = 400
	tiny := 2
	if prove.IsF32[T]() {
		tiny = 1
	}
	for _, c := range []struct {
		value  float64
		values []float64
		want   int
	}{
		{20 * 100, []float64{10, 1}, 2}, // 1 + 100 is above 100
		{20 * 102, []float64{10, 1}, 1},
		{20 * 201, []float64{10, 1, 1}, 2}, // both together are 202
		{0, []float64{1, 1e-9}, tiny},
		{0, []float64{1, 1e-17}, 1},
		{20 * 20000, []float64{10, 1}, 0},
	} {
		if b.Value = c.value; b.rank(c.values) != c.want {
			t.Errorf("%v, an objective of %v: rank %d, want %d", c.values, c.value, b.rank(c.values), c.want)
		}
	}
}

// TestNew: rows whose norm is not finite, or beyond what products can take, are errors that name the row.
func TestNew(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), 1e18} {
		data := problem[float32](prove.Rand(5), 6, 3, 2)
		data.X.(*dataset.Dense[float32]).Row(4)[1] = bad
		_, err := New(Penalty{1, 1}, data, solvers.Options{Tol: 1e-3, Workers: 1})
		if want := "row 4"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	data := problem[float64](prove.Rand(5), 6, 3, 2)
	data.Bias = 2
	b, err := New(Penalty{1, 1}, data, solvers.Options{Tol: 1e-3, Workers: 1})
	want := vec.SquaredNorm(data.X.(*dataset.Dense[float64]).Data)/6 + 4
	if err != nil || !(math.Abs(b.meanSquare-want) <= 0x1p-47*want) || b.D != 4 { // sums of 18 terms and of 6
		t.Errorf("%v: a mean |x|² of %v in %d features, want %v in 4", err, b.meanSquare, b.D, want)
	}
	small := problem[float32](prove.Rand(5), 6, 3, 2) // in float32 the squares are 0
	vec.Scale(1e-23, small.X.(*dataset.Dense[float32]).Data)
	little, err := New(Penalty{1, 1}, small, solvers.Options{Tol: 1e-3, Workers: 1})
	if want = 1e-46 * (want - 4); err != nil || !(math.Abs(little.meanSquare-want) <= 1e-6*want) {
		t.Errorf("%v: a mean |x|² of %v, want %v", err, little.meanSquare, want)
	}
	data.Bias = 1e160
	if _, err := New(Penalty{1, 1}, data, solvers.Options{Tol: 1e-3, Workers: 1}); err == nil ||
		!strings.HasPrefix(err.Error(), "Bias = 1e+160, whose square is +Inf") {
		t.Error(err)
	}
}

// TestZero: a certificate of weights that are 0 has to the bit what Zero says: neither is the better model.
func TestZero(t *testing.T) { prove.Both(t, testZero[float32], testZero[float64]) }

func testZero[T vec.Float](t *testing.T) {
	for k := 2; k < 12; k++ {
		data := problem[T](prove.Rand(7), 40+k, 5, k)
		b, err := New(Penalty{.1, .01}, data, solvers.Options{Tol: 1e-3, Workers: 1 + k%2})
		if err != nil {
			t.Fatal(err)
		}
		c, err := b.Certify()
		if err != nil || c != b.Zero() {
			t.Errorf("%d classes: %v, %v, want %v", k, c, err, b.Zero())
		}
		// Weights, whose sums are exact, are 0, .5, 1, 1.5 in turn. Two operations and a logarithm have an error each.
		n := float64(40 + k)
		want := vec.Sum(data.Weights) / n * math.Log(float64(k))
		if off := math.Abs(c.Primal - want); !(off <= 0x1p-51*want) || c.Dual != 0 {
			t.Errorf("%d classes: %v, want a primal value of %v", k, c, want)
		}
	}
}

// mixed mixes rows into a, and returns D then.
func mixed[T vec.Float](a *Duals[T], p Penalty, rows, g vec.Matrix[T], h float64) float64 {
	m := a.mixture(p, g, h)
	a.mix(m, rows, g, h)
	return m.dual
}
