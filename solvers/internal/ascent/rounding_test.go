package ascent

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
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
		err := r.Check(new(train.Trust), c.certificate, 1, c.tol, 1, c.form)
		if (err != nil) != c.refused || errors.Is(err, train.ErrRounding) != c.rounding {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestBounds: the bounds are what the formulas say, and a certificate is refused from there on: of the gap below 0,
//
//	2 lambda Worst + 2t u (size + lambda sum_i r_i (loss_i(0) + size_i) (1 + 2 sqrt(loss_i)))
//
// of forms, six deviations times lambda, and of weights w, whose deviation is (2|w| + v) v with v = sqrt(t sum_i b_i²)
// u.
func TestBounds(t *testing.T) {
	const u, lambda = 0x1p-53, .25
	r := NewRounding(1e-13, 3e-14, 10, 2) // t = 15
	r.Add(4, 3)
	r.Add(1, 2)
	r.AddLoss(.5, 4, 1, 3) // .5 (1 + 3) (1 + 2 2)
	worst, deviation := (2*15*u+1e-13)*64, math.Sqrt2*3e-14*40+math.Sqrt(15*40)*u*8
	if got := r.Worst(); !(math.Abs(got-worst) <= 1e-12*worst) {
		t.Errorf("at worst %v, want %v", got, worst)
	}
	if got := r.Deviation(); !(math.Abs(got-deviation) <= 1e-12*deviation) {
		t.Errorf("a deviation of %v, want %v", got, deviation)
	}
	const primal, form = 0x1p-10, 9
	v := math.Sqrt(15*40) * u
	below := 2*lambda*worst + 2*15*u*(primal+lambda*10)
	for _, part := range []float64{.999, 1.001} {
		at := func(gap float64) solvers.Certificate {
			return solvers.Certificate{Primal: primal, Dual: primal - part*gap}
		}
		if err := r.Check(new(train.Trust), at(-below), lambda, 1, form); (err != nil) != (part > 1) {
			t.Errorf("%v of the gap that rounding may make negative: %v", part, err)
		}
		if err := r.Check(new(train.Trust), at(6*lambda*deviation), lambda, 0, form); (err != nil) != (part < 1) {
			t.Errorf("%v of six deviations of the form: %v", part, err)
		}
		err := r.CheckWeights(new(train.Trust), at(6*lambda*(2*3+v)*v), lambda, 0, form)
		if (err != nil) != (part < 1) {
			t.Errorf("%v of six deviations by the weights: %v", part, err)
		}
		if err := r.Definite(1, -part*worst); (err != nil) != (part > 1) {
			t.Errorf("%v of the form that rounding may make negative: %v", part, err)
		}
	}
}

// TestUnderflow: certificates are refused where products below the normal numbers may lose more than the tolerance has
// room for: t = 15 of them each the least number η, the form and the losses of six deviations each, and, of weights,
// t η |w| besides. Variables that are 0 lose nothing, and neither do values that are.
func TestUnderflow(t *testing.T) {
	const least, tol = math.SmallestNonzeroFloat64, 0x1p-10
	r := NewRounding(0, 0, 10, 2)
	r.Add(0, 1)
	for _, c := range []struct {
		size    float64
		refused bool
	}{{0x1p-1020, false}, {12 * 15 * 1.2 / tol * least, false}, {12 * 15 * .99 / tol * least, true}} {
		at := solvers.Certificate{Primal: c.size, Dual: c.size}
		for name, err := range map[string]error{
			"form":    r.Check(new(train.Trust), at, 1, tol, 0),
			"weights": r.CheckWeights(new(train.Trust), at, 1, tol, 0),
		} {
			if errors.Is(err, train.ErrRounding) != c.refused || (err != nil) != c.refused {
				t.Errorf("%s: %v: %v", name, at, err)
			}
		}
		if err := Underflow(at, tol, 12*15); errors.Is(err, train.ErrRounding) != c.refused {
			t.Errorf("%v: %v", at, err)
		}
	}
	none := NewRounding(0, 0, 10, 2)
	var zero solvers.Certificate
	for _, err := range []error{none.Check(new(train.Trust), zero, 1, tol, 0), Underflow(zero, tol, 9)} {
		if err != nil {
			t.Error(err)
		}
	}
	if got := r.Worst(); !(got >= 15*15*least) {
		t.Errorf("at worst %g", got)
	}
}

// TestSizes: sizes are the roots of the diagonal of R, whichever way it is given, and sum_l |a_l| sizes_l is at least
// sqrt(aᵀ R a), which it is for one a_l alone.
func TestSizes(t *testing.T) {
	for name, c := range certifiable[float64](t, 30) {
		sizes, r, a := c.sizes(), c.coupling(), make([]float64, c.Outputs)
		for l := range a {
			clear(a)
			a[l] = -3
			if got, want := sizeOf(a, sizes), 3*math.Sqrt(r.Row(l)[l]); !(math.Abs(got-want) <= 1e-14*want) {
				t.Errorf("%s: a size of %v of output %d alone, want %v", name, got, l, want)
			}
		}
		for l := range a {
			a[l] = float64(l%3) - 1
		}
		want := 0.0
		for l, v := range a {
			want += v * vec.Dot(r.Row(l), a)
		}
		if got := sizeOf(a, sizes); !(got*got >= want*(1-1e-14)) || sizes == nil && !(got*got <= want*(1+1e-14)) {
			t.Errorf("%s: a size of %v, want the root of %v", name, got, want)
		}
	}
}
