package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// evaluated runs "dualgap evaluate --json".
func evaluated(t *testing.T, args ...string) (r report) {
	t.Helper()
	if err := json.Unmarshal([]byte(must(t, append([]string{"evaluate", "--json"}, args...)...)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// near reports whether a measure is there and v. The measures are quotients of small integers.
func near(got *float64, v float64) bool { return got != nil && math.Abs(*got-v) < 1e-15 }

func TestEvaluateClasses(t *testing.T) {
	m := weights(t, map[string]string{"solver": "tracenorm"}, "a", "b", "c")
	data := text(t, "data.csv", "1,0,0,a\n1,.5,0,b\n1,.5,.2,c\n0,0,1,c\n1,0,0,z\n")
	r := evaluated(t, "--per-class", "--confusion", data, m)
	if r.Examples != 5 || r.Unknown != 1 || !near(r.Accuracy, .4) || len(r.TopK) != 2 || !near(&r.TopK[1], .6) {
		t.Errorf("%+v", r)
	}
	if !near(r.MeanRecall, .5) || r.Classes[2].Name != "c" || r.Classes[2].Recall != .5 || r.Confusion[1][0] != 1 ||
		r.Calibration == nil {
		t.Errorf("%+v", r)
	}
	if r := evaluated(t, data, m); r.Classes != nil || r.Confusion != nil || r.Ranking != nil {
		t.Errorf("%+v", r)
	}
	// c ranks by the third feature: .2 and 1 for c, 0 for all others.
	r = evaluated(t, "--positive", "c", data, m)
	if r.Ranking.Positive != 2 || r.Ranking.First != 2 || r.Ranking.PRArea != 1 || !near(r.Ranking.ROCArea, 1) {
		t.Errorf("%+v", r.Ranking)
	}
	out := must(t, "evaluate", "--per-class", "--confusion", data, m)
	for _, want := range []string{"accuracy           0.40000", "top-2 accuracy     0.60000", "unknown labels     1,",
		"calibration error", "true \\ predicted"} {
		if !strings.Contains(out, want) {
			t.Errorf("%s\nwithout %q", out, want)
		}
	}
}

func TestEvaluateSets(t *testing.T) {
	m := weights(t, map[string]string{predictor.NoteTask: predictor.Sets}, "x", "y", "z")
	data := text(t, "data.svm", "x,z 1:1 3:2\ny 1:1\n1:-1\n")
	r := evaluated(t, "--per-class", data, m)
	// Wrong decisions are x and y of the second example, of 9.
	if !near(r.HammingLoss, 2./9) || !near(r.Faultless, 2./3) || !near(r.MicroF1, 4./6) ||
		r.Classes[0].Predicted != 2 || r.Accuracy != nil {
		t.Errorf("%+v", r)
	}
	// The second example has y below x, and equal to z: both pairs are wrong.
	if !near(r.RankingLoss, .5) || !near(&r.PrecisionAt[0], 1./3) || len(r.PrecisionAt) != 3 {
		t.Errorf("%+v", r)
	}
	r = evaluated(t, data, weights(t, nil, "x", "y", "z"))
	if !near(r.RankingLoss, .5) || r.HammingLoss != nil || r.Accuracy != nil {
		t.Errorf("a model that ranks labels: %+v", r)
	}
	if out := must(t, "evaluate", data, m); !strings.Contains(out, "Hamming loss              0.22222") {
		t.Error(out)
	}
}

func TestEvaluateRanker(t *testing.T) {
	m := weights(t, map[string]string{predictor.NoteTask: predictor.Top, "threshold": "2",
		predictor.NotePositive: "p,q"})
	data := text(t, "data.csv", "4,p\n3,n\n2,q\n1,n\n0,n\n")
	curve := filepath.Join(t.TempDir(), "curve.csv")
	r := evaluated(t, "--curve", curve, data, m)
	k := r.Ranking
	if k.Positive != 2 || k.First != 1 || k.Above != 3 || k.Right != 2 || *k.Threshold != 2 || !near(&k.PRArea, 5./6) ||
		!near(k.ROCArea, 5./6) {
		t.Errorf("%+v", k)
	}
	if last := k.At[len(k.At)-1]; last.Recall != 1 || !near(&last.Precision, 2./3) || last.Threshold != 2 {
		t.Errorf("%+v", k.At)
	}
	b, err := os.ReadFile(curve)
	want := "threshold,precision,recall,false_positive_rate\n" +
		"4,1,0.5,0\n3,0.5,0.5,0.3333333333333333\n2,0.6666666666666666,1,0.3333333333333333\n"
	if err != nil || !strings.HasPrefix(string(b), want) {
		t.Errorf("%s, %v", b, err)
	}
	if out := must(t, "evaluate", data, m); !strings.Contains(out, "at the threshold 2") ||
		!strings.Contains(out, "3 predicted as positive, 2 of them are") {
		t.Error(out)
	}
	all := text(t, "data.csv", "4,p\n3,q\n")
	if r := evaluated(t, all, m); r.Ranking.ROCArea != nil || r.Ranking.First != 2 {
		t.Errorf("positive examples alone: %+v", r.Ranking)
	}
}

func TestEvaluateErrors(t *testing.T) {
	data, m := text(t, "data.csv", "1,0,a\n"), weights(t, nil, "a", "b")
	ranker := weights(t, map[string]string{predictor.NoteTask: predictor.Top, "threshold": "2"})
	for _, c := range []struct {
		code  int
		args  []string
		parts []string
	}{
		{failed, []string{text(t, "none.csv", "1,0\n"), m}, []string{"none.csv", "no labels"}},
		{failed, []string{text(t, "none.svm", "1:1\n"), m}, []string{"none.svm", "no labels", "label index:value"}},
		{misused, []string{"--positive", "z", data, m}, []string{"--positive z", "a, b"}},
		{misused, []string{"--positive", "1", text(t, "one.csv", "1,1\n"), ranker}, []string{"--positive", "1"}},
		{misused, []string{"--curve", filepath.Join(t.TempDir(), "x"), data, m}, []string{"--curve", "--positive"}},
		{failed, []string{"--positive", "b", data, m}, []string{"data.csv", "no example is positive"}},
		{failed, []string{"--curve", "/no/such/folder/curve.csv", "--positive", "a", data, m},
			[]string{"/no/such/folder/curve.csv"}},
	} {
		code, stdout, stderr := command(t, append([]string{"evaluate"}, c.args...)...)
		if code != c.code || stdout != "" {
			t.Errorf("%q: code %d, want %d: %s%s", c.args, code, c.code, stdout, stderr)
		}
		for _, part := range c.parts {
			if !strings.Contains(stderr, part) {
				t.Errorf("%q: %s, without %q", c.args, stderr, part)
			}
		}
	}
}
