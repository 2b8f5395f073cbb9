package m3l

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// related is y_iᵀ R (y_i - y), by its formula.
func related(r vec.Matrix[float64], truth, y []float64) (sum float64) {
	for l := range truth {
		for k := range y {
			sum += truth[l] * r.Row(l)[k] * (truth[k] - y[k])
		}
	}
	return sum
}

// signsOf is the y_i of a set.
func signsOf(set []int, m int) []float64 {
	y := make([]float64, m)
	for l := range y {
		y[l] = -1
	}
	for _, l := range set {
		y[l] = 1
	}
	return y
}

// TestRelatedLoss: for each of the 2^m label sets the margins sum up to the loss by its formula, which is 0 for the
// true set and never below, for random diagonally dominant R. Numbers are eighths, so that all but the division of the
// constant part by m is exact.
func TestRelatedLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	for range 50 {
		m := 1 + rng.IntN(7)
		r := dominant(rng, m)
		sets := [][]int{{}, rng.Perm(m), rng.Perm(m)[:rng.IntN(m+1)], rng.Perm(m)[:rng.IntN(m+1)]}
		margins, err := RelatedLoss(sets, r)
		if err != nil {
			t.Fatal(err)
		}
		plus, minus := make([]float64, m), make([]float64, m)
		for i, set := range sets {
			for l := range m {
				plus[l], minus[l] = math.NaN(), math.NaN() // whatever was there
			}
			margins(i, plus, minus)
			truth, y := signsOf(set, m), make([]float64, m)
			size := 1.0 // of the terms: |y_iᵀ R y_i| and |y_iᵀ R_l|, each m times at most
			for _, v := range r.Data {
				size += 2 * float64(m) * math.Abs(v)
			}
			for bits := range 1 << m {
				sum := 0.0
				for l := range m {
					if y[l] = -1; bits>>l&1 == 1 {
						y[l] = 1
					}
					if y[l] == truth[l] {
						sum += plus[l]
					} else {
						sum += minus[l]
					}
				}
				want := related(r, truth, y)
				if math.Abs(sum-want) > 0x1p-53*float64(m+2)*size {
					t.Fatalf("loss %v of %v where %v is true, want %v", sum, y, truth, want)
				}
				if want < 0 {
					t.Fatalf("loss %v of %v where %v is true: R is %v", want, y, truth, r.Data)
				}
			}
		}
	}
}

// TestRelatedLossRefusal is tight: where R is refused there are two sets whose loss is negative, and where it is on the
// edge there are two different ones whose loss is 0.
func TestRelatedLossRefusal(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	refused := 0
	for range 500 {
		m := 2 + rng.IntN(4)
		r := lowRank(rng, m, 2*m)
		least := math.Inf(1)
		for from := range 1 << m {
			truth := make([]float64, m)
			for l := range truth {
				truth[l] = float64(from>>l&1)*2 - 1
			}
			for l := range m { // the loss is a sum over labels that differ: the least for one label tells
				y := append([]float64{}, truth...)
				y[l] = -y[l]
				least = min(least, related(r, truth, y))
			}
		}
		margins, err := RelatedLoss([][]int{{0}}, r)
		if (err != nil) != (least < 0) || (margins == nil) != (err != nil) {
			t.Fatalf("least loss %v, %v: R is %v", least, err, r.Data)
		}
		if err != nil {
			refused++
			contains(t, err, "not diagonally dominant")
		}
	}
	if refused < 50 || refused > 450 {
		t.Errorf("%d of 500 refused", refused)
	}
	edge := vec.MatrixOf(2, 2, []float64{1, -1, -1, 1})
	if _, err := RelatedLoss([][]int{{0, 1}}, edge); err != nil {
		t.Error(err)
	}
	if v := related(edge, []float64{1, 1}, []float64{-1, 1}); v != 0 {
		t.Errorf("loss %v on the edge", v)
	}
}

// TestRelatedLossErrors: what makes no loss is an error.
func TestRelatedLossErrors(t *testing.T) {
	for want, call := range map[string]func() (func(int, []float64, []float64), error){
		"m3l: an empty R for a loss": func() (func(int, []float64, []float64), error) {
			return RelatedLoss([][]int{{0}}, vec.Matrix[float64]{})
		},
		"m3l: no examples": func() (func(int, []float64, []float64), error) {
			return RelatedLoss(
				nil, identity(2))
		},
		"m3l: label 2 of row 1, want one in 0..1": func() (func(int, []float64, []float64), error) {
			return RelatedLoss(
				[][]int{{0}, {2}}, identity(2))
		},
		"m3l: label 0 stands twice in row 0": func() (func(int, []float64, []float64), error) {
			return RelatedLoss(
				[][]int{{0, 0}}, identity(2))
		},
		"m3l: label -1 of row 0, want at least 0": func() (func(int, []float64, []float64), error) {
			return RelatedLoss(
				[][]int{{-1}}, identity(2))
		},
		"m3l: R is 2-by-3 for 2 labels": func() (func(int, []float64, []float64), error) {
			return RelatedLoss([][]int{{0}}, vec.NewMatrix[float64](2, 3))
		},
		"m3l: R of labels 1 and 0 is 2, but of 0 and 1 1": func() (func(int, []float64, []float64), error) {
			return RelatedLoss([][]int{{0}}, vec.MatrixOf(2, 2, []float64{3, 1, 2, 3}))
		},
		"m3l: R of labels 0 and 0 is NaN": func() (func(int, []float64, []float64), error) {
			return RelatedLoss([][]int{{0}}, vec.MatrixOf(2, 2, []float64{math.NaN(), 1, 2, 3}))
		},
	} {
		margins, err := call()
		if contains(t, err, want); margins != nil {
			t.Errorf("%s: margins", want)
		}
	}
}

// TestRelatedLossKeepsItsSets: the sets of the loss are those that it was made of, and with R = I it is Hamming's.
func TestRelatedLossKeepsItsSets(t *testing.T) {
	sets, r := [][]int{{0}, {1}}, identity(2)
	margins, err := RelatedLoss(sets, r)
	if err != nil {
		t.Fatal(err)
	}
	sets[0][0] = 1
	plus, minus := make([]float64, 2), make([]float64, 2)
	margins(0, plus, minus)
	if plus[0] != 0 || minus[0] != 2 || plus[1] != 0 || minus[1] != 2 {
		t.Errorf("margins %v, %v with R = I, want 0 and 2 each", plus, minus)
	}
}
