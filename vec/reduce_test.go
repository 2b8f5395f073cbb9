package vec_test

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestReductions is TestVectors for what looks for something in a vector.
func TestReductions(t *testing.T) { prove.Both(t, reductions[float32], reductions[float64]) }

func reductions[T vec.Float](t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		r := prove.Rand(3)
		for n := range 80 {
			x := ints[T](r, n)
			var sum T
			var above []T
			var where []int32
			for i, v := range x {
				if v > 2 {
					sum += v - 2
					above, where = append(above, v), append(where, int32(i))
				}
			}
			largest, smallest, first, last := T(math.Inf(-1)), T(math.Inf(1)), -1, -1
			for i, v := range x {
				if v > largest {
					largest, first = v, i
				}
				if v < smallest {
					smallest, last = v, i
				}
			}
			equal(t, "Max, Min", []T{vec.Max(x), vec.Min(x)}, []T{largest, smallest})
			if i, j := vec.ArgMax(x), vec.ArgMin(x); i != first || j != last {
				t.Fatalf("%v ArgMax, ArgMin of %v: %d, %d, want %d, %d", tier, x, i, j, first, last)
			}
			clipped, want := make([]T, n), make([]T, n)
			for i, v := range x {
				want[i] = min(max(v, -3), 2)
			}
			vec.Clip(clipped, x, -3, 2)
			equal(t, "Clip", clipped, want)
			got, count := vec.SumAbove(x, 2)
			if got != sum || count != len(above) {
				t.Fatalf("%v SumAbove of %v: %v, %d, want %v, %d", tier, x, got, count, sum, len(above))
			}
			val, idx := make([]T, n+2), make([]int32, n+1)
			val[n], val[n+1], idx[n] = 99, 99, 99
			k := vec.FilterAbove(val, idx, x, 2)
			equal(t, "FilterAbove", val[:k], above)
			for i, p := range where {
				if idx[i] != p {
					t.Fatalf("%v FilterAbove of %v: indices %v, want %v", tier, x, idx[:k], where)
				}
			}
			if val[n] != 99 || val[n+1] != 99 || idx[n] != 99 {
				t.Fatalf("%v FilterAbove of %d elements wrote behind them", tier, n)
			}
			if k := vec.FilterAbove(x, idx, x, 2); k != len(above) {
				t.Fatalf("%v FilterAbove in place: %d elements, want %d", tier, k, len(above))
			}
			equal(t, "FilterAbove in place", x[:len(above)], above)
		}
	})
}

func TestReductionLengths(t *testing.T) {
	demand(t, "Clip", func() { vec.Clip(make([]float64, 4), make([]float64, 5), 0, 1) }, "lengths 4 and 5 differ")
	demand(t, "Clip", func() { vec.Clip[float32](nil, nil, 2, 1.5) }, "bounds from 2 to 1.5")
	demand(t, "Clip", func() { vec.Clip(nil, nil, math.NaN(), 1) }, "bounds from NaN to 1")
	demand(t, "FilterAbove", func() { vec.FilterAbove(make([]float32, 8), make([]int32, 10), make([]float32, 9), 0) },
		"FilterAbove: room for 8 values and 10 indices, vector of 9")
	demand(t, "FilterAbove", func() { vec.FilterAbove(make([]float64, 9), nil, make([]float64, 9), 0) },
		"FilterAbove: room for 9 values and 0 indices, vector of 9")
}

func TestReductionsOfNothing(t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		for _, x := range [][]float32{nil, {}, make([]float32, 3)[3:]} {
			if max, min := vec.Max(x), vec.Min(x); !math.IsInf(float64(max), -1) || !math.IsInf(float64(min), 1) {
				t.Errorf("%v Max %v, Min %v", tier, max, min)
			}
			if i, j := vec.ArgMax(x), vec.ArgMin(x); i != -1 || j != -1 {
				t.Errorf("%v ArgMax %d, ArgMin %d", tier, i, j)
			}
			vec.Clip(x, nil, 0, 0)
			if sum, count := vec.SumAbove(x, -1); sum != 0 || count != 0 {
				t.Errorf("%v SumAbove: %v, %d", tier, sum, count)
			}
			if k := vec.FilterAbove(nil, nil, x, -1); k != 0 {
				t.Errorf("%v FilterAbove: %d", tier, k)
			}
		}
	})
}
