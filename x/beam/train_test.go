package beam

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/x/beam/internal/fit"
)

// smooth returns a problem with a smooth loss on digits, its file and its format.
func smooth(t *testing.T, bias float64) (ProblemSpec, string, Format) {
	t.Helper()
	l, dir := digits(t), t.TempDir()
	p := ProblemSpec{Loss: "topk-entropy", Lambda: 1e-3, N: int64(l.X.Rows), Features: l.X.Cols, Classes: 10,
		Bias: bias, Labels: classes(t, dir, l.Y)}
	return p, raw(t, dir, "rows.f8", l.X.Data), Format{Kind: Raw, Type: "f8", Cols: l.X.Cols}
}

// farthest returns the largest difference of two models' weights, relative to the largest weight.
func farthest(a, b *linear.Model[float64]) (most float64) {
	size := 0.0
	for k, v := range a.Weights().Data {
		size, most = max(size, math.Abs(v)), max(most, math.Abs(v-b.Weights().Data[k]))
	}
	return most / size
}

// TestTrain: a certified gap in few passes, the same weights for any ranges, what one machine finds, and what an audit
// finds of the result.
func TestTrain(t *testing.T) {
	for _, bias := range []float64{0, 1} {
		p, path, format := smooth(t, bias)
		var first *linear.Model[float64]
		for _, rows := range []int{1797, 225, 100, 18} {
			found := split(t, path, format, rows)
			m, out, err := Train(t.Context(), driver(t), p, TrainOptions{Sample: 400}, found)
			check(t, err)
			if out.Status != solvers.Converged || out.Certificate.RelativeGap() > 1e-3 || out.Passes > 15 {
				t.Errorf("%d rows: %v", rows, out)
			}
			if first == nil {
				first = m
				audited(t, p, found, m, out)
			}
			if far := farthest(first, m); far != 0 {
				t.Errorf("%d rows: the weights differ by %v", rows, far)
			}
		}
	}
}

// audited compares a result with an audit of it and with a training on one machine.
func audited(t *testing.T, p ProblemSpec, rows []Rows, m *linear.Model[float64], out solvers.Outcome) {
	t.Helper()
	c, _, err := Audit(t.Context(), driver(t), p, modelFile(t, t.TempDir(), "model", m), rows)
	check(t, err)
	l := digits(t)
	r, err := fit.Fit(t.Context(), fit.Data{X: l.X, Y: l.Y}, topk.Config{Loss: topk.TopKEntropy, Lambda: p.Lambda,
		Bias: p.Bias, Tol: 1e-8})
	check(t, err)
	best := r.Outcome.Certificate
	if !near(c.Primal, out.Certificate.Primal, 1e-12*c.Primal) || c.Dual > best.Primal ||
		out.Certificate.Dual > best.Primal || out.Certificate.Primal < best.Dual {
		t.Errorf("trained: %v, audited: %v, on one machine: %v", out.Certificate, c, best)
	}
}

// TestTrainLosses: other smooth losses.
func TestTrainLosses(t *testing.T) {
	for _, c := range []ProblemSpec{
		{Loss: "topk-entropy", K: 2}, {Loss: "topk-hinge", Smoothing: .5}, {Loss: "topk-usunier", K: 2, Smoothing: .5},
	} {
		p, path, format := smooth(t, 0)
		p.Loss, p.K, p.Smoothing, p.Lambda = c.Loss, c.K, c.Smoothing, 1e-2
		last := 0
		_, out, err := Train(t.Context(), driver(t), p, TrainOptions{Sample: 600, Progress: func(now TrainProgress) {
			last = now.Pass
		}}, split(t, path, format, 300))
		check(t, err)
		if out.Status != solvers.Converged || float64(last) != out.Passes {
			t.Errorf("%v: %v after %d passes", p.Loss, out, last)
		}
	}
}

// TestTrainHinge: a plain hinge has a certificate of its own, which bounds the optimum.
func TestTrainHinge(t *testing.T) {
	p, path, format := smooth(t, 0)
	p.Loss, p.K, p.Lambda = "topk-hinge", 2, 1e-2
	_, out, err := Train(t.Context(), driver(t), p, TrainOptions{Sample: 900, Tol: 2e-2}, split(t, path, format, 512))
	check(t, err)
	l := digits(t)
	r, err := fit.Fit(t.Context(), fit.Data{X: l.X, Y: l.Y}, topk.Config{Loss: topk.TopKHinge, K: 2, Lambda: p.Lambda})
	check(t, err)
	best := r.Outcome.Certificate
	if out.Status != solvers.Converged || out.Certificate.Dual > best.Primal || out.Certificate.Primal < best.Dual {
		t.Errorf("trained: %v, on one machine: %v", out, best)
	}
}

// TestTrainFaults: steps that fail once change no bit.
func TestTrainFaults(t *testing.T) {
	p, path, format := smooth(t, 0)
	rows := split(t, scheme+path, format, 300)
	run := func() *linear.Model[float64] {
		d := driver(t)
		d.Dir = scheme + d.Dir
		m, _, err := Train(t.Context(), d, p, TrainOptions{Sample: 400}, rows)
		check(t, err)
		return m
	}
	want := run()
	for _, c := range []struct {
		operation, part string
		number          int32
	}{{"open", "rows.f8", 20}, {"open", ".npy", 2}, {"rename", "result", 3}} {
		now, failed := once(c.number), false
		failWith(t, func(operation, name string) error {
			if operation == c.operation && strings.Contains(name, c.part) && now() {
				failed = true
				return errOnce
			}
			return nil
		})
		if far := farthest(want, run()); far != 0 || !failed {
			t.Errorf("%+v: the weights differ by %v, failed: %v", c, far, failed)
		}
	}
}

// TestTrainRefused: what is no smooth problem is an error.
func TestTrainRefused(t *testing.T) {
	p, path, format := smooth(t, 0)
	rows := split(t, path, format, 300)
	hinge, duals := p, p
	hinge.Loss, duals.Duals = "multilabel-hinge", "duals"
	for words, c := range map[string]struct {
		p ProblemSpec
		o TrainOptions
	}{
		"is for sets": {hinge, TrainOptions{}}, "of the caller": {duals, TrainOptions{}},
		"1798 of 1797": {p, TrainOptions{Sample: 1798}}, "Passes -1": {p, TrainOptions{Passes: -1}},
	} {
		_, _, err := Train(t.Context(), driver(t), c.p, c.o, rows)
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, want %q", err, words)
		}
	}
}

// TestDrawn: a sample has a row of each part of the rows, whatever their number.
func TestDrawn(t *testing.T) {
	for _, n := range []int64{1, 7, 1797, math.MaxInt64 / 2} {
		for _, size := range []int{1, 5, 1000} {
			if int64(size) > n {
				continue
			}
			for k, id := range drawn(n, size, 3) {
				from, share := float64(n)/float64(size)*float64(k), float64(n)/float64(size)
				if float64(id) < from-1-1e-9*float64(n) || float64(id) > from+share+1e-9*float64(n) || id >= n {
					t.Fatalf("row %d of %d is the sample's %d of %d", id, n, k, size)
				}
			}
		}
	}
}

// TestBound: the bound of many passes is the best of a fine search over their mixtures, and it never falls, also where
// few are kept.
func TestBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int{2, 3, 20} {
		b, last := bound{lambda: .5, most: most}, math.Inf(-1)
		var all []*Sums
		for range 6 {
			s := &Sums{Terms: rng.NormFloat64(), V: vec.NewMatrix[float64](2, 2)}
			for k := range s.V.Data {
				s.V.Data[k] = rng.NormFloat64()
			}
			all = append(all, s)
			b.mix(s)
			if b.value < last || len(b.passes) > most {
				t.Errorf("%d kept, %v after %v", len(b.passes), b.value, last)
			}
			last = b.value
			low, high := searched(all, .5)
			if b.value > high+1e-12 || most == 20 && b.value < low-1e-12 {
				t.Errorf("most %d, %d passes: %v, want %v to %v", most, len(all), b.value, low, high)
			}
		}
	}
}

// searched returns two numbers that the best bound of mixtures lies between, by steps towards the pass that gains most
// (Frank and Wolfe).
func searched(all []*Sums, lambda float64) (low, high float64) {
	terms, v := all[0].Terms, slices.Clone(all[0].V.Data)
	for k := range 100000 {
		best, most := 0, math.Inf(-1)
		for i, s := range all {
			if gain := s.Terms - vec.Dot(s.V.Data, v); gain > most {
				best, most = i, gain
			}
		}
		low = lambda * (terms - vec.Dot(v, v)/2)
		high = low + lambda*(most-(terms-vec.Dot(v, v)))
		t := 2 / float64(k+3)
		terms += t * (all[best].Terms - terms)
		for j := range v {
			v[j] += t * (all[best].V.Data[j] - v[j])
		}
	}
	return low, high
}
