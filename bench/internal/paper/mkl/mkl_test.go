package mkl

import (
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/fashion"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// The miniature of Caltech-101: classes with a number of training and of test images each, and of MNIST.
const classes, trains, tests, digitTrains, digitTests = 4, 8, 3, 60, 30

// pack writes a file, packed by gzip.
func pack(t *testing.T, path string, write func(w io.Writer) error) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(file)
	if err := errors.Join(write(z), z.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// number returns a byte that is larger where a feature tells the class.
func number(random *rand.Rand, j, class, of int) byte {
	v := random.IntN(60)
	if j%of == class {
		v += 80
	}
	return byte(v)
}

// tiny makes a folder with the cues of a few images, and a few images in the form of MNIST.
func tiny(t *testing.T) string {
	t.Helper()
	dir, random := t.TempDir(), rand.New(rand.NewPCG(1, 0))
	index, scales := "row\tlabel\tsplit\tclass\tfile\n", "feature\tshape\tdtype\tscale\n"
	n := classes * (trains + tests)
	for i := range n {
		split := "train"
		if i >= classes*trains {
			split = "test"
		}
		index += fmt.Sprintf("%d\t%d\t%s\tname\tfile\n", i, i%classes+1, split)
	}
	for _, cue := range cueNames {
		cols := 24
		if cue == "phog180" {
			cols = levels[len(levels)-1]
		}
		scales += cue + "\tshape\tuint8\t0.01\n"
		x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](n, cols)}
		for i := range n {
			for j := range cols {
				x.Row(i)[j] = float32(number(random, j, i%classes, classes))
			}
		}
		pack(t, filepath.Join(dir, "caltech101-feat", cue+".npy.gz"), func(w io.Writer) error {
			return dataset.WriteNPY(w, x, dataset.NPYOptions{Type: "u1"})
		})
	}
	for name, text := range map[string]string{"index.tsv": index, "scales.tsv": scales} {
		if err := os.WriteFile(filepath.Join(dir, "caltech101-feat", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for part, n := range map[string]int{"train": digitTrains, "t10k": digitTests} {
		images := binary.BigEndian.AppendUint32(nil, 0x0803)
		for _, size := range []int{n, fashion.Side, fashion.Side} {
			images = binary.BigEndian.AppendUint32(images, uint32(size))
		}
		labels := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, 0x0801), uint32(n))
		for i := range n {
			labels = append(labels, byte(i%3))
			for j := range fashion.Side * fashion.Side {
				images = append(images, number(random, j, i%3, 5))
			}
		}
		for kind, content := range map[string][]byte{"images-idx3": images, "labels-idx1": labels} {
			pack(t, filepath.Join(dir, "mnist", part+"-"+kind+"-ubyte.gz"), func(w io.Writer) error {
				_, err := w.Write(content)
				return err
			})
		}
	}
	return dir
}

// TestRun: all parts run on small sets, print, and write files that can be read.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: trains some hundred models, which takes long on emulated CPUs")
	}
	out := t.TempDir()
	var text, stderr strings.Builder
	args := strings.Fields("-draws 2 -passes 3 -n 20,40,1000 -examples 40 -out " + out + " -data " + tiny(t))
	if err := Run(context.Background(), args, &text, &stderr); err != nil || stderr.Len() > 0 {
		t.Fatalf("%v, stderr %q, printed\n%s", err, stderr.String(), text.String())
	}
	for _, want := range []string{"7 cues, 4 classes, 32 training and 12 test images", "average of all", "p = 1.01",
		"p = 2", "SimpleMKL, p = 1", "18 kernels take",
		"p by validation", "the best in hindsight",
		"cross-validation in 3 folds", "Figure 1, left", "Pegasos", "within", "Figure 2, left", "level 3",
		"Figure 2, middle", "18 kernels",
		"Figure 3", "Figure 2, right", "Figure 4, MNIST, 30 test images", "quarter", "F = 39, M = 102",
		"log time over log n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	for from, n := range map[string]int{"section 4.2": 1, "Figure 1, left": 1,
		"Figure 1, right": 1, "Figure 2, left": 4,
		"section 3": 1, "Figure 2, middle": 1, "Figure 3": 2, "Figure 4": 2} {
		if strings.Count(text.String(), "\nclaim, "+from+": ") != n {
			t.Errorf("not %d claims of %s in\n%s", n, from, text.String())
		}
	}
	var table struct {
		Rows []struct {
			Name  string
			Cells []struct{ Value float64 }
		}
	}
	read(t, filepath.Join(out, "mkl-table-caltech.json"), &table)
	if len(table.Rows) != 1+len(cueNames)+1+len(norms) {
		t.Fatalf("%+v", table)
	}
	for _, row := range table.Rows[1+len(cueNames):] {
		sum := 0.0
		for _, cell := range row.Cells[5:] {
			sum += cell.Value
		}
		if len(row.Cells) != 5+len(cueNames) || !(sum > 1-1e-12 && sum < 1+1e-12) || !(row.Cells[0].Value > 50) ||
			!(row.Cells[4].Value <= 1e-3) {
			t.Errorf("%+v: shares sum to %v", row, sum)
		}
	}
	read(t, filepath.Join(out, "mkl-figure4-table-mnist.json"), &table)
	if len(table.Rows) != 3 {
		t.Errorf("%+v", table)
	}
	checkFigures(t, out)
}

// checkFigures reads all figures: each has as many lines as it should, of points.
func checkFigures(t *testing.T, out string) {
	t.Helper()
	for name, lines := range map[string]int{"shares-caltech": 7, "figure1-accuracy-caltech": 3,
		"figure1-objective-caltech": 3, "figure2-left-stages-caltech": 7, "figure2-left-fit-caltech": 7,
		"figure2-middle-caltech": 5, "figure2-right-caltech": 2, "figure3-caltech": 4, "figure4-mnist": 6,
		"figure4-time-mnist": 3} {
		var figure struct {
			Lines []struct {
				Name string
				X, Y []float64
			}
		}
		read(t, filepath.Join(out, "mkl-"+name+".json"), &figure)
		if len(figure.Lines) != lines {
			t.Errorf("%s has %d lines, want %d", name, len(figure.Lines), lines)
		}
		for _, l := range figure.Lines {
			if len(l.X) != len(l.Y) || len(l.X) < 1 {
				t.Errorf("%s, %s: %d and %d numbers", name, l.Name, len(l.X), len(l.Y))
			}
		}
		if svg, err := os.ReadFile(filepath.Join(out, "mkl-"+name+".svg")); err != nil || !strings.Contains(string(svg),
			"<path") {
			t.Errorf("%s: %v", name, err)
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

// TestEmbedded: without a folder there are images to show something with.
func TestEmbedded(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: takes long on emulated CPUs")
	}
	t.Setenv("DUALGAP_DATA", "")
	var text strings.Builder
	if err := Run(context.Background(), []string{"-only", "table"}, &text,
		io.Discard); err != nil || !strings.Contains(text.String(), "4 cues, 10 classes") ||
		!strings.Contains(text.String(), "No -data: smaller") {
		t.Fatalf("%v in\n%s", err, text.String())
	}
}

func TestErrors(t *testing.T) {
	t.Setenv("DUALGAP_DATA", "")
	dir := tiny(t)
	for want, args := range map[string]string{
		"no-such: no such folder":        "-data no-such",
		"lacks caltech101-feat/index":    "-only table -data " + t.TempDir(),
		"lacks mnist/train-images":       "-only figure4 -data " + t.TempDir(),
		`"table9" is none of table, `:    "-only table,table9 -data " + dir,
		"-tol 1: want a number abov":     "-tol 1 -data " + dir,
		"-c NaN: want a positive":        "-c NaN -data " + dir,
		"-draws 0 -examples 1200":        "-draws 0 -data " + dir,
		"-examples 40000: want at least": "-examples 40000 -data " + dir,
		`"0" is not a positive number`:   "-n 10,0 -data " + dir,
		"1.5 is no number of images":     "-n 1.5 -data " + dir,
		"-workers: -1 workers":           "-workers -1 -data " + dir,
	} {
		if err := Run(context.Background(), strings.Fields(args), io.Discard,
			io.Discard); err == nil || !strings.Contains(err.Error(), filepath.FromSlash(want)) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
	for _, p := range parts {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := Run(ctx, []string{"-data", dir, "-n", "20", "-examples", "20", "-only", p.Name}, io.Discard,
			io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, interrupted: %v", p.Name, err)
		}
	}
}
