package project

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// truthCase is one line of projection.json.gz, described in testdata/README.md.
type truthCase struct {
	D      int       `json:"d"`
	K      int       `json:"k"`
	R      float64   `json:"r"`
	Rho    float64   `json:"rho"`
	A      []float64 `json:"a"`
	XAlpha []float64 `json:"x_alpha"`
	XBeta  []float64 `json:"x_beta"`
}

func readTruth(t *testing.T, path string) []truthCase {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var cases []truthCase
	if err := json.NewDecoder(z).Decode(&cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestTruth(t *testing.T) {
	cases := readTruth(t, filepath.Join("testdata", "projection.json.gz"))
	if len(cases) != 100 {
		t.Fatalf("%d cases, want 100", len(cases))
	}
	testTruth[float64](t, cases, 1e-11)
	testTruth[float32](t, cases, 2e-6)
}

func TestTruthFull(t *testing.T) {
	data := os.Getenv("DUALGAP_DATA")
	if data == "" {
		t.Skip("DUALGAP_DATA does not name the folder of larger sets")
	}
	path := filepath.Join(data, "..", "truth", "projection.json.gz")
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	cases := readTruth(t, path)
	if len(cases) != 200 {
		t.Fatalf("%d cases, want 200", len(cases))
	}
	testTruth[float64](t, cases, 1e-11)
	testTruth[float32](t, cases, 2e-6)
}

func testTruth[T vec.Float](t *testing.T, cases []truthCase, tol float64) {
	t.Helper()
	var w Workspace[T]
	zeros, worst := 0, 0.0
	for i, c := range cases {
		a, x := make([]T, c.D), make([]T, c.D)
		size := 1.0
		for j, v := range c.A {
			a[j] = T(v)
			size = max(size, math.Abs(v))
		}
		compare := func(name string, want []float64) {
			zero := true
			for j := range want {
				zero = zero && want[j] == 0
			}
			if zero {
				zeros++
			}
			for j := range want {
				e := math.Abs(float64(x[j])-want[j]) / size
				worst = max(worst, e)
				if !(e <= tol) || zero && x[j] != 0 {
					t.Errorf("%T case %d, %s (d=%d k=%d r=%v rho=%v): x[%d] = %v, want %v",
						x[0], i, name, c.D, c.K, c.R, c.Rho, j, x[j], want[j])
				}
			}
		}
		TopKSimplex(x, a, c.K, T(c.R), T(c.Rho), &w)
		compare("alpha", c.XAlpha)
		TopKSimplexBeta(x, a, c.K, T(c.R), T(c.Rho), &w)
		compare("beta", c.XBeta)
	}
	t.Logf("%T: %d cases, %d zero solutions, largest error %.2g", *new(T), len(cases), zeros, worst)
}
