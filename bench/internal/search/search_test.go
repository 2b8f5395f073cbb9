package search

import (
	"context"
	"errors"
	"regexp"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/dataset/samples"
)

// What is shown holds: a proof finds all, more candidates and more lists find more, and more bytes read less.
func TestMeasure(t *testing.T) {
	train, test := samples.FashionMNIST[float32]()
	x, q := train.X.Matrix.Slice(0, 600, 0, 784), test.X.Matrix.Slice(0, 30, 0, 784)
	var out results.Set
	called := 0
	measure := func(ctx context.Context, filter string) error {
		return Measure(ctx, x, q, regexp.MustCompile(filter), new(progress.Bar), &out,
			func([]results.Line) error { called++; return nil })
	}
	if err := measure(context.Background(), "none of them"); err != nil || called != 0 || out.Lines != nil {
		t.Fatal(err, called)
	}
	if err := measure(context.Background(), "PCA|=98"); err != nil || called != 1 {
		t.Fatal(err, called)
	}
	if n := len(out.Where(Base, "way", Exact)); n != 1 {
		t.Errorf("%d exact searches", n)
	}
	proofs := out.Where(Base, "way", Proof)
	for _, l := range proofs {
		if l.Value(Recall) != 100 || !(l.Value(Read) < 600) || !(l.Value(results.Seconds) > 0) {
			t.Errorf("%s: %v", l.Name(), l.Values)
		}
	}
	pca := out.Where(Base, "code", "PCA, 4 bits", "way", Proof)
	if len(proofs) != 7 || len(pca) != 5 || !(pca[4].Value(Read) < pca[0].Value(Read)/2) {
		t.Errorf("%d proofs, of PCA %v", len(proofs), pca)
	}
	for _, way := range []string{Candidates, Lists} {
		lines := out.Where(Base, "code", "PCA, 4 bits", "bytes", Shown, "way", way)
		for i := 1; i < len(lines); i++ {
			if lines[i].Value(Recall) < lines[i-1].Value(Recall) {
				t.Errorf("%s finds less: %v", lines[i].Name(), lines[i].Values)
			}
		}
		if n := len(lines); n < 5 || lines[n-1].Value(Recall) < 95 {
			t.Errorf("%s: %v", way, lines)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := measure(ctx, "product"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
