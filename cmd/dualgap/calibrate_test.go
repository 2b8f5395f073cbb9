package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/internal/page/pagetest"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// TestTrainCalibrate: what train fits is what the library fits on the held-out scores of the same parts, with the
// parameters as given and with those that -cv has chosen, to the bit; the weights are as without.
func TestTrainCalibrate(t *testing.T) {
	data := samples.Ionosphere[float32]()
	var rows strings.Builder
	for i, y := range data.Y {
		for _, v := range data.X.Row(i) {
			fmt.Fprintf(&rows, "%v,", v)
		}
		fmt.Fprintln(&rows, y)
	}
	file := text(t, "i.csv", rows.String())
	for _, c := range []struct {
		args   []string
		parts  int
		points []float64 // costs that -cv tries
	}{
		{[]string{"-c", ".1"}, 5, nil},
		{[]string{"-cv", "3", "--grid-c", ".001,10,.1"}, 3, []float64{.001, .1, 10}},
	} {
		plain, with := filepath.Join(t.TempDir(), "plain.dg"), filepath.Join(t.TempDir(), "with.dg")
		args := append([]string{"train", "topk", "--loss", "topk-hinge", "--workers", "1", "--header", "no"}, c.args...)
		must(t, append(args, file, plain)...)
		said := must(t, append(args, "--calibrate", "platt", "--threshold", "recall=.9", file, with)...)
		p, err := predictor.Open(with)
		q, err2 := predictor.Open(plain)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		with32, _ := p.Models()
		plain32, _ := q.Models()
		if !reflect.DeepEqual(with32.Linear.Weights(), plain32.Linear.Weights()) || q.HasProbabilities() {
			t.Errorf("%v: other weights, or probabilities %v", c.args, q.HasProbabilities())
		}
		for _, notes := range []map[string]string{p.Notes(), q.Notes()} {
			delete(notes, solvers.CalibrationNote)
			delete(notes, predictor.NoteThresholds)
			delete(notes, predictor.NoteChosen)
		}
		if !reflect.DeepEqual(p.Notes(), q.Notes()) {
			t.Errorf("%v: notes %v, want %v", c.args, p.Notes(), q.Notes())
		}
		cost := .1
		if c.points != nil {
			cost = costOf(t, p.Notes()["settings"], len(data.Y), c.points)
		}
		scores := heldOutOf(t, topk.Problem[float32]{X: data.X, Y: data.Y},
			topk.Config{Lambda: round(1 / (cost * float64(len(data.Y)))), Bias: 1, Workers: 1}, c.parts)
		want, err := solvers.FitPlatt(scores, solvers.Truth{Y: data.Y})
		if err != nil {
			t.Fatal(err)
		}
		margins, second := make([]float64, len(data.Y)), make([]bool, len(data.Y))
		for i := range margins {
			margins[i], second[i] = scores.Row(i)[1]-scores.Row(i)[0], data.Y[i] == 1
		}
		choice, err := metrics.Threshold(margins, second, metrics.RecallAtLeast(.9))
		if err != nil {
			t.Fatal(err)
		}
		if alike(p.Calibration().Slope, want.Slope) && alike(p.Calibration().Offset, want.Offset) &&
			alike(p.Thresholds(), []float64{choice.At}) {
			continue
		}
		t.Errorf("%v: %v, thresholds %v, want %v, %v\n%s", c.args, p.Calibration(), p.Thresholds(), want, choice, said)
	}
}

// alike compares numbers up to the rounding of a cost.
func alike(a, b []float64) bool {
	for k := range a {
		if len(a) != len(b) || math.Abs(a[k]-b[k]) > 1e-3*(1+math.Abs(b[k])) {
			return false
		}
	}
	return len(a) == len(b)
}

// costOf returns which of the costs the settings tell.
func costOf(t *testing.T, settings string, n int, costs []float64) float64 {
	t.Helper()
	_, rest, _ := strings.Cut(settings, "lambda ")
	var lambda float64
	if _, err := fmt.Sscan(rest, &lambda); err != nil {
		t.Fatal(settings, err)
	}
	for _, c := range costs {
		if math.Abs(lambda*c*float64(n)-1) < 1e-6 {
			return c
		}
	}
	t.Fatal(settings)
	return 0
}

func heldOutOf(t *testing.T, p topk.Problem[float32], c topk.Config, parts int) vec.Matrix[float64] {
	t.Helper()
	held := solvers.NewHeldOut(len(p.Y))
	_, err := p.Path(t.Context(), c, topk.PathConfig{Lambdas: []float64{c.Lambda},
		CrossValidation: solvers.CrossValidation{
			Folds: parts, FoldsOnly: true, Measures: []solvers.Measure{held.Measure()}}})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := held.Scores()
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

// noisyRows is a CSV file of examples whose features are the scores of a model of weights, with labels that follow them
// mostly. Of one class there are two, p and n, for the one score.
func noisyRows(t *testing.T, classes ...string) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range 200 {
		y := r.IntN(max(2, len(classes)))
		for c := range max(1, len(classes)) {
			v := r.NormFloat64()
			if c == y {
				v += 1.5
			}
			fmt.Fprintf(&b, "%.3f,", v)
		}
		if len(classes) > 1 {
			b.WriteString(classes[y] + "\n")
		} else {
			b.WriteString([]string{"p", "n"}[y] + "\n")
		}
	}
	return text(t, "noisy.csv", b.String())
}

// TestCalibrate: the command fits on a file of its own; predictions, measures and the page know.
func TestCalibrate(t *testing.T) {
	ranker := map[string]string{"threshold": "0", predictor.NotePositive: "p", predictor.NoteNegative: "n"}
	for name, c := range map[string]struct {
		notes   map[string]string
		classes []string
		args    []string
		want    string // of what it says
	}{
		"temperature": {nil, []string{"a", "b", "c"}, nil, "temperature "},
		"platt":       {nil, []string{"a", "b", "c"}, []string{"--calibrate", "platt"}, "Platt's sigmoids: "},
		"two": {nil, []string{"a", "b"}, []string{"--threshold", "a:recall=.95", "--calibrate", "platt"},
			"a, threshold"},
		"ranker": {ranker, nil, []string{"--threshold", "false-rate<=.1", "--calibrate", "platt"},
			"false alarms 0.08"},
	} {
		m, data := weights(t, c.notes, c.classes...), noisyRows(t, c.classes...)
		dir := t.TempDir()
		sure, report := filepath.Join(dir, "sure.dg"), filepath.Join(dir, "r.html")
		said := must(t, append(append([]string{"calibrate", "--header", "no"}, c.args...), data, m, sure)...)
		if !strings.Contains(said, c.want) {
			t.Errorf("%s: %s, want %q", name, said, c.want)
		}
		var found struct {
			Accuracy    float64
			Calibration calibration
			Confusion   [][]int
			Ranking     struct{ AboveThreshold, PositiveAboveThreshold, Positive int }
		}
		if err := json.Unmarshal([]byte(must(t, "evaluate", "--json", "--confusion", "--header", "no", "--html", report,
			data, sure)), &found); err != nil {
			t.Fatal(err)
		}
		before, after := found.Calibration.Uncalibrated, found.Calibration
		if before == nil || !(after.Error < before.Error || name == "platt") || after.Error > .12 {
			t.Errorf("%s: calibration error %v, without %v", name, after.Error, before)
		}
		if name == "two" {
			of := found.Confusion[0]
			if recall := float64(of[0]) / float64(of[0]+of[1]); recall < .95 || recall > .97 ||
				found.Confusion[1][1] == 0 {
				t.Errorf("confusion %v, want a recall of .95 of the first", found.Confusion)
			}
		}
		if name == "ranker" {
			others := 200 - found.Ranking.Positive
			if wrong := found.Ranking.AboveThreshold - found.Ranking.PositiveAboveThreshold; wrong*10 > others ||
				wrong*10 < others-20 {
				t.Errorf("ranking %+v, want a tenth of the others above", found.Ranking)
			}
		}
		html, err := os.ReadFile(report)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := pagetest.Check(t, html)
		for _, want := range []string{"uncalibrated", "calibrated", "By probability, uncalibrated",
			"Of scores as they come it is"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: the page lacks %q", name, want)
			}
		}
		if lines := must(t, "predict", "-q", "-b", "--header", "no", data, sure); strings.Count(lines, "\n") != 201 {
			t.Errorf("%s: %.200s", name, lines)
		}
		if told := must(t, "inspect", sure); !strings.Contains(told, "calibration ") {
			t.Error(told)
		}
	}
}

// TestCalibrateSets: labels have thresholds and sigmoids of their own, which predict applies.
func TestCalibrateSets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for range 300 {
		var labels []string
		x := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		for l, v := range x {
			if v+r.NormFloat64()/2 > 1 {
				labels = append(labels, fmt.Sprint(l+1))
			}
		}
		fmt.Fprintf(&b, "%s 1:%.3f 2:%.3f 3:%.3f\n", strings.Join(labels, ","), x[0], x[1], x[2])
	}
	m := weights(t, map[string]string{predictor.NoteTask: predictor.Sets}, "1", "2", "3")
	data, sure := text(t, "sets.svm", b.String()), filepath.Join(t.TempDir(), "sure.dg")
	said := must(t, "calibrate", "--multi-label", "--calibrate", "platt", "--threshold", "precision=.8", data, m, sure)
	if !strings.Contains(said, "thresholds of 3 labels") {
		t.Error(said)
	}
	for _, c := range []struct {
		model       string
		least, most float64
	}{{m, 0, .79}, {sure, .8, .9}} {
		var found struct {
			Classes []classLine
		}
		if err := json.Unmarshal([]byte(must(t, "evaluate", "--multi-label", "--json", "--per-class", data, c.model)),
			&found); err != nil || len(found.Classes) != 3 {
			t.Fatal(found, err)
		}
		for _, l := range found.Classes {
			if l.Precision < c.least || l.Precision > c.most {
				t.Errorf("%s: %+v, want a precision in %v..%v", c.model, l, c.least, c.most)
			}
		}
	}
	// predict decides as evaluate does
	if said := must(t, "predict", "--multi-label", data, sure, filepath.Join(t.TempDir(),
		"p.txt")); !strings.Contains(said, "Hamming loss = ") {
		t.Error(said)
	}
}

// TestCalibrateRefuses: what no model of the kind has, told before anything is trained.
func TestCalibrateRefuses(t *testing.T) {
	three, two := noisyRows(t, "a", "b", "c"), noisyRows(t, "a", "b")
	sets := text(t, "s.svm", "1,2 1:1\n2 2:1\n1 1:2\n")
	queries := text(t, "q.svm", "1 qid:1 1:1\n-1 qid:1 1:0\n1 qid:2 1:1\n-1 qid:2 1:0\n")
	m, out := weights(t, nil, "a", "b", "c"), filepath.Join(t.TempDir(), "m.dg")
	top := weights(t, map[string]string{"threshold": "0", predictor.NotePositive: "p"})
	for _, c := range []struct {
		code int
		args []string
		want string
	}{
		{misused, []string{"train", "topk", "-v", "3", "--calibrate", "platt", three}, "-v writes no model"},
		{misused, []string{"train", "topk", "--threshold", "recall=2", three, out}, "want recall=R"},
		{misused, []string{"train", "topk", "--threshold", "recall=.9", three, out}, "3 classes, want two"},
		{misused, []string{"train", "topk", "--calibrate", "sigmoid", three, out}, "sigmoid"},
		{misused, []string{"train", "topk", "--loss", "multilabel-hinge", "--calibrate", "platt", "--multi-label",
			sets, out},
			"labels in order alone: want m3l"},
		{misused, []string{"train", "toprank", "--calibrate", "temperature", "--positive", "a", two, out},
			"want --calibrate platt"},
		{misused, []string{"train", "toprank", "--within-queries", "--calibrate", "platt", queries, out},
			"two queries do not compare"},
		{failed, []string{"train", "topk", "--threshold", "c:recall=.9", two, out}, "no class c, there are a, b"},
		{misused, []string{"calibrate", "--threshold", "recall=.9", three, m, out}, "3 classes, want two"},
		{misused, []string{"calibrate", three, m, m + "x", "y"}, "unexpected argument y"},
		{misused, []string{"calibrate", "--calibrate", "temperature", noisyRows(t), top, out},
			"want --calibrate platt"},
		{failed, []string{"calibrate", text(t, "u.csv", "1,2,3\n"), m, out}, "no labels"},
		{failed, []string{"calibrate", "--header", "no", text(t, "d.csv", "1,2,3,d\n"), m, out},
			"none that the model knows"},
		{failed, []string{"predict", "-b", three, m}, "or calibrate them"},
	} {
		code, _, stderr := command(t, c.args...)
		if code != c.code && !strings.Contains(stderr, "no class c") || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit code %d, %s, want %d, %q", c.args, code, stderr, c.code, c.want)
		}
	}
}
