package project

import (
	"encoding/binary"
	"math"
	"testing"
)

// FuzzTopKSimplex reads d numbers as float32 bits, so that exponents of all kinds appear, and checks both projections
// by the optimality conditions and the reference; input that is not finite must end too.
func FuzzTopKSimplex(f *testing.F) {
	f.Add(uint16(1), float32(1), float32(1), []byte{0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64})
	f.Add(uint16(2), float32(0.5), float32(0), []byte{0, 0, 128, 63, 0, 0, 128, 191, 0, 0, 64, 64, 0, 0, 64, 64})
	f.Add(uint16(3), float32(1e8), float32(1e6), []byte{0, 0, 128, 63, 0, 0, 192, 127, 0, 0, 128, 127, 1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, kBits uint16, r, rho float32, data []byte) {
		a := make([]float64, min(len(data)/4, 140))
		finite, size := true, 0.0
		for i := range a {
			a[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
			finite = finite && a[i]-a[i] == 0
			size = max(size, math.Abs(a[i]))
		}
		if len(a) == 0 || !(r >= 0) || !(rho >= 0) || math.IsInf(float64(rho), 1) {
			return
		}
		p := problem{a: a, k: 1 + int(kBits)%len(a), r: float64(r), rho: float64(rho)}
		if !finite {
			x := make([]float64, len(a))
			TopKSimplex(x, a, p.k, p.r, p.rho, nil)
			TopKSimplexBeta(x, a, p.k, p.r, p.rho, nil)
			return
		}
		p.verify(t, rho <= 1e6) // beyond, the reference's own sums lose the solution
	})
}

// FuzzSets projects onto the other sets and checks the residuals.
func FuzzSets(f *testing.F) {
	f.Add(float32(1), float32(0), float32(1), []byte{0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64})
	f.Add(float32(0.5), float32(-1), float32(1e8), []byte{0, 0, 128, 63, 0, 0, 128, 191, 0, 0, 64, 64, 0, 0, 64, 64})
	f.Add(float32(2), float32(0), float32(1), []byte{0, 0, 192, 127, 0, 0, 128, 127, 1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, r, l, u float32, data []byte) {
		a := make([]float32, min(len(data)/4, 200))
		finite, size := true, max(math.Abs(float64(r)), math.Abs(float64(l)))
		for i := range a {
			a[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
			finite = finite && a[i]-a[i] == 0
			size = max(size, math.Abs(float64(a[i])))
		}
		if !(r >= 0) || math.IsInf(float64(r), 1) || size > 1e30 && finite {
			return
		}
		var w Workspace[float32]
		x := make([]float32, len(a))
		tol := 16 * float64(len(a)+4) * 0x1p-24 * size
		for _, rel := range []Relation{Equal, AtMost} {
			th := Simplex(x, a, rel, r, &w)
			if finite && len(a) > 0 && !(ResidualSimplex(a, x, rel, r, th) <= tol) {
				t.Errorf("Simplex: rel=%v r=%v of %v: %v %+v", rel, r, a, x, th)
			}
			th, err := Knapsack(x, a, l, u, rel, r, &w)
			if finite && len(a) > 0 && err == nil && !(ResidualKnapsack(a, x, l, u, rel, r, th) <= tol) {
				t.Errorf("Knapsack: l=%v u=%v rel=%v r=%v of %v: %v %+v", l, u, rel, r, a, x, th)
			}
		}
		th := L1Ball(x, a, r, &w)
		if finite && !(ResidualL1Ball(a, x, r, th) <= tol) {
			t.Errorf("L1Ball: r=%v of %v: %v %+v", r, a, x, th)
		}
	})
}
