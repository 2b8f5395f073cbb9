package solvers_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/l1"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/solvers/topk"
)

// TestLarger: every problem that LIBLINEAR solves has a relative gap of 1e-6 at most on documents, in float64. Classes
// are whether a document has the most frequent label, or how many labels it has, as targets are.
func TestLarger(t *testing.T) {
	folder := os.Getenv("DUALGAP_DATA")
	if folder == "" || testing.Short() {
		t.Skip("needs DUALGAP_DATA, and is long")
	}
	for _, name := range []string{"rcv1sub1", "tmc2007-500-train"} {
		d, err := dataset.OpenLIBSVM[float64](filepath.Join(folder, name+".mlsvm.gz"),
			dataset.LIBSVMOptions{Sets: true})
		if err != nil {
			t.Fatal(err)
		}
		n, often := d.X.Rows, map[int]int{}
		for _, set := range d.Sets {
			for _, l := range set {
				often[l]++
			}
		}
		frequent := 0
		for l, count := range often {
			if count > often[frequent] || count == often[frequent] && l < frequent {
				frequent = l
			}
		}
		two, some, targets := make([]int, n), make([]int, n), make([]float64, n)
		for i, set := range d.Sets {
			targets[i] = float64(len(set))
			some[i] = min(len(set), 5)
			for _, l := range set {
				if l == frequent {
					two[i] = 1
				}
			}
		}
		is := func(solver string, o solvers.Outcome, err error) {
			t.Helper()
			if t.Logf("%s, %s: %v", name, solver, o); err != nil || !(o.Certificate.RelativeGap() <= 1e-6) {
				t.Errorf("%s, %s: %v, %v", name, solver, o, err)
			}
		}
		const tol, passes = 1e-6, 1 << 20
		for solver, c := range map[string]svm.Config{
			"-s 0, 7": {Loss: svm.Logistic}, "-s 1, 2": {Loss: svm.SquaredHinge}, "-s 3": {Loss: svm.Hinge},
			"-s 11, 12": {Loss: svm.SquaredInsensitive, Epsilon: .1}, "-s 13": {Loss: svm.Insensitive, Epsilon: .1},
			"-s 21": {Nu: .1},
		} {
			p := svm.Problem[float64]{X: d.X}
			switch c.C, c.Tol, c.Epochs = 1, tol, passes; {
			case c.Nu > 0:
				p.OneClass, c.C = true, 0
			case c.Epsilon > 0:
				p.Targets = targets
			default:
				p.Y = two
			}
			r, err := p.Fit(context.Background(), c)
			if err != nil {
				t.Fatal(solver, err)
			}
			is(solver, r.Outcome, err)
		}
		for _, loss := range []l1.Loss{l1.SquaredHinge, l1.Logistic} {
			r, err := l1.Fit(context.Background(), d.X, two, l1.Config{C: 1, Loss: loss, Tol: tol, Epochs: passes})
			if err != nil {
				t.Fatal(err)
			}
			is(fmt.Sprintf("-s %d", 5+int(loss)), r.Outcome, err)
		}
		if d.X.Cols < n { // thousands of passes
			continue
		}
		c := topk.Config{K: 1, Lambda: 1 / float64(n), Tol: tol, Epochs: passes}
		r, err := topk.Fit(context.Background(), d.X, some, c)
		if err != nil {
			t.Fatal(err)
		}
		is("-s 4", r.Outcome, err)
	}
}
