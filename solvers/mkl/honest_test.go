package mkl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
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
	b, err := kernel.NewBundle(1<<20,
		kernel.Group[T]{X: &dataset.Dense[T]{Matrix: first}, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .1}, kernel.Linear{}}},
		kernel.Group[T]{X: solvers.Features[T](sparse), Kernels: []kernel.Kernel{kernel.Polynomial{Degree: 2, Scale: .3, Offset: .5}}},
		kernel.Group[T]{Matrix: given})
	if err != nil {
		t.Fatal(err)
	}
	return Problem[T]{Bundle: b, Y: y}
}

// matrices are the kernel matrices of a bundle by the formulas, in float64, number by number.
func matrices[T vec.Float](b *kernel.Bundle[T]) (all []vec.Matrix[float64]) {
	n := b.Len()
	every := make([]int, n)
	for i := range every {
		every[i] = i
	}
	for _, g := range b.Groups() {
		if g.Matrix != nil {
			k, wide := vec.NewMatrix[T](n, n), vec.NewMatrix[float64](n, n)
			g.Matrix.Rows(k, every)
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

// plainLoss is the top-k hinge of scores, or that of Usunier, from the formula.
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

// honest checks a certificate against its recomputation by plain loops, and what else a result says of its model.
func honest[T vec.Float](t *testing.T, p Problem[T], c Config, r *Result[T]) {
	t.Helper()
	ks, n := matrices(p.Bundle), p.Bundle.Len()
	_, m := r.Dims()
	weight := func(i int) float64 {
		if p.Weights != nil {
			return c.C * p.Weights[i]
		}
		return c.C
	}
	form := func(k, a vec.Matrix[float64]) (sum float64) {
		for i := range n {
			for j := range n {
				for c, v := range a.Row(i) {
					sum += v * k.Row(i)[j] * a.Row(j)[c]
				}
			}
		}
		return sum
	}
	a, dual := vec.NewMatrix[float64](n, m), 0.0
	for i := range n {
		sum, largest := 0.0, 0.0
		for k, v := range r.Duals.Row(i) {
			if k != p.Y[i] {
				a.Row(i)[k] = float64(v)
				sum -= float64(v)
				largest = max(largest, -float64(v))
			}
			if k != p.Y[i] && v > 0 {
				t.Errorf("dual variable %v of example %d and class %d", v, i, k)
			}
		}
		a.Row(i)[p.Y[i]] = sum
		most := weight(i) * (1 + 1e-5)
		if sum > most || largest > sum/float64(max(1, c.K))*(1+1e-5) && c.Loss == TopKHinge || largest > most/float64(max(1, c.K)) {
			t.Errorf("dual variables %v of example %d, whose sum is at most %v", r.Duals.Row(i), i, weight(i))
		}
		dual += sum
	}
	q, norm := c.P/(c.P-1), 0.0
	for _, k := range ks {
		norm += math.Pow(max(0, form(k, a)), q/2)
	}
	dual -= math.Pow(norm, 2/q) / 2

	b := vec.NewMatrix[float64](n, m)
	for s, i := range r.Kernels.Support() {
		vec.Convert(b.Row(i), r.Kernels.Coefficients().Row(s))
	}
	norm, primal, total := 0.0, 0.0, 0.0
	for j, k := range ks {
		w := r.Eta[j] * math.Sqrt(max(0, form(k, b)))
		if math.Abs(w-r.Norms[j]) > 1e-6*(w+1e-9) {
			t.Errorf("|w^%d| = %v, want %v", j, r.Norms[j], w)
		}
		norm += math.Pow(w, c.P)
		total += w
	}
	for j, v := range r.Norms {
		if total > 0 && math.Abs(r.Shares[j]-v/total) > 1e-6 {
			t.Errorf("shares %v of norms %v", r.Shares, r.Norms)
		}
	}
	primal = math.Pow(norm, 2/c.P) / 2
	for i := range n {
		s := make([]float64, m)
		for j := range n {
			for k, v := range b.Row(j) {
				for f, matrix := range ks {
					s[k] += r.Eta[f] * matrix.Row(i)[j] * v
				}
			}
		}
		primal += weight(i) * plainLoss(c, s, p.Y[i])
	}
	// Duals are moved into their domain, by roundings of T.
	tolerance := 1e-9 * primal
	if prove.Unit[T]() > 1e-10 {
		tolerance = 1e-5 * primal
	}
	if math.Abs(primal-r.Certificate.Primal) > 1e-9*primal || math.Abs(dual-r.Certificate.Dual) > tolerance {
		t.Errorf("%v, from scratch primal %.12g, dual %.12g", r.Certificate, primal, dual)
	}
	if r.Certificate.Gap() < -1e-9*primal {
		t.Errorf("a gap of %v", r.Certificate.Gap())
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
		{P: 1.1, C: 1, K: 2}, {P: 1.5, C: 10, K: 3, Loss: TopKUsunier}, {P: 2, C: 3, K: 2, Loss: TopKUsunier}, {P: 1.25, C: 1, Loss: TopKUsunier, K: 1},
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

// TestStopped: what a training that is stopped early, or does not get far, says of itself is true.
func TestStopped(t *testing.T) {
	p := views[float64](t, 2, 60, 3)
	c := Config{P: 1.1, C: 10, Tol: 1e-8}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := p.Fit(ctx, c)
	if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled {
		t.Fatal(r, err)
	}
	honest(t, p, c, r)
	c.Epochs = 1
	r = fit(t, p, c)
	if r.Status != solvers.EpochLimit || r.Passes > 6 {
		t.Errorf("%v", r.Outcome)
	}
	honest(t, p, c, r)
	c = Config{P: 1.1, C: 10, Tol: 1e-12, Epochs: 60}
	single := views[float32](t, 2, 60, 3)
	low, err := single.Fit(context.Background(), c)
	if err != nil || low.Status == solvers.Converged && low.Certificate.RelativeGap() > 1e-12 {
		t.Fatal(low, err)
	}
	honest(t, single, c, low)
}

// TestTold: progress is told, the last of it certified, and epochs count up.
func TestTold(t *testing.T) {
	p, told := views[float64](t, 3, 40, 3), []solvers.Progress{}
	r := fit(t, p, Config{P: 1.1, C: 10, Progress: func(p solvers.Progress) { told = append(told, p) }})
	if len(told) < 2 || !told[len(told)-1].Certified || told[len(told)-1].Certificate != r.Certificate {
		t.Errorf("%v, want %v", told, r.Certificate)
	}
	for k, p := range told {
		if p.Epoch < k || p.Certificate.Primal != p.Certificate.Primal {
			t.Errorf("place %d: %+v", k, p)
		}
	}
	if noted := r.WithNotes(map[string]string{"a": "b"}); r.Notes()["solver"] != "mkl" || noted.Notes()["a"] != "b" || noted.Kernels == nil {
		t.Errorf("notes %v, then %v", r.Notes(), noted.Notes())
	}
	if _, err := json.Marshal(r.Model); err == nil {
		t.Error("a model as JSON is no error")
	}
}
