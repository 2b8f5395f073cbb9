// Package ranktruth is for tests: problems of ranking at the top, some of them with optima that are known, and the
// primal and the dual value by their formulas.
package ranktruth

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Problem is a problem of ranking.json.gz, or one that is made from scratch.
type Problem struct {
	Name     string
	X        [][]float64 // n-by-d
	Positive []bool
	Kernel   kernel.Kernel
	Groups   []int // the query of each example, or nil: see Within

	PatMat, All, Hinge     bool // with none of them TopPush with the quadratic
	K                      int  // of TopPush
	C, Tau, Theta1, Theta2 float64

	// The optimum, where it is known: alpha and beta are of each of the n examples.
	Optimum, Threshold float64
	Alpha, Beta        []float64
}

// Read returns the problems with optima that are known. dir is the folder testdata of solvers/toprank.
func Read(t testing.TB, dir string) []Problem {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "ranking.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		X       [][]float64
		Y       []int
		Results []struct {
			ID, Problem, Variant, Kernel, Loss   string
			Sigma, C, Tau, Theta, Theta1, Theta2 float64
			K                                    int
			Dual                                 float64   `json:"dual_opt"`
			T                                    float64   `json:"t"`
			V                                    []float64 `json:"alpha_beta"`
		}
	}
	if err := json.NewDecoder(z).Decode(&file); err != nil {
		t.Fatal(err)
	}
	positive := make([]bool, len(file.Y))
	for i, y := range file.Y {
		positive[i] = y == 1
	}
	problems := make([]Problem, len(file.Results))
	for q, r := range file.Results {
		p := Problem{Name: r.ID, X: file.X, Positive: positive, Kernel: kernel.Linear{},
			PatMat: r.Problem == "PatMat", All: r.Variant == "all", Hinge: r.Loss == "hinge",
			K: r.K, C: r.C, Tau: r.Tau, Theta1: r.Theta1, Theta2: r.Theta2, Optimum: r.Dual, Threshold: r.T}
		if r.Kernel == "gauss" {
			p.Kernel = kernel.Gaussian{Gamma: r.Sigma}
		}
		if !p.PatMat {
			p.Theta1, p.Theta2 = r.Theta, 1
		}
		p.Alpha, p.Beta = make([]float64, len(positive)), make([]float64, len(positive))
		at := 0
		for _, pass := range []struct {
			to   []float64
			has  bool
			both bool
		}{{p.Alpha, true, false}, {p.Beta, false, p.All}} {
			for i, y := range positive {
				if y == pass.has || pass.both {
					pass.to[i] = r.V[at]
					at++
				}
			}
		}
		if at != len(r.V) {
			t.Fatalf("%s: %d dual variables, want %d", p.Name, len(r.V), at)
		}
		problems[q] = p
	}
	if len(problems) != 72 {
		t.Fatalf("%d problems, want 72", len(problems))
	}
	return problems
}

// Features returns the examples as a matrix of T.
func Features[T vec.Float](p Problem) vec.Matrix[T] {
	x := vec.NewMatrix[T](len(p.X), len(p.X[0]))
	for i, row := range p.X {
		vec.Convert(x.Row(i), row)
	}
	return x
}
