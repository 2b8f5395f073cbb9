package topk

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers/topk"
)

// One row comes out as in the paper, to 0.3 points.
func TestRow(t *testing.T) {
	data := os.Getenv("DUALGAP_DATA")
	if data == "" || testing.Short() {
		t.Skip("DUALGAP_DATA does not name the folder of larger sets, or -short")
	}
	r, err := report.New(io.Discard, io.Discard, "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := open(report.Folder(data))
	if err != nil {
		t.Skip(err)
	}
	p.config, p.bar = topk.Config{Classes: p.m, Tol: 1e-4, Workers: 1}, r.Bar
	row := printed[len(printed)-1]
	_, got, err := p.row(context.Background(), row, []float64{.01})
	if err != nil {
		t.Fatal(err)
	}
	for j, v := range got {
		if math.Abs(v-row.accuracy[j]) > 0.3 {
			t.Errorf("top-%d: %.2f, the paper %.2f", tops[j], v, row.accuracy[j])
		}
	}
}

// tiny writes three parts of a number of classes, each with an example that has one pixel of its own.
func tiny(t *testing.T, classes int) string {
	dir := t.TempDir()
	for _, part := range []string{"train", "val", "test"} {
		file, err := os.Create(filepath.Join(dir, "caltech101-silhouettes28-"+part+".svm.gz"))
		if err != nil {
			t.Fatal(err)
		}
		z := gzip.NewWriter(file)
		for c := range classes {
			fmt.Fprintf(z, "%d %d:1\n", c, c+1)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestTable: all rows come, as text and in the file, and examples so plain are told apart.
func TestTable(t *testing.T) {
	out := t.TempDir()
	var text, stderr strings.Builder
	args := []string{"-data", tiny(t, 22), "-out", out, "-tol", "1e-3", "-c", "1"}
	if err := Run(context.Background(), args, &text, &stderr); err != nil || stderr.Len() > 0 {
		t.Fatalf("%v, stderr %q", err, stderr.String())
	}
	if n := strings.Count(text.String(), "\n  the paper"); n != len(printed)+2 {
		t.Errorf("%d rows with the paper's numbers in\n%s", n, text.String())
	}
	if n := strings.Count(text.String(), "\nclaim, "); n != 6 {
		t.Errorf("%d claims in\n%s", n, text.String())
	}
	file, err := os.ReadFile(filepath.Join(out, "topk-table1.json"))
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Rows []struct {
			Cells []struct{ Value, Paper float64 }
		}
	}
	if err := json.Unmarshal(file, &table); err != nil || len(table.Rows) != len(printed)+2 {
		t.Fatalf("%v, %d rows", err, len(table.Rows))
	}
	for row, m := range slices.Concat(printedBaselines, printed[:1]) {
		if c := table.Rows[row].Cells; c[1].Value != 100 || c[1].Paper != m.accuracy[0] {
			t.Errorf("%v: %+v", m, c)
		}
	}
}

// TestEmbedded: without a folder the table has small sets, says so, and nothing of the paper's stands beside.
func TestEmbedded(t *testing.T) {
	t.Setenv("DUALGAP_DATA", "")
	out := t.TempDir()
	var text, stderr strings.Builder
	small := func() ([]*problem, error) {
		all, err := embedded()
		return all[1:], err // the digits alone
	}
	args := []string{"-tol", "1e-3", "-c", "0.1", "-out", out}
	if err := run(context.Background(), small, args, &text, &stderr); err != nil || stderr.Len() > 0 {
		t.Fatalf("%v, stderr %q", err, stderr.String())
	}
	for _, want := range []string{"No -data: smaller", "Table 1, digits of 8 x 8 pixels, embedded, 10 classes, 899 " +
		"training, 449 validation, 449 test", "claim, Table 1: the top-k hinge loss",
		"\nSVM one-vs-all  ", "\nTopPush one-vs-all  ", "than SVM and TopPush one-vs-all", "top-10 simplex",
		"claim, Figure 3"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "\n  the paper") {
		t.Errorf("numbers of the paper in\n%s", text.String())
	}
	if _, err := os.Stat(filepath.Join(out, "topk-table1-digits.json")); err != nil {
		t.Error(err)
	}
}

// TestOwn: a method counts at its own k alone, and a gain of 0 is none.
func TestOwn(t *testing.T) {
	p := &problem{tops: []int{1, 2, 3}, methods: []method{{k: 1}, {k: 2}, {k: 3}, {k: 5}}}
	better, all, least, at := p.own([][]float64{{50, 60, 70}, {99, 60, 99}, {0, 0, 71}, {99, 99, 99}},
		[]float64{50, 60, 70})
	if better != 1 || all != 2 || least != 0 || !strings.Contains(at, "k=2") {
		t.Errorf("%d of %d, %v %s", better, all, least, at)
	}
}

func TestErrors(t *testing.T) {
	t.Setenv("DUALGAP_DATA", "")
	small, empty := tiny(t, 3), t.TempDir()
	for want, args := range map[string][]string{
		`"x" is not a positive number`:                  {"-c", "1,x", "-data", small},
		"-tol -1: want a positive":                      {"-tol", "-1", "-data", small},
		"no-such-folder: no such":                       {"-data", "no-such-folder"},
		"lacks caltech101-silhouettes28-train.svm.gz, ": {"-data", empty},
		"3 classes, want 10":                            {"-data", small},
		`unexpected argument "more"`:                    {"-data", small, "more"},
	} {
		if err := Run(context.Background(), args, io.Discard, io.Discard); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", args, err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Run(ctx, []string{"-data", tiny(t, 22)}, io.Discard, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
