package math

import (
	"math"
	"math/big"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestGaussianAccuracy compares with exp(-gamma D), D = nx + nz - 2v exact. With s = fl(nx+nz) and d = fl(s - 2v)
//
//	|s - (nx+nz)| <= u s,   |d - (s - 2v)| <= u |d|,   so   |d - D| <= u (s + d) <= 17 u d
//
// since d is at least s/16. The exponential of alpha d is wrong by less than a unit in the last place, which is at most
// 2u of a result that is not denormal: the relative error is below exp(gamma u (s + d)) (1 + 2u) - 1.
func TestGaussianAccuracy(t *testing.T) {
	prove.Both(t, gaussianAccuracy[float32], gaussianAccuracy[float64])
}

func gaussianAccuracy[T float](t *testing.T) {
	run, _, _, _ := rowKernels[T]()
	n, largest, u := 3000, prove.Pick[T, float64](80., 700.), prove.Unit[T]()
	if testing.Short() {
		n = 300
	}
	r := prove.Rand(3)
	v, nz, y, near := make([]T, n), make([]T, n), make([]T, n), make([]int32, n)
	for _, nx := range []T{0.3, 40, 1e6} {
		for j := range v {
			nz[j] = nx * T(math.Exp(4*r.Float64()-2))
			v[j] = (nx + nz[j]) * T(0.5-1./32-0.6*math.Pow(r.Float64(), 4)) // many differences near the bound
		}
		gamma := T(largest / (8 * float64(nx) * 3.2))
		prove.Tiers(func(tier cpu.Tier) {
			if count := run(nx, -gamma, ptr(v), ptr(nz), ptr(y), n, &near[0]); count > n/4 {
				t.Fatalf("gaussian on %v: %d of %d places are near", tier, count, n)
			}
			worst := 0.0
			for j, got := range y {
				d, isNear := difference(nx, nz[j], v[j])
				if isNear {
					continue
				}
				exact := bigNumber(float64(nx))
				exact.Add(exact, bigNumber(float64(nz[j])))
				exact.Sub(exact, bigNumber(0).Add(bigNumber(float64(v[j])), bigNumber(float64(v[j]))))
				want := bigExp(exact.Neg(exact.Mul(exact, bigNumber(float64(gamma)))))
				miss, _ := new(big.Float).Quo(bigNumber(0).Sub(bigNumber(float64(got)), want), want).Float64()
				bound := math.Expm1(float64(gamma)*u*(float64(nx+nz[j])+float64(d)) + 2*u)
				worst = max(worst, math.Abs(miss)/bound)
				if !(math.Abs(miss) <= bound) {
					t.Fatalf("gaussian on %v: nx=%v nz=%v v=%v gamma=%v: got %v, off by %.3g of it, allowed %.3g",
						tier, nx, nz[j], v[j], gamma, got, miss, bound)
				}
			}
			t.Logf("gaussian on %v, nx=%v: at most %.3f of the bound", tier, nx, worst)
		})
	}
}

// TestPowerAccuracy: with b^i and b^j wrong by at most i-1 and j-1 roundings, their product is by i+j-1. So b^degree
// has a relative error of at most (1+u)^(degree-1) - 1, on top of b's.
func TestPowerAccuracy(t *testing.T) { prove.Both(t, powerAccuracy[float32], powerAccuracy[float64]) }

func powerAccuracy[T float](t *testing.T) {
	_, _, run, _ := rowKernels[T]()
	r, n := prove.Rand(4), 200
	if prove.Quick() {
		n = 50
	}
	v, y := make([]T, n), make([]T, n)
	const scale, offset = 0.7, 1.1
	for degree := 1; degree < 70; degree++ {
		for j := range v {
			v[j] = T(4*r.Float64() - 3)
		}
		prove.Tiers(func(tier cpu.Tier) {
			run(scale, offset, degree, ptr(v), ptr(y), len(v))
			for j, got := range y {
				b := T(scale*v[j]) + T(offset)
				want := bigNumber(1)
				for range degree {
					want.Mul(want, bigNumber(float64(b)))
				}
				magnitude, _ := new(big.Float).Abs(want).Float64()
				miss, _ := want.Sub(bigNumber(float64(got)), want).Float64()
				bound := math.Expm1(float64(degree-1)*math.Log1p(prove.Unit[T]())) * magnitude
				if magnitude > 1/float64(prove.Max[T]()) && !(math.Abs(miss) <= bound) {
					t.Fatalf("power on %v: %v^%d: got %v, off by %.3g, allowed %.3g", tier, b, degree, got, miss, bound)
				}
			}
		})
	}
}
