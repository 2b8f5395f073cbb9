package beam

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/x/beam/internal/fit"
)

// TestTrainTrace: J and D are about tracenorm's own optimum on one machine, J is the formula's, and the ranges play no
// part.
func TestTrainTrace(t *testing.T) {
	for _, bias := range []float64{0, 1} {
		p, path, format := smooth(t, bias)
		s := TraceSpec{Lambda1: .02, Lambda2: 1e-3}
		l := digits(t)
		_, o, err := fit.NewTrace(fit.Data{X: l.X, Y: l.Y}, tracenorm.Config{Lambda1: s.Lambda1, Raw: true, Bias: bias,
			Tol: 1e-7}).Solve(t.Context(), vec.Matrix[float64]{}, s.Lambda2)
		check(t, err)
		var first *linear.Model[float64]
		for _, rows := range []int{1797, 64} {
			m, out, err := TrainTrace(t.Context(), driver(t), s, p, TrainOptions{Sample: 400},
				split(t, path, format, rows))
			check(t, err)
			t.Logf("%d rows: %v; tracenorm: %v", rows, out, o)
			got, best := out.Certificate, o.Certificate
			if out.Status != solvers.Converged || got.RelativeGap() > 1e-3 || out.Passes > 20 ||
				got.Dual > best.Primal || got.Primal < best.Dual || got.Dual < best.Dual-1e-3*best.Primal {
				t.Errorf("%d rows: %v, want about %v", rows, out, best)
			}
			if first == nil {
				first = m
				if want := traceNorm(t, p, s, m); !near(got.Primal, want, 1e-7*want) {
					t.Errorf("J = %v, want %v", got.Primal, want)
				}
			}
			if far := farthest(first, m); far > 1e-12 {
				t.Errorf("%d rows: the weights differ by %v", rows, far)
			}
		}
	}
}

// traceNorm returns J of a model, by the formula.
func traceNorm(t *testing.T, p ProblemSpec, s TraceSpec, m *linear.Model[float64]) float64 {
	t.Helper()
	w, err := m.Prior(p.Bias)
	check(t, err)
	l := digits(t)
	n, d := l.X.Dims()
	if p.Bias != 0 {
		x := vec.NewMatrix[float64](n, d+1)
		for i := range n {
			copy(x.Row(i), l.X.Row(i))
			x.Row(i)[d] = p.Bias
		}
		l.X.Matrix = x
	}
	_, _, values, ok := spectral.Decompose(w)
	if !ok {
		t.Fatal("no singular values")
	}
	value, _ := softmax(l, flatten(w), p.Classes, 2*s.Lambda2)
	for _, sigma := range values {
		value += s.Lambda1 * sigma
	}
	return value
}

// TestTraceBound: the bound of two passes is the best of a fine grid of their mixtures, and a bound never falls. V is
// diagonal, so that its singular values are known.
func TestTraceBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		b, last := traceBound{TraceSpec: TraceSpec{Lambda1: .5, Lambda2: .25}}, math.Inf(-1)
		var all []*Sums
		for range 4 {
			s := &Sums{Terms: rng.NormFloat64(), V: vec.NewMatrix[float64](3, 3)}
			for k := range 3 {
				s.V.Row(k)[k] = rng.NormFloat64()
			}
			all = append(all, s)
			if got := b.mix(s); got < last {
				t.Errorf("%v after %v", got, last)
			}
			last = b.value
			if len(all) != 2 {
				continue
			}
			want := math.Inf(-1)
			for k := range 10001 {
				want = max(want, diagonal(all, float64(k)/10000))
			}
			if !near(b.value, want, 1e-4) {
				t.Errorf("%v, want %v", b.value, want)
			}
		}
	}
}

// diagonal returns D of a mixture of two passes whose V are diagonal, for Lambda1 = 1/2 and Lambda2 = 1/4.
func diagonal(all []*Sums, share float64) float64 {
	d := (1-share)*all[0].Terms + share*all[1].Terms
	for k := range 3 {
		over := max(0, math.Abs((1-share)*all[0].V.Row(k)[k]+share*all[1].V.Row(k)[k])-.5)
		d -= over * over
	}
	return d
}

// TestTrainTraceRefused: what has no bound is an error.
func TestTrainTraceRefused(t *testing.T) {
	p, path, format := smooth(t, 0)
	for _, s := range []TraceSpec{{Lambda1: 1}, {Lambda1: -1, Lambda2: 1}, {Lambda1: math.NaN(), Lambda2: 1},
		{Lambda2: math.Inf(1)}} {
		_, _, err := TrainTrace(t.Context(), driver(t), s, p, TrainOptions{}, split(t, path, format, 300))
		if err == nil || !strings.Contains(err.Error(), "Lambda2 > 0") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}
