package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// TestWidths: the gammas are 2 over the medians of the squared distances of pairs and of nearest neighbours, and the
// geometric mean of the two, dense and sparse, wherever the examples lie; copies of examples do not count.
func TestWidths(t *testing.T) {
	at := []float64{0, 0, 1, 3, 7} // pairs: 1, 1, 4, 9, 9, 16, 36, 49, 49; neighbours: 1, 1, 1, 4, 16
	line := func(shift float64) *dataset.Dense[float64] {
		x := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](len(at), 2)}
		for i, v := range at {
			x.Row(i)[0] = v + shift
		}
		return x
	}
	sparse, err := line(0).CSR()
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{2. / 9, 2. / 3, 2}
	for what, x := range map[string]design.Matrix[float64]{
		"dense": line(0), "sparse": sparse, "far": line(1 << 20),
	} {
		got := widths(x)
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*b }) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	same := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](4, 3)}
	if got := widths(same); !slices.Equal(got, []float64{gammaOf[float64](same)}) {
		t.Errorf("equal examples: %v, want the one gamma %v", got, gammaOf[float64](same))
	}
	huge := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](2, 1)}
	huge.Row(1)[0] = 1e-30 // its gamma is beyond float32
	if got := widths(huge); !slices.Equal(got, []float64{gammaOf[float32](huge)}) {
		t.Errorf("examples too close: %v, want the one gamma %v", got, gammaOf[float32](huge))
	}
}

// TestGaussians: by default mkl trains three Gaussian kernels, whose names are arguments that train the same model.
func TestGaussians(t *testing.T) {
	dir := t.TempDir()
	first, again := filepath.Join(dir, "first.dg"), filepath.Join(dir, "again.dg")
	e, err := data.Open[float32](radar(t), data.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	words := spelled[float32]([]string{"linear", gaussians}, e.X)
	if len(words) != 4 || words[0] != "linear" {
		t.Fatalf("kernels %v, want linear and three Gaussians", words)
	}
	about := must(t, "train", "mkl", radar(t), first)
	for _, word := range words[1:] {
		if !strings.Contains(about, fmt.Sprintf("  %s\n", word)) {
			t.Errorf("no %q in\n%s", word, about)
		}
	}
	must(t, "train", "mkl", "--kernels", strings.Join(words[1:], ","), radar(t), again)
	same(t, first, again)
}
