package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/predictor"
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
	sets := map[string]string{predictor.NoteTask: predictor.Sets}
	top := map[string]string{predictor.NoteTask: predictor.Top, "threshold": "1", predictor.NotePositive: "spam",
		predictor.NoteNegative: "ham"}
	scaled := map[string]string{dataset.ScalingNote: "shift 0 0 9\nfactor 1 1 1\n"}
	for name, c := range map[string]struct {
		model string
		data  string
		args  string
		want  string
		says  string
	}{
		"classes": {weights(t, nil, "a", "b", "c"), "1 1:1\n1 2:.5 3:2\n", "", "a\nc\n", "data.svm: 2 labels"},
		"right": {weights(t, nil, "5", "-1", "7"), "+5 1:1\n7 2:1\n-1.0 2:2 9:1\n", "", "5\n-1\n-1\n",
			"1 nonzeros in columns beyond the model's features are left out\nAccuracy = 66.67% (2/3)\n"},
		"unlabelled": {weights(t, nil, "5", "-1", "7"), "1:1\n2:1\n", "", "5\n-1\n", ""},
		"quiet":      {weights(t, nil, "5", "-1", "7"), "5 1:1\n", "-q", "5\n", ""},
		"best":       {weights(t, nil, "5", "-1", "7"), "5 1:1 3:2\n", "-q -k 2", "7 5\n", ""},
		"scores": {weights(t, nil, "5", "-1", "7"), "5 1:1 3:.1\n", "-q --scores", "labels 5 -1 7\n5 1 0 0.1\n",
			""},
		"probable": {weights(t, softmax, "5", "-1"), "5 1:1 2:1\n", "-q -b", "labels 5 -1\n5 0.5 0.5\n", ""},
		"sets": {weights(t, sets, "x", "y", "z"), "x,z 1:1 3:1\ny 1:-1\ny 2:1\n", "", "x,z\n\ny\n",
			"Hamming loss = 0.11111, sets without a fault = 66.67% (2/3)\n"},
		"ranks": {weights(t, top), "1 1:1\n0 1:.5\n", "-q", "spam 1\nham 0.5\n", ""},
		"right above": {weights(t, top), "spam,1 1:1\n0 1:.5\nspam,1 1:.5\n", "--multi-label",
			"spam 1\nham 0.5\nham 0.5\n", "Accuracy = 66.67% (2/3)\n"},
		"one of sets": {weights(t, nil, "5", "6"), "5,6 1:1\n6 1:1\n", "", "5\n5\n",
			"First guess among the labels = 50% (1/2)\n"},
		"json": {weights(t, softmax, "5", "-1"), "5 1:1 2:1\n", "-q --json -k 1 -b --scores",
			`{"label":"5","labels":["5"],"scores":{"5":1},"probabilities":{"5":0.5}}` + "\n", ""},
		"csv": {weights(t, nil, "5", "a, b"), "5 1:1 2:2\n", "-q --csv --scores",
			"label,score_5,\"score_a, b\"\n\"a, b\",1,2\n", ""},
		"blanks": {weights(t, nil, "5", "a b"), "5 1:1 2:2\n", "-q --scores", "labels 5 \"a b\"\n\"a b\" 1 2\n",
			""},
		"many sides": {weights(t, map[string]string{"threshold": "1", predictor.NotePositive: "3,8"}),
			"3 1:1\n1 1:.5\n8 1:1\n-1 1:1\n", "", "3,8 1\n!3,8 0.5\n3,8 1\n3,8 1\n", "Accuracy = 75% (3/4)"},
		"scaled": {weights(t, scaled, "5", "-1", "7"), "5 1:1\n7 3:11\n", "", "5\n7\n", "Accuracy = 100% (2/2)\n"},
	} {
		data := text(t, "data.svm", c.data)
		args := append([]string{"predict", data, c.model}, strings.Fields(c.args)...)
		code, stdout, stderr := command(t, args...)
		if code != 0 || stdout != c.want || !strings.Contains(stderr, c.says) || c.says == "" && stderr != "" {
			t.Errorf("%s: code %d, %q, %q; want %q, %q", name, code, stdout, stderr, c.want, c.says)
		}
		to := filepath.Join(t.TempDir(), "predictions")
		code, stdout, stderr = command(t, append(args, to)...)
		if b, err := os.ReadFile(to); code != 0 || err != nil || string(b) != c.want ||
			!strings.Contains(stdout+stderr, last(c.says)) {
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
	top := weights(t, map[string]string{predictor.NoteTask: predictor.Top, "threshold": "1"})
	for _, c := range []struct {
		code  int
		args  []string
		parts []string
	}{
		{failed, []string{"predict", "/no/such/file", m}, []string{"/no/such/file"}},
		{failed, []string{"predict", good, "/no/such/file"}, []string{"/no/such/file"}},
		{failed, []string{"predict", good, good}, []string{"good.svm", "no model"}},
		{failed, []string{"predict", text(t, "bad.svm", "5 1:1\n5 1:y\n"), m}, []string{"bad.svm:2:5", `"y"`}},
		{failed, []string{"predict", text(t, "bad.csv", "1,2,3,4\n"), m}, []string{"bad.csv:1:7", "4 columns",
			"2 features"}},
		{failed, []string{"predict", "-b", good, m}, []string{"model.dg", "no probabilities", "tracenorm"}},
		{failed, []string{"predict", "-b", good, top}, []string{"model.dg", "no probabilities"}},
		{misused, []string{"predict", "-k", "3", good, m}, []string{"-k 3", "2"}},
		{misused, []string{"predict", "-k", "1", good, top}, []string{"-k 1"}},
		{misused, []string{"predict", "--best=-1", good, m}, []string{"-k -1: want 1 at least"}},
		{misused, []string{"predict", "-k", "1", "-b", good, m}, []string{"want one"}},
		{misused, []string{"predict", "--json", "--csv", good, m}, []string{"--json and --csv"}},
		{misused, []string{"predict", "--json", "-k", "3", good, m}, []string{"-k 3", "2"}},
		{failed, []string{"predict", "--csv", "-b", good, m}, []string{"model.dg", "no probabilities"}},
		{misused, []string{"predict", "-", "-"}, []string{"standard input"}},
		{misused, []string{"predict", "--workers=-2", good, m}, []string{"--workers -2: want 1 at least"}},
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
	if code := run(ctx, []string{"predict", text(t, "a", "5 1:1\n"), weights(t, nil, "5", "-1")}, &out,
		&err); code == 0 || out.Len() > 0 {
		t.Errorf("code %d, %q, %q", code, out.String(), err.String())
	}
}

// TestPredictNames: names of classes with blanks, commas and quotes come from a CSV file through training to
// predictions.
func TestPredictNames(t *testing.T) {
	train := text(t, "train.csv", "x,kind\n0,\"a, b\"\n.1,\"a, b\"\n1,\"say \"\"c\"\"\"\n1.2,d\n1.1,d\n")
	dir := t.TempDir()
	m := filepath.Join(dir, "m.dg")
	for args, want := range map[string]string{
		"train topk":                               `{"label":"a, b","labels":["a, b"]}`,
		`train toprank --positive a\,\ b,d`:        `{"label":null,"labels":["a, b","d"],"positive":true,`,
		`train toprank -c 100 --positive d`:        `{"label":null,"labels":[],"positive":false,`,
		`train toprank -c 11 --positive a,\ b`:     `{"label":"a, b","labels":["a, b"],"positive":true,`,
		`train toprank -c 10 --positive a\,\ b`:    `{"label":"a, b","labels":["a, b"],"positive":true,`,
		`train toprank -c 9 --positive d,say\ "c"`: `{"label":"a, b","labels":["a, b"],"positive":false,`,
	} {
		words := strings.Fields(strings.ReplaceAll(args, `\ `, "\x00"))
		for k := range words {
			words[k] = strings.ReplaceAll(words[k], "\x00", " ")
		}
		if code, stdout, stderr := command(t, append(words, "-q", train, m)...); code != 0 && code != notConverged {
			t.Fatalf("%s: code %d, %s%s", args, code, stdout, stderr)
		}
		out := must(t, "predict", "-q", "--json", train, m)
		if !strings.HasPrefix(out, want) {
			t.Errorf("%s: %s, want %s", args, out, want)
		}
	}
}

// TestPredictBlocks: of LIBSVM text that is read in blocks an error counts examples from the beginning of the file.
func TestPredictBlocks(t *testing.T) {
	const block = 1 << 19 // examples of one number each
	data := text(t, "long.svm", strings.Repeat("5 1:1\n", block+3)+"5 1:2\n")
	for _, c := range []struct {
		weight  float32
		scaling string
		want    string
	}{
		{3e38, "factor 1", "long.svm: example 524292: a score is +Inf, want a finite number\n"},
		{1, "factor 2e+38", "long.svm: example 524292: scaled as the training data were: column 0: scaled value is"},
	} {
		m, err := linear.New(vec.MatrixOf(1, 2, []float32{c.weight, 1}), nil, []string{"5", "6"})
		if err != nil {
			t.Fatal(err)
		}
		m = m.WithNotes(map[string]string{dataset.ScalingNote: c.scaling})
		model := written(t, "model.dg", func(w io.Writer) error { _, err := m.WriteTo(w); return err })
		for _, args := range [][]string{{"predict", "-q", data, model, filepath.Join(t.TempDir(), "answers.txt")},
			{"evaluate", data, model}} {
			if code, _, stderr := command(t, args...); code == 0 || !strings.Contains(stderr, c.want) {
				t.Errorf("%+v, %s: exit code %d, %q", c, args[0], code, stderr)
			}
		}
	}
}
