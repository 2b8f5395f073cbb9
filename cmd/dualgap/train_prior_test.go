package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// TestPriorModel: few examples, of one class and some of the features, with the model of many as prior have a model of
// all classes and features; with little cost it answers as the prior does. What does not fit is an error.
func TestPriorModel(t *testing.T) {
	all := text(t, "all.svm", classesText(0))
	few := text(t, "few.svm", "3 1:1\n2 2:1 4:.5\n3 3:1 4:.2\n")
	model := func() string { return filepath.Join(t.TempDir(), "m.dg") }
	prior, scaled := model(), model()
	must(t, "train", "topk", all, prior)
	must(t, "train", "topk", "--scale", "standard", all, scaled)
	want := must(t, "predict", all, prior)
	for _, family := range []string{"topk", "m3l"} {
		path := model()
		must(t, "train", family, "--prior-model", prior, "-c", "1e-9", few, path)
		p, err := predictor.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if features, classes := p.Dims(); features != 4 || strings.Join(p.Classes(), " ") != "1 2 3" {
			t.Errorf("%s: %d features, %d classes %v", family, features, classes, p.Classes())
		}
		if got := must(t, "predict", all, path); got != want {
			t.Errorf("%s: %s, want %s", family, got, want)
		}
	}
	other, wide := text(t, "other.svm", "3 1:1\n7 2:1\n"), text(t, "wide.svm", "3 1:1\n1 9:1\n")
	for want, args := range map[string][]string{
		"1 labels that ":                        {"--prior-model", prior, other},
		"1 numbers of features beyond the 4 ":   {"--prior-model", prior, wide},
		"a model of scaled examples":            {"--prior-model", scaled, few},
		"and Bias = 0: want a constant feature": {"--prior-model", prior, "-B", "-1", few},
	} {
		code, _, stderr := command(t, append([]string{"train", "topk"}, append(args, model())...)...)
		if code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%v: code %d, %s, want %q", args, code, stderr, want)
		}
	}
}
