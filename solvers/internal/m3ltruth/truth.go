// Package m3ltruth is for tests: multi-label problems with a prior of label correlations, some of them with optima that
// are known, and the primal and the dual value by their formulas.
package m3ltruth

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Problem is a problem of truth.json, which its README.md describes, or of [Draw].
type Problem struct {
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

// Read returns the problems with optima that are known. dir is the folder testdata of solvers/m3l.
func Read(t testing.TB, dir string) (problems []Problem) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "truth.json.gz"))
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

// Mercer is the kernel.
func (p Problem) Mercer() kernel.Kernel {
	if p.Kernel == "gauss" {
		return kernel.Gaussian{Gamma: p.Gamma}
	}
	return kernel.Linear{}
}

// Prior is R.
func (p Problem) Prior() vec.Matrix[float64] { return Matrix[float64](p.R) }

// Sets are the labels of each example.
func (p Problem) Sets() [][]int {
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

// Margins are the loss's, of an example.
func (p Problem) Margins(i int, plus, minus []float64) {
	copy(plus, p.Plus[i])
	copy(minus, p.Minus[i])
}

// Matrix returns the rows as a matrix of T.
func Matrix[T vec.Float](rows [][]float64) vec.Matrix[T] {
	a := vec.NewMatrix[T](len(rows), len(rows[0]))
	for i, row := range rows {
		vec.Convert(a.Row(i), row)
	}
	return a
}
