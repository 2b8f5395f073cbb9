package mkl

import (
	"bufio"
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// data is the folder of the larger sets.
func data(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("DUALGAP_DATA")
	if dir == "" {
		t.Skip("DUALGAP_DATA does not name the folder of larger sets")
	}
	return dir
}

// cues are descriptions of the same images, to train on and to test with.
type cues struct {
	train, test []*dataset.Dense[float32]
	y, yt       []int
}

// caltech reads cues of Caltech-101, mapped so that Euclidean distances are Hellinger distances. A name may end with
// the columns of a cue, as in phog180[20:100].
func caltech(t testing.TB, names ...string) (c cues) {
	t.Helper()
	dir := filepath.Join(data(t), "caltech101-feat")
	table := func(name string) (rows [][]string) {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Skip(err)
		}
		defer f.Close()
		for in := bufio.NewScanner(f); in.Scan(); {
			rows = append(rows, strings.Split(in.Text(), "\t"))
		}
		return rows[1:]
	}
	var trains []bool
	for _, row := range table("index.tsv") {
		y, err := strconv.Atoi(row[1])
		if err != nil {
			t.Fatal(err)
		}
		if row[2] == "train" {
			c.y = append(c.y, y-1)
		} else {
			c.yt = append(c.yt, y-1)
		}
		trains = append(trains, row[2] == "train")
	}
	for _, name := range names {
		cue, columns, part := strings.Cut(strings.TrimSuffix(name, "]"), "[")
		o := dataset.NPYOptions{}
		for _, row := range table("scales.tsv") {
			if row[0] == cue {
				o.Scale, _ = strconv.ParseFloat(row[3], 64)
			}
		}
		x := readNPY(t, filepath.Join(dir, cue+".npy.gz"), o)
		from, to := 0, x.Cols
		if part {
			a, b, _ := strings.Cut(columns, ":")
			from, _ = strconv.Atoi(a)
			to, _ = strconv.Atoi(b)
		}
		var some [2]*dataset.Dense[float32]
		for s, n := range []int{len(c.y), len(c.yt)} {
			some[s] = &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](n, to-from)}
		}
		var at [2]int
		for i, train := range trains {
			s := 1
			if train {
				s = 0
			}
			row := some[s].Row(at[s])
			at[s]++
			copy(row, x.Row(i)[from:to])
			if cue == "bow" {
				vec.Scale(1/vec.Sum(row), row)
				for j, v := range row {
					row[j] = float32(math.Sqrt(float64(v)))
				}
			}
		}
		c.train, c.test = append(c.train, some[0]), append(c.test, some[1])
	}
	return c
}

func readNPY(t testing.TB, path string, o dataset.NPYOptions) *dataset.Dense[float32] {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	x, err := dataset.ReadNPY[float32](z, path, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// meanDistance is the mean of |x - z|² over all pairs of examples: 2 (mean |x|² - |mean x|²).
func meanDistance(x *dataset.Dense[float32]) float64 {
	mean, square := make([]float64, x.Cols), 0.0
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			mean[j] += float64(v) / float64(x.Rows)
			square += float64(v) * float64(v) / float64(x.Rows)
		}
	}
	return 2 * (square - vec.SquaredNorm(mean))
}

// matrices is of exp(-d/mean d) on each cue, as given matrices of distances.
func (c cues) matrices(t testing.TB) *bundle.Bundle[float32] {
	t.Helper()
	var groups []bundle.Group[float32]
	for _, x := range c.train {
		d := vec.NewMatrix[float32](x.Rows, x.Rows)
		vec.SquaredDistances(d, x.Matrix, x.Matrix)
		m, err := kernel.FromDistances(d, 1/meanDistance(x))
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, bundle.Group[float32]{Matrix: m})
	}
	b, err := bundle.New(0, groups...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// values returns the test images by their values with all training images, of all kernels side by side.
func (c cues) values() design.Matrix[float32] {
	var parts []design.Matrix[float32]
	for q, x := range c.test {
		k := vec.NewMatrix[float32](x.Rows, c.train[q].Rows)
		kernel.Between(k, kernel.Gaussian{Gamma: 1 / meanDistance(c.train[q])}, x.Matrix, c.train[q].Matrix)
		parts = append(parts, &dataset.Dense[float32]{Matrix: k})
	}
	return design.Concat(parts...)
}

// accuracies returns the part of examples that is right, and the mean of that over the classes, in percent.
func accuracies(predicted, y []int, classes int) (overall, mean float64) {
	right, count := make([]float64, classes), make([]float64, classes)
	for i, c := range y {
		count[c]++
		if predicted[i] == c {
			right[c]++
			overall += 100 / float64(len(y))
		}
	}
	for c, n := range count {
		mean += 100 * right[c] / n / float64(classes)
	}
	return overall, mean
}
