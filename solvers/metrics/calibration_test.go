package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func ExampleCalibration() {
	curve, err := Calibration([]float64{.1, .2, .7, .9, 1}, []bool{false, true, true, true, true}, 2)
	for _, b := range curve {
		fmt.Printf("%.1f to %.1f: %d examples, %.2f said, %.2f true\n", b.Low, b.High, b.Count, b.Mean, b.Fraction)
	}
	fmt.Printf("off by %.2f %v\n", CalibrationError(curve), err)
	// Output:
	// 0.0 to 0.5: 2 examples, 0.15 said, 0.50 true
	// 0.5 to 1.0: 3 examples, 0.87 said, 1.00 true
	// off by 0.22 <nil>
}

func TestCalibrationAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	for range 500 {
		n, bins := 1+rng.IntN(30), 1+rng.IntN(100) // 1/49 times 49 is below 1
		p, positive := make([]float64, n), make([]bool, n)
		for i := range p {
			p[i] = float64(rng.IntN(bins+1)) / float64(bins) // edges, with ties
			if rng.IntN(3) == 0 {
				p[i] = max(0, math.Nextafter(p[i], 0))
			}
			positive[i] = rng.IntN(2) == 0
		}
		curve, err := Calibration(p, positive, bins)
		if err != nil || len(curve) != bins {
			t.Fatal(curve, err)
		}
		sum := 0.0
		for b, k := range curve {
			low, high := float64(b)/float64(bins), float64(b+1)/float64(bins)
			count, right, mean := 0, 0, 0.0
			for i, v := range p {
				if v >= low && (v < high || b+1 == bins) {
					count, mean = count+1, mean+v
					if positive[i] {
						right++
					}
				}
			}
			want := Bin{Low: low, High: high, Count: count}
			if count > 0 {
				want.Mean, want.Fraction = mean/float64(count), float64(right)/float64(count)
			}
			if k != want {
				t.Fatalf("probabilities %v: bin %d of %d is %+v, want %+v", p, b, bins, k, want)
			}
			sum += math.Abs(mean - float64(right))
		}
		// Of each bin: sums of up to n terms in [0, 1], a quotient, a difference and a product, which are below n each.
		if got, bound := CalibrationError(curve), float64(bins+4)*0x1p-51; math.Abs(got-sum/float64(n)) > bound {
			t.Fatalf("error %v, want %v within %v", got, sum/float64(n), bound)
		}
	}
	if CalibrationError(nil) != 0 {
		t.Error("error of nothing")
	}
}

func TestCalibrationErrors(t *testing.T) {
	for _, c := range []struct {
		p        []float64
		positive []bool
		bins     int
		want     string
	}{
		{[]float64{1}, nil, 1, "1 probabilities for 0 examples"},
		{nil, nil, 1, "0 probabilities for 0 examples"},
		{[]float64{0, math.NaN()}, []bool{true, true}, 1, "probability of row 1 is NaN"},
		{[]float64{-.1}, []bool{true}, 1, "probability of row 0 is -0.1"},
		{[]float64{1.1}, []bool{true}, 1, "probability of row 0 is 1.1"},
		{[]float64{1}, []bool{true}, 0, "calibration in 0 bins"},
		{[]float64{1}, []bool{true}, 1<<20 + 1, "calibration in 1048577 bins, want 1 to 1048576"},
	} {
		_, err := Calibration(c.p, c.positive, c.bins)
		checkError(t, err, c.want)
	}
}
