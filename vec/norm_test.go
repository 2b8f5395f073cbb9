package vec_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// exactSums are <x, y>, |x|² and |y|².
func exactSums[T prove.Float](x, y []T) (xy, xx, yy *big.Float) {
	xy, xx, yy = big.NewFloat(0).SetPrec(5000), big.NewFloat(0).SetPrec(5000), big.NewFloat(0).SetPrec(5000)
	add := func(sum *big.Float, a, b T) {
		p := new(big.Float).SetPrec(200).Mul(big.NewFloat(float64(a)), big.NewFloat(float64(b)))
		sum.Add(sum, p)
	}
	for i := range x {
		add(xy, x[i], y[i])
		add(xx, x[i], x[i])
		add(yy, y[i], y[i])
	}
	return xy, xx, yy
}

func root(v *big.Float) *big.Float { return new(big.Float).SetPrec(200).Sqrt(v) }

// TestNorms: at every size, the largest and the smallest numbers included. A sum of n squares has a relative error of
// (n+3)u, its root half of that and one rounding more, a quotient one more.
func TestNorms(t *testing.T) { prove.Both(t, norms[float32], norms[float64]) }

func norms[T prove.Float](t *testing.T) {
	r := prove.Rand(5)
	for i, n := range []int{1, 2, 3, 15, 16, 17, 100, 130, 1000} {
		for j, size := range []float64{1, 0x1p-149, 0x1p-140, 0x1p-126, 0x1p-64, 0x1p-30, 0x1p40, 0x1p63, 0x1p120,
			0x1p-1074, 0x1p-1022, 0x1p-540, 0x1p-251, 0x1p255, 0x1p511, 0x1p1010} {
			if T(size) == 0 || math.IsInf(float64(T(size)), 0) || !prove.Visits(i, j, 4) {
				continue
			}
			x, y := make([]T, n), make([]T, n)
			for i := range n {
				x[i], y[i] = T(size*(4*r.Float64()-2)), T(r.Float64()-.5)
			}
			xy, xx, yy := exactSums(x, y)
			if xx.Sign() == 0 {
				continue
			}
			length, _ := root(xx).Float64()
			u := prove.Unit[T]()
			relative := (float64(n)+3)*u/2 + 2*u
			near := func(name string, tier cpu.Tier, got T, want, bound float64) {
				t.Helper()
				if err := math.Abs(float64(got) - want); !(err <= bound+float64(prove.Tiny[T]())/2) {
					t.Fatalf("%s on %v, n=%d, size %g: %v, want %v: off by %g, bound %g", name, tier, n, size, got,
						want, err, bound)
				}
			}
			prove.Tiers(func(tier cpu.Tier) {
				near("Norm", tier, vec.Norm(x), length, relative*length)
				cosine, _ := new(big.Float).Quo(xy, new(big.Float).Mul(root(xx), root(yy))).Float64()
				// |<x, y>| is wrong by (n+3)u <|x|, |y|> at most, which is at most that times |x| |y|.
				near("Cosine", tier, vec.Cosine(x, y), cosine, (float64(n)+3)*u+2*relative)
				z := append([]T(nil), x...)
				if got := vec.Normalize(z); got != vec.Norm(x) {
					t.Fatalf("Normalize returns %v, Norm %v", got, vec.Norm(x))
				}
				for i := range z {
					want, _ := new(big.Float).Quo(big.NewFloat(float64(x[i])), root(xx)).Float64()
					near("Normalize", tier, z[i], want, (relative+2*u)*math.Abs(want))
				}
			})
		}
	}
}

// TestNormsOfFew: what is empty, zero, infinite, NaN or too large.
func TestNormsOfFew(t *testing.T) { prove.Both(t, normsOfFew[float32], normsOfFew[float64]) }

func normsOfFew[T prove.Float](t *testing.T) {
	inf, nan, most := T(math.Inf(1)), T(math.NaN()), prove.Max[T]()
	prove.Tiers(func(tier cpu.Tier) {
		for _, c := range []struct {
			x            []T
			norm, cosine T // with (1, 1)
			unit         []T
		}{
			{nil, 0, 0, nil},
			{[]T{0, 0}, 0, 0, []T{0, 0}},
			{[]T{3, 4}, 5, T(7 / (5 * math.Sqrt2)), []T{3 * (T(1) / 5), 4 * (T(1) / 5)}},
			{[]T{inf, 0}, inf, nan, []T{inf, 0}},
			{[]T{-inf, 1}, inf, nan, []T{-inf, 1}},
			{[]T{1, nan}, nan, nan, []T{1, nan}},
			{[]T{most, 0}, most, T(1 / math.Sqrt2), []T{1, 0}},
			{[]T{-most, -most}, inf, -1, []T{T(-1 / math.Sqrt2), T(-1 / math.Sqrt2)}},
			{[]T{prove.Tiny[T](), 0}, prove.Tiny[T](), T(1 / math.Sqrt2), []T{1, 0}},
		} {
			ones := []T{1, 1}[:len(c.x)]
			if got := vec.Norm(c.x); !prove.Same(got, c.norm) {
				t.Errorf("%v: Norm(%v) = %v, want %v", tier, c.x, got, c.norm)
			}
			if got := vec.Cosine(c.x, ones); !prove.Same(got, c.cosine) &&
				!(math.Abs(float64(got-c.cosine)) <= 2*prove.Unit[T]()) {
				t.Errorf("%v: Cosine(%v, %v) = %v, want %v", tier, c.x, ones, got, c.cosine)
			}
			z := append([]T(nil), c.x...)
			vec.Normalize(z)
			for i := range z {
				// A sum of two squares, its root and a quotient, of which the first counts half: 5/2 u + 2u.
				if !prove.Same(z[i], c.unit[i]) && !(math.Abs(float64(z[i]-c.unit[i])) <= 4.5*prove.Unit[T]()) {
					t.Errorf("%v: Normalize(%v) = %v, want %v", tier, c.x, z, c.unit)
				}
			}
		}
		if got := vec.Mean([]T{1, 2, 6}); got != 3 {
			t.Errorf("%v: Mean = %v", tier, got)
		}
		if got := vec.Mean[T](nil); got == got {
			t.Errorf("%v: Mean of nothing = %v", tier, got)
		}
		if got := vec.Cosine([]T{inf}, []T{0}); got == got {
			t.Errorf("%v: cosine of an infinite vector and 0 = %v", tier, got)
		}
	})
}

// TestEachElement: the functions find their arguments; the kernels have tests of their own.
func TestEachElement(t *testing.T) { prove.Both(t, eachElement[float32], eachElement[float64]) }

func eachElement[T prove.Float](t *testing.T) {
	x, y, dst := []T{1, 4, 9}, []T{2, 3, -1}, make([]T, 3)
	for _, c := range []struct {
		name string
		f    func()
		want []T
	}{
		{"Add", func() { vec.Add(dst, x, y) }, []T{3, 7, 8}},
		{"Mul", func() { vec.Mul(dst, x, y) }, []T{2, 12, -9}},
		{"Sqrt", func() { vec.Sqrt(dst, x) }, []T{1, 2, 3}},
	} {
		c.f()
		for i, v := range dst {
			if v != c.want[i] {
				t.Errorf("%s: %v, want %v", c.name, dst, c.want)
			}
		}
	}
	demand(t, "Add", func() { vec.Add(dst, x[:2], y) }, "lengths 3 and 2 differ")
	demand(t, "Mul", func() { vec.Mul(dst, x, y[:1]) }, "lengths 3 and 1 differ")
	demand(t, "Sqrt", func() { vec.Sqrt(dst[:1], x) }, "lengths 1 and 3 differ")
	demand(t, "Cosine", func() { vec.Cosine(x, y[:2]) }, "lengths 3 and 2 differ")
}
