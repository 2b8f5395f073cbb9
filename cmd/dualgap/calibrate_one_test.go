package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// TestCalibrateOneScore: a model that tells two classes apart by one score is calibrated by that score, by train
// and by calibrate; its threshold finds the part of a class that was asked for. Numbers have neither.
func TestCalibrateOneScore(t *testing.T) {
	data, dir := noisyRows(t, "a", "b"), t.TempDir()
	plain, with, again := filepath.Join(dir, "plain.dg"), filepath.Join(dir, "with.dg"), filepath.Join(dir, "again.dg")
	must(t, "train", "svm", "--header", "no", data, plain)
	said := must(t, "train", "svm", "--header", "no", "--calibrate", "platt", "--threshold", "recall=.9", data, with)
	for _, want := range []string{"Platt's sigmoids: ", "b, threshold "} {
		if !strings.Contains(said, want) {
			t.Errorf("train says %s, want %q", said, want)
		}
	}
	must(t, "calibrate", "--header", "no", "--threshold", "a:recall=.9", "--calibrate", "temperature", data, plain,
		again)
	for _, file := range []string{with, again} {
		p, err := predictor.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range [][]float64{{0, 0, 0}, {2, -1, 0}, {-3, 1, 1}} {
			d, _ := p.Dims()
			q, err := p.Predict(row[:d])
			if err != nil {
				t.Fatal(err)
			}
			want := make([]float64, 1)
			p.Calibration().Apply(want, q.Scores[1:])
			if q.Scores[0] != -q.Scores[1] || len(q.Probabilities) != 2 || q.Probabilities[1] != want[0] ||
				q.Probabilities[0] != 1-want[0] {
				t.Errorf("scores %v, probabilities %v, want %v of the second", q.Scores, q.Probabilities, want)
			}
			if up := q.Scores[1] >= p.Thresholds()[0]; up != (q.Class == 1) {
				t.Errorf("class %d, scores %v, threshold %v", q.Class, q.Scores, p.Thresholds())
			}
		}
	}
	var found struct {
		Calibration calibration
		Confusion   [][]int
	}
	if err := json.Unmarshal([]byte(must(t, "evaluate", "--json", "--confusion", "--header", "no", data, again)),
		&found); err != nil {
		t.Fatal(err)
	}
	of := found.Confusion[0]
	if recall := float64(of[0]) / float64(of[0]+of[1]); recall < .9 || recall > .92 || found.Confusion[1][1] == 0 {
		t.Errorf("confusion %v, want a recall of .9 of the first", found.Confusion)
	}
	if found.Calibration.Uncalibrated == nil {
		t.Error("nothing is said of scores as they come")
	}
	lines := strings.Split(must(t, "predict", "-q", "-b", "--header", "no", data, with), "\n")
	for _, line := range lines[1 : len(lines)-1] {
		words := strings.Fields(line)
		a, err := strconv.ParseFloat(words[1], 64)
		b, err2 := strconv.ParseFloat(words[2], 64)
		if err != nil || err2 != nil || math.Abs(a+b-1) > 1e-6 {
			t.Fatalf("%q, want two probabilities", line)
		}
	}
	numbers := text(t, "n.csv", "1,2,.5\n2,3,.7\n3,1,.2\n")
	code, _, stderr := command(t, "train", "regress", "--header", "no", "--calibrate", "platt", numbers,
		filepath.Join(dir, "n.dg"))
	if code != misused || !strings.Contains(stderr, "predicts numbers") {
		t.Errorf("regress: exit code %d, %s", code, stderr)
	}
}

// TestPositive: which class is the positive one changes what scores are of, not what examples are.
func TestPositive(t *testing.T) {
	data, dir := noisyRows(t, "a", "b"), t.TempDir()
	probabilities := map[string]float64{}
	for _, positive := range []string{"a", "b"} {
		file := filepath.Join(dir, positive+".dg")
		said := must(t, "train", "svm", "--header", "no", "--positive", positive, "--calibrate", "platt", "--threshold",
			"a:recall=.9", "--workers", "1", data, file)
		if !strings.Contains(said, "a, threshold ") || !strings.Contains(said, "recall 0.9") {
			t.Errorf("%s: train says %s", positive, said)
		}
		p, err := predictor.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := p.Dims()
		q, err := p.Predict([]float64{2, -1, 0}[:d])
		if err != nil {
			t.Fatal(err)
		}
		for c, name := range p.Classes() {
			probabilities[positive+name] = q.Probabilities[c]
		}
		var found struct{ Confusion [][]int }
		if err := json.Unmarshal([]byte(must(t, "evaluate", "--json", "--confusion", "--header", "no", data, file)),
			&found); err != nil {
			t.Fatal(err)
		}
	}
	if math.Abs(probabilities["aa"]-probabilities["ba"]) > .05 || math.Abs(probabilities["aa"]-.5) < .1 {
		t.Errorf("probabilities %v, want about the same of a", probabilities)
	}
}
