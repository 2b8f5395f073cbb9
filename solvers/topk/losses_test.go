package topk

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// recompute returns the primal value of the weights of r and the dual value of its dual variables by plain loops in float64.
// The conjugates are written out here; the losses are those of package loss, whose tests tie them to the conjugates.
func recompute[T vec.Float](t *testing.T, x solvers.Features[T], y [][]int, c Config, r *Result[T]) (primal, dual float64) {
	t.Helper()
	n, d := x.Dims()
	_, m := r.Dims()
	w, fromDuals := r.Weights(), make([]float64, d*m)
	c.K = max(1, c.K)
	phi := lossOf[float64](c)
	row := vec.NewMatrix[T](1, d)
	var work loss.Workspace[float64]
	for i := range n {
		v := 1.0
		if c.Weights != nil {
			v *= c.Weights[i]
		}
		if c.ClassWeights != nil {
			v *= c.ClassWeights[y[i][0]]
		}
		if v == 0 {
			continue
		}
		radius := v / (c.Lambda * float64(n))
		x.Gather(row, []int{i})
		a, scores := make([]float64, m), make([]float64, m)
		for j, v := range r.Duals.Row(i) {
			a[j] = float64(v)
		}
		phi.Repair(a, y[i], radius, &work)
		for j, v := range row.Data {
			for k := range m {
				scores[k] += float64(v) * float64(w.Row(j)[k])
				fromDuals[j*m+k] += float64(v) * a[k]
			}
		}
		primal += radius * phi.Primal(scores, y[i], &work)
		dual += conjugate(c, a, y[i], radius)
	}
	for j := range d {
		for k := range m {
			primal += float64(w.Row(j)[k]) * float64(w.Row(j)[k]) / 2
			dual -= fromDuals[j*m+k] * fromDuals[j*m+k] / 2
		}
	}
	return c.Lambda * primal, c.Lambda * dual
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
		case c.Loss == Entropy && isTrue:
			sum -= r * plogp(1-v/r)
		case c.Loss == Entropy:
			sum -= r * plogp(-v/r)
		case c.Loss == MultilabelSoftmax && isTrue:
			sum -= r * plogp(1/float64(len(y))-v/r)
		case c.Loss == MultilabelSoftmax && len(y) > 0:
			sum -= r * plogp(-v/r)
		case c.Loss == MultilabelSoftmax:
		case isTrue:
			sum += v
		default:
			sum -= c.Gamma / (2 * r) * v * v
		}
	}
	return sum
}

func honest[T vec.Float](t *testing.T, x solvers.Features[T], y [][]int, c Config, r *Result[T]) {
	t.Helper()
	p, d := recompute(t, x, y, c, r)
	scale := math.Abs(p)
	if math.Abs(p-r.Certificate.Primal) > 1e-9*scale || math.Abs(d-r.Certificate.Dual) > 1e-9*scale {
		t.Fatalf("%+v: certificate %v %v, recomputed %v %v", c, r.Certificate.Primal, r.Certificate.Dual, p, d)
	}
	if r.Certificate.Gap() < -1e-14*scale {
		t.Fatalf("%+v: gap %g", c, r.Certificate.Gap())
	}
}

func outcome[T vec.Float](r *Result[T]) string {
	if r == nil {
		return "no result"
	}
	return fmt.Sprintf("%v after %d epochs, %v", r.Status, r.Epochs, r.Certificate)
}

func singles(y []int) [][]int {
	sets := make([][]int, len(y))
	for i := range y {
		sets[i] = y[i : i+1]
	}
	return sets
}

// single are the losses for one true class.
var single = []Config{{Loss: Alpha}, {Loss: Beta}, {Loss: Alpha, Gamma: .5}, {Loss: Beta, Gamma: .5}, {Loss: Entropy}}

// Every loss and K converges to a gap of 1e-8 in float64 and of 1e-4 in float32, and certificates are what they say.
func TestLosses(t *testing.T) {
	x64, y := blobs[float64](rand.New(rand.NewPCG(31, 32)), 80, 12, 6)
	x32, _ := blobs[float32](rand.New(rand.NewPCG(31, 32)), 80, 12, 6)
	for _, c := range single {
		for _, c.K = range []int{1, 3, 5} {
			if testing.Short() && c.K != 3 {
				continue
			}
			c.Lambda, c.Epochs = .01, 1<<20
			t.Run(fmt.Sprintf("%v/gamma%v/k%d", c.Loss, c.Gamma, c.K), func(t *testing.T) {
				converge(t, x64, y, c, 1e-8)
				converge(t, x32, y, c, 1e-4)
			})
		}
	}
}

func converge[T vec.Float](t *testing.T, x solvers.Features[T], y []int, c Config, tol float64) *Result[T] {
	t.Helper()
	c.Tol = tol
	r, err := Fit(context.Background(), x, y, c)
	if err != nil || r.Status != solvers.Converged {
		t.Fatalf("%v gamma %v k %d lambda %v tol %v: %s, %v", c.Loss, c.Gamma, c.K, c.Lambda, c.Tol, outcome(r), err)
	}
	honest(t, x, singles(y), c, r)
	return r
}

// labelSets draws sets of classes that the nearest centers of blobs decide, some of them empty and some full.
func labelSets(rng *rand.Rand, y []int, m int) [][]int {
	sets := make([][]int, len(y))
	for i, c := range y {
		switch rng.IntN(8) {
		case 0:
		case 1:
			sets[i] = rng.Perm(m)
		case 2, 3:
			sets[i] = []int{(c + 1) % m, c}
		default:
			sets[i] = []int{c}
		}
	}
	return sets
}

func TestFitSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	x64, y := blobs[float64](rand.New(rand.NewPCG(35, 36)), 80, 12, 6)
	x32, _ := blobs[float32](rand.New(rand.NewPCG(35, 36)), 80, 12, 6)
	sets := labelSets(rng, y, 6)
	for _, c := range []Config{{Loss: MultilabelHinge}, {Loss: MultilabelSoftmax}} {
		t.Run(c.Loss.String(), func(t *testing.T) {
			c.Lambda, c.Epochs, c.Tol = .01, 1<<20, 1e-8
			r, err := FitSets(context.Background(), solvers.Features[float64](x64), sets, c)
			if err != nil || r.Status != solvers.Converged {
				t.Fatal(outcome(r), err)
			}
			sorted, _ := sortedSets(sets)
			honest(t, solvers.Features[float64](x64), sorted.sets, c, r)
			c.Tol = 1e-4
			r32, err := FitSets(context.Background(), solvers.Features[float32](x32), sets, c)
			if err != nil || r32.Status != solvers.Converged {
				t.Fatal(outcome(r32), err)
			}
			honest(t, solvers.Features[float32](x32), sorted.sets, c, r32)
			if testing.Short() {
				return
			}
			// One true class each: the losses of Fit with K = 1.
			c.Tol = 1e-8
			one, err := FitSets(context.Background(), solvers.Features[float64](x64), singles(y), c)
			if err != nil {
				t.Fatal(err)
			}
			c.Loss = map[Loss]Loss{MultilabelHinge: Alpha, MultilabelSoftmax: Entropy}[c.Loss]
			plain := converge(t, x64, y, c, 1e-8)
			if a, b := one.Certificate.Primal, plain.Certificate.Primal; math.Abs(a-b) > 2e-8*a {
				t.Errorf("%v as sets, %v", a, b)
			}
		})
	}
}

// An example of weight 2 is two examples, one of weight 0 none; the weight of a class is that of its examples.
func TestWeights(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(37, 38)), 60, 8, 4)
	count, rows, twice := make([]float64, 60), []int{}, []int{}
	for i := range count {
		count[i] = float64(i % 3)
		for range i % 3 {
			rows, twice = append(rows, i), append(twice, y[i])
		}
	}
	for _, c := range single {
		c.K, c.Epochs = 2, 1<<20
		c.Lambda = .01 * 60 / float64(len(rows))
		want := converge(t, solvers.Subset(solvers.Features[float64](x), rows), twice, c, 1e-8)
		c.Lambda, c.Weights = .01, count
		got := converge(t, solvers.Features[float64](x), y, c, 1e-8)
		if a, b := got.Certificate.Primal*60, want.Certificate.Primal*float64(len(rows)); math.Abs(a-b) > 1e-7*a {
			t.Errorf("%v: %v, with copies %v", c.Loss, a, b)
		}
		c.Weights, c.ClassWeights = nil, []float64{0, 1, 2, .5}
		byClass := converge(t, solvers.Features[float64](x), y, c, 1e-8)
		c.Weights, c.ClassWeights = make([]float64, 60), nil
		for i, v := range y {
			c.Weights[i] = []float64{0, 1, 2, .5}[v]
		}
		byExample := converge(t, solvers.Features[float64](x), y, c, 1e-8)
		if byClass.Certificate != byExample.Certificate {
			t.Errorf("%v: %v by class, %v by example", c.Loss, byClass.Certificate, byExample.Certificate)
		}
	}
}

// A start from the solution has nothing left to do, one from another problem's solution less than one from zero.
func TestFitFrom(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(39, 40)), 200, 20, 6)
	f := solvers.Features[float64](x)
	for _, c := range single {
		if testing.Short() && (c.Loss != Alpha || c.Gamma > 0) {
			continue
		}
		c.K, c.Epochs, c.Lambda = 2, 1<<20, .01
		first := converge(t, f, y, c, 1e-6)
		for _, c.Lambda = range []float64{.01, .005, .02} {
			cold := converge(t, f, y, c, 1e-6)
			warm, err := FitFrom(context.Background(), f, y, c, first.Duals)
			if err != nil {
				t.Fatal(err)
			}
			if warm.Certificate.RelativeGap() > 1e-3 {
				t.Fatalf("%v: %v", c.Lambda, outcome(warm))
			}
			c.Tol = 1e-6
			if warm, err = FitFrom(context.Background(), f, y, c, first.Duals); err != nil || warm.Status != solvers.Converged {
				t.Fatal(outcome(warm), err)
			}
			honest(t, f, singles(y), c, warm)
			if warm.Visits >= cold.Visits || c.Lambda == .01 && warm.Visits > 200 {
				t.Errorf("%v, lambda %v: %d visits, %d from zero", c.Loss, c.Lambda, warm.Visits, cold.Visits)
			}
		}
	}
	duals := vec.NewMatrix[float64](200, 6)
	duals.Row(7)[3] = math.NaN()
	for want, d := range map[string]vec.Matrix[float64]{
		"dual variable NaN of row 7 and class 3":                              duals,
		"2-by-6 dual variables to start from, for 200 examples and 6 classes": vec.NewMatrix[float64](2, 6),
	} {
		if _, err := FitFrom(context.Background(), f, y, Config{Lambda: 1}, d); err == nil || err.Error() != "topk: "+want+map[bool]string{true: ", need a finite number"}[d.Rows == 200] {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Two workers: the same certificate within the tolerance, the same bits each time.
func TestWorkers(t *testing.T) {
	x, y := blobs[float32](rand.New(rand.NewPCG(41, 42)), 2000, 20, 6)
	f := solvers.Features[float32](x)
	c := Config{K: 2, Lambda: .001, Epochs: 1 << 20, Workers: 3}
	a, b := converge(t, f, y, c, 1e-4), converge(t, f, y, c, 1e-4)
	if !slices.Equal(a.Duals.Data, b.Duals.Data) || a.Certificate != b.Certificate {
		t.Error("two runs differ")
	}
	c.Workers = 1
	if one := converge(t, f, y, c, 1e-4).Certificate; one.Dual > a.Certificate.Primal || a.Certificate.Dual > one.Primal {
		t.Errorf("%v, with one worker %v", a.Certificate, one)
	}
}
