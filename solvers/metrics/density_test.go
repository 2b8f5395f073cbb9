package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func ExampleDensity() {
	scores := []float64{-1, 0, 0, 1}
	h, _ := Silverman(scores)
	f, err := Density(scores, []float64{-1, 0, 1}, h)
	fmt.Printf("bandwidth %.3f, density %.3f %v\n", h, f, err)
	// Output: bandwidth 0.255, density [0.392 0.784 0.392] <nil>
}

// Each term exp(-z), z = u²/2, has an argument with at most 3 + 2·3 roundings (difference, quotient, h; squared with
// two products), so that it is off by (9 z + 2)·2^-53 of itself, math.Exp's own error below an ulp included; the sum
// adds n, the factor 5. Both sides may be off by so much.
func TestDensityAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for range 200 {
		n := 1 + rng.IntN(30)
		scores, at := make([]float64, n), []float64{-3, 0, .5, 2, 40}
		for i := range scores {
			scores[i] = float64(rng.IntN(7)-3) / 2 // ties
		}
		h := math.Exp2(rng.Float64()*6 - 4)
		got, err := Density(scores, at, h)
		if err != nil {
			t.Fatal(err)
		}
		for j, v := range at {
			want, off := 0.0, 0.0
			for i := n - 1; i >= 0; i-- {
				z := (v - scores[i]) * (v - scores[i]) / (2 * h * h)
				e := math.Exp(-z) / math.Sqrt(2*math.Pi) / h / float64(n)
				want, off = want+e, off+e*(9*z+float64(n)+7)*0x1p-53
			}
			if math.Abs(got[j]-want) > 2*off+1e-300 {
				t.Fatalf("scores %v, h %v: density at %v is %v, want %v", scores, h, v, got[j], want)
			}
		}
	}
}

// A density has integral 1. For Gaussians of width h the sum over points h/2 apart is the integral up to exp(-8π²) <
// 2^-113, and beyond 9 h of all scores lies less than 2^-60 of it.
func TestDensityIntegral(t *testing.T) {
	scores := []float32{-1, -1, 0, 3, 3.5}
	h, err := Silverman(scores)
	if err != nil {
		t.Fatal(err)
	}
	var at []float64
	for v := -1 - 9*h; v < 3.5+9*h; v += h / 2 {
		at = append(at, v)
	}
	f, err := Density(scores, at, 0)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, v := range f {
		sum += v * h / 2
	}
	// A point is off by len(at) roundings of at most 2^-50, which moves a Gaussian by less than that over h; the bound
	// takes all at once.
	if bound := float64(len(at)) * 0x1p-50 / min(h, 1); math.Abs(sum-1) > bound {
		t.Errorf("integral %v, want 1 within %v", sum, bound)
	}
}

// The rule by hand: of 0, 1, 2, 3, 10 the quartiles are 1 and 3, sigma is sqrt(62.8/4).
func TestSilverman(t *testing.T) {
	for _, c := range []struct {
		scores []float64
		width  float64
	}{
		{[]float64{10, 0, 3, 1, 2}, 2 / 1.34},
		{[]float64{4, 0, 0, 0, 0}, math.Sqrt(3.2)}, // R = 0
		{[]float64{1, 2}, min(math.Sqrt(.5), .5/1.34)},
	} {
		want := .9 * c.width * math.Pow(float64(len(c.scores)), -.2)
		for _, e := range []int{0, -1000, 1015} { // exact factors
			scores := make([]float64, len(c.scores))
			for i, s := range c.scores {
				scores[i] = math.Ldexp(s, e)
			}
			h, err := Silverman(scores)
			if err != nil || math.Abs(math.Ldexp(h, -e)-want) > 16*0x1p-53*want { // 5 scores: less than 16 roundings
				t.Errorf("%v: %v, %v, want %v", scores, h, err, want)
			}
		}
	}
}

func TestDensityErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		scores, at []float64
		h          float64
		want       string
	}{
		{nil, []float64{1}, 1, "density of 0 scores at 1 points"},
		{[]float64{1, nan}, nil, 1, "score of row 1 is NaN"},
		{[]float64{1, -inf}, nil, 1, "score of row 1 is -Inf"},
		{[]float64{1}, []float64{inf}, 1, "point of row 0 is +Inf"},
		{[]float64{1}, nil, -1, "bandwidth -1 "},
		{[]float64{1}, nil, nan, "bandwidth NaN"},
		{[]float64{1}, nil, inf, "bandwidth +Inf"},
		{[]float64{1}, nil, 1e-310, "bandwidth 1e-310 of a density of 1 scores"},
		{[]float64{1}, nil, 0, "bandwidth for 1 scores"},
		{[]float64{2, 2, 2}, nil, 0, "bandwidth for 3 scores that all are 2"},
	} {
		f, err := Density(c.scores, c.at, c.h)
		if checkError(t, err, c.want); f != nil {
			t.Errorf("%v with an error", f)
		}
	}
	_, err := Silverman([]float64{0, nan})
	checkError(t, err, "score of row 1 is NaN")
	if f, err := Density([]float64{1e308, -1e308}, []float64{1e308}, 0); err != nil || !(f[0] > 0) {
		t.Errorf("far scores: %v, %v", f, err)
	}
}
