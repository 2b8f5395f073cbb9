package main

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// wide is a model of 3 features and 2 outputs whose coefficients are easy to order.
func wide(t *testing.T, notes map[string]string) string {
	m, err := linear.New(vec.MatrixOf(3, 2, []float64{1, -.5, 0, 4, -3, .25}), []float64{2, -1},
		[]string{"yes", "no, never"})
	if err != nil {
		t.Fatal(err)
	}
	return written(t, "wide.dg", func(w io.Writer) error { _, err := m.WithNotes(notes).WriteTo(w); return err })
}

// words returns a text with one blank between its words.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestCoefficients: the coefficients of a linear model have the names of its features and classes.
func TestCoefficients(t *testing.T) {
	named := map[string]string{
		predictor.NoteFeatures: `["size","a, b",""]`, predictor.NoteLabel: "kind",
		dataset.ScalingNote: "shift 1 2 3\nfactor .5 .25 .125\n",
	}
	for _, c := range []struct {
		name  string
		notes map[string]string
		args  []string
		want  []string
		not   string
	}{
		{"names", named, nil, []string{
			`feature names size, a, b, label kind`, "coefficients the 3 greatest of each class, of scaled features",
			`yes "": -3, size: 1, bias: 2`, `no, never "a, b": 4, size: -0.5, "": 0.25, bias: -1`,
		}, "{"},
		{"numbers", nil, nil, []string{"of each class, of features", "yes 3: -3, 1: 1, bias: 2",
			"no, never 2: 4, 1: -0.5, 3: 0.25, bias: -1"}, "scaled"},
		{"one", named, []string{"--top", "1"}, []string{"the 1 greatest", `yes "": -3, bias: 2`}, "size: "},
		{"none", named, []string{"--top", "0"}, []string{"outputs 2"}, "coefficients"},
		{"table", named, []string{"--coefficients"}, []string{
			`feature shift factor yes "no, never" size 1 0.5 1 -0.5 "a, b" 2 0.25 0 4 "" 3 0.125 -3 0.25 (bias) 2 -1`,
		}, "greatest"},
		{"table of numbers", nil, []string{"--coefficients"},
			[]string{`feature yes "no, never" 1 1 -0.5 2 0 4 3 -3 0.25 (bias) 2 -1`}, "shift"},
	} {
		out := must(t, append(append([]string{"inspect"}, c.args...), wide(t, c.notes))...)
		for _, want := range c.want {
			if !strings.Contains(words(out), want) {
				t.Errorf("%s:\n%swithout %q", c.name, out, want)
			}
		}
		if strings.Contains(out, c.not) {
			t.Errorf("%s:\n%swith %q", c.name, out, c.not)
		}
	}
}

// TestInspectJSON: JSON has all that the text has, and the numbers as they are.
func TestInspectJSON(t *testing.T) {
	notes := map[string]string{
		predictor.NoteFeatures: `["size","a, b",""]`, dataset.ScalingNote: "factor .5 .25 .125\n", "solver": "topk",
	}
	const want = `{
		"file": "linear model, float64", "tells": "the class of an example", "task": "classes", "features": 3, "outputs": 2,
		"names": ["yes", "no, never"], "feature_names": ["size", "a, b", ""],
		"scaling": {"factor": {"size": 0.5, "a, b": 0.25, "": 0.125}, "unit_rows": false},
		"weights": "6, 83.33% of them are not 0", "constant_feature": 1, "solver": "topk", "coefficients_of": "scaled features",
		"coefficients": [
			{"class": "yes", "bias": 2, "greatest": [{"feature": "", "coefficient": -3}],
				"coefficients": {"size": 1, "a, b": 0, "": -3}},
			{"class": "no, never", "bias": -1, "greatest": [{"feature": "a, b", "coefficient": 4}],
				"coefficients": {"size": -0.5, "a, b": 4, "": 0.25}}
		]}`
	if got := parsed(t, must(t, "inspect", "--json", "--top", "1", wide(t, notes))); !reflect.DeepEqual(
		got, parsed(t, want)) {
		t.Errorf("%v", got)
	}
	top := weights(t, map[string]string{predictor.NoteTask: predictor.Top, "threshold": "1.5",
		predictor.NotePositive: "b,c"})
	got := parsed(t, must(t, "inspect", "--json", top))
	if c := got["coefficients"].([]any); got["threshold"] != 1.5 || len(c) != 1 ||
		c[0].(map[string]any)["class"] != "b or c" {
		t.Errorf("%v", got)
	}
	if got := parsed(t, must(t, "inspect", "--json", many(t))); got["kernel_1,_lines"] != .75 ||
		got["coefficients"] != nil {
		t.Errorf("%v", got)
	}
	data := text(t, "d.csv", "u,v,kind\n1,0,x\n-2,3,y\n0,3,x\n")
	want2 := `{"file": "data, csv, dense", "examples": 3, "features": 2, "names": ["u", "v"], "label": "kind",
		"nonzeros": "4, 66.67%", "values": "-2 to 3, all integers", "classes": {"x": 2, "y": 1}}`
	if got := parsed(t, must(t, "inspect", "--json", data)); !reflect.DeepEqual(got, parsed(t, want2)) {
		t.Errorf("%v", got)
	}
	if got := parsed(t, must(t, "inspect", "--json", state(t))); got["solver"] != "m3l" || got["epochs"] != 7. {
		t.Errorf("%v", got)
	}
}

func parsed(t *testing.T, text string) (o map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(text, err)
	}
	return o
}

// TestLowRankCoefficients: the coefficients of a model in factors are the product of its factors.
func TestLowRankCoefficients(t *testing.T) {
	u, v := vec.MatrixOf(3, 2, []float32{1, 2, 0, -1, 3, 4}), vec.MatrixOf(2, 2, []float32{1, 0, .5, -2})
	m, err := linear.NewLowRank(u, v, []float32{7, 8}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	path := written(t, "low.dg", func(w io.Writer) error { _, err := m.WriteTo(w); return err })
	got := parsed(t, must(t, "inspect", "--json", "--top", "0", path))["coefficients"]
	want := parsed(t, `{"coefficients": [
		{"class": "a", "bias": 7, "greatest": [], "coefficients": {"1": 1, "2": 0, "3": 3}},
		{"class": "b", "bias": 8, "greatest": [], "coefficients": {"1": -3.5, "2": 2, "3": -6.5}}]}`)["coefficients"]
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestCoefficientsErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--coefficients", many(t)},
			"many.dg is a model of many kernels, which has support vectors and no coefficients"},
		{[]string{"--coefficients", text(t, "d.csv", "1,2\n")}, "d.csv is no model"},
		{[]string{"--coefficients", state(t)}, "m.state is no model"},
		{[]string{"--top", "-1", wide(t, nil)}, "--top -1: want 0 at least"},
	} {
		code, stdout, stderr := command(t, append([]string{"inspect"}, c.args...)...)
		if code != misused || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: code %d, %q, %q", c.args, code, stdout, stderr)
		}
	}
}

// TestCoefficientsBeyond: coefficients that are products beyond the type of the factors are null in JSON, the greatest
// ones, and no error.
func TestCoefficientsBeyond(t *testing.T) {
	u := vec.MatrixOf(3, 2, []float32{1e30, 1e30, 2e30, 0, 1, 0})
	v := vec.MatrixOf(2, 2, []float32{1e30, -1e30, 3, 0}) // weights of the first class: NaN, +Inf, 1e30
	m, err := linear.NewLowRank(u, v, nil, []string{"huge", "small"})
	if err != nil {
		t.Fatal(err)
	}
	path := written(t, "factors.dg", func(w io.Writer) error { _, err := m.WriteTo(w); return err })
	var got struct {
		Coefficients []struct {
			Coefficients map[string]*float64
			Greatest     []struct {
				Feature     string
				Coefficient *float64
			}
		}
	}
	if err := json.Unmarshal([]byte(must(t, "inspect", "--json", path)), &got); err != nil {
		t.Fatal(err)
	}
	huge, small := got.Coefficients[0], got.Coefficients[1].Coefficients
	if c := huge.Coefficients; c["1"] != nil || c["2"] != nil || c["3"] == nil || len(huge.Greatest) != 3 ||
		huge.Greatest[2].Feature != "3" || small["3"] == nil || *small["3"] != 3 {
		t.Errorf("%+v, want null for the features 1 and 2 of the first class alone", got)
	}
	for _, args := range [][]string{{"inspect", path}, {"inspect", "--coefficients", path}} {
		if out := must(t, args...); !strings.Contains(out, "Inf") {
			t.Errorf("%v: no infinite coefficient in\n%s", args, out)
		}
	}
}
