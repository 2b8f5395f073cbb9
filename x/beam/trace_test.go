package beam

import (
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/x/beam/internal/fit"
)

// traceCase is a problem of TrainTrace on digits. The default lambdas are small, and want half of the rows as a sample.
type traceCase struct {
	TraceSpec
	bias   float64
	sample int
}

var traceCases = []traceCase{
	{TraceSpec{}, 0, 900}, {TraceSpec{}, 1, 900}, {TraceSpec{Raw: true}, .5, 900},
	{TraceSpec{Lambda1: .02, Lambda2: 1e-3}, 0, 400}, {TraceSpec{Lambda1: .02, Lambda2: 1e-3}, 2, 400},
	{TraceSpec{Lambda1: .02, Lambda2: 1e-3, Raw: true}, 0, 400}, {TraceSpec{Lambda2: 1e-3}, 0, 400},
	{TraceSpec{Lambda1: .02, Lambda2: 1e-3, Raw: true}, 1, 400}, {TraceSpec{Lambda1: .1, Lambda2: 1e-3}, .1, 200},
}

// best returns what tracenorm finds on one machine, the rank of W, and the lambdas that it takes.
func (c traceCase) best(t *testing.T) (o solvers.Outcome, rank int, s TraceSpec) {
	t.Helper()
	l := digits(t)
	config := tracenorm.Config{Lambda1: c.Lambda1, Raw: c.Raw, Bias: c.bias, Tol: 1e-7, Epochs: 10000}
	one := fit.NewTrace(fit.Data{X: l.X, Y: l.Y}, config)
	m, o, err := one.Solve(t.Context(), vec.Matrix[float64]{}, c.Lambda2)
	check(t, err)
	s = c.TraceSpec
	if s.Lambda1 == 0 && s.Lambda2 == 0 {
		largest, err := one.LargestLambda1()
		check(t, err)
		s.Lambda1, s.Lambda2 = largest/2000, largest/20000
	}
	return o, m.Rank(), s
}

// near checks a result against tracenorm's and against J of the model. Small singular values may be left of the path
// to the optimum.
func (c traceCase) near(t *testing.T, m *linear.LowRank[float64], out solvers.Outcome) {
	t.Helper()
	one, rank, s := c.best(t)
	got, best := out.Certificate, one.Certificate
	t.Logf("%+v: rank %d, %v; tracenorm: rank %d, %v", c, m.Rank(), out, rank, best)
	if out.Status != solvers.Converged || got.RelativeGap() > 1e-3 || out.Passes > 20 || got.Dual > best.Primal ||
		got.Primal < best.Dual || got.Dual < best.Dual-1e-3*best.Primal || m.Rank() > rank+2 {
		t.Errorf("%+v: rank %d, %v, want a rank of about %d, %v", c, m.Rank(), out, rank, best)
	}
	if want := traceNorm(t, s, c.bias, m); !near(got.Primal, want, 1e-7*want) {
		t.Errorf("%+v: J = %v, want %v", c, got.Primal, want)
	}
}

// TestTrainTrace: J and D are about tracenorm's own optimum on one machine, J is the formula's, and the ranges play no
// part.
func TestTrainTrace(t *testing.T) {
	for _, c := range traceCases {
		p, path, format := smooth(t, c.bias)
		m, out, err := TrainTrace(t.Context(), driver(t), c.TraceSpec, p, TrainOptions{Sample: c.sample},
			split(t, path, format, 1797))
		check(t, err)
		c.near(t, m, out)
		other, _, err := TrainTrace(t.Context(), driver(t), c.TraceSpec, p, TrainOptions{Sample: c.sample},
			split(t, path, format, 64))
		check(t, err)
		a, err := m.Dense()
		check(t, err)
		b, err := other.Dense()
		check(t, err)
		if far := farthest(a, b); far > 1e-12 {
			t.Errorf("%+v: the weights differ by %v", c, far)
		}
	}
}

// TestTrainTraceBest: a training that ends with passes that are worse than the first one returns the first one's model.
// The pass for the mean counts.
func TestTrainTraceBest(t *testing.T) {
	p, path, format := smooth(t, 1)
	m, out, err := TrainTrace(t.Context(), driver(t), TraceSpec{}, p, TrainOptions{Sample: 200, Passes: 3},
		split(t, path, format, 1797))
	check(t, err)
	if out.Status != solvers.EpochLimit || out.ModelEpoch != 1 || out.Passes != 4 || out.Visits != 4*1797 {
		t.Errorf("%+v", out)
	}
	_, _, s := traceCase{bias: 1}.best(t)
	if got, want := out.Certificate.Primal, traceNorm(t, s, 1, m); !near(got, want, 1e-7*want) {
		t.Errorf("J = %v, want %v", got, want)
	}
}

// TestTrainTraceSparse: the same of LIBSVM text.
func TestTrainTraceSparse(t *testing.T) {
	l := digits(t)
	x, err := l.X.CSR()
	check(t, err)
	path := save(t, t.TempDir(), "rows.svm", func(w io.Writer) error {
		return dataset.WriteLIBSVM(w, &dataset.Labeled[*dataset.CSR[float64]]{X: x, Labels: l.Labels},
			dataset.LIBSVMOptions{})
	})
	for _, c := range traceCases[:2] {
		p, _, _ := smooth(t, c.bias)
		p.Labels, p.Names = "", l.Classes
		m, out, err := TrainTrace(t.Context(), driver(t), c.TraceSpec, p, TrainOptions{Sample: c.sample},
			split(t, path, Format{Kind: LIBSVM, Cols: 64}, 256))
		check(t, err)
		c.near(t, m, out)
		if !slices.Equal(m.Names(), l.Classes) {
			t.Errorf("names %q, want %q", m.Names(), l.Classes)
		}
	}
}

// meanOf returns the mean of rows.
func meanOf(x vec.Matrix[float64]) []float64 {
	mean := make([]float64, x.Cols)
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			mean[j] += v / float64(x.Rows)
		}
	}
	return mean
}

// centred returns digits less a mean, with a constant feature.
func centred(t *testing.T, mean []float64, bias float64) *dataset.Labeled[*dataset.Dense[float64]] {
	t.Helper()
	l := digits(t)
	n, d := l.X.Dims()
	cols := d
	if bias != 0 {
		cols++
	}
	x := vec.NewMatrix[float64](n, cols)
	for i := range n {
		for j, v := range l.X.Row(i) {
			x.Row(i)[j] = v - mean[j]
		}
		if bias != 0 {
			x.Row(i)[d] = bias
		}
	}
	l.X.Matrix = x
	return l
}

// traceNorm returns J of a model, by the formula.
func traceNorm(t *testing.T, s TraceSpec, bias float64, m *linear.LowRank[float64]) float64 {
	t.Helper()
	mean := meanOf(digits(t).X.Matrix)
	if s.Raw {
		clear(mean)
	}
	l := centred(t, mean, bias)
	_, d := l.X.Dims()
	u, v := m.Factors()
	w := vec.NewMatrix[float64](d, v.Rows)
	if bias != 0 {
		copy(w.Row(d-1), m.Bias())
	}
	for j := range u.Rows {
		for c := range v.Rows {
			for k, value := range u.Row(j) {
				w.Row(j)[c] += value * v.Row(c)[k]
			}
			if bias != 0 {
				w.Row(d - 1)[c] += mean[j] * w.Row(j)[c]
			}
		}
	}
	if bias != 0 {
		vec.Scale(1/bias, w.Row(d-1))
	}
	_, _, values, ok := spectral.Decompose(w)
	if !ok {
		t.Fatal("no singular values")
	}
	value, _ := softmax(l, flatten(w), v.Rows, 2*s.Lambda2)
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
	few := p
	few.Classes = 9
	rows := split(t, path, format, 300)
	for words, c := range map[string]struct {
		p ProblemSpec
		o TrainOptions
	}{
		"want one of 9": {few, TrainOptions{Sample: 20}}, "1798 of 1797": {p, TrainOptions{Sample: 1798}},
		"Passes -1": {p, TrainOptions{Passes: -1}},
	} {
		m, _, err := TrainTrace(t.Context(), driver(t), TraceSpec{}, c.p, c.o, rows)
		if m != nil || err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, want %q", err, words)
		}
	}
	for _, s := range []TraceSpec{{Lambda1: 1}, {Lambda1: -1, Lambda2: 1}, {Lambda1: math.NaN(), Lambda2: 1},
		{Lambda2: math.Inf(1)}} {
		m, _, err := TrainTrace(t.Context(), driver(t), s, p, TrainOptions{}, rows)
		if m != nil || err == nil || !strings.Contains(err.Error(), "Lambda2 > 0") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}
