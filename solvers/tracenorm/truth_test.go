package tracenorm

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
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
func features[T vec.Float](t testing.TB, p truth) design.Matrix[T] {
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

// TestTruth: the optimum, its rank and its singular values, on dense and on sparse examples.
func TestTruth(t *testing.T) {
	for _, p := range truths(t) {
		x := features[float64](t, p).(*dataset.Dense[float64])
		sparse, err := x.CSR()
		if err != nil {
			t.Fatal(err)
		}
		c := Config{Lambda1: p.Lambda1, Lambda2: p.Lambda2, Raw: true, Tol: 1e-9, Workers: 1}
		for _, x := range []design.Matrix[float64]{x, sparse} {
			q := Problem[float64]{X: x, Y: p.Y}
			r := fit(t, q, c)
			if off := (r.Certificate.Primal - p.Optimum) / p.Optimum; !(math.Abs(off) <= 1e-8) {
				t.Errorf("%s: %v, %.3g from the optimum %v", p.ID, r.Outcome, off, p.Optimum)
			}
			if len(r.Spectrum) != p.Rank {
				t.Errorf("%s: rank %d, want %d: %v", p.ID, len(r.Spectrum), p.Rank, r.Spectrum)
			}
			// lambda2 |W - W*|² <= J(W) - J(W*), and singular values are no further apart than their matrices.
			far := math.Sqrt(r.Certificate.Gap() / p.Lambda2)
			for q, v := range r.Spectrum {
				if off := math.Abs(v - p.Singular[q]); !(off <= far) {
					t.Errorf("%s: singular value %d is %v, want %v, bound %g", p.ID, q, v, p.Singular[q], far)
				}
			}
			honest(t, p.ID, q, c, r)
		}
	}
}

// TestBounds: no dual value is above the optimum, no primal value below it, on the way there and wherever a training
// stops.
func TestBounds(t *testing.T) { prove.Both(t, testBounds[float32], testBounds[float64]) }

func testBounds[T vec.Float](t *testing.T) {
	for _, p := range truths(t) {
		x := features[T](t, p)
		// The truth is of numbers in float64: in T each is off by u of it, so is a score, by u |x| |W|, and the loss by
		// twice that. The bound of |W|: lambda1 |W| <= J(0) = log k, where J is at most that.
		longest := 0.0
		norms := make([]T, p.N)
		x.SquaredNorms(norms)
		for _, v := range norms {
			longest = max(longest, math.Sqrt(float64(v)))
		}
		slack := 1e-12
		if prove.IsF32[T]() {
			slack += 2 * prove.Unit[T]() * longest * math.Log(float64(p.K)) / p.Lambda1
		}
		certified := 0
		check := func(what string, c solvers.Certificate) {
			certified++
			if !(c.Dual <= p.Optimum+slack && c.Primal >= p.Optimum-slack) {
				t.Errorf("%s, %s: %v, but the optimum is %v, slack %g", p.ID, what, c, p.Optimum, slack)
			}
		}
		c := Config{Lambda1: p.Lambda1, Lambda2: p.Lambda2, Raw: true, Tol: 1e-5, Workers: 1}
		c.Progress = func(p solvers.Progress) {
			if p.Certified {
				check("on the way", p.Certificate)
			}
		}
		q := Problem[T]{X: x, Y: p.Y}
		end := fit(t, q, c)
		check("at the end", end.Certificate)
		for c.Epochs = 1; c.Epochs < end.Epochs; c.Epochs++ {
			r, err := q.Fit(t.Context(), c)
			if err != nil || r.Status != solvers.EpochLimit {
				t.Fatalf("%s: %s, %v", p.ID, told(r), err)
			}
			check("stopped", r.Certificate)
			honest(t, p.ID, q, c, r)
		}
		if certified < max(10, end.Epochs) { // one at each stop at least, and one at the end
			t.Errorf("%s: %d certificates", p.ID, certified)
		}
	}
}
