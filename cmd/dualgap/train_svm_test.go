package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// Two classes by one score: predicted by name, evaluated, converted to LIBLINEAR's text and back.
func TestTrainSVM(t *testing.T) {
	var data strings.Builder
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 60 {
		fmt.Fprintf(&data, "%s,%v,%v\n", []string{"ham", "spam"}[i%2], float64(i%2)*2+rng.NormFloat64()/4,
			rng.NormFloat64())
	}
	train, dir := text(t, "d.csv", data.String()), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, "train", "svm", "--label-column", "1", train, at("m.dg"))
	if got := must(t, "predict", "-q", train, at("m.dg")); !strings.HasPrefix(got, "ham\nspam\nham\n") {
		t.Errorf("%.40q", got)
	}
	for _, want := range []string{"accuracy     1.00000", "mean recall  1.00000"} {
		if got := must(t, "evaluate", train, at("m.dg")); !strings.Contains(got, want) {
			t.Errorf("%s, want %q", got, want)
		}
	}
	if got := must(t, "inspect", at("m.dg")); !strings.Contains(got, "spam, where the score is above 0; else ham") {
		t.Error(got)
	}
	must(t, "convert", "--to", "liblinear", at("m.dg"), at("m.txt"))
	if got := contents(t, at("m.txt")); !strings.HasPrefix(got,
		"solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 0\n") {
		t.Errorf("%.80q", got)
	}
	must(t, "train", "svm", "--positive", "ham", "-t", "gaussian", "--label-column", "1", train, at("k.dg"))
	if got := must(t, "predict", "-q", train, at("k.dg")); !strings.HasPrefix(got, "ham\nspam\nham\n") {
		t.Errorf("%.40q", got)
	}
	if code, _, stderr := command(t, "train", "svm", text(t, "three.svm", "1 1:1\n2 1:2\n3 1:3\n"),
		at("x.dg")); code == 0 || !strings.Contains(stderr, "3 classes, want two") {
		t.Error(code, stderr)
	}
}

// Numbers: predicted, measured, chosen by cross-validation, converted both ways.
func TestTrainRegress(t *testing.T) {
	var data strings.Builder
	rng := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		x, z := rng.NormFloat64(), rng.NormFloat64()
		fmt.Fprintf(&data, "%v 1:%v 2:%v\n", x-z/2+.5, x, z)
	}
	train, dir := text(t, "d.svm", data.String()), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	got := must(t, "train", "regress", "-c", "10", "-p", ".01", train, at("m.dg"))
	if !strings.Contains(got, " examples, 2 features, read in ") { // a number is no class
		t.Error(got)
	}
	got = must(t, "evaluate", train, at("m.dg"))
	if !strings.Contains(got, "mean absolute error  0.0") || !strings.Contains(got, "R²                   0.99") {
		t.Error(got)
	}
	predicted := must(t, "predict", "-q", train, at("m.dg"))
	if strings.Count(predicted, "\n") != 60 {
		t.Errorf("%.40q", predicted)
	}
	if got := must(t, "predict", "-q", "--json", train, at("m.dg")); !strings.HasPrefix(got,
		`{"label":null,"labels":[],"score":`) {
		t.Errorf("%.60q", got)
	}
	if got := must(t, "predict", "-q", "--csv", train, at("m.dg")); got != "label\n"+predicted {
		t.Errorf("%.60q", got)
	}
	must(t, "convert", "--to", "liblinear", at("m.dg"), at("m.txt"))
	if got := must(t, "evaluate", train, at("m.txt")); !strings.Contains(got, "R²                   0.99") {
		t.Error(got)
	}
	must(t, "train", "regress", "-t", "gaussian", "-c", "10", train, at("k.dg"))
	must(t, "convert", "--to", "libsvm", at("k.dg"), at("k.txt"))
	if a, b := must(t, "evaluate", train, at("k.dg")), must(t, "evaluate", train, at("k.txt")); a != b {
		t.Errorf("%s, of LIBSVM's text %s", a, b)
	}
	if got := must(t, "train", "regress", "-cv", "3", "--grid-c", ".1,1", "--grid-p", ".1,1", train,
		at("cv.dg")); !strings.Contains(got, "mean squared error") {
		t.Error(got)
	}
	if code, _, stderr := command(t, "train", "regress", text(t, "names.csv", "1,a\n2,b\n"),
		at("x.dg")); code == 0 || !strings.Contains(stderr, "labels that are no numbers") {
		t.Error(code, stderr)
	}
}
