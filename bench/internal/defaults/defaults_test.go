package defaults

import (
	"bytes"
	"context"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
)

// TestTable: the command's models of a small set are as good as one expects, and what is not installed has no number.
func TestTable(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: builds the command and trains")
	}
	t.Setenv("PATH", goAlone(t))
	var out, errors bytes.Buffer
	err := Run(context.Background(), []string{"-filter", "ionosphere", "-train", "topk -e .1,m3l -e .1", "-data",
		t.TempDir()}, &out, &errors)
	if err != nil {
		t.Fatalf("%v\n%s", err, errors.String())
	}
	rows := regexp.MustCompile(`(?m)^ionosphere(?:, standard)? +([\d.]+) +([\d.]+)(?: |$)`).FindAllStringSubmatch(
		out.String(), -1)
	if len(rows) != 2 {
		t.Fatalf("rows %q of\n%s", rows, out.String())
	}
	for _, row := range rows {
		for _, cell := range row[1:] {
			if v, err := strconv.ParseFloat(cell, 64); err != nil || v < 80 || v > 100 {
				t.Errorf("%q in %q", cell, row[0])
			}
		}
	}
}

// TestSplit: each example is in one of the quarters of its class, which differ by one at most.
func TestSplit(t *testing.T) {
	all := samples.RedWine[float64]()
	if quarters(all) != 4 || quarters(samples.WhiteWine[float64]()) != 1 {
		t.Error("quarters of few examples alone")
	}
	count := make([][]int, len(all.Classes))
	for q := range 4 {
		s := split(all, q)
		if len(s.train.Y)+len(s.test.Y) != all.X.Rows || s.test.X.Rows != len(s.test.Y) {
			t.Errorf("%d and %d of %d examples", len(s.train.Y), len(s.test.Y), all.X.Rows)
		}
		for c := range count {
			n := 0
			for i, y := range s.test.Y {
				if y != c {
					continue
				}
				if n++; !contains(all, s.test.X.Row(i), c) {
					t.Fatalf("quarter %d: example %d is none of class %d", q, i, c)
				}
			}
			count[c] = append(count[c], n)
		}
	}
	for c, n := range count {
		whole := 0
		for _, y := range all.Y {
			if y == c {
				whole++
			}
		}
		if slices.Max(n)-slices.Min(n) > 1 || n[0]+n[1]+n[2]+n[3] != whole {
			t.Errorf("class %d of %d: quarters of %d", c, whole, n)
		}
	}
}

func contains(all *examples, row []float64, class int) bool {
	for i := range all.X.Rows {
		if all.Y[i] == class && slices.Equal(all.X.Row(i), row) {
			return true
		}
	}
	return false
}

// TestWrite: the rivals' files have the scaled numbers, ours the raw ones.
func TestWrite(t *testing.T) {
	s := split(samples.Ionosphere[float64](), 0)
	f, err := s.write(t.TempDir(), "standard")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := dataset.OpenCSV[float64](f.csv[1], dataset.CSVOptions{})
	if err != nil || !slices.Equal(raw.X.Data, s.test.X.Data) {
		t.Errorf("raw numbers: %v", err)
	}
	scaled, err := dataset.OpenLIBSVM[float64](f.svm[0], dataset.LIBSVMOptions{Cols: f.features})
	if err != nil {
		t.Fatal(err)
	}
	squares := 0.0
	for _, v := range scaled.X.Val {
		squares += v * v
	}
	// All but one of 34 features vary, each with variance 1: sums of n squares of float64 are exact to n roundings.
	n := float64(scaled.X.Rows)
	if want := 33 * n; math.Abs(squares-want) > 34*n*n*0x1p-50 {
		t.Errorf("squares sum to %v, want %v", squares, want)
	}
}

func TestUsage(t *testing.T) {
	for args, want := range map[string]string{"x": "unexpected argument", "-filter (": "-filter",
		"-fast": "not defined"} {
		err := Run(context.Background(), strings.Fields(args), new(bytes.Buffer), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

// goAlone returns a PATH with Go's own programs, and none of the rivals.
func goAlone(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	return filepath.Dir(path)
}
