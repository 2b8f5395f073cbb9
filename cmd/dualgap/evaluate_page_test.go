package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/page/pagetest"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// TestEvaluatePage: the page of each task has its pictures, whose texts fit, and its measures; it needs no script and
// no other file, whatever the classes are called.
func TestEvaluatePage(t *testing.T) {
	soft := map[string]string{"solver": "tracenorm"}
	odd := []string{`<script>"`, "a name, that is so long that no picture has room for it", ""}
	many := make([]string, 30)
	for c := range many {
		many[c] = fmt.Sprint(c)
	}
	var crowd strings.Builder
	for i := range 300 {
		fmt.Fprintf(&crowd, "%d %d:1\n", i%30, (i+i/100)%30+1)
	}
	for name, c := range map[string]struct {
		model, data string
		args        []string
		pictures    int
		texts       []string
	}{
		"classes": {weights(t, nil, odd...), "1,0,0,\"<script>\"\"\"\n0,1,0,\"" +
			odd[1] + "\"\n0,2,1,\"<script>\"\"\"\n", nil, 3, []string{`<script>"`, "Most frequent errors",
			"Each class against all others"}},
		"probabilities": {weights(t, soft, "a", "b"), "1,0,a\n0,1,b\n0,.1,a\n", nil, 4,
			[]string{"Reliability", "calibration error", "By probability"}},
		"one class": {weights(t, soft, "a", "b"), "1,0,a\n0,1,a\n", nil, 2, []string{"accuracy"}},
		"many classes": {weights(t, nil, many...), crowd.String(), nil, 1,
			[]string{"all others", "Of 30 classes those with the most errors"}},
		"positive": {weights(t, nil, "a", "b"), "1,0,a\n0,1,b\n", []string{"--positive", "a"}, 3,
			[]string{"average precision"}},
		"sets": {weights(t, map[string]string{predictor.NoteTask: predictor.Sets}, many...), "1,2 2:1\n3 4:1\n",
			nil, 1, []string{"Hamming loss", "The most frequent of 30 labels"}},
		"ranker": {weights(t, map[string]string{"threshold": "1", predictor.NotePositive: "p"}),
			"2,p\n1,n\n0,p\n", nil, 2, []string{"area below ROC", "by chance"}},
		"all positive": {weights(t, map[string]string{"threshold": "1", predictor.NotePositive: "p"}), "2,p\n1,p\n",
			nil, 1, []string{"average precision"}},
	} {
		data := text(t, "data.csv", c.data)
		if strings.Contains(c.data, ":1\n") {
			data = text(t, "data.svm", c.data)
		}
		to := filepath.Join(t.TempDir(), "report.html")
		args := append(append([]string{"evaluate", "--header", "no", "--html", to}, c.args...), data, c.model)
		if strings.HasSuffix(data, ".svm") {
			args = append(args[:1], args[3:]...)
		}
		for range 2 { // it replaces a report
			must(t, args...)
		}
		html, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		got, pictures := pagetest.Check(t, html)
		if pictures != c.pictures {
			t.Errorf("%s: %d pictures, want %d", name, pictures, c.pictures)
		}
		for _, want := range append(c.texts, "model.dg on "+filepath.Base(data)) {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q", name, want)
			}
		}
	}
	m, data := weights(t, nil, "a", "b"), text(t, "data.csv", "1,0,a\n")
	code, _, stderr := command(t, "evaluate", "--html", text(t, "notes.html", "<p>mine</p>\n"), data, m)
	if code == 0 || !strings.Contains(stderr, "not a report") {
		t.Errorf("code %d, %s", code, stderr)
	}
}

// TestFewer: counts of classes that are drawn as one are summed.
func TestFewer(t *testing.T) {
	const n = mostClasses + 5
	names, counts, sum := make([]string, n), make([][]int, n), 0
	for i := range n {
		names[i], counts[i] = fmt.Sprint(i), make([]int, n)
		for j := range n {
			counts[i][j] = i * j % 7
			sum += counts[i][j]
		}
	}
	few, sums := fewer(names, counts)
	for _, row := range sums {
		for _, v := range row {
			sum -= v
		}
	}
	if len(few) != mostClasses || len(sums) != mostClasses || few[mostClasses-1] != "all others" || sum != 0 {
		t.Errorf("%q, %d examples are missing", few, sum)
	}
}
