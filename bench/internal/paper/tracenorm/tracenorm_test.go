package tracenorm

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// tiny returns a set of 12 classes, each with a feature of its own that is larger, besides noise.
func tiny() set {
	const classes, d = 12, 32
	draw := func(n int, seed uint64) part {
		random := rand.New(rand.NewPCG(seed, 1))
		x, y := vec.NewMatrix[float32](n, d), make([]int, n)
		for i := range n {
			y[i] = i % classes
			for j := range d {
				x.Row(i)[j] = float32(0.3 * random.NormFloat64())
			}
			x.Row(i)[y[i]]++
		}
		return part{&dataset.Dense[float32]{Matrix: x}, y}
	}
	return set{"Tiny", "tiny", draw(240, 1), draw(120, 2), classes}
}

// small are the sizes of a run in a second or so.
const small = " -orders 2 -steps 2 -rounds 1 -descent 5 -rows 600 -features 32 -examples 600 -classes 5 -iterations " +
	"2000 -workers 2"

// TestRun: all parts run, print, and write files that can be read.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: trains some hundred models, which takes long on emulated CPUs")
	}
	t.Setenv("DUALGAP_DATA", "")
	out := t.TempDir()
	var text, stderr strings.Builder
	if err := run(context.Background(), tiny, strings.Fields("-out "+out+small), &text, &stderr); err != nil ||
		stderr.Len() > 0 {
		t.Fatalf("%v, stderr %q", err, stderr.String())
	}
	for _, want := range []string{"Figure 1, Tiny, 12 classes", "Figure 2, above, Tiny",
		"Figure 2, below, Tiny, 12 classes", "Tiny, 12 classes: accuracy by training",
		"Figure 3, Tiny", "Semi-PQ has ", "Race of solvers on Tiny", "rank-one descent with epsilon 0.035, ",
		"a path of 10 x 10 on Tiny", "Products in the compressed domain, n = 600",
		"Training to a gap of 1e-2, n = 600, d = 32, 5 classes"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	for _, from := range []string{"Figure 1", "section 2", "Figure 2, above", "Figure 2, below", "Figure 3",
		"section 4, times"} {
		if !strings.Contains(text.String(), "\nclaim, "+from+": ") {
			t.Errorf("no claim of %s in\n%s", from, text.String())
		}
	}
	top := readTable(t, filepath.Join(out, "tracenorm-figure2-top-tiny-table.json"))
	if len(top.Rows) != len(methods) {
		t.Fatalf("%+v", top)
	}
	for _, row := range top.Rows { // features tell classes plainly: chance would have 8
		for j, c := range row.Cells {
			if !(c.Value > 80 && c.Value <= 100) || j > 0 && c.Value < row.Cells[j-1].Value {
				t.Errorf("%s: %+v", row.Name, row.Cells)
			}
		}
	}
	for _, row := range readTable(t, filepath.Join(out, "tracenorm-race-table.json")).Rows {
		if c := row.Cells; !(c[0].Value > 0 && c[1].Value > 0 && c[2].Value > 0) {
			t.Errorf("race, %s: %+v", row.Name, c)
		}
	}
	for _, row := range readTable(t, filepath.Join(out, "tracenorm-figure2-classes-tiny-table.json")).Rows {
		if len(row.Cells) != 2 || len(row.Cells[0].Draws) != 2 ||
			len(row.Cells[1].Draws) != 0 { // 10 of 12 classes twice, all of them once
			t.Errorf("%s: %+v", row.Name, row.Cells)
		}
	}
	products := readTable(t, filepath.Join(out, "tracenorm-products.json"))
	if n := len(products.Rows); n != 4*3*2 || products.Rows[n-6].Cells[2].Paper != 52.4/42.3 ||
		products.Rows[n-5].Cells[2].Paper != 43.8/9.2 {
		t.Errorf("%+v", products)
	}
	pictures, err := filepath.Glob(filepath.Join(out, "*.svg"))
	if err != nil || len(pictures) != 5 {
		t.Errorf("%d pictures: %v", len(pictures), err)
	}
}

// table is what is read of a table's file.
type table struct {
	Rows []struct {
		Name  string
		Cells []struct {
			Value, Paper float64
			Draws        []float64
		}
	}
}

func readTable(t *testing.T, path string) (into table) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(content, &into)
	}
	if err != nil {
		t.Fatal(err)
	}
	return into
}

func TestErrors(t *testing.T) {
	t.Setenv("DUALGAP_DATA", "")
	for want, args := range map[string]string{
		"no-such: no such folder":       "-data no-such",
		"caltech101-feat/index.tsv":     "-only figure1 -data " + t.TempDir(),
		"t10k-images-idx3-ubyte.gz":     "-only race -data " + t.TempDir(),
		`"table9" is none of figure1, `: "-only figure1,table9",
		"-tol -1: want a positive":      "-tol -1",
		"-orders 0 -steps 3":            "-orders 0",
		"-features 40 -examples":        "-features 40",
		"-rows 2000000000 -examples":    "-rows 2000000000",
		"-workers: -1 workers":          "-workers -1",
		"unexpected argument":           "figures of",
	} {
		if err := run(context.Background(), tiny, strings.Fields(args), io.Discard, io.Discard); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
	for _, p := range parts {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := run(ctx, tiny, strings.Fields("-only "+p.Name+small), io.Discard, io.Discard); !errors.Is(err,
			context.Canceled) {
			t.Errorf("%s, interrupted: %v", p.Name, err)
		}
	}
}
