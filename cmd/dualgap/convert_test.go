package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// contents returns what a file holds.
func contents(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Data go through all formats and come back as they were.
func TestConvertData(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const svm, csv = "5 1:0.1 3:-2\n-1 2:1.6777217e+07 3:1\n", "0.1,0,-2,5\n0,1.6777217e+07,1,-1\n"
	from := text(t, "a.svm", svm)
	for _, step := range [][]string{
		{from, at("a.csv")},
		{at("a.csv"), at("b.svm.gz")},
		{at("b.svm.gz"), at("c.npy"), "--float64"},
		{at("c.npy"), at("d.npy.gz"), "--float64", "--labels-to", at("d-labels.npy")},
		{at("d.npy.gz"), at("e.csv"), "--labels", at("d-labels.npy")},
		{at("e.csv"), at("f")},
	} {
		must(t, append([]string{"convert"}, step...)...)
	}
	if got := contents(t, at("a.csv")); got != csv {
		t.Errorf("CSV %q", got)
	}
	if got := contents(t, at("e.csv")); got != csv {
		t.Errorf("CSV of NPY %q", got)
	}
	if got := contents(t, at("f")); got != svm {
		t.Errorf("LIBSVM %q", got)
	}
	must(t, "convert", at("c.npy"), at("g.npy"))
	must(t, "convert", at("g.npy"), at("g.svm"))
	if got := contents(t, at("g.svm")); got != strings.Replace(strings.Replace(svm, "1.6777217", "1.6777216", 1), "0.1",
		"0.10000000149011612", 1) {
		t.Errorf("by way of float32 %q", got)
	}
	groups := text(t, "groups.csv", "ann,1,2\nbob,3,2\nann,5,2\n")
	must(t, "convert", "--group-column", "1", groups, at("groups.svm"))
	if got := contents(t, at("groups.svm")); got != "2 qid:0 1:1\n2 qid:1 1:3\n2 qid:0 1:5\n" {
		t.Errorf("groups %q", got)
	}
	must(t, "convert", "--scale", "minmax", from, at("scaled.csv")) // sparse examples are not shifted
	if got := contents(t, at("scaled.csv")); got != "1,0,-0.6666666666666666,5\n0,1,0.3333333333333333,-1\n" {
		t.Errorf("scaled %q", got)
	}
	must(t, "convert", text(t, "n.csv", "1,2\n0,3\n"), at("n.svm"), "--unlabeled")
	if got := contents(t, at("n.svm")); got != " 1:1 2:2\n 2:3\n" {
		t.Errorf("without labels %q", got)
	}
	must(t, "convert", at("n.svm"), at("n.csv"))
	if got := contents(t, at("n.csv")); got != "1,2\n0,3\n" {
		t.Errorf("without labels, again %q", got)
	}
	_, _, stderr := command(t, "convert", text(t, "t.csv", "1,red\n2,green\n"), at("t.svm"))
	if got := contents(t, at("t.svm")); got != "0 1:1\n1 1:2\n" || !strings.Contains(stderr, `label 0 is "red"`) {
		t.Errorf("texts as labels %q, %q", got, stderr)
	}
	must(t, "convert", text(t, "sets.svm", "a,b 1:1\nc 1:2\n"), at("sets.svm"), "--to", "libsvm")
	if got := contents(t, at("sets.svm")); got != "a,b 1:1\nc 1:2\n" {
		t.Errorf("sets %q", got)
	}
}

func TestConvertModel(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	// The scaling, (x - 1) 2, becomes part of the weights: scores 2x - 2.
	m := weights(t, map[string]string{dataset.ScalingNote: "shift 1 1 1\nfactor 2 2 2\n"}, "5", "-1", "7")
	must(t, "convert", m, at("m.txt"))
	const want = "solver_type MCSVM_CS\nnr_class 3\nlabel 5 -1 7\nnr_feature 3\nbias 1\nw\n2 0 0 \n0 2 0 \n0 0 2 " +
		"\n-2 -2 -2 \n"
	if got := contents(t, at("m.txt")); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	data := text(t, "data.svm", "5 1:3\n7 1:2 3:9\n-1 2:1\n")
	if a, b := must(t, "predict", data, m), must(t, "predict", data, at("m.txt")); a != b || a != "5\n7\n-1\n" {
		t.Errorf("predictions %q and %q", a, b)
	}
	must(t, "convert", at("m.txt"), at("m.dg"))
	if got := must(t, "predict", "--scores", data, at("m.dg")); !strings.HasPrefix(got, "labels 5 -1 7\n5 4 -2 -2\n") {
		t.Errorf("scores %q", got)
	}
	must(t, "convert", "--class", "7", m, at("seven.txt"))
	if got := contents(t, at("seven.txt")); !strings.Contains(got, "label 7 0\n") ||
		!strings.HasSuffix(got, "w\n0 \n0 \n2 \n-2 \n") {
		t.Errorf("%q", got)
	}
	// The threshold of a ranker becomes an offset, such that a score of 3 stays at the threshold.
	top := weights(t, map[string]string{predictor.NoteTask: predictor.Top, "threshold": "3",
		predictor.NotePositive: "8", predictor.NoteNegative: "9"})
	must(t, "convert", top, at("top.txt"))
	if got := contents(t, at("top.txt")); !strings.Contains(got, "label 8 9\n") ||
		!strings.HasSuffix(got, "w\n1 \n-2.999999761581421 \n") {
		t.Errorf("%q", got)
	}
	ranked := text(t, "ranked.svm", "8 1:3\n9 1:2.9999995\n")
	if got := must(t, "predict", ranked, at("top.txt")); got != "8\n9\n" {
		t.Errorf("at the threshold and below: %q", got)
	}
}

// A kernelized model of two classes predicts the same as LIBSVM's text.
func TestConvertKernel(t *testing.T) {
	dir := t.TempDir()
	data := text(t, "data.svm", "1 1:1 2:.5\n2 1:-1 2:.25\n1 1:.5\n2 2:-.5\n2 1:-2\n")
	m, svm, back := filepath.Join(dir, "m.dg"), filepath.Join(dir, "m.txt"), filepath.Join(dir, "back.dg")
	must(t, "train", "topk", "-q", "-t", "gaussian", "-g", ".5", data, m)
	must(t, "convert", m, svm)
	must(t, "convert", svm, back)
	a := must(t, "predict", data, m)
	for _, other := range []string{svm, back} {
		if labels := must(t, "predict", data, other); labels != a {
			t.Errorf("%s predicts %q, want %q", other, labels, a)
		}
	}
}

// A machine with one score by a kernel is LIBSVM's text and back: the same classes, the same scores and measures.
func TestConvertKernelOneScore(t *testing.T) {
	data, dir := noisyRows(t, "7", "-3"), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, positive := range []string{"7", "-3"} {
		must(t, "train", "svm", "-q", "--force", "--header", "no", "--float64", "-t", "gaussian", "-g", ".5",
			"--offset", "--positive", positive, data, at("m.dg"))
		must(t, "convert", "--force", at("m.dg"), at("m.txt"))
		must(t, "convert", "--force", at("m.txt"), at("back.dg"))
		for _, other := range []string{"m.txt", "back.dg"} {
			for _, args := range [][]string{{"predict", "--header", "no"},
				{"evaluate", "--confusion", "--header", "no"}} {
				if got, want := must(t, append(args, data, at(other))...),
					must(t, append(args, data, at("m.dg"))...); got != want {
					t.Errorf("%s, %s %s: %q, want %q", positive, args[0], other, got, want)
				}
			}
			p, err := predictor.Open(at(other))
			if err != nil {
				t.Fatal(err)
			}
			q, err := predictor.Open(at("m.dg"))
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range [][]float64{{1, 0}, {0, 2}, {-.5, .25}} {
				a, err := p.Predict(row)
				b, err2 := q.Predict(row)
				if err != nil || err2 != nil {
					t.Fatal(err, err2)
				}
				if math.Abs(a.Scores[1]-b.Scores[1]) > 1e-12 || a.Scores[0] != -a.Scores[1] {
					t.Errorf("%s, %s of %v: scores %v, want %v", positive, other, row, a.Scores, b.Scores)
				}
			}
		}
	}
}

func TestConvertErrors(t *testing.T) {
	data, m := text(t, "data.csv", "1,0,a\n"), weights(t, nil, "a", "b", "c")
	unit := weights(t, map[string]string{dataset.ScalingNote: "unit rows\n"}, "a", "b", "c")
	sets := weights(t, map[string]string{predictor.NoteTask: predictor.Sets}, "a", "b", "c")
	for _, c := range []struct {
		code  int
		to    string
		args  []string
		parts []string
	}{
		{failed, "a.csv", []string{"/no/such/file"}, []string{"/no/such/file"}},
		{failed, "a.npy", []string{data}, []string{"data.csv", "labels a are no numbers"}},
		{failed, "a.csv", []string{text(t, "sets.svm", "1,2 1:1\n")}, []string{"sets.svm", "label sets"}},
		{misused, "a", []string{"--to", "npy", text(t, "n.svm", "1 1:1\n")}, []string{"--labels-to"}},
		{misused, "a.dg", []string{"--to", "liblinear", data}, []string{"data.csv is no model"}},
		{misused, "a.svm", []string{"--class", "a", data}, []string{"data.csv is no model"}},
		{misused, "b.dg", []string{m}, []string{"model.dg", "--to"}},
		{misused, "b.csv", []string{"--to", "csv", m}, []string{"model.dg is a model"}},
		{failed, "b.txt", []string{"--to", "libsvm", m}, []string{"model.dg", "--to liblinear"}},
		{failed, "b.txt", []string{unit}, []string{"model.dg", "norm 1"}},
		{misused, "b.txt", []string{"--class", "z", m}, []string{"--class z", "a, b, c"}},
		{misused, "b.txt", []string{sets}, []string{"--class", "3 classes"}},
		{failed, "folder/b.txt", []string{m}, []string{"folder/b.txt"}},
	} {
		to := filepath.Join(t.TempDir(), c.to)
		code, stdout, stderr := command(t, append(append([]string{"convert"}, c.args...), to)...)
		if code != c.code {
			t.Errorf("%q: code %d, want %d: %s%s", c.args, code, c.code, stdout, stderr)
		}
		for _, part := range c.parts {
			if !strings.Contains(stderr, part) {
				t.Errorf("%q: %s, without %q", c.args, stderr, part)
			}
		}
		if all, _ := os.ReadDir(filepath.Dir(to)); len(all) > 0 {
			t.Errorf("%q: left %v", c.args, all)
		}
	}
}
