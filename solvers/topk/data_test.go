package topk

import (
	"compress/gzip"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// blobs draws n examples of d features around m centers, some of them far from theirs.
func blobs[T vec.Float](rng *rand.Rand, n, d, m int) (*dataset.Dense[T], []int) {
	centers, x, y := vec.NewMatrix[T](m, d), vec.NewMatrix[T](n, d), make([]int, n)
	for i := range centers.Data {
		centers.Data[i] = T(rng.NormFloat64())
	}
	for i := range n {
		y[i] = i % m
		for j := range d {
			x.Row(i)[j] = centers.Row(y[i])[j] + T(rng.NormFloat64())
		}
	}
	return &dataset.Dense[T]{Matrix: x}, y
}

func dense[T vec.Float](rows [][]float64) *dataset.Dense[T] {
	x := vec.NewMatrix[T](len(rows), len(rows[0]))
	for i, row := range rows {
		for j, v := range row {
			x.Row(i)[j] = T(v)
		}
	}
	return &dataset.Dense[T]{Matrix: x}
}

// sparse is the same numbers without the zeros.
func sparse[T vec.Float](a *dataset.Dense[T]) *dataset.CSR[T] {
	b := &dataset.CSR[T]{Rows: a.Rows, Cols: a.Cols, Ptr: []int{0}}
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			if v != 0 {
				b.Idx, b.Val = append(b.Idx, int32(j)), append(b.Val, v)
			}
		}
		b.Ptr = append(b.Ptr, len(b.Val))
	}
	return b
}

// thin sets all numbers of x to 0 but about one of every.
func thin[T vec.Float](rng *rand.Rand, x *dataset.Dense[T], every int) *dataset.Dense[T] {
	for i := range x.Data {
		if rng.IntN(every) > 0 {
			x.Data[i] = 0
		}
	}
	return x
}

func first[T vec.Float](x *dataset.Dense[T], n int) *dataset.Dense[T] {
	return &dataset.Dense[T]{Matrix: x.Slice(0, n, 0, x.Cols)}
}

func singles(y []int) [][]int {
	sets := make([][]int, len(y))
	for i := range y {
		sets[i] = y[i : i+1]
	}
	return sets
}

// labelSets draws sets of classes that the nearest centers of blobs decide, some of them empty and some full.
func labelSets(rng *rand.Rand, y []int, m int) [][]int {
	sets := make([][]int, len(y))
	for i, c := range y {
		switch rng.IntN(8) {
		case 0:
		case 1:
			sets[i] = rng.Perm(m)
		case 2, 3:
			sets[i] = []int{(c + 1) % m, c}
		default:
			sets[i] = []int{c}
		}
	}
	return sets
}

func matrix[T vec.Float](t testing.TB, x design.Matrix[T], k kernel.Kernel, budget int64) *kernel.Matrix[T] {
	t.Helper()
	m, err := kernel.New(x, k, budget)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// mnist reads the 10,000 test images of MNIST; the first 8000 are for training.
func mnist[T vec.Float](t testing.TB) (*dataset.Dense[T], []int) {
	t.Helper()
	return images[T](t, "mnist", "t10k")
}

// images returns the set of that name, "train" or "t10k".
func images[T vec.Float](t testing.TB, name, part string) (*dataset.Dense[T], []int) {
	t.Helper()
	data := os.Getenv("DUALGAP_DATA")
	if data == "" {
		t.Skip("DUALGAP_DATA does not name the folder of larger sets")
	}
	file := func(kind string) string { return filepath.Join(data, name, part+"-"+kind+"-ubyte.gz") }
	set, err := dataset.OpenIDX[T](file("images-idx3"), file("labels-idx1"), dataset.IDXOptions{Scale: 1.0 / 255})
	if err != nil {
		t.Skip(err)
	}
	return set.X, set.Y
}

// tiny is topk_tiny.json, described in testdata/README.md.
type tiny struct {
	X       [][]float64 `json:"X"`
	Y       []int       `json:"y"`
	Results []struct {
		Lambda float64 `json:"lam"`
		Loss   string  `json:"loss"`
		K      int     `json:"k"`
		Primal float64 `json:"primal"`
		Dual   float64 `json:"dual"`
	} `json:"results"`
}

// lossNamed are the names of losses in the files of known optima.
var lossNamed = map[string]Loss{"alpha": TopKHinge, "beta": TopKUsunier}

func readTiny(t *testing.T) tiny {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "topk_tiny.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var v tiny
	if err := json.NewDecoder(z).Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
