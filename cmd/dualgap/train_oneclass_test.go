package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// TestOneClass: examples without labels do, what is far is outside, LIBSVM's text goes both ways with the same answers.
func TestOneClass(t *testing.T) {
	dir := t.TempDir()
	model, back := filepath.Join(dir, "m.dg"), filepath.Join(dir, "back.dg")
	bare := text(t, "bare.csv", "3,3\n3,4\n4,3\n4,4\n3.5,3.5\n")
	must(t, "train", "oneclass", "-n", ".1", "-t", "gaussian", "-g", ".5", "--unlabeled", "--float64", bare, model)
	known := text(t, "known.svm", "1 1:3.4 2:3.6\n-1 1:9 2:9\n1 1:-9 2:1\n")
	first := func(got string) string { // words of the lines
		var words []string
		for line := range strings.Lines(got) {
			word, _, _ := strings.Cut(line, " ")
			words = append(words, word)
		}
		return strings.Join(words, " ")
	}
	if got := must(t, "predict", known, model); first(got) != "1 -1 -1" {
		t.Errorf("predictions %q", got)
	}
	if got := must(t, "inspect", model); !strings.Contains(got, "1, where the score is at least 0; else -1") ||
		!strings.Contains(got, "which examples are inside") {
		t.Errorf("inspect: %q", got)
	}
	libsvm := filepath.Join(dir, "m.libsvm")
	must(t, "convert", "--to", "libsvm", model, libsvm)
	must(t, "convert", "--to", "dualgap", libsvm, back)
	for _, m := range []string{libsvm, back} {
		if got := must(t, "predict", known, m); first(got) != "1 -1 -1" {
			t.Errorf("%s: predictions %q", m, got)
		}
	}
	if got := must(t, "train", "oneclass", "-v", "2", "--unlabeled", bare); !strings.Contains(got, "Outside") {
		t.Errorf("-v: %q", got)
	}
}

// TestOneClassLinear: without a kernel the text is LIBLINEAR's, with the same answers, of the example that is on the
// border, too.
func TestOneClassLinear(t *testing.T) {
	dir := t.TempDir()
	model, written := filepath.Join(dir, "m.dg"), filepath.Join(dir, "m.txt")
	data := text(t, "data.svm", "1 1:3 2:1\n1 1:1 2:2\n1 1:4 2:4\n1 1:2 2:.5\n-1 1:-1 2:-1\n-1 1:.1 2:.2\n")
	for _, numbers := range []string{"--float64", "--float32"} {
		must(t, "train", "oneclass", "-q", "-n", ".5", numbers, "--force", data, model)
		must(t, "convert", "--force", model, written)
		if got := contents(t, written); !strings.HasPrefix(got, "solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 2\n"+
			"bias -1\nrho ") {
			t.Errorf("%q", got)
		}
		want := must(t, "predict", data, model)
		if got := must(t, "predict", data, written); !sameAnswers(got, want) || !strings.Contains(want, "-1") {
			t.Errorf("%s: %q, want %q", numbers, got, want)
		}
	}
	if code, _, stderr := command(t, "convert", "--class", "1", model, written); code != misused ||
		!strings.Contains(stderr, "a model of one class has one output") {
		t.Errorf("code %d, %s", code, stderr)
	}
}

// TestOneClassThreshold: calibrate moves the border of a model of one class, and texts keep it.
func TestOneClassThreshold(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	data := text(t, "data.svm", "1 1:3 2:1\n1 1:1 2:2\n1 1:4 2:4\n1 1:2 2:.5\n-1 1:-1 2:-1\n-1 1:.1 2:.2\n")
	for _, kernel := range []string{"linear", "gaussian"} {
		must(t, "train", "oneclass", "-q", "-n", ".75", "-t", kernel, "--force", data, at("m.dg"))
		before := must(t, "predict", data, at("m.dg"))
		must(t, "calibrate", "-q", "--threshold", "recall=1", "--force", data, at("m.dg"), at("cut.dg"))
		want := must(t, "predict", data, at("cut.dg"))
		if sameAnswers(want, before) || !strings.HasPrefix(want, "1 ") {
			t.Errorf("%s: %q, and before %q", kernel, want, before)
		}
		const least = 2 // its score is the threshold
		for _, name := range []string{"cut.onnx", "cut.safetensors", "cut.txt"} {
			must(t, "convert", "--force", at("cut.dg"), at(name))
			got := must(t, "predict", data, at(name))
			if name == "cut.txt" && kernel == "gaussian" { // of other roundings: all but the example on the border
				got, want = without(got, least), without(want, least)
			}
			if !sameAnswers(got, want) {
				t.Errorf("%s, %s: %q, want %q", kernel, name, got, want)
			}
		}
	}
}

// TestOneClassZero: of centred features the optimum without a kernel is 0, which the advice speaks of, of either
// precision; with a kernel, and where they are not centred, there is a model.
func TestOneClassZero(t *testing.T) {
	rng, model := rand.New(rand.NewPCG(5, 6)), filepath.Join(t.TempDir(), "m.dg")
	var centred, away strings.Builder
	for range 60 {
		x, y := rng.NormFloat64(), rng.NormFloat64()
		for _, sign := range []float64{1, -1} {
			fmt.Fprintf(&centred, "%v,%v\n", sign*x, sign*y)
			fmt.Fprintf(&away, "%v,%v\n", sign*x+9, sign*y)
		}
	}
	zero, other := text(t, "zero.csv", centred.String()), text(t, "away.csv", away.String())
	for _, precision := range []string{"--float32", "--float64"} {
		args := []string{"train", "oneclass", "--unlabeled", "--header", "no", "--force", precision}
		code, stdout, stderr := command(t, append(args, zero, model)...)
		if code != notConverged || !strings.Contains(stderr, "-t gaussian, features that are not centred") ||
			!strings.Contains(stdout, "0 is the optimum up to rounding") ||
			strings.Contains(stdout+stderr, "scale them") || strings.Contains(stderr, "--float64") {
			t.Errorf("%s: code %d, %q, %q", precision, code, stdout, stderr)
		}
		must(t, append(args, "-t", "gaussian", zero, model)...)
		must(t, append(args, other, model)...)
	}
}

// TestCalibrateOneOutput: calibrate fits Platt's sigmoid where a model has one score, a temperature where it has more.
func TestCalibrateOneOutput(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	data := noisyRows(t, "1", "-1")
	for _, c := range []struct{ train, data, want string }{
		{"oneclass -t gaussian", data, "sigmoid"},
		{"toprank", data, "sigmoid"},
		{"svm", data, "sigmoid"},
		{"topk", noisyRows(t, "1", "2", "3"), "softmax"},
	} {
		must(t, append(append([]string{"train"}, strings.Fields(c.train)...), "-q", "--force", "--header", "no", c.data,
			at("m.dg"))...)
		said := must(t, "calibrate", "--force", "--header", "no", c.data, at("m.dg"), at("sure.dg"))
		p, err := predictor.Open(at("sure.dg"))
		if err != nil {
			t.Fatal(err)
		}
		platt := strings.Contains(said, "Platt")
		if found := p.Calibration(); found == nil || found.Link.String() != c.want || platt != (c.want == "sigmoid") {
			t.Errorf("%s: %v, %q, want %s", c.train, found, said, c.want)
		}
	}
}

// without returns a text without one of its lines.
func without(text string, line int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(append(lines[:line:line], lines[line+1:]...), "")
}
