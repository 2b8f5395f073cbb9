package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// searches are 40 queries of 3 to 8 examples, and two of one kind, of grades 0 to 3 by the first feature less the
// query's level, which is not known: only the order within a query can be learned.
func searches(t *testing.T) string {
	rng := rand.New(rand.NewPCG(3, 5))
	var b strings.Builder
	for q := range 40 {
		level := 10 * rng.NormFloat64()
		for i := range 3 + q%6 {
			grade := i % 4
			fmt.Fprintf(&b, "%d qid:%d 1:%g 2:%g\n", grade, q+1, level+float64(grade)+.1*rng.NormFloat64(),
				rng.NormFloat64())
		}
	}
	return text(t, "searches.svm", b.String()+"0 qid:50 1:1\n0 qid:50 1:2\n3 qid:51 2:1\n")
}

// TestWithinQueries: a ranker within queries says so, in its file too, and puts the relevant examples of each query
// first, where one without queries cannot.
func TestWithinQueries(t *testing.T) {
	data, dir := searches(t), t.TempDir()
	in, flat, scores := filepath.Join(dir, "in.dg"), filepath.Join(dir, "flat.dg"), filepath.Join(dir, "scores.txt")
	out := must(t, "train", "toprank", "--within-queries", "--positive", "2,3", "-c", "10", data, in)
	if !strings.Contains(out, "40 queries; 2 others have positive or negative examples alone") {
		t.Error(out)
	}
	m, err := predictor.Open(in)
	if err != nil || m.Task() != predictor.Queries || !slices.Equal(m.Positive(), []string{"2", "3"}) {
		t.Fatal(m, err)
	}
	must(t, "train", "toprank", "--positive", "2,3", "-c", "10", data, flat)
	q := evaluated(t, data, in).ByQuery
	if q.Queries != 42 || q.Positive != 41 || !q.Graded || q.MAP != 1 || q.Recall10 != 1 || q.MRR != 1 ||
		!(q.NDCG > .9 && q.NDCG <= 1) {
		t.Errorf("%+v", q)
	}
	r := evaluated(t, data, flat)
	if f := r.ByQuery; f == nil || r.Ranking == nil || !(f.MAP < q.MAP) {
		t.Errorf("without queries: %+v, %+v", f, r.Ranking)
	}
	if r := evaluated(t, data, in); r.Ranking != nil {
		t.Errorf("measures over all queries: %+v", r.Ranking)
	}
	for range 2 { // it may replace what it has written
		must(t, "predict", data, in, scores)
	}
	b, err := os.ReadFile(scores)
	if lines := strings.Split(strings.TrimSpace(string(b)), "\n"); err != nil || lines[0] != "score" ||
		len(lines) != 1+evaluated(t, data, in).Examples {
		t.Errorf("%s, %v", b, err)
	}
	for args, want := range map[string]string{
		"inspect " + in:               "which examples of a query come first",
		"inspect " + data:             "42, of 1 to 8 examples, the median 5",
		"evaluate " + data + " " + in: "NDCG@10 of the labels as grades",
		"train toprank --within-queries --positive 2,3 -cv 3 --grid-c .1,1 " + data + " " +
			flat: "mean average precision",
	} {
		if out := must(t, strings.Fields(args)...); !strings.Contains(out, want) {
			t.Errorf("%s: %s", args, out)
		}
	}
	plain := text(t, "plain.svm", "1 1:1\n0 1:2\n")
	for args, want := range map[string]string{
		"train toprank --within-queries " + plain + " " + in:                "the data have no queries",
		"train toprank --within-queries --method patmat " + data + " " + in: "without --method toppush",
		"evaluate " + plain + " " + in:                                      "no queries",
		"evaluate --curve " + filepath.Join(dir, "c.csv") + " " + data + " " +
			in: "scores of two queries make no curve",
	} {
		if code, _, errors := command(t, strings.Fields(args)...); code == 0 || !strings.Contains(errors, want) {
			t.Errorf("%s: %d, %s", args, code, errors)
		}
	}
}

// TestGrades: labels are grades where they are more than two, from 0 to 30; else positive examples have the gain 1.
func TestGrades(t *testing.T) {
	m := weights(t, map[string]string{predictor.NoteTask: predictor.Top, "threshold": "2", predictor.NotePositive: "2"})
	for text1, graded := range map[string]bool{"0,1,2": true, "1,2": false, "0,2,31": false, "0,2,-1": false} {
		var b strings.Builder
		for i, label := range strings.Split(text1, ",") {
			fmt.Fprintf(&b, "%s qid:1 1:%d\n", label, i)
		}
		if q := evaluated(t, text(t, "d.svm", b.String()), m).ByQuery; q == nil || q.Graded != graded {
			t.Errorf("%s: %+v", text1, q)
		}
	}
}
