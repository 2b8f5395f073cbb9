package tracenorm

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// truth is a problem whose optimum was computed by FISTA with a bound of its error from strong convexity.
type truth struct {
	ID               string
	N, D, K          int
	Lambda1, Lambda2 float64
	Optimum          float64 `json:"J_opt"`
	Bound            float64 `json:"suboptimality_bound"`
	Rank             int
	Singular         []float64 `json:"singular_values"`
	X                [][]float64
	Y                []int
	W                [][]float64
}

func truths(t testing.TB) (all []truth) {
	t.Helper()
	f, err := os.Open("testdata/tracenorm.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

// features returns the examples, which the file has as columns.
func features[T vec.Float](t testing.TB, p truth) solvers.Features[T] {
	x := vec.NewMatrix[T](p.N, p.D)
	for j, row := range p.X {
		for i, v := range row {
			x.Row(i)[j] = T(v)
		}
	}
	dense, err := dataset.NewDense(x)
	if err != nil {
		t.Fatal(err)
	}
	return dense
}

// TestTruth: the optimum, its rank and its singular values.
func TestTruth(t *testing.T) {
	for _, p := range truths(t) {
		r, err := Fit(t.Context(), features[float64](t, p), p.Y, Config{Lambda1: p.Lambda1, Lambda2: p.Lambda2, Raw: true, Tol: 1e-9, Workers: 1})
		if err != nil {
			t.Fatal(p.ID, err)
		}
		if off := (r.Certificate.Primal - p.Optimum) / p.Optimum; !(math.Abs(off) <= 1e-8) || r.Status != solvers.Converged {
			t.Errorf("%s: %v, %.3g from the optimum %v", p.ID, r.Outcome, off, p.Optimum)
		}
		t.Logf("%s: %v", p.ID, r.Outcome)
		if len(r.Spectrum) != p.Rank {
			t.Errorf("%s: rank %d, want %d: %v", p.ID, len(r.Spectrum), p.Rank, r.Spectrum)
		}
	}
}
