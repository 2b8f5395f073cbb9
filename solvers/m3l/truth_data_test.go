package m3l

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// truthProblem is a problem of truth.json, described in testdata/README.md.
type truthProblem struct {
	C, Gamma float64
	Kernel   string      // "linear" or "gauss"
	Hamming  bool        // the loss
	X        [][]float64 // N-by-D
	Y        [][]float64 // N-by-L, ±1
	R        [][]float64
	Minus    [][]float64 `json:"Dminus"`
	Plus     [][]float64 `json:"Dplus"`
	Alpha    [][]float64
	Dual     float64 `json:"dual_eq25"` // without Constant
	Constant float64 `json:"const_C_sum_Dplus"`
	Primal   float64 `json:"primal_P2"`
}

// truth returns the problems with optima that are known.
func truth(t testing.TB) (problems []truthProblem) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "truth.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&problems); err != nil {
		t.Fatal(err)
	}
	if len(problems) != 4 {
		t.Fatalf("%d problems, want 4", len(problems))
	}
	return problems
}

// features are the examples.
func (p truthProblem) features() solvers.Features[float64] {
	return &dataset.Dense[float64]{Matrix: matrixOf(p.X)}
}

// mercer is the kernel.
func (p truthProblem) mercer() kernel.Kernel {
	if p.Kernel == "gauss" {
		return kernel.Gaussian{Gamma: p.Gamma}
	}
	return kernel.Linear{}
}

// matrix is the kernel matrix.
func (p truthProblem) matrix(t testing.TB) *kernel.Matrix[float64] {
	t.Helper()
	k, err := kernel.New(p.features(), p.mercer(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (p truthProblem) prior() vec.Matrix[float64] { return matrixOf(p.R) }

// sets are the labels of each example.
func (p truthProblem) sets() [][]int {
	sets := make([][]int, len(p.Y))
	for i, row := range p.Y {
		for l, y := range row {
			if y > 0 {
				sets[i] = append(sets[i], l)
			}
		}
	}
	return sets
}

// margins are those of the loss, of an example.
func (p truthProblem) margins(i int, plus, minus []float64) {
	copy(plus, p.Plus[i])
	copy(minus, p.Minus[i])
}

func matrixOf(rows [][]float64) vec.Matrix[float64] {
	a := vec.NewMatrix[float64](len(rows), len(rows[0]))
	for i, row := range rows {
		copy(a.Row(i), row)
	}
	return a
}
