package beam

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/x/beam/internal/fit"
)

// TestGrid: the points are the ones of Path, to the bit, models too, and a chain that fails once changes nothing.
func TestGrid(t *testing.T) {
	p, path, format := smooth(t, 1)
	p.K, p.Workers = 2, 1
	l, models := digits(t), t.TempDir()
	lambdas := []float64{1e-1, 1e-2}
	want, err := fit.Path(t.Context(), fit.Data{X: l.X, Y: l.Y}, topk.Config{Loss: topk.TopKEntropy, K: 2, Bias: 1,
		Seed: 7, Workers: 1}, topk.PathConfig{Lambdas: lambdas, CrossValidation: solvers.CrossValidation{Folds: 3}})
	check(t, err)
	now := once(2)
	failWith(t, func(operation, name string) error {
		if operation == "rename" && strings.Contains(name, "fold-") && now() {
			return errOnce
		}
		return nil
	})
	d := driver(t)
	d.Dir = scheme + d.Dir
	got, err := Grid(t.Context(), d, GridSpec{Lambdas: lambdas, Folds: 3, Seed: 7, Models: models}, p,
		split(t, path, format, 500))
	check(t, err)
	if len(got) != len(want) {
		t.Fatalf("%d points, want %d", len(got), len(want))
	}
	for k, w := range want {
		g := got[k]
		b, err := os.ReadFile(filepath.Join(models, files(t, models)[k]))
		check(t, err)
		if g.Lambda != w.Lambda || g.Outcome != w.Outcome || g.Order != w.Validation.Order ||
			!bytes.Equal(b, w.Model) || len(g.Measures) != 2 {
			t.Errorf("point %d: %+v, want %+v", k, g, w)
		}
		for i, m := range g.Measures {
			o := w.Validation.Measures[i]
			if m.Mean != o.Mean || m.Spread != o.Spread || !slices.Equal(m.Folds, o.Folds) {
				t.Errorf("point %d: %+v, want %+v", k, m, o)
			}
		}
	}
	if _, err := Grid(t.Context(), driver(t), GridSpec{}, p, split(t, path, format, 500)); err == nil {
		t.Error("no parts: no error")
	}
}

// TestTrainLabels: groups of labels have the certificate of all labels at once, and scores like theirs.
func TestTrainLabels(t *testing.T) {
	l, dir := digits(t), t.TempDir()
	x, err := l.X.CSR()
	check(t, err)
	x = x.Window(0, 600)
	sets := make([][]int, x.Rows)
	for i, c := range l.Y[:x.Rows] { // of a digit: its number, whether it is even, whether it is small
		sets[i] = []int{c}
		if c%2 == 0 {
			sets[i] = append(sets[i], 10)
		}
		if c < 5 {
			sets[i] = append(sets[i], 11)
		}
	}
	path := save(t, dir, "rows.csr", func(w io.Writer) error {
		for from := 0; from < x.Rows; from += 256 {
			to := min(from+256, x.Rows)
			b := dataset.CSRBlock[float64]{First: from, X: x.Window(from, to), Sets: sets[from:to]}
			if _, err := b.WriteTo(w); err != nil {
				return err
			}
		}
		return nil
	})
	whole, err := fit.Labels(t.Context(), fit.Data{X: x, Sets: sets}, m3l.Config{Labels: 12, Tol: 1e-10, Epochs: 5000})
	check(t, err)
	rows := split(t, path, Format{Kind: CSR, Type: "f8", Cols: x.Cols, Sets: true}, 100)
	if len(rows) != 3 {
		t.Fatalf("%d blocks, want 3", len(rows))
	}
	p := ProblemSpec{N: int64(x.Rows), Features: x.Cols, Classes: 12}
	for _, groups := range []int{1, 5} {
		m, c, err := TrainLabels(t.Context(), driver(t), LabelsSpec{Groups: groups, Tol: 1e-10, Epochs: 5000}, p, rows)
		check(t, err)
		want := whole.Outcome.Certificate
		if !near(c.Primal, want.Primal, 1e-9*want.Primal) || !near(c.Dual, want.Dual, 1e-9*want.Primal) {
			t.Errorf("%d groups: %v, want %v", groups, c, want)
		}
		for k, v := range m.Weights().Data {
			if !near(v, whole.W.Data[k], 1e-4) {
				t.Fatalf("%d groups: weight %d is %v, want %v", groups, k, v, whole.W.Data[k])
			}
		}
	}
	if _, _, err := TrainLabels(t.Context(), driver(t), LabelsSpec{Groups: 13}, p, rows); err == nil {
		t.Error("13 groups of 12 labels: no error")
	}
}
