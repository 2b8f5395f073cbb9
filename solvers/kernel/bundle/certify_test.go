package bundle

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestScoresAndForms: scores are what ScoresOf returns and forms what Forms returns, up to rounding, whichever rows are
// 0 where, and the same bits come from any number of goroutines. In short a third of the sizes with each storage.
func TestScoresAndForms(t *testing.T) {
	prove.Both(t, scoresAndForms[float32], scoresAndForms[float64])
}

func scoresAndForms[T vec.Float](t *testing.T) {
	const n = 2200 // more stripes than lanes, and more columns than a piece has
	rng := rand.New(rand.NewPCG(85, 86))
	for s, storage := range []string{"dense", "csr", "kept"} {
		b, _, _ := groupsOf[T](t, rng, n, strings.Replace(storage, "kept", "dense", 1), storage == "kept")
		weights := []float64{.5, 0, .25, 2, .125, 1}
		for q, size := range []int{0, 1, 64, 700, 2100, n} { // examples with coefficients
			if testing.Short() && q%3 != s {
				continue
			}
			a, other := vec.NewMatrix[T](n, 3), vec.NewMatrix[T](n, 3)
			for q, i := range rng.Perm(n)[:size] {
				for c := range 3 {
					if q%7 > 0 {
						a.Row(i)[c] = T(rng.NormFloat64())
					}
					if q%5 > 0 {
						other.Row(i)[c] = T(rng.NormFloat64())
					}
				}
			}
			m, err := NewCombination(b, weights, a, nil)
			if err != nil {
				t.Fatal(err)
			}
			as := []vec.Matrix[T]{a, other}
			got, again, want := vec.NewMatrix[T](n, 3), vec.NewMatrix[T](n, 3), vec.NewMatrix[T](n, 3)
			for i := range got.Data {
				got.Data[i] = 7
			}
			forms, err := b.ScoresAndForms(got, weights, a, as, 1)
			if err != nil {
				t.Fatal(err)
			}
			wantForms := b.Forms(as, 2) // b holds products now, if it keeps any
			same, err := b.ScoresAndForms(again, weights, a, as, 3)
			if err != nil || !reflect.DeepEqual(same, forms) || !slices.Equal(got.Data, again.Data) {
				t.Fatalf("%s, %d examples: other bits by three goroutines", storage, size)
			}
			m.ScoresOf(want, b, nil, nil, 1)
			if !reflect.DeepEqual(forms, wantForms) {
				t.Fatalf("%s, %d examples: forms %v, want %v", storage, size, forms, wantForms)
			}
			// A value of a pair is at most sqrt(K_ii K_jj), up to rounding by 8 (40+3) u: see checkFormula. A sum of t
			// terms, in stripes and lanes, adds t roundings at most.
			diagonal, largest := make([]T, n), make([]T, n)
			for k, w := range weights {
				b.Diagonal(diagonal, k)
				vec.Axpy(T(w), diagonal, largest)
			}
			unit, sum := float64(8*43+size+32)*prove.Unit[T](), make([]float64, 3)
			for i := range n {
				for c, v := range a.Row(i) {
					sum[c] += math.Abs(float64(v))
				}
			}
			for i := range n {
				for c, v := range got.Row(i) {
					if d := math.Abs(float64(v - want.Row(i)[c])); !(d <= 2*unit*float64(vec.Max(largest))*sum[c]) {
						t.Fatalf("%s, %d examples: score %v of row %d, want %v", storage, size, v, i, want.Row(i)[c])
					}
				}
			}
		}
	}
}

// TestScoresAndFormsErrors: numbers that are no weights or coefficients are errors that name them.
func TestScoresAndFormsErrors(t *testing.T) {
	b, _, _ := groupsOf[float64](t, rand.New(rand.NewPCG(89, 90)), 5, "dense", false)
	a, bad := vec.NewMatrix[float64](5, 2), vec.NewMatrix[float64](5, 2)
	bad.Row(3)[1] = math.NaN()
	for _, c := range []struct {
		weights []float64
		a       vec.Matrix[float64]
		want    string
	}{
		{[]float64{1, 1, -1, 1, 1, 1}, a, "bundle: weight -1 of kernel 2, want a finite number of at least 0"},
		{make([]float64, 6), bad, "bundle: coefficient NaN of row 3 for output 1, want a finite number"},
	} {
		if _, err := b.ScoresAndForms(vec.NewMatrix[float64](5, 2), c.weights, c.a, nil, 1); err == nil ||
			err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestFormsOfTiny: coefficients whose products are beyond T have the forms of others, times a power of two, to the bit.
func TestFormsOfTiny(t *testing.T) { prove.Both(t, formsOfTiny[float32], formsOfTiny[float64]) }

func formsOfTiny[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(87, 88))
	b, _, _ := groupsOf[T](t, rng, 90, "dense", false)
	a := vec.NewMatrix[T](90, 3)
	for k := range a.Data {
		a.Data[k] = T(rng.NormFloat64())
	}
	few, many := -90, 60
	if !prove.IsF32[T]() {
		few, many = -520, 490
	}
	want := b.Forms([]vec.Matrix[T]{a}, 1)[0]
	for _, by := range []int{few, many} {
		scaled := vec.NewMatrix[T](90, 3)
		for k, v := range a.Data {
			scaled.Data[k] = T(math.Ldexp(float64(v), by))
		}
		for k, v := range b.Forms([]vec.Matrix[T]{a, scaled}, 1)[1] {
			if v != math.Ldexp(want[k], 2*by) || v == 0 {
				t.Errorf("kernel %d: the form of coefficients times 2^%d is %v, want %v", k, by, v,
					math.Ldexp(want[k], 2*by))
			}
		}
	}
}
