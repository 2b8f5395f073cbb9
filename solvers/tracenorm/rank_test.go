package tracenorm

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// TestRankZero: from LargestLambda1 on the optimum is W = 0, and just below it is not.
func TestRankZero(t *testing.T) { prove.Both(t, testRankZero[float32], testRankZero[float64]) }

func testRankZero[T vec.Float](t *testing.T) {
	s := draw(5, 60, 6, 4)
	for form, x := range forms[T](t, s) {
		for _, c := range []Config{{}, {Raw: true}, {Bias: 1, Lambda2: .01}} {
			c.Workers, c.Tol = 1, 1e-6
			name := fmt.Sprintf("%s, %+v", form, c)
			p := Problem[T]{X: x, Y: s.y}
			largest, err := p.LargestLambda1(c)
			if err != nil {
				t.Fatal(err)
			}
			for _, times := range []float64{1 + 1e-6, 100} { // beyond the rounding of the sums in T
				c.Lambda1 = largest * times
				r := fit(t, p, c)
				if len(r.Spectrum) != 0 {
					t.Errorf("%s: %s: %v", name, told(r), r.Spectrum)
				}
				// log m for each example, and the same probabilities wherever.
				if off := math.Abs(r.Certificate.Primal - math.Log(4)); !(off <= 1e-13) {
					t.Errorf("%s: primal %v, want log 4, off by %g", name, r.Certificate.Primal, off)
				}
				probabilities, err := solvers.Probabilities(r.Model, x, 1)
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range probabilities.Data {
					if !(math.Abs(float64(v)-.25) <= 8*prove.Unit[T]()) {
						t.Fatalf("%s: probability %v, want 1/4", name, v)
					}
				}
				honest(t, name, p, c, r)
			}
			c.Lambda1 = largest * .97
			r := fit(t, p, c)
			if len(r.Spectrum) != 1 || !(r.Certificate.Primal < math.Log(4)) {
				t.Errorf("%s, just below %v: %s, %v", name, largest, told(r), r.Spectrum)
			}
			honest(t, name, p, c, r)
		}
	}
}

// TestRankLimit: with fewer columns than the optimum has a training ends with a true certificate, the rank is no
// larger, and the objective no smaller; with as many it is the optimum.
func TestRankLimit(t *testing.T) {
	p := truths(t)[1] // of rank 4
	q := Problem[float64]{X: features[float64](t, p), Y: p.Y}
	last := math.Inf(1)
	for rank := 1; rank <= 5; rank++ {
		c := Config{Lambda1: p.Lambda1, Lambda2: p.Lambda2, Raw: true, Tol: 1e-7, Rank: rank, Epochs: 300, Workers: 1}
		r, err := q.Fit(t.Context(), c)
		if err != nil || len(r.Spectrum) != min(rank, p.Rank) || r.Rank() != len(r.Spectrum) {
			t.Fatalf("Rank = %d: %s, %v", rank, told(r), err)
		}
		if got := r.Status == solvers.Converged; got != (rank >= p.Rank) {
			t.Errorf("Rank = %d: %s", rank, told(r))
		}
		if v := r.Certificate.Primal; !(v <= last*(1+1e-7)) || rank >= p.Rank && !(math.Abs(v-p.Optimum) <= 1e-7*v) {
			t.Errorf("Rank = %d: %v after %v, the optimum is %v", rank, v, last, p.Optimum)
		}
		last = r.Certificate.Primal
		honest(t, "rank", q, c, r)
	}
}

// TestDefaultLambdas: a five hundredth of LargestLambda1, and a tenth of that.
func TestDefaultLambdas(t *testing.T) {
	s := draw(6, 60, 6, 4)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	c := Config{Tol: 1e-4, Workers: 1}
	r := fit(t, p, c)
	largest, err := p.LargestLambda1(c)
	if err != nil {
		t.Fatal(err)
	}
	c.Lambda1, c.Lambda2 = largest/2000, largest/2000/10
	if same := fit(t, p, c); !slices.Equal(same.Duals.Data, r.Duals.Data) {
		t.Errorf("%s, with %v and %v: %s", told(r), c.Lambda1, c.Lambda2, told(same))
	}
}
