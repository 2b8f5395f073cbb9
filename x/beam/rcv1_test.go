package beam

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
)

// rcv1 writes the 6000 documents of the first subset of RCV1, each with the first of its labels, as blocks of CSR.
func rcv1(t *testing.T) (path string, p ProblemSpec) {
	t.Helper()
	dir := os.Getenv("DUALGAP_DATA")
	if dir == "" || testing.Short() {
		t.Skip("needs DUALGAP_DATA, and is long")
	}
	name := filepath.Join(dir, "rcv1sub1.mlsvm.gz")
	if _, err := os.Stat(name); err != nil {
		t.Skip("no RCV1: ", err)
	}
	l, err := dataset.OpenLIBSVM[float64](name, dataset.LIBSVMOptions{Cols: 47236, Sets: true})
	check(t, err)
	y := make([]int, l.X.Rows)
	for i, set := range l.Sets {
		if len(set) == 0 {
			t.Fatalf("document %d has no label", i)
		}
		y[i] = set[0]
	}
	path = save(t, t.TempDir(), "rows.csr", func(to io.Writer) error {
		for from := 0; from < l.X.Rows; from += 1024 {
			end := min(l.X.Rows, from+1024)
			b := dataset.CSRBlock[float64]{X: l.X.Window(from, end), Y: y[from:end], First: from}
			if _, err := b.WriteTo(to); err != nil {
				return err
			}
		}
		return nil
	})
	n := float64(l.X.Rows)
	return path, ProblemSpec{Loss: "topk-entropy", Lambda: 1 / n, N: int64(n), Features: 47236, Classes: len(l.Classes)}
}

// TestTrainRCV1: a certified gap of 1e-3 of the softmax loss, C = 1, in at most 10 passes, with a sample of a third of
// the documents.
func TestTrainRCV1(t *testing.T) {
	path, p := rcv1(t)
	rows := split(t, path, Format{Kind: CSR, Type: "f8", Cols: p.Features}, 1024)
	start := time.Now()
	_, out, err := Train(t.Context(), driver(t), p, TrainOptions{Sample: 2000, Progress: func(now TrainProgress) {
		t.Logf("%+v, %v", now, time.Since(start))
	}}, rows)
	check(t, err)
	t.Logf("%d classes, %d blocks: %v, %v", p.Classes, len(rows), out, time.Since(start))
	if out.Status != solvers.Converged || out.Certificate.RelativeGap() > 1e-3 || out.Passes > 10 {
		t.Error(out)
	}
}
