package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// bits returns the width of the numbers of a model.
func bits(t *testing.T, model string) int {
	t.Helper()
	p, err := predictor.Open(model)
	if err != nil {
		t.Fatal(err)
	}
	return p.Bits()
}

// TestPrecision: features of large numbers are trained in float64, those that are scaled in float32; the flags win, and
// so does a file that cannot be read twice. What is chosen has the bits of the flag.
func TestPrecision(t *testing.T) {
	raw, small := thousands(t, 1), thousands(t, 1e-3)
	model := func() string { return filepath.Join(t.TempDir(), "m.dg") }
	for _, c := range []struct {
		args, file string
		bits       int
	}{
		{"topk", raw, 64}, {"m3l", raw, 64}, {"topk --float32", raw, 32}, {"m3l --float32", raw, 32},
		{"topk --scale standard", raw, 32}, {"m3l --scale unit", raw, 32}, {"topk -c 1e-4", raw, 32},
		{"topk --lambda 1000", raw, 32}, {"topk -t gaussian", raw, 32}, {"tracenorm", raw, 32}, {"toprank", raw, 32},
		{"topk", small, 32}, {"m3l", small, 32}, {"topk --float64", small, 64}, {"topk -c 1e6", small, 64},
		{"topk -cv 2", small, 32}, {"topk -cv 2 --grid-c .1,1", raw, 64}, {"m3l -cv 2 --grid-c 1e-4", raw, 32},
	} {
		path := model()
		code, stdout, stderr := command(t, append(strings.Fields("train "+c.args+" -e .5 --epochs 20"), c.file,
			path)...)
		if code != 0 && code != notConverged {
			t.Errorf("%s: code %d, %s", c.args, code, stderr)
			continue
		}
		told := strings.Contains(stdout, "it is trained in 64 (--float32 if not)")
		if got := bits(t, path); got != c.bits || told != (c.bits == 64 && !strings.Contains(c.args, "--float64")) {
			t.Errorf("%s: %d bits, want %d; %s", c.args, got, c.bits, stdout)
		}
		if n := strings.Count(stdout, "read in"); n != 1 {
			t.Errorf("%s: told %d times what was read", c.args, n)
		}
	}

	chosen, named := model(), model()
	command(t, "train", "topk", "--epochs=20", raw, chosen)
	command(t, "train", "topk", "--epochs=20", "--float64", raw, named)
	if a, b := read(t, chosen), read(t, named); a != b || a == "" {
		t.Error("the model in 64 bits that are chosen is another than by the flag")
	}
	if code, _, stderr := command(t, "train", "topk", "--float64", "--float32", raw, chosen); code != misused ||
		!strings.Contains(stderr, "want one of them") {
		t.Errorf("both flags: code %d, %s", code, stderr)
	}

	in, err := os.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer func(was *os.File) { os.Stdin = was }(os.Stdin)
	os.Stdin = in
	_, _, stderr := command(t, "train", "topk", "--epochs=20", "-", named)
	if !strings.Contains(stderr, "hint: ") || !strings.Contains(stderr, "--float64") || bits(t, named) != 32 {
		t.Errorf("standard input: %d bits, %s", bits(t, named), stderr)
	}
}

// thousands is a LIBSVM file of 200 examples of two classes whose two features are up to a thousand times the factor.
func thousands(t *testing.T, factor float64) string {
	var s strings.Builder
	for i := range 200 {
		fmt.Fprintf(&s, "%d 1:%g 2:%g\n", i%2, factor*float64(1000-i), factor*float64(500+5*i%97*(i%2)))
	}
	return text(t, "x.svm", s.String())
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestRounding: the estimate is its formula, of sparse examples too.
func TestRounding(t *testing.T) {
	x := &dataset.Dense[float32]{Matrix: vec.MatrixOf(4, 2, []float32{3, 4, 0, 0, 6, 8, 0, 5})}
	sparse, err := x.CSR()
	if err != nil {
		t.Fatal(err)
	}
	// Squared norms 25, 0, 100, 25 have the mean 37.5, and the constant feature adds 4; all of it is exact.
	want := 0x1p-24 * 41.5 * 10 * 2
	if a, b := rounding[float32](x, 2, 10), rounding[float32](sparse, 2, 10); a != want || b != want {
		t.Errorf("%v and %v of sparse examples, want %v", a, b, want)
	}
	if v := rounding[float32](x, 0, math.Inf(1)); !math.IsInf(v, 1) {
		t.Errorf("%v of an infinite cost", v)
	}
}
