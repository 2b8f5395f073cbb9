package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// copies are 60 groups of 5 equal examples, each group with a label that has nothing to do with them, as CSV with the
// columns group, fold, 80 features, label, and as LIBSVM text with qid.
func copies() (csv, svm string) {
	rng := rand.New(rand.NewPCG(5, 6))
	var features [60][]string
	for g := range features {
		for range 80 { // more than groups: a linear model can know them all by heart
			features[g] = append(features[g], strconv.FormatFloat(rng.NormFloat64(), 'f', 4, 64))
		}
	}
	var c, s strings.Builder
	for i := range 300 {
		g := i % 60
		fmt.Fprintf(&c, "g%d,%d,%s,%d\n", g, g/12, strings.Join(features[g], ","), g%2)
		fmt.Fprintf(&s, "%d qid:%d", g%2, g)
		for j, v := range features[g] {
			fmt.Fprintf(&s, " %d:%s", j+1, v)
		}
		s.WriteByte('\n')
	}
	return c.String(), s.String()
}

// measured is what -v prints.
func measured(t *testing.T, stdout string) float64 {
	t.Helper()
	found := regexp.MustCompile(`(?m)^Cross Validation .* = ([0-9.]+)% \(`).FindStringSubmatch(stdout)
	if found == nil {
		t.Fatal(stdout)
	}
	v, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestGroups: where a group is in one part nothing can be learned of random labels: 50% are right. As many right
// answers of 60 are further off in one of 10000 cases at most (Hoeffding). With copies on both sides all are right.
func TestGroups(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	csv, svm := copies()
	groups := &strings.Builder{}
	for i := range 300 {
		fmt.Fprintln(groups, i%60)
	}
	for name, content := range map[string]string{"c.csv": csv, "q.svm": svm, "plain.svm": regexp.MustCompile(
		` qid:\d+`).ReplaceAllString(svm, ""), "groups.txt": groups.String()} {
		if err := os.WriteFile(at(name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	beyond := 100 * math.Sqrt(math.Log(1e4)/(2*60))
	for _, family := range []string{"topk", "m3l", "m3l -t gaussian", "tracenorm", "l1", "mkl", "toprank --recall 1"} {
		for file, flags := range map[string]string{
			"c.csv": "--group-column 1 --fold-column 2", "q.svm": "", "plain.svm": "--group-file " + at("groups.txt"),
		} {
			args := append(append([]string{"train"}, strings.Fields(family+" -v 5 "+flags)...), at(file))
			if got := measured(t, must(t, args...)); math.Abs(got-50) > beyond {
				t.Errorf("%s: %v%%", args, got)
			}
		}
		args := append(append([]string{"train"}, strings.Fields(family+" -v 5")...), at("plain.svm"))
		if got := measured(t, must(t, args...)); got < 99 {
			t.Errorf("%s: %v%% with copies on both sides, so that this test cannot fail", args, got)
		}
	}
	for args, want := range map[string]string{
		"-v 4 --group-column 1 --fold-column 2":  "4 parts of cross-validation, but the data name 5",
		"-v 5 --group-column 2 --fold-column 1":  "5 parts of cross-validation, but the data name 60",
		"-v 60 --group-column 2 --fold-column 1": "rows 0 and 1 are of group 0, but in parts 0 and 1",
	} {
		words := append(append([]string{"train", "topk"}, strings.Fields(args)...), at("c.csv"))
		if code, _, stderr := command(t, words...); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %q", args, code, stderr)
		}
	}
}

// TestMetrics: -v measures what --metric says, and -cv chooses by it: the greatest or the least; --one-se takes a point
// that is more regularized.
func TestMetrics(t *testing.T) {
	digits, topics, radar := digits(t), topics(t), radar(t)
	for args, want := range map[string]string{
		"topk -c .01 --metric macro-f1 " + digits:    `Macro F1 = 9\d\.\d{4}% \(over`,
		"topk -c .01 --metric mean-recall " + digits: `Mean Recall = 9\d\.\d{4}% \(over`,
		"topk --loss topk-entropy -c .01 --metric log-loss " +
			digits: `Log-loss = 0\.\d{6} \(over the parts it varies by 0\.\d{4}; less is better\)`,
		"tracenorm --metric log-loss " + digits:  `Log-loss = 0\.\d{6} \(over`,
		"m3l --metric micro-f1 " + topics:        `Micro F1 = 9\d\.\d{4}% \(over`,
		"m3l --metric macro-f1 " + topics:        `Macro F1 = [89]\d\.\d{4}% \(over`,
		"m3l --metric exact " + topics:           `Sets without a Fault = [89]\d\.\d{4}% \(over`,
		"topk --loss multilabel-hinge " + topics: `Precision at 1 = 9\d\.\d{4}% \(over`,
		"topk --loss multilabel-hinge --metric ranking-loss " +
			topics: `Ranking Loss = \d\.\d{4}% \(over the parts it varies by \d\.\d\d%; less is better\)`,
		"toprank --positive g -t gaussian --metric ndcg " + radar: `NDCG = 9\d\.\d{4}% \(over`,
		"toprank --positive g -t gaussian --metric average-precision " +
			radar: `Mean Average Precision = 9\d\.\d{4}% \(over`,
		"toprank --positive g -t gaussian --recall .9 --metric precision " +
			radar: `Precision at Recall 0.9 = [89]\d\.\d{4}% \(over`,
	} {
		stdout := must(t, append([]string{"train"}, append(strings.Fields(args), "-v", "3")...)...)
		if !regexp.MustCompile(`(?m)^Cross Validation ` + want).MatchString(stdout) {
			t.Errorf("%s: %q, want %s", args, stdout, want)
		}
	}
	path := filepath.Join(t.TempDir(), "model.dg")
	table := func(args ...string) (values []float64, star int, foot string) {
		t.Helper()
		star = -1
		for _, line := range strings.Split(must(t, append(append([]string{"train"}, args...), path)...), "\n") {
			fields := strings.Fields(line)
			if len(fields) > 2 && strings.HasPrefix(fields[0], "*") {
				foot = line
			}
			if len(fields) < 3 || len(fields) > 4 {
				continue
			}
			if v, err := strconv.ParseFloat(strings.TrimSuffix(fields[1], "%"), 64); err == nil {
				if values = append(values, v); len(fields) == 4 {
					star = len(values) - 1
				}
			}
		}
		return values, star, foot
	}
	values, star, foot := table("tracenorm", "-cv", "3", "--metric", "log-loss", "--grid-lambda1", ".5,.05,.005",
		"--grid-lambda2", ".01", digits)
	if len(values) != 3 || star != 2 || values[star] >= values[0] || foot != "* the least log-loss" {
		t.Errorf("log-loss %v, chosen %d, %q", values, star, foot)
	}
	grid := []string{"topk", "--loss", "topk-hinge", "-cv", "5", "--grid-c", ".00003,.0001,.0003,.001,.003", digits}
	values, best, foot := table(grid...)
	again, simplest, footSE := table(append(grid, "--one-se")...)
	if len(values) != 5 || fmt.Sprint(values) != fmt.Sprint(again) ||
		!(simplest < best && values[simplest] <= values[best]) ||
		foot != "* the greatest accuracy" || footSE != "* the simplest within a standard error of the greatest "+
		"accuracy" {
		t.Errorf("%v, the best %d, %q; simplest %d, %q", values, best, foot, simplest, footSE)
	}
}

// TestGradesAcross: the NDCG of cross-validation takes labels for grades where there are more than two.
func TestGradesAcross(t *testing.T) {
	scores, grades := vec.MatrixOf(4, 1, []float64{4, 3, 2, 1}), []int{1, 3, 0, 2}
	rows, positive := []int{0, 1, 2, 3}, []bool{true, true, false, true}
	ndcg := func(grades []int) float64 {
		all := topMetrics(positive, nil, grades, .5)
		return must1(all[len(all)-1].Of(scores, rows))
	}
	if got, want := ndcg(grades), must1(metrics.NDCG(scores.Data, grades, nil, 4)); got != want {
		t.Errorf("%v with grades, want %v", got, want)
	}
	if got, want := ndcg(nil), must1(metrics.NDCG(scores.Data, []int{1, 1, 0, 1}, nil, 4)); got != want {
		t.Errorf("%v without grades, want %v", got, want)
	}
}
