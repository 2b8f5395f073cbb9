package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/models"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// weights is the file of a linear model whose outputs are the features, of which there are as many as names, or one.
func weights(t *testing.T, notes map[string]string, names ...string) string {
	t.Helper()
	m := max(1, len(names))
	w := vec.NewMatrix[float32](m, m)
	for j := range m {
		w.Row(j)[j] = 1
	}
	own, err := linear.New(w, nil, names)
	if err != nil {
		t.Fatal(err)
	}
	return written(t, "model.dg", func(to io.Writer) error { _, err := own.WithNotes(notes).WriteTo(to); return err })
}

func TestPredict(t *testing.T) {
	softmax := map[string]string{"solver": "tracenorm"}
	sets := map[string]string{models.NoteTask: models.Sets}
	top := map[string]string{models.NoteTask: models.Top, "threshold": "1", models.NotePositive: "spam", models.NoteNegative: "ham"}
	scaled := map[string]string{dataset.ScalingNote: "shift 0 0 9\nfactor 1 1 1\n"}
	for name, c := range map[string]struct {
		model string
		data  string
		args  string
		want  string
		says  string
	}{
		"classes":     {weights(t, nil, "a", "b", "c"), "1 1:1\n1 2:.5 3:2\n", "", "a\nc\n", "data.svm: 2 labels"},
		"right":       {weights(t, nil, "5", "-1", "7"), "+5 1:1\n7 2:1\n-1.0 2:2 9:1\n", "", "5\n-1\n-1\n", "1 nonzeros in columns beyond the model's features are left out\nAccuracy = 66.67% (2/3)\n"},
		"unlabelled":  {weights(t, nil, "5", "-1", "7"), "1:1\n2:1\n", "", "5\n-1\n", ""},
		"quiet":       {weights(t, nil, "5", "-1", "7"), "5 1:1\n", "-q", "5\n", ""},
		"best":        {weights(t, nil, "5", "-1", "7"), "5 1:1 3:2\n", "-q -k 2", "7 5\n", ""},
		"scores":      {weights(t, nil, "5", "-1", "7"), "5 1:1 3:.1\n", "-q --scores", "labels 5 -1 7\n5 1 0 0.1\n", ""},
		"probable":    {weights(t, softmax, "5", "-1"), "5 1:1 2:1\n", "-q -b", "labels 5 -1\n5 0.5 0.5\n", ""},
		"sets":        {weights(t, sets, "x", "y", "z"), "x,z 1:1 3:1\ny 1:-1\ny 2:1\n", "", "x,z\n\ny\n", "Hamming loss = 0.11111, sets without a fault = 66.67% (2/3)\n"},
		"ranks":       {weights(t, top), "1 1:1\n0 1:.5\n", "-q", "spam 1\nham 0.5\n", ""},
		"right above": {weights(t, top), "spam,1 1:1\n0 1:.5\nspam,1 1:.5\n", "--multi-label", "spam 1\nham 0.5\nham 0.5\n", "Accuracy = 66.67% (2/3)\n"},
		"one of sets": {weights(t, nil, "5", "6"), "5,6 1:1\n6 1:1\n", "", "5\n5\n", "First guess among the labels = 50% (1/2)\n"},
		"scaled":      {weights(t, scaled, "5", "-1", "7"), "5 1:1\n7 3:11\n", "", "5\n7\n", "Accuracy = 100% (2/2)\n"},
	} {
		data := text(t, "data.svm", c.data)
		args := append([]string{"predict", data, c.model}, strings.Fields(c.args)...)
		code, stdout, stderr := command(t, args...)
		if code != 0 || stdout != c.want || !strings.Contains(stderr, c.says) || c.says == "" && stderr != "" {
			t.Errorf("%s: code %d, %q, %q; want %q, %q", name, code, stdout, stderr, c.want, c.says)
		}
		to := filepath.Join(t.TempDir(), "predictions")
		code, stdout, stderr = command(t, append(args, to)...)
		if b, err := os.ReadFile(to); code != 0 || err != nil || string(b) != c.want || !strings.Contains(stdout+stderr, last(c.says)) {
			t.Errorf("%s to a file: code %d, %q (%v), %q, %q", name, code, b, err, stdout, stderr)
		}
	}
}

// last is the last line of a text.
func last(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return lines[len(lines)-1]
}

// What goes wrong is told with file, line and value, by the exit code that the kind of error has, and leaves no output.
func TestPredictErrors(t *testing.T) {
	good, m := text(t, "good.svm", "5 1:1\n"), weights(t, nil, "5", "-1")
	top := weights(t, map[string]string{models.NoteTask: models.Top, "threshold": "1"})
	for _, c := range []struct {
		code  int
		args  []string
		parts []string
	}{
		{failed, []string{"predict", "/no/such/file", m}, []string{"/no/such/file"}},
		{failed, []string{"predict", good, "/no/such/file"}, []string{"/no/such/file"}},
		{failed, []string{"predict", good, good}, []string{"good.svm", "no model"}},
		{failed, []string{"predict", text(t, "bad.svm", "5 1:1\n5 1:y\n"), m}, []string{"bad.svm:2:5", `"y"`}},
		{failed, []string{"predict", text(t, "bad.csv", "1,2,3,4\n"), m}, []string{"bad.csv:1:7", "4 columns", "2 features"}},
		{failed, []string{"predict", "-b", good, m}, []string{"model.dg", "no probabilities", "tracenorm"}},
		{failed, []string{"predict", "-b", good, top}, []string{"model.dg", "no probabilities"}},
		{misused, []string{"predict", "-k", "3", good, m}, []string{"-k 3", "2"}},
		{misused, []string{"predict", "-k", "1", good, top}, []string{"-k 1"}},
		{misused, []string{"predict", "--best=-1", good, m}, []string{"-k -1: need 1 at least"}},
		{misused, []string{"predict", "-k", "1", "-b", good, m}, []string{"need one"}},
		{misused, []string{"predict", "-", "-"}, []string{"standard input"}},
		{misused, []string{"predict", "--workers=-2", good, m}, []string{"--workers -2: need 1 at least"}},
		{failed, []string{"predict", good, text(t, "m.dg", "dualgap\n")}, []string{"m.dg", "corrupt"}},
	} {
		to := filepath.Join(t.TempDir(), "predictions")
		code, stdout, stderr := command(t, append(c.args, to)...)
		if code != c.code {
			t.Errorf("%q: code %d, want %d: %s", c.args, code, c.code, stderr)
		}
		for _, part := range c.parts {
			if !strings.Contains(stderr, part) {
				t.Errorf("%q: %s%s, without %q", c.args, stdout, stderr, part)
			}
		}
		if _, err := os.Stat(to); err == nil {
			t.Errorf("%q: there are predictions", c.args)
		}
	}
}

// A context that ends, ends the command.
func TestPredictEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, err bytes.Buffer
	if code := run(ctx, []string{"predict", text(t, "a", "5 1:1\n"), weights(t, nil, "5", "-1")}, &out, &err); code == 0 || out.Len() > 0 {
		t.Errorf("code %d, %q, %q", code, out.String(), err.String())
	}
}
