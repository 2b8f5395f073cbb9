package main

import (
	"path/filepath"
	"strings"
	"testing"
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
	if got := must(t, "inspect", model); !strings.Contains(got, "1, where the score is at least 0; else -1") {
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
