package main

import (
	"fmt"
	"strings"
	"testing"
)

// Hints say what may be wrong, on standard error, and -q is silent.
func TestHints(t *testing.T) {
	var numbers, classes strings.Builder
	for i := range 22 {
		fmt.Fprintf(&numbers, "%v 1:%d\n", float64(i)*1.37, i)
		fmt.Fprintf(&classes, "%v 1:%d\n", i/2, i)
	}
	model := text(t, "m.dg", "")
	sets := text(t, "sets.svm", "1,2 1:1\n2 2:1\n1 1:1 2:1\n")
	zeroOne := text(t, "a.csv", "1,0\n0,1\n1,1\n")
	signs := text(t, "b.csv", "1,-1\n-1,1\n1,1\n")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"22 examples of 22 classes", []string{"train", "topk", text(t, "n.svm", numbers.String()), model}},
		{"", []string{"train", "topk", "-q", text(t, "n.svm", numbers.String()), model}},
		{"", []string{"train", "topk", text(t, "c.svm", classes.String()), model}},
		{"a.csv: all attributes are 0 or 1", []string{"train", "m3l", "--attributes", zeroOne, sets, model}},
		{"", []string{"train", "m3l", "--attributes", signs, sets, model}},
	} {
		code, _, stderr := command(t, append(c.args, "--epochs=1000")...)
		if found := strings.Contains(stderr, "hint:"); found != (c.want != "") || !strings.Contains(stderr, c.want) ||
			code != 0 && code != notConverged {
			t.Errorf("%v: code %d, %q, want %q", c.args, code, stderr, c.want)
		}
	}
}

// Errors of readers speak of flags.
func TestWords(t *testing.T) {
	for _, c := range []struct{ text, flag, want string }{
		{"1 0:1\n2 1:1\n", "--features=3", "flag --zero-based"},
		{"1\n2\n", "--seed=1", "flag --features"},
		{"1 1:1\n2 1:1\n", "--max-rows=-2", "--max-rows -2"},
	} {
		code, _, stderr := command(t, "train", "topk", c.flag, text(t, "x.svm", c.text), text(t, "m.dg", ""))
		if code == 0 || !strings.Contains(stderr, c.want) || strings.Contains(stderr, "option") ||
			strings.Contains(stderr, "dataset:") {
			t.Errorf("%q: code %d, %q, want %q", c.text, code, stderr, c.want)
		}
	}
}

// An outcome far from its tolerance names the flag of 64 bits, unless it was trained in these.
func TestEnded(t *testing.T) {
	x := text(t, "x.svm", "1 1:1 2:3\n2 1:2 2:1\n1 1:3 2:3\n2 1:1 2:2\n")
	for flag, want := range map[string]string{"--float32": "scale them or take --float64; ",
		"--float64": "scale them; "} {
		code, stdout, stderr := command(t, "train", "topk", flag, "-c", "1e4", "--epochs", "1", x, text(t, "m.dg", ""))
		if code != notConverged || !strings.Contains(stdout, want) {
			t.Errorf("%s: code %d, %q, %q, want %q", flag, code, stdout, stderr, want)
		}
	}
}
