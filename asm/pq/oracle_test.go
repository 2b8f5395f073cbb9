package pq

import (
	"math"
	"math/big"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// TestFMA holds the twins' fused multiply-add to exact arithmetic, where two roundings would differ too.
func TestFMA(t *testing.T) {
	r := prove.Rand(5)
	exact := func(x, y, z float32) float32 {
		f := func(v float32) *big.Float { return new(big.Float).SetPrec(1000).SetFloat64(float64(v)) }
		s := new(big.Float).SetPrec(1000).Mul(f(x), f(y))
		v, _ := s.Add(s, f(z)).Float32()
		return v
	}
	check := func(x, y, z float32) {
		t.Helper()
		if got, want := fma(x, y, z), exact(x, y, z); got != want {
			t.Errorf("fma(%v, %v, %v) = %v, want %v", x, y, z, got, want)
		}
	}
	small := func() float32 { return float32(1+r.IntN(1<<24)) * float32(math.Ldexp(1, r.IntN(30)-15)) }
	for range 30000 {
		check(small(), small(), small())
		check(small(), -small(), small())
		tiny := math.Float32frombits(r.Uint32N(1 << 25))
		check(tiny, small(), -tiny)
		check(math.Float32frombits(0x1f000000+r.Uint32N(1<<25)), math.Float32frombits(0x20000000+r.Uint32N(1<<25)),
			tiny)
	}
	// Halfway between two float32 but for a bit that float64 drops: 1 + 2⁻²⁴ ± 2⁻⁸⁰, with all signs.
	for _, sign := range []float32{1, -1} {
		for _, e := range []float32{0x1p-40, -0x1p-40} {
			check(e, 0x1p-40, sign*(1+0x1p-23))
			check(sign*(1+0x1p-12), 1+0x1p-12, e*0x1p-40) // 1 + 2⁻¹¹ + 2⁻²⁴
			check(sign*(1+0x1p-12), 1+0x1p-12, e)
			check(sign*(1+0x1p-12), 1+0x1p-12, 0)
			check(sign*0x1p-75, 0x1p-75, e*0x1p-60)
		}
	}
}

// TestTwinAgainstExact holds the twins to sums in exact arithmetic with the bound of prove.Sum, and Assign to the
// definition: no centroid's exact distance is below the chosen one's by more than both bounds, and of equal ones the
// first is chosen.
func TestTwinAgainstExact(t *testing.T) {
	r := prove.Rand(6)
	const ksub = 16
	for _, kind := range prove.Kinds {
		draw := prove.Draw[float32](kind, r)
		for dsub := range 40 {
			q, ct, got := floats(dsub, draw), floats(dsub*ksub, draw), make([]float32, ksub)
			for _, squares := range []bool{false, true} {
				if squares {
					tableL2Generic(dsub, ksub, at(q), at(ct), &got[0])
				} else {
					tableIPGeneric(dsub, ksub, at(q), at(ct), &got[0])
				}
				for j := range ksub {
					var s prove.Sum[float32]
					s.Reset()
					for i, v := range q {
						if squares {
							s.AddSquare(v, ct[i*ksub+j])
						} else {
							s.Add(v, ct[i*ksub+j], 1)
						}
					}
					if err := s.Check(got[j]); err != nil {
						t.Fatalf("squares %v, numbers %s, dsub=%d, centroid %d: %v", squares, kind, dsub, j, err)
					}
				}
			}
			if dsub == 0 {
				continue
			}
			// All points of the block are q.
			xt := make([]float32, dsub*Lanes)
			for i := range xt {
				xt[i] = q[i/Lanes]
			}
			var codes [Lanes]uint8
			var dist [Lanes]float32
			worst := assignGeneric(1, dsub, ksub, &xt[0], &ct[0], &codes[0], 1, &dist[0])
			best := 0
			for j, d := range got {
				if d < got[best] {
					best = j
				}
			}
			for l := range Lanes {
				if int(codes[l]) != best || dist[l] != got[best] || worst != math.Float32bits(got[best]) {
					t.Fatalf("numbers %s, dsub=%d: point %d went to %d at %v, the table says %d at %v", kind, dsub, l,
						codes[l], dist[l], best, got[best])
				}
			}
		}
	}
}

// TestTies: of equally near centroids the lowest number wins, in every lane of every tier.
func TestTies(t *testing.T) {
	for first := range 256 {
		a := args{size: [3]int{1, 2, 256}}
		a.in[0], a.in[1] = make([]float32, 2*Lanes), make([]float32, 2*256)
		for j := range a.in[1] {
			a.in[1][j] = 1
			if j%256 >= first {
				a.in[1][j] = float32(j%2)*2 - 1 // all at distance 2
			}
			if j%256 < first {
				a.in[1][j] = 5
			}
		}
		a.b, a.f = make([]byte, Lanes), make([]float32, Lanes)
		kernels[1].compare(t, &a, "ties", first%16)
		kernels[1].run(&a)
		for l, c := range a.b {
			if int(c) != first {
				t.Fatalf("point %d went to %d, want %d", l, c, first)
			}
		}
	}
}
