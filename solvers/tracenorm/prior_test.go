package tracenorm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
)

// priorDrawn returns a prior of normal numbers.
func priorDrawn(d, m int, size float64) vec.Matrix[float64] {
	rng := rand.New(rand.NewPCG(321, uint64(d)))
	w0 := vec.NewMatrix[float64](d, m)
	for k := range w0.Data {
		w0.Data[k] = size * rng.NormFloat64()
	}
	return w0
}

// TestPriorTruth: proximal steps, by gonum's singular values, find the same optimum of J, whose smooth part has a
// curvature of 2 Lambda2 at least: J is above its least value by |W - W'|² L²/(4 Lambda2) at most, W' the next W and
// 1/L the step.
func TestPriorTruth(t *testing.T) {
	s := draw(31, 40, 5, 4)
	x := dense[float64](s)
	for _, size := range []float64{.2, 3} {
		for _, c := range []Config{{Lambda1: .05, Lambda2: .02}, {Lambda1: .2, Lambda2: .3}, {Lambda2: .05}} {
			c.Raw, c.Tol, c.Workers = true, 1e-10, 1
			p := Problem[float64]{X: x, Y: s.y, Prior: priorDrawn(5, 4, size), Weights: familytest.Uneven(40)}
			want, rank := proximal(t, p, c)
			r := fit(t, p, c)
			if got := r.Certificate.Primal; math.Abs(got-want) > 1e-9*want {
				t.Errorf("size %v, %+v: %v, want %v", size, c, got, want)
			}
			most := 1e-10 * want / c.Lambda1 // of a singular value that costs no more than what Tol allows
			if c.Lambda1 > 0 && (r.Spectrum[rank-1] < most || rank < len(r.Spectrum) && r.Spectrum[rank] > most) {
				t.Errorf("size %v, %+v: %v, want rank %d: %v", size, c, r.Spectrum, rank, r.Outcome)
			}
			honest(t, fmt.Sprintf("size %v, %+v", size, c), p, c, r)
		}
	}
}

// proximal returns the least J and the rank of its W.
func proximal(t *testing.T, p Problem[float64], c Config) (value float64, rank int) {
	t.Helper()
	n, d := p.X.Dims()
	m, x := p.Prior.Cols, vec.NewMatrix[float64](n, d)
	p.X.Gather(x, nil)
	length := 2 * c.Lambda2
	for i := range n {
		length += p.Weights[i] * vec.SquaredNorm(x.Row(i)) / float64(2*n)
	}
	w := mat.NewDense(d, m, nil)
	for range 1 << 16 {
		loss, g := 0.0, mat.NewDense(d, m, nil)
		for j := range d {
			for l := range m {
				off := w.At(j, l) - p.Prior.At(j, l)
				loss += c.Lambda2 * off * off
				g.Set(j, l, 2*c.Lambda2*off)
			}
		}
		for i := range n {
			scores := make([]float64, m)
			for l := range m {
				for j, v := range x.Row(i) {
					scores[l] += v * w.At(j, l)
				}
			}
			most, share := vec.LogSumExp(scores), p.Weights[i]/float64(n)
			loss += share * (most - scores[p.Y[i]])
			for l, s := range scores {
				slope := share * math.Exp(s-most)
				if l == p.Y[i] {
					slope -= share
				}
				for j, v := range x.Row(i) {
					g.Set(j, l, g.At(j, l)+slope*v)
				}
			}
		}
		var svd mat.SVD
		svd.Factorize(w, mat.SVDNone)
		value = loss + c.Lambda1*vec.Sum(svd.Values(nil))
		next := mat.NewDense(d, m, nil)
		next.Scale(-1/length, g)
		next.Add(next, w)
		svd.Factorize(next, mat.SVDThin)
		values := svd.Values(nil)
		rank = 0
		for q, v := range values {
			if values[q] = max(0, v-c.Lambda1/length); values[q] > 0 {
				rank++
			}
		}
		var u, v mat.Dense
		svd.UTo(&u)
		svd.VTo(&v)
		next.Product(&u, mat.NewDiagDense(len(values), values), v.T())
		w.Sub(w, next)
		if far := mat.Norm(w, 2) * length; far*far/(4*c.Lambda2) < 1e-12*value {
			return value, rank
		}
		w = next
	}
	t.Fatal("no minimum")
	return 0, 0
}

// TestPriorZero: a prior of 0 is none, to the bit.
func TestPriorZero(t *testing.T) { prove.Both(t, testPriorZero[float32], testPriorZero[float64]) }

func testPriorZero[T vec.Float](t *testing.T) {
	for _, r := range familyOf[T](t).Trainings {
		p := r.Make(t)
		if p.Prior.Rows > 0 {
			continue
		}
		want := familytest.Bits(t, fit(t, p, r.Config))
		_, d := p.X.Dims()
		if r.Config.Bias != 0 {
			d++
		}
		m := 0
		for _, c := range p.Y {
			m = max(m, c+1)
		}
		p.Prior = vec.NewMatrix[float64](d, m)
		if got := familytest.Bits(t, fit(t, p, r.Config)); got != want {
			t.Errorf("%s: %s, want %s", r.Name, got, want)
		}
	}
}

// TestPriorPulls: the larger Lambda2, the nearer W is to W0.
func TestPriorPulls(t *testing.T) { prove.Both(t, testPriorPulls[float32], testPriorPulls[float64]) }

func testPriorPulls[T vec.Float](t *testing.T) {
	s := draw(32, 60, 5, 4)
	p := Problem[T]{X: dense[T](s), Y: s.y, Prior: priorDrawn(5, 4, 1)}
	last := math.Inf(1)
	for _, lambda := range []float64{.01, 1, 100, 1e4} {
		c := Config{Lambda1: 1e-6, Lambda2: lambda, Tol: 1e-4}
		r := fit(t, p, c)
		honest(t, fmt.Sprint(lambda), p, c, r)
		m, err := r.Dense()
		if err != nil {
			t.Fatal(err)
		}
		far := 0.0
		for k, v := range m.Weights().Data {
			far = max(far, math.Abs(float64(v)-p.Prior.Data[k]))
		}
		if !(far < last) || far > 10/lambda+1e-3 {
			t.Errorf("Lambda2 = %v: %v from the prior, before %v", lambda, far, last)
		}
		last = far
	}
}

// TestPriorLargest: from LargestLambda1 on W = 0 is the optimum, and not below it; without Lambda2 the prior has no
// part in it.
func TestPriorLargest(t *testing.T) {
	s := draw(33, 60, 5, 4)
	p := Problem[float64]{X: dense[float64](s), Y: s.y, Prior: priorDrawn(5, 4, 1)}
	largest, err := p.LargestLambda1(Config{Lambda2: .5})
	if err != nil {
		t.Fatal(err)
	}
	for _, factor := range []float64{.97, 1.001} {
		c := Config{Lambda1: factor * largest, Lambda2: .5, Tol: 1e-9}
		r := fit(t, p, c)
		honest(t, fmt.Sprint(factor), p, c, r)
		if zero := len(r.Spectrum) == 0; zero != (factor > 1) {
			t.Errorf("%v times the largest Lambda1: %v", factor, r.Outcome)
		}
	}
	without, err := Problem[float64]{X: p.X, Y: p.Y}.LargestLambda1(Config{})
	if got, wrong := p.LargestLambda1(Config{}); err != nil || wrong != nil || got != without {
		t.Errorf("%v, %v, want %v", got, wrong, without)
	}
}

// TestPriorStops: a training that has no time to begin returns W = 0, with the certificate of that, which counts the
// prior.
func TestPriorStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, r := range familyOf[float64](t).Trainings {
		p := r.Make(t)
		if p.Prior.Rows == 0 {
			continue
		}
		got, err := p.Fit(ctx, r.Config)
		if err == nil || !got.ZeroModel {
			t.Fatal(r.Name, told(got), err)
		}
		honest(t, r.Name, p, r.Config, got)
	}
}

// TestPriorPath: each training of a path has the prior, under its own Lambda2.
func TestPriorPath(t *testing.T) {
	s := draw(34, 60, 5, 4)
	p := Problem[float64]{X: dense[float64](s), Y: s.y, Prior: priorDrawn(5, 4, 1)}
	points, err := p.Path(context.Background(), Config{Tol: 1e-7}, PathConfig{Lambda1s: []float64{.2, .05},
		Lambda2s: []float64{.5, .05}, CrossValidation: solvers.CrossValidation{Folds: 3}})
	if err != nil || len(points) != 4 {
		t.Fatal(len(points), err)
	}
	for _, at := range points {
		c := Config{Lambda1: at.Lambda1, Lambda2: at.Lambda2, Tol: 1e-7}
		honest(t, fmt.Sprint(c), p, c, at.Result)
		if got, want := at.Result.Certificate.Primal, fit(t, p, c).Certificate.Primal; math.Abs(got-want) > 2e-7*got {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
	}
	if _, err := p.Path(context.Background(), Config{}, PathConfig{}); err != nil {
		t.Error(err)
	}
}

// TestPriorStart: a training with a prior begins with the result of one without.
func TestPriorStart(t *testing.T) {
	s := draw(35, 60, 5, 4)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	c := Config{Lambda1: .05, Lambda2: .02, Tol: 1e-8}
	p.Start = fit(t, p, c)
	p.Prior = priorDrawn(5, 4, 1)
	honest(t, "start", p, c, fit(t, p, c))
}

// TestPriorLarge: a prior far larger than the weights, and one in numbers that T has not, have honest certificates.
func TestPriorLarge(t *testing.T) { prove.Both(t, testPriorLarge[float32], testPriorLarge[float64]) }

func testPriorLarge[T vec.Float](t *testing.T) {
	s := draw(36, 60, 5, 4)
	for _, size := range []float64{1e-9, 1e-3, 100} {
		p := Problem[T]{X: dense[T](s), Y: s.y, Prior: priorDrawn(5, 4, size)}
		c := Config{Lambda1: .05, Lambda2: .02, Tol: 1e-3}
		honest(t, fmt.Sprint(size), p, c, fit(t, p, c))
	}
}
