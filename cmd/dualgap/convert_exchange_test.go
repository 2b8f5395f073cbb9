package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// Models of every task, of classes with a scaling and of a kernel too, predict the same from ONNX and safetensors as
// they are, and as models of dualgap again.
func TestConvertExchange(t *testing.T) {
	data := text(t, "data.svm", "1 1:3\n2 1:.5 2:2\n3 3:9\n1 2:1 3:-1\n")
	scale := map[string]string{dataset.ScalingNote: "shift 1 1 1\nfactor 2 .5 2\nunit rows\n", "outcome": "certified"}
	kernel := filepath.Join(t.TempDir(), "kernel.dg")
	must(t, "train", "topk", "-q", "-t", "gaussian", "-g", ".5", "--scale", "standard", data, kernel)
	probable := filepath.Join(t.TempDir(), "probable.dg")
	must(t, "train", "topk", "-q", "--float64", data, probable)
	for name, m := range map[string]string{
		"classes": weights(t, scale, "1", "2", "3"), "kernel": kernel, "probabilities": probable,
		"sets": weights(t, map[string]string{predictor.NoteTask: predictor.Sets}, "1", "2", "3"),
		"top": weights(t, map[string]string{predictor.NoteTask: predictor.Top, "threshold": ".75",
			predictor.NotePositive: "1", predictor.NoteNegative: "2"}),
		"queries": weights(t, map[string]string{"ranks": "within queries"}),
	} {
		from := data
		if name == "top" || name == "queries" {
			from = text(t, "one.svm", "1 1:3\n2 1:.5\n1 1:-1\n")
		}
		want := must(t, "predict", "--scores", from, m)
		for _, end := range []string{".onnx", ".safetensors", ".onnx.gz"} {
			other, back := filepath.Join(t.TempDir(), name+end), filepath.Join(t.TempDir(), "back.dg")
			code, _, stderr := command(t, "convert", m, other)
			rounded := name == "probabilities" && end != ".safetensors"
			if code != 0 || strings.Contains(stderr, "rounded to 32") != rounded {
				t.Errorf("%s%s: code %d, %s", name, end, code, stderr)
			}
			must(t, "convert", other, back)
			if rounded {
				continue
			}
			for _, file := range []string{other, back} {
				if got := must(t, "predict", "--scores", from, file); got != want {
					t.Errorf("%s as %s: %q, want %q", name, file, got, want)
				}
			}
			if contents(t, back) != contents(t, m) {
				t.Errorf("%s by %s is another file", name, end)
			}
		}
	}
}

// Models that the formats have no place for, and flags that fit no format, are errors.
func TestConvertExchangeErrors(t *testing.T) {
	data := text(t, "data.svm", "1 1:3\n2 1:.5 2:2\n3 3:9\n1 2:1 3:-1\n")
	many := filepath.Join(t.TempDir(), "many.dg")
	must(t, "train", "mkl", "-q", data, many)
	for _, c := range []struct {
		code int
		args []string
		part string
	}{
		{failed, []string{many, "m.onnx"}, "many kernels"},
		{failed, []string{many, "m.safetensors"}, "many kernels"},
		{misused, []string{"--class", "a", weights(t, nil, "a", "b"), "m.onnx"}, "all classes"},
		{misused, []string{"--to", "safetensors", data, "m"}, "is no model"},
	} {
		t.Chdir(t.TempDir())
		if code, _, stderr := command(t, append([]string{"convert"}, c.args...)...); code != c.code ||
			!strings.Contains(stderr, c.part) {
			t.Errorf("%q: code %d, %s", c.args, code, stderr)
		}
	}
	told := must(t, "inspect", onnxOf(t, weights(t, nil, "a", "b")))
	if !strings.Contains(told, "from ONNX") {
		t.Error(told)
	}
}

func onnxOf(t *testing.T, m string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "m.onnx")
	must(t, "convert", m, to)
	return to
}
