package beam

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/x/beam/internal/fit"
)

// fitted is a training whose weights and dual variables are in files.
type fitted struct {
	problem ProblemSpec
	data    *dataset.Labeled[*dataset.Dense[float64]]
	result  fit.Solution
	w       Asset
	path    string
	format  Format
}

func train(t *testing.T, spec ProblemSpec, l topk.Loss, bias float64) *fitted {
	t.Helper()
	a := &fitted{data: digits(t), problem: spec}
	n, d := a.data.X.Dims()
	r, err := fit.Fit(t.Context(), fit.Data{X: a.data.X, Y: a.data.Y}, topk.Config{Loss: l, K: spec.K,
		Smoothing: spec.Smoothing, Lambda: spec.Lambda, Bias: bias, Tol: 5e-2, Workers: 1})
	check(t, err)
	a.result = r
	dir := t.TempDir()
	a.path, a.format = raw(t, dir, "rows.f8", a.data.X.Data), Format{Kind: Raw, Type: "f8", Cols: d}
	a.w = asset(t, raw(t, dir, "model", r.Model))
	a.problem.N, a.problem.Features, a.problem.Classes, a.problem.Bias = int64(n), d, 10, bias
	a.problem.Labels = classes(t, dir, a.data.Y)
	a.problem.Duals = raw(t, dir, "duals.f8", flatten(r.Duals))
	return a
}

var hinge = ProblemSpec{Loss: "topk-hinge", K: 3, Lambda: 1e-3}

// TestAuditDuals: P and D of a Fit's weights and dual variables are the ones of its certificate, whatever the ranges.
func TestAuditDuals(t *testing.T) {
	for _, c := range []struct {
		spec ProblemSpec
		loss topk.Loss
		bias float64
	}{
		{hinge, topk.TopKHinge, 0},
		{ProblemSpec{Loss: "topk-usunier", K: 2, Smoothing: .5, Lambda: 1e-3}, topk.TopKUsunier, .5},
		{ProblemSpec{Loss: "topk-entropy", Lambda: 1e-2}, topk.TopKEntropy, 1},
	} {
		a := train(t, c.spec, c.loss, c.bias)
		want, sum := a.result.Outcome.Certificate, uint64(0)
		for _, rows := range []int{100, 333, 1000, 5000} {
			got, report, err := Audit(t.Context(), driver(t), a.problem, a.w, split(t, a.path, a.format, rows))
			check(t, err)
			if eps := 1e-12 * want.Primal; !near(got.Primal, want.Primal, eps) || !near(got.Dual, want.Dual, eps) {
				t.Errorf("%s by %d rows: %v, want %v", c.spec.Loss, rows, got, want)
			}
			if sum == 0 {
				sum = report.Check
			}
			if report.Rows != a.problem.N || report.Check != sum || report.Moved != 0 {
				t.Errorf("%s by %d rows: %+v, want the checksum %d", c.spec.Loss, rows, report, sum)
			}
		}
	}
}

// TestAuditNamed: the dual variables that a softmax W names leave the gap |gradient|²/(2 Lambda).
func TestAuditNamed(t *testing.T) {
	a := train(t, ProblemSpec{Loss: "topk-entropy", Lambda: 1e-2}, topk.TopKEntropy, 0)
	a.problem.Duals = ""
	got, _, err := Audit(t.Context(), driver(t), a.problem, a.w, split(t, a.path, a.format, 400))
	check(t, err)
	primal, gradient := softmax(a.data, a.result.W.Data, 10, a.problem.Lambda)
	norm := 0.0
	for _, v := range gradient {
		norm += v * v
	}
	want := norm / (2 * a.problem.Lambda)
	if !near(got.Primal, primal, 1e-12*primal) || !near(got.Gap(), want, 1e-9*primal) || want < 1e-5 {
		t.Errorf("%v, gap %v, want P %v and the gap %v", got, got.Gap(), primal, want)
	}
}

// softmax returns P and its gradient, by the formulas.
func softmax(l *dataset.Labeled[*dataset.Dense[float64]], w []float64, m int, lambda float64) (float64, []float64) {
	n, d := l.X.Dims()
	primal, gradient := 0.0, make([]float64, len(w))
	for j, v := range w {
		primal += lambda / 2 * v * v
		gradient[j] = lambda * v
	}
	for i := range n {
		x, s := l.X.Row(i), make([]float64, m)
		for j := range d {
			for c := range m {
				s[c] += x[j] * w[j*m+c]
			}
		}
		sum := 0.0
		for c := range m {
			sum += math.Exp(s[c])
		}
		primal += (math.Log(sum) - s[l.Y[i]]) / float64(n)
		for c := range m {
			p := math.Exp(s[c]) / sum
			if c == l.Y[i] {
				p--
			}
			for j := range d {
				gradient[j*m+c] += x[j] * p / float64(n)
			}
		}
	}
	return primal, gradient
}

// TestAuditRows: rows that are missing or were counted twice are errors, and so are dual variables that are no numbers;
// those outside the domain are moved, counted, and bound the optimum.
func TestAuditRows(t *testing.T) {
	a := train(t, hinge, topk.TopKHinge, 0)
	rows := split(t, a.path, a.format, 100)
	audit := func(p ProblemSpec, rows []Rows) (Report, error) {
		c, r, err := Audit(t.Context(), driver(t), p, a.w, rows)
		if err == nil && c.Dual > a.result.Outcome.Certificate.Primal {
			t.Errorf("a dual value %v above P = %v", c.Dual, a.result.Outcome.Certificate.Primal)
		}
		return r, err
	}
	refused := func(what string, p ProblemSpec, rows []Rows, words string) {
		t.Helper()
		if _, err := audit(p, rows); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v, want %q", what, err, words)
		}
	}
	refused("one range less", a.problem, rows[1:], "want N = 1797")
	twice := append([]Rows{rows[1]}, rows[1:]...)
	refused("one for another", a.problem, twice, "not each of them once")
	p := a.problem
	p.Duals = raw(t, t.TempDir(), "duals.f8", append([]float64{math.NaN()}, flatten(a.result.Duals)[1:]...))
	refused("NaN", p, rows, "row 0, class 0")

	duals := flatten(a.result.Duals)
	for i := range 7 {
		duals[100*i*10] += 3
	}
	p.Duals = raw(t, t.TempDir(), "duals.f8", duals)
	r, err := audit(p, rows)
	check(t, err)
	if r.Moved != 7 {
		t.Errorf("%d rows were moved, want 7", r.Moved)
	}
	check(t, os.Truncate(p.Duals, 1000))
	refused("a short file", p, rows, "has 1000 bytes, want 143760")
}
