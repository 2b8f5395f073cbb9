package vec_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

func TestSquaredDistances(t *testing.T) {
	prove.Both(t, squaredDistances[float32], squaredDistances[float64])
}

// squaredDistances demands the error that is promised, of rows that lie anywhere, near each other far from 0, or equal.
func squaredDistances[T vec.Float](t *testing.T) {
	r := prove.Rand(1)
	count := 40
	if testing.Short() {
		count = 8
	}
	for i := range count {
		m, n, d := r.IntN(20), r.IntN(40), r.IntN(50)
		spread := math.Ldexp(1, -r.IntN(30)) // of the rows around a common centre
		var x, z, dst prove.Memory[T]
		draw := func(int) T { return T(1 + spread*r.NormFloat64()) }
		x.Place(1, m, d, d+2, draw)
		z.Place(2, n, d, d+3, draw)
		for j := range min(m, n) { // some rows are equal
			if j%3 == i%3 && d > 0 {
				copy(z.Data[j*(d+3):][:d], x.Data[j*(d+2):][:d])
			}
		}
		dst.Place(3, m, n, n+1, func(int) T { return prove.Poison[T]() })
		xs := vec.Matrix[T]{Rows: m, Cols: d, Stride: d + 2, Data: x.Data}
		zs := vec.Matrix[T]{Rows: n, Cols: d, Stride: d + 3, Data: z.Data}
		to := vec.Matrix[T]{Rows: m, Cols: n, Stride: n + 1, Data: dst.Data}
		exact := make([]float64, m*n)
		for e := range exact {
			exact[e] = squaredDistance(xs.Row(e/n), zs.Row(e%n))
		}
		prove.Tiers(func(tier cpu.Tier) {
			dst.Reset()
			vec.SquaredDistancesWorkers(to, xs, zs, 1+i%3)
			for i := range m {
				for j := range n {
					want, got := exact[i*n+j], float64(to.Row(i)[j])
					if bound := 33 * float64(d+3) * prove.Unit[T]() * want; !(math.Abs(got-want) <= bound) {
						t.Fatalf("%v, d=%d, spread %g: |x_%d - z_%d|² = %v, want %v, bound %v", tier, d, spread, i, j,
							got, want, bound)
					}
					dst.Want()[i*(n+1)+j] = to.Row(i)[j]
				}
			}
			if err := dst.Diff(false); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// squaredDistance computes with enough digits.
func squaredDistance[T vec.Float](x, z []T) float64 {
	sum := new(big.Float).SetPrec(300)
	for i := range x {
		d := new(big.Float).SetPrec(300).SetFloat64(float64(x[i]))
		d.Sub(d, big.NewFloat(float64(z[i])))
		sum.Add(sum, d.Mul(d, d))
	}
	v, _ := sum.Float64()
	return v
}

// TestSquaredDistancesSpecial: what is not finite comes out as SquaredDistance has it, large norms do not spoil small
// distances.
func TestSquaredDistancesSpecial(t *testing.T) {
	prove.Both(t, squaredDistancesSpecial[float32], squaredDistancesSpecial[float64])
}

func squaredDistancesSpecial[T vec.Float](t *testing.T) {
	inf, nan, big := T(math.Inf(1)), T(math.NaN()), prove.Max[T]()/2
	rows := vec.MatrixOf(6, 3, []T{0, 0, 0, 1, inf, 2, 1, nan, 2, big, 0, big, big, 0, big, -inf, 1, 1})
	dst := vec.NewMatrix[T](6, 6)
	prove.Tiers(func(tier cpu.Tier) {
		vec.SquaredDistances(dst, rows, rows)
		for i := range 6 {
			for j := range 6 {
				if got, want := dst.Row(i)[j], vec.SquaredDistance(rows.Row(i), rows.Row(j)); !prove.Same(got, want) {
					t.Errorf("%v: rows %d and %d: %v, want %v", tier, i, j, got, want)
				}
			}
		}
	})
	empty := vec.MatrixOf(2, 2, []T{nan, nan, nan, nan})
	vec.SquaredDistances(empty, vec.NewMatrix[T](2, 0), vec.NewMatrix[T](2, 0))
	equal(t, "rows without columns", empty.Data, []T{0, 0, 0, 0})
	demand(t, "SquaredDistances", func() { vec.SquaredDistances(dst, rows, vec.NewMatrix[T](6, 4)) }, "x is 6x3",
		"z is 6x4")
}
