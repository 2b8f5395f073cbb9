package mkl

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// views draws n examples of m classes with three cues:
// one dense with two kernels, one sparse, one noise and given as a matrix of distances.
func views[T vec.Float](t testing.TB, seed uint64, n, m int) Problem[T] {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	y := make([]int, n)
	cue := func(d int, spread float64) vec.Matrix[T] {
		x, centers := vec.NewMatrix[T](n, d), vec.NewMatrix[float64](m, d)
		for i := range centers.Data {
			centers.Data[i] = rng.NormFloat64()
		}
		for i := range n {
			for j := range d {
				x.Row(i)[j] = T(centers.Row(y[i])[j] + spread*rng.NormFloat64())
			}
		}
		return x
	}
	for i := range y {
		y[i] = i * 7 % m
	}
	first, second, third := cue(5, .6), cue(8, 1), cue(4, 9)
	for i := range second.Data {
		if i%3 > 0 {
			second.Data[i] = 0
		}
	}
	sparse, err := (&dataset.Dense[T]{Matrix: second}).CSR()
	if err != nil {
		t.Fatal(err)
	}
	d := vec.NewMatrix[T](n, n)
	vec.SquaredDistances(d, third, third)
	for i := range n { // rounding
		d.Row(i)[i] = 0
		for j := range i {
			d.Row(i)[j] = max(0, d.Row(i)[j])
			d.Row(j)[i] = d.Row(i)[j]
		}
	}
	given, err := kernel.FromDistances(d, .002)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.New(1<<20,
		bundle.Group[T]{X: &dataset.Dense[T]{Matrix: first}, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .1},
			kernel.Linear{}}},
		bundle.Group[T]{X: design.Matrix[T](sparse),
			Kernels: []kernel.Kernel{kernel.Polynomial{Degree: 2, Scale: .3, Offset: .5}}},
		bundle.Group[T]{Matrix: given})
	if err != nil {
		t.Fatal(err)
	}
	return Problem[T]{Bundle: b, Y: y}
}

// matrices are the kernel matrices of a bundle by the formulas, in float64, number by number.
func matrices[T vec.Float](b *bundle.Bundle[T]) (all []vec.Matrix[float64]) {
	n := b.Len()
	every := make([]int, n)
	for i := range every {
		every[i] = i
	}
	for _, g := range b.Groups() {
		if g.Matrix != nil {
			k, wide := vec.NewMatrix[T](n, n), vec.NewMatrix[float64](n, n)
			g.Matrix.Rows(k, every, 1)
			vec.Convert(wide.Data, k.Data)
			all = append(all, wide)
			continue
		}
		_, d := g.X.Dims()
		x := vec.NewMatrix[T](n, d)
		g.X.Gather(x, nil)
		for _, k := range g.Kernels {
			m := vec.NewMatrix[float64](n, n)
			for i := range n {
				for j := range n {
					product, distance := 0.0, 0.0
					for c, v := range x.Row(i) {
						u := float64(x.Row(j)[c])
						product += float64(v) * u
						distance += (float64(v) - u) * (float64(v) - u)
					}
					switch k := k.(type) {
					case kernel.Linear:
						m.Row(i)[j] = product
					case kernel.Polynomial:
						m.Row(i)[j] = math.Pow(cmp.Or(k.Scale, 1)*product+k.Offset, float64(k.Degree))
					case kernel.Gaussian:
						m.Row(i)[j] = math.Exp(-k.Gamma * distance)
					}
				}
			}
			all = append(all, m)
		}
	}
	return all
}

// plainLoss is the top-k hinge of scores, or Usunier's, from the formula.
func plainLoss(c Config, s []float64, y int) float64 {
	var h []float64
	for k, v := range s {
		if k != y {
			h = append(h, 1+v-s[y])
		}
	}
	slices.Sort(h)
	slices.Reverse(h)
	sum, positive := 0.0, 0.0
	for _, v := range h[:max(1, c.K)] {
		sum += v / float64(max(1, c.K))
		positive += max(0, v) / float64(max(1, c.K))
	}
	if c.Loss == TopKUsunier {
		return positive
	}
	return max(0, sum)
}

// scratch is what plain loops find: of the model and of the dual variables, moved into their domain, the coefficients,
// and <A, K^j A> for each kernel.
type scratch struct {
	ks           []vec.Matrix[float64]
	radius       []float64
	model, duals vec.Matrix[float64]
	forms        [2][]float64 // of both
	scores       vec.Matrix[float64]
	norms        []float64 // |w^j|
	primal, dual float64
}

// fromScratch evaluates both objectives; c has its defaults.
func fromScratch[T vec.Float](t *testing.T, p Problem[T], c Config, r *Result[T]) (s scratch) {
	t.Helper()
	n, m := r.Duals.Rows, r.Duals.Cols
	s = scratch{ks: matrices(p.Bundle), model: vec.NewMatrix[float64](n, m), duals: vec.NewMatrix[float64](n, m),
		scores: vec.NewMatrix[float64](n, m)}
	for q, i := range r.Kernels.Support() {
		vec.Convert(s.model.Row(i), r.Kernels.Coefficients().Row(q))
	}
	var work loss.Workspace[float64]
	for i := range n {
		weight := c.C
		if p.Weights != nil {
			weight *= p.Weights[i]
		}
		s.radius = append(s.radius, weight)
		a := s.duals.Row(i)
		vec.Convert(a, r.Duals.Row(i))
		for k, v := range a {
			if most := weight / float64(c.K) * (1 + 8*prove.Unit[T]()); k != p.Y[i] && !(v <= 0 && -v <= most) {
				t.Errorf("dual variable %v of example %d and class %d, want one down to %v", v, i, k, -most)
			}
		}
		if weight > 0 {
			lossOf[float64](c).Repair(a, p.Y[i:i+1], weight, &work)
			s.dual += a[p.Y[i]]
		}
	}
	for q, a := range []vec.Matrix[float64]{s.model, s.duals} {
		for f, k := range s.ks {
			form := 0.0
			for i := range n {
				for j := range n {
					v := k.Row(i)[j]
					for c, b := range a.Row(j) {
						form += v * b * a.Row(i)[c] // in this order: products of dual variables may underflow
						if q == 0 {
							s.scores.Row(i)[c] += r.Eta[f] * (v * b)
						}
					}
				}
			}
			s.forms[q] = append(s.forms[q], form)
		}
	}
	for j, v := range s.forms[0] {
		s.norms = append(s.norms, r.Eta[j]*math.Sqrt(max(0, v)))
	}
	norm := powerNorm(s.norms, c.P)
	s.primal = norm * norm / 2
	for i, y := range p.Y {
		s.primal += s.radius[i] * plainLoss(c, s.scores.Row(i), y)
	}
	s.dual -= formsNorm(s.forms[1], c.P) / 2
	return s
}

// powerNorm returns (sum_j v_j^p)^(1/p). Powers of v may be beyond all numbers where powers of v over the largest are
// not.
func powerNorm(v []float64, p float64) float64 {
	most, sum := slices.Max(v), 0.0
	if most == 0 {
		return 0
	}
	for _, v := range v {
		sum += math.Pow(v/most, p)
	}
	return most * math.Pow(sum, 1/p)
}

// formsNorm returns |theta|²_{2,q} for q = p/(p-1) and the squares |theta^j|², without those that rounding made
// negative.
func formsNorm(forms []float64, p float64) float64 {
	positive := slices.Clone(forms)
	for j, v := range positive {
		positive[j] = max(0, v)
	}
	return powerNorm(positive, p/(p-1)/2)
}

// honest checks a certificate against its recomputation by plain loops, and what else a result says of its model.
func honest[T vec.Float](t *testing.T, p Problem[T], c Config, r *Result[T]) {
	t.Helper()
	given, err := p.prepare(c, c.options())
	if err != nil {
		t.Fatal(err)
	}
	c = given.c
	s := fromScratch(t, p, c, r)
	primal, dual, norms := off(t, p, c, r, &s)
	for j, w := range s.norms {
		if !(math.Abs(w-r.Norms[j]) <= norms[j]) {
			t.Errorf("|w^%d| = %v, want %v ± %.1g", j, r.Norms[j], w, norms[j])
		}
		if total := vec.Sum(r.Norms); total > 0 && !(math.Abs(r.Shares[j]-r.Norms[j]/total) <= 1e-14) {
			t.Errorf("shares %v of norms %v", r.Shares, r.Norms)
		}
	}
	if !(math.Abs(s.primal-r.Certificate.Primal) <= primal) || !(math.Abs(s.dual-r.Certificate.Dual) <= dual) {
		t.Errorf("%+v: %v, from scratch primal %.12g ± %.1g, dual %.12g ± %.1g", c, r.Certificate, s.primal, primal,
			s.dual, dual)
	}
	if len(p.Y) <= hostile.Most {
		exactly(t, p, c, r, &s, primal, dual)
	}
	if !(r.Certificate.Gap() >= -primal-dual) {
		t.Errorf("a gap of %v, of which %.1g may be rounding", r.Certificate.Gap(), primal+dual)
	}
}

func fit[T vec.Float](t testing.TB, p Problem[T], c Config) *Result[T] {
	t.Helper()
	r, err := p.Fit(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestHonest: certificates of every p, loss and type are what plain loops compute, within the tolerance asked for.
func TestHonest(t *testing.T) { prove.Both(t, honestBoth[float32], honestBoth[float64]) }

func honestBoth[T vec.Float](t *testing.T) {
	p := views[T](t, 1, 50, 4)
	weights := make([]float64, 50)
	for i := range weights {
		weights[i] = float64(i % 4)
	}
	for _, c := range []Config{
		{P: 1.01, C: 1}, {P: 1.01, C: 100}, {P: 1.25, C: 10, Workers: 2}, {P: 2, C: 1}, {P: 1.9, C: .01},
		{P: 1.1, C: 1, K: 2}, {P: 1.5, C: 10, K: 3, Loss: TopKUsunier}, {P: 2, C: 3, K: 2, Loss: TopKUsunier},
		{P: 1.25, C: 1, Loss: TopKUsunier, K: 1},
	} {
		c.Tol = 1e-4
		for name, weights := range map[string][]float64{"": nil, "weighted": weights} {
			p.Weights = weights
			r := fit(t, p, c)
			if r.Status != solvers.Converged || !(r.Certificate.RelativeGap() <= c.Tol) {
				t.Errorf("%+v %s: %v", c, name, r.Outcome)
			}
			honest(t, p, c, r)
		}
	}
}

// TestNotes: what a model says of its training, and that there is no JSON of it.
func TestNotes(t *testing.T) {
	r := fit(t, views[float64](t, 3, 40, 3), Config{P: 1.1, C: 10})
	if noted := r.WithNotes(map[string]string{"a": "b"}); r.Notes()["solver"] != "mkl" || noted.Notes()["a"] != "b" ||
		noted.Kernels == nil {
		t.Errorf("notes %v, then %v", r.Notes(), noted.Notes())
	}
	if _, err := json.Marshal(r.Model); err == nil {
		t.Error("a model as JSON is no error")
	}
}
