package m3l

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// write makes a file of n examples with 8 features and 4 labels, of which each has a feature that tells it, but for
// some noise, and the first two go together.
func write(t *testing.T, path string, n int) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z, random := gzip.NewWriter(file), rand.New(rand.NewPCG(uint64(n), 1))
	for range n {
		var has [4]bool
		var names []string
		for l := range has {
			if has[l] = random.IntN(3) == 0; l == 1 && random.IntN(3) > 0 {
				has[l] = has[0]
			}
			if has[l] {
				names = append(names, fmt.Sprint(l+1))
			}
		}
		fmt.Fprint(z, strings.Join(names, ","))
		for j := range 8 {
			v := .7 * random.NormFloat64()
			if j < len(has) && has[j] {
				v += 2
			}
			fmt.Fprintf(z, " %d:%.3f", j+1, v)
		}
		fmt.Fprintln(z)
	}
	if err := errors.Join(z.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// tiny makes a folder with all sets.
func tiny(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for k, name := range []string{"yeast-train", "yeast-test", "tmc2007-500-train", "tmc2007-500-test", "rcv1sub1"} {
		write(t, filepath.Join(dir, name+".mlsvm.gz"), []int{200, 80, 210, 90, 300}[k])
	}
	return dir
}

// TestRun: all parts run on small sets, print, and write files that can be read.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: trains some thousand models, which takes long on emulated CPUs")
	}
	out := t.TempDir()
	t.Setenv("PATH", out) // no other library
	var text, stderr strings.Builder
	args := strings.Fields("-draws 2 -subset 24 -n 40,80,1000 -examples 60 -out " + out + " -data " + tiny(t))
	if err := Run(context.Background(), args, &text, &stderr); err != nil || stderr.Len() > 0 {
		t.Fatalf("%v, stderr %q", err, stderr.String())
	}
	for _, want := range []string{"Table 1, TMC2007-500, D = 500, L = 4", "Table 2", "1494057", "Figure 2, RCV1",
		"Figure 3, TMC", "within 1%",
		"Figure 5", "Table 3, Yeast", "M3L", "1-vs-All", "Power Set", "Regression", "Ranking", "5-NN", "26.93",
		"- stands for a program that is not installed: liblinear-train, svm-train"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if n := strings.Count(text.String(), "\nclaim, "); n != 2*3+1+2*2+2+3*2 {
		t.Errorf("%d claims in\n%s", n, text.String())
	}
	var table struct {
		Rows []struct {
			Name  string
			Cells []struct {
				Value, Paper, Difference float64
				Draws                    []float64
			}
		}
	}
	read(t, filepath.Join(out, "m3l-table3-rcv1.json"), &table)
	if len(table.Rows) != len(methods) {
		t.Fatalf("%+v", table)
	}
	for m, row := range table.Rows {
		c := row.Cells[0]
		if row.Name != methods[m].name || len(c.Draws) != 2 || !(c.Value >= 0 && c.Value < 50) ||
			c.Paper != printedTable3["RCV1"][m] || c.Difference != c.Value-c.Paper {
			t.Errorf("%+v", row)
		}
	}
	for _, set := range []string{"yeast", "tmc2007"} {
		read(t, filepath.Join(out, "m3l-table3-"+set+".json"), &table)
	}
	for _, name := range []string{"figure2-rcv1", "figure3-rcv1", "figure2-tmc2007", "figure3-tmc2007", "figure5"} {
		var figure struct {
			Lines []struct {
				Name string
				X, Y []float64
			}
		}
		read(t, filepath.Join(out, "m3l-"+name+".json"), &figure)
		for _, l := range figure.Lines {
			if len(l.X) != len(l.Y) || len(l.X) < 2 {
				t.Errorf("%s, %s: %d and %d numbers", name, l.Name, len(l.X), len(l.Y))
			}
		}
		if svg, err := os.ReadFile(filepath.Join(out, "m3l-"+name+".svg")); err != nil ||
			!strings.Contains(string(svg), "<path") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// few returns a set of ten classes with five attributes, and examples with a feature for each attribute.
func few() ([]*set, error) {
	random, attributes := rand.New(rand.NewPCG(1, 6)), vec.NewMatrix[float64](10, 5)
	for c := range attributes.Rows {
		for l := range attributes.Row(c) {
			attributes.Row(c)[l] = float64(2*((3*c+1)>>l&1) - 1)
		}
	}
	draw := func(n int) part {
		x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](n, 5)}
		labels := dataset.Labels{Y: make([]int, n)}
		for i := range n {
			labels.Y[i] = i % 10
			for l := range x.Row(i) {
				x.Row(i)[l] = float32(attributes.At(i%10, l) + .5*random.NormFloat64())
			}
		}
		return labelled(&dataset.Labeled[*dataset.Dense[float32]]{X: x, Labels: labels}, attributes)
	}
	return []*set{{name: "Few", file: "few", gamma: .1, attributes: attributes, train: draw(200), test: draw(100),
		labels: 5}}, nil
}

// TestEmbedded: without a folder all parts run on the sets that stand for the paper's, and nothing of the paper's is
// beside.
func TestEmbedded(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: trains some hundred models, which takes long on emulated CPUs")
	}
	t.Setenv("DUALGAP_DATA", "")
	t.Setenv("PATH", t.TempDir())
	var text, stderr strings.Builder
	args := strings.Fields("-draws 2 -subset 24 -n 40,80,1000 -examples 60")
	if err := run(context.Background(), few, args, &text, &stderr); err != nil || stderr.Len() > 0 {
		t.Fatalf("%v, stderr %q", err, stderr.String())
	}
	for _, want := range []string{"No -data: smaller", "Table 1, Few, D = 5, L = 5", "Table 2, linear training on Few",
		"Figure 2, Few", "Figure 3, Few", "Few, labels ", "Table 3, Few: 24 of 200 training examples, 3 of 10 classes",
		"Regression", "claim, Table 1", "claim, Table 2", "claim, Figure 2", "claim, Figure 3", "claim, Figure 5",
		"claim, Table 3"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	for _, not := range []string{"\n  the paper", "1494057"} {
		if strings.Contains(text.String(), not) {
			t.Errorf("%q in\n%s", not, text.String())
		}
	}
}

// TestUnseen: no example trained on is of a class tested on, and R is made of the classes tested on.
func TestUnseen(t *testing.T) {
	sets, err := few()
	if err != nil {
		t.Fatal(err)
	}
	c := &command{size: 50, tol: 1e-3, workers: 1}
	k, test, err := c.unseen(sets[0], rand.New(rand.NewPCG(1, 0)))
	if err != nil || len(k.train.y) != 50 || len(test.y) != 10*unseenClasses {
		t.Fatalf("%v: %d and %d examples", err, len(k.train.y), len(test.y))
	}
	r := vec.NewMatrix[float64](5, 5)
	for _, y := range test.y {
		if slices.Contains(k.train.y, y) {
			t.Errorf("class %d is on both sides", y)
		}
		for l := range r.Rows {
			for m := range r.Cols {
				r.Row(l)[m] += sets[0].attributes.At(y, l) * sets[0].attributes.At(y, m) / float64(len(test.y))
			}
		}
	}
	for l := range r.Rows {
		r.Row(l)[l] += unseenRidge
		for m := range r.Cols {
			if math.Abs(r.At(l, m)-k.r.At(l, m)) > 1e-12 {
				t.Errorf("R[%d, %d] = %v, want %v", l, m, k.r.At(l, m), r.At(l, m))
			}
		}
	}
	c.size = 150
	if _, _, err := c.unseen(sets[0], rand.New(rand.NewPCG(1, 0))); err == nil {
		t.Error("more examples than there are")
	}
}

// TestDigitAttributes: each attribute tells some digits from others, and all together tell each from each.
func TestDigitAttributes(t *testing.T) {
	sets, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for c := range 10 {
		row := fmt.Sprint(sets[1].attributes.Row(c))
		if other, ok := seen[row]; ok {
			t.Errorf("%d and %d are alike", other, c)
		}
		seen[row] = c
	}
	for l, has := range digitAttributes {
		if n := strings.Count(has, "x"); len(has) != 10 || n == 0 || n == 10 {
			t.Errorf("attribute %d: %q", l, has)
		}
	}
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestErrors(t *testing.T) {
	t.Setenv("DUALGAP_DATA", "")
	dir := tiny(t)
	for want, args := range map[string]string{
		"no-such: no such folder":           "-data no-such",
		"lacks yeast-train.mlsvm.gz, yeast": "-only table3 -data " + t.TempDir(),
		`"table9" is none of table1, `:      "-only table1,table9 -data " + dir,
		"-tol -1: want a positive":          "-tol -1 -data " + dir,
		`"0" is not a positive number`:      "-n 10,0 -data " + dir,
		"1.5 is no number of examples":      "-n 1.5 -data " + dir,
		"-draws 0":                          "-draws 0 -data " + dir,
		"Yeast: a subset of 500 of 200":     "-only table3 -subset 500 -data " + dir,
		"no two labels":                     "-only figure5 -subset 500 -data " + dir,
	} {
		if err := Run(context.Background(), strings.Fields(args), io.Discard, io.Discard); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
	for _, p := range parts {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := Run(ctx, []string{"-data", dir, "-subset", "24", "-only", p.Name}, io.Discard,
			io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, interrupted: %v", p.Name, err)
		}
	}
}
