package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset/samples"
)

// wines is a CSV file of every eighth red wine. columns are the names of its columns, of which "quality" is the label;
// a name that is no measure has the number of the example.
func wines(t *testing.T, name string, header bool, columns ...string) string {
	t.Helper()
	wine := samples.RedWine[float64]()
	at := map[string]int{}
	for j, measure := range measures {
		at[measure] = j
	}
	return written(t, name, func(f io.Writer) error {
		w := csv.NewWriter(f)
		if header {
			w.Write(columns)
		}
		for i := 0; i < wine.X.Rows; i += 8 {
			var record []string
			for _, c := range columns {
				j, known := at[c]
				switch {
				case c == "quality" || c == "note":
					record = append(record, wine.Classes[wine.Y[i]])
				case known:
					record = append(record, fmt.Sprint(wine.X.At(i, j)))
				default:
					record = append(record, fmt.Sprint(i/8))
				}
			}
			w.Write(record)
		}
		w.Flush()
		return w.Error()
	})
}

// measures are the names of the features of a wine.
var measures = []string{
	"fixed acidity", "volatile acidity", "citric acid", "residual sugar", "chlorides", "free sulfur dioxide",
	"total sulfur dioxide", "density", "pH", "sulphates", "alcohol, % vol",
}

// TestColumnsByName: the same examples in other columns have the same predictions, without labels too; what is left out
// is told, what is missing is an error.
func TestColumnsByName(t *testing.T) {
	columns := append(append([]string{}, measures...), "quality")
	model := filepath.Join(t.TempDir(), "m.dg")
	train := wines(t, "train.csv", true, columns...)
	must(t, "train", "topk", "-q", "--scale", "standard", "--test", train, train, model)
	want := must(t, "predict", "-q", train, model)
	if strings.Count(want, "\n") != 200 || strings.Count(want, "\n") == strings.Count(want, "5\n") {
		t.Fatalf("predictions %q", want)
	}
	turned := []string{"quality", "", "day"}
	for j := range measures {
		turned = append(turned, measures[len(measures)-1-j])
	}
	for name, c := range map[string]struct {
		file     string
		accuracy bool
		told     string
	}{
		"as they are": {train, true, ""},
		"turned":      {wines(t, "turned.csv", true, turned...), true, `left out: one without a name, "day"`},
		"no label":    {wines(t, "none.csv", true, turned[1:]...), false, `left out: one without a name, "day"`},
		"other label": {wines(t, "other.csv", true, append([]string{"note"}, turned[3:]...)...), false,
			`left out: "note"`},
		"no header":    {wines(t, "plain.csv", false, columns...), true, ""},
		"nothing else": {wines(t, "bare.csv", false, measures...), false, ""},
	} {
		code, got, stderr := command(t, "predict", c.file, model)
		if code != 0 || got != want || strings.Contains(stderr, "Accuracy") != c.accuracy {
			t.Errorf("%s: code %d, %t, %q", name, code, got == want, stderr)
		}
		if !strings.Contains(stderr, c.told) || c.told == "" && strings.Contains(stderr, c.file) {
			t.Errorf("%s: %q, want %q", name, stderr, c.told)
		}
	}
	// As LIBSVM text and as NPY, features are found by their numbers.
	for _, file := range []string{"d.svm", "d.npy"} {
		file = filepath.Join(t.TempDir(), file)
		if _, _, stderr := command(t, "convert", train, file); !strings.Contains(stderr,
			"the names of 11 features are left out") {
			t.Errorf("%s: %q", file, stderr)
		}
		if got := must(t, "predict", "-q", file, model); got != want {
			t.Errorf("%s: other predictions", file)
		}
	}
	if _, _, stderr := command(t, "convert", model, filepath.Join(t.TempDir(), "m.txt")); !strings.Contains(stderr,
		"the names of 11 features") {
		t.Errorf("text of a model: %q", stderr)
	}
	again := filepath.Join(t.TempDir(), "again.csv")
	must(t, "convert", train, again)
	if line, _, _ := strings.Cut(contents(t, again),
		"\n"); line != `"fixed acidity","volatile acidity","citric acid","residual sugar",chlorides,`+
		`"free sulfur dioxide","total sulfur dioxide",density,pH,sulphates,"alcohol, % vol",quality` {
		t.Errorf("header %q", line)
	}

	renamed := append([]string{"PH"}, turned[4:]...)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"predict", wines(t, "a.csv", true, turned[4:]...), model},
			[]string{"a.csv:1:1", `no column "alcohol, % vol" among "sulphates"`}},
		{[]string{"predict", wines(t, "b.csv", true, append(renamed, "Alcohol % Vol")...), model},
			[]string{`is "alcohol, % vol" the column "Alcohol % Vol"?`}},
		{[]string{"predict", wines(t, "c.csv", true, append(turned, "pH")...), model},
			[]string{`"pH" as the name of column 15`}},
		{[]string{"predict", wines(t, "d.csv", false, columns[:9]...), model},
			[]string{"9 columns", "12, for 11 features and the label"}},
		{[]string{"evaluate", wines(t, "e.csv", true, measures...), model},
			[]string{"e.csv: no labels", `no column "quality"`, "--label-column"}},
		{[]string{"evaluate", "--label-column", "taste", train, model}, []string{`a header with the column "taste"`}},
		{[]string{"train", "topk", text(t, "x.csv", "colour,u,y\n1,2,a\nred,3,b\n"), model},
			[]string{"x.csv:3:1", `"red"`, `column 1, "colour"`}},
	} {
		code, _, stderr := command(t, c.args...)
		if code != failed {
			t.Errorf("%q: code %d", c.args, code)
		}
		for _, part := range c.want {
			if !strings.Contains(stderr, part) {
				t.Errorf("%q: %s, without %s", c.args, stderr, part)
			}
		}
	}
	if out := must(t, "evaluate", "--label-column", "note", wines(t, "f.csv", true, append(turned[3:], "note")...),
		model); !strings.Contains(out, "accuracy") {
		t.Error(out)
	}
}

// TestPandas: what pandas writes, with its index or with numbers as names, is read as meant, and told.
func TestPandas(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "m.dg")
	rows := func(format string) (lines string) {
		for i := range 12 {
			lines += fmt.Sprintf(format+"\n", 37*i%12, i, 5*i%7, i%2)
		}
		return lines
	}
	const guessed, index = `of numbers, is taken for the names of columns, since "target" is the label of no other line`, "is no feature"
	for name, c := range map[string]struct {
		text string
		told []string
	}{
		// The test's name is left out as a column that the model does not know.
		"index":   {",length,width,kind\n" + rows("%d,%d,%d,k%d"), []string{index}},
		"numbers": {"0,1,target\n" + rows("%[2]d,%[3]d,%[4]d"), []string{guessed, "--header no"}},
		"both":    {",0,1,target\n" + rows("%d,%d,%d,%d"), []string{index}},
		"neither": {"length,width,kind\n" + rows("%[2]d,%[3]d,k%[4]d"), nil},
	} {
		file := text(t, "d.csv", c.text)
		code, stdout, stderr := command(t, "train", "topk", "--test", file, file, model)
		if code != 0 || !strings.Contains(stdout, "12 examples, 2 features, 2 classes") {
			t.Errorf("%s: code %d, %q %q", name, code, stdout, stderr)
		}
		if n := strings.Count(stderr, file+": the first"); n != min(1, len(c.told)) {
			t.Errorf("%s: told %d times: %q", name, n, stderr)
		}
		for _, told := range c.told {
			if !strings.Contains(stderr, told) {
				t.Errorf("%s: %q, without %q", name, stderr, told)
			}
		}
	}
	first := "0,1,target\n" + rows("%[2]d,%[3]d,%[4]d")
	if stdout := must(t, "train", "topk", "--header", "no", text(t, "d.csv", first), model); !strings.Contains(stdout,
		"13 examples, 2 features, 3 classes") {
		t.Error(stdout)
	}
}

// TestLabelColumn: where the label was in training it is in later files without a header.
func TestLabelColumn(t *testing.T) {
	var lines strings.Builder
	for i := range 12 {
		fmt.Fprintf(&lines, "%d,%d,%d\n", i%2, i%2, i%5)
	}
	model, file := filepath.Join(t.TempDir(), "m.dg"), text(t, "d.csv", lines.String())
	out := must(t, "train", "topk", "--label-column", "1", "--test", file, file, model)
	if !strings.Contains(out, "accuracy") || !strings.Contains(out, "1.00000") {
		t.Error(out)
	}
	if out := must(t, "evaluate", file, model); !strings.Contains(out, "1.00000") {
		t.Error(out)
	}
}
