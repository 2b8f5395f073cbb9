package ascent

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
)

// TestRounding: <a, K a> of numbers about equal, whose terms cancel, is off from exact arithmetic by less than Worst,
// and by some of Deviation, which is far less.
func TestRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	const n, d = 60, 8
	typical := math.Sqrt(d+3) * 0x1p-53
	for _, constant := range []float64{0, 1, 1e3, 1e6} {
		largest := 0.0
		for range 20 {
			x, a := make([][]float64, n), make([]float64, n)
			sum := 0.0
			for i := range x {
				x[i] = make([]float64, d)
				for j := range x[i] {
					x[i][j] = rng.NormFloat64()
				}
				x[i][0] += constant
				if a[i] = rng.NormFloat64(); i == n-1 {
					a[i] = -sum
				}
				sum += a[i]
			}
			r, form := NewRounding(8*(d+3)*0x1p-53, typical, n, 1), 0.0
			w := make([]*big.Float, d) // exact
			for j := range w {
				w[j] = new(big.Float).SetPrec(400)
			}
			for i := range x {
				score, norm := 0.0, 0.0
				for k := range x {
					dot := 0.0
					for j, v := range x[i] {
						dot += v * x[k][j]
					}
					if score += dot * a[k]; k == i {
						norm = dot
					}
				}
				form += a[i] * score
				r.Add(norm, math.Abs(a[i]))
				for j, v := range x[i] {
					w[j].Add(w[j], new(big.Float).SetPrec(400).Mul(big.NewFloat(v), big.NewFloat(a[i])))
				}
			}
			exact := new(big.Float).SetPrec(400)
			for _, v := range w {
				exact.Add(exact, new(big.Float).SetPrec(400).Mul(v, v))
			}
			want, _ := exact.Float64()
			off := math.Abs(form - want)
			if !(off <= r.Worst()) {
				t.Errorf("a constant of %g: off by %g, at worst %g", constant, off, r.Worst())
			}
			largest = max(largest, off/r.Deviation())
			if !(r.Deviation() < r.Worst()/10) {
				t.Errorf("a deviation of %g, at worst %g", r.Deviation(), r.Worst())
			}
		}
		if !(largest <= 4) {
			t.Errorf("a constant of %g: off by %g deviations", constant, largest)
		}
	}
}

// TestCheck: a certificate is refused where a form or the gap is negative by more than rounding, and where rounding is
// most of the gap.
func TestCheck(t *testing.T) {
	r := NewRounding(1e-14, 1e-15, 10, 2)
	r.Add(4, 3)
	r.Add(1, 2)
	if r.sum != 8 || r.squares != 40 {
		t.Fatalf("%+v", r)
	}
	worst, off := r.Worst(), 6*r.Deviation()
	sound := solvers.Certificate{Primal: 2, Dual: 1}
	for _, c := range []struct {
		certificate solvers.Certificate
		tol, form   float64
		refused     bool
		rounding    bool
	}{
		{sound, 1e-3, 1, false, false},
		{sound, 1e-3, -worst / 2, false, false},
		{sound, 1e-3, -2 * worst, true, false},
		{solvers.Certificate{Primal: 1, Dual: 1 + worst}, 1e-3, 1, false, false},
		{solvers.Certificate{Primal: 1, Dual: 1 + 3*worst}, 1e-3, 1, true, false},
		{solvers.Certificate{Primal: 1, Dual: 1 - off/2}, 2 * off, 1, false, false},
		{solvers.Certificate{Primal: 1, Dual: 1 - off/2}, off / 2, 1, true, true},
		{solvers.Certificate{Primal: 1, Dual: 1 - 2*off}, off / 2, 1, false, false},
	} {
		err := r.Check(c.certificate, 1, c.tol, 1, c.form)
		if (err != nil) != c.refused || errors.Is(err, train.ErrRounding) != c.rounding {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
