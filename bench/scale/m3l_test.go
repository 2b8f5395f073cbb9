package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
)

// TestM3L: small problems train, tell of each epoch and of the certificate, and are drawn and compared.
func TestM3L(t *testing.T) {
	file := filepath.Join(t.TempDir(), "scale.svg")
	var out strings.Builder
	args := strings.Fields("m3l -n 300,600 -d 8 -labels 5 -c 0.1 -tol 0.05 -draw " + file)
	if err := run(context.Background(), args, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"n=300 d=8 labels=5 C=0.1", "n=600", "epoch 1:", "estimated", "certified",
		"converged", "s in all", "relative"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if svg, err := os.ReadFile(file); err != nil || !strings.Contains(string(svg), "<path") {
		t.Errorf("drew %q, %v", svg, err)
	}
}

func TestM3LCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := run(ctx, strings.Fields("m3l -n 300 -d 8 -labels 5"), &strings.Builder{}); !errors.Is(
		err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestTeach: labels are as frequent as promised, ascend and begin anew with each block, and a linear model learns them:
// it makes less than half of the mistakes of no labels at all, but some, for there is noise.
func TestTeach(t *testing.T) {
	const n, d, labels = 3000, 20, 10
	x, sets := teach(n, d, labels, .3)
	count := make([]int, labels)
	for i, set := range sets {
		for k, l := range set {
			count[l]++
			if k > 0 && l <= set[k-1] {
				t.Fatalf("labels %v of example %d", set, i)
			}
		}
	}
	if count[0] < n/300 || count[0] > n/50 || count[labels-1] < n/5 || count[labels-1] > n/2 {
		t.Errorf("labels are had by %v of %d examples", count, n)
	}
	r, err := m3l.Fit(context.Background(), x, sets, m3l.Config{C: 1, Labels: labels, Tol: .05})
	if err != nil {
		t.Fatal(err)
	}
	predicted, err := solvers.LabelSets[float32](r, x, 1)
	if err != nil {
		t.Fatal(err)
	}
	loss, err := metrics.HammingLoss(predicted, sets, labels)
	if err != nil {
		t.Fatal(err)
	}
	none, err := metrics.HammingLoss(make([][]int, n), sets, labels)
	if err != nil {
		t.Fatal(err)
	}
	if loss > none/2 || loss < .01 {
		t.Errorf("Hamming loss %g, of no labels %g", loss, none)
	}
	t.Logf("Hamming loss %g, of no labels %g; counts %v", loss, none, count)
}
