package sort

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/dualgap/dualgap/internal/prove"
)

// float names the element as users see it.
type float interface{ float32 | float64 }

// kinds are the inputs that sorts are known to stumble over.
var kinds = []string{
	"random", "sorted", "reversed", "organ-pipe", "equal", "two", "few", "many-equal", "sawtooth", "nearly-sorted",
	"tail",
	"nan", "all-nan", "zeros", "infinities", "denormal", "bits", "extremes", "samples", "halves",
}

// fill writes numbers of that kind to x.
func fill[T float](kind string, x []T, r *rand.Rand) {
	n := len(x)
	nan := []T{prove.FromBits[T](prove.Bits(T(math.NaN()))), T(math.Copysign(math.NaN(), -1)), prove.Poison[T](),
		T(math.Inf(1)), -1, 1}
	for i := range x {
		switch v := T(r.NormFloat64()); kind {
		case "random":
			x[i] = v
		case "sorted":
			x[i] = T(i)
		case "reversed":
			x[i] = T(-i)
		case "organ-pipe":
			x[i] = T(min(i, n-i))
		case "equal":
			x[i] = 3
		case "two":
			x[i] = T(r.IntN(2))
		case "few":
			x[i] = T(r.IntN(7))
		case "many-equal":
			x[i] = v
			if r.IntN(10) > 0 {
				x[i] = 0.5
			}
		case "sawtooth":
			x[i] = T(i % 37)
		case "nearly-sorted":
			x[i] = T(i + r.IntN(4))
		case "tail":
			x[i] = T(i)
			if i > n-8 {
				x[i] = v
			}
		case "nan":
			x[i] = v
			if r.IntN(3) == 0 {
				x[i] = nan[r.IntN(3)]
			}
		case "all-nan":
			x[i] = nan[r.IntN(3)]
		case "zeros":
			x[i] = []T{0, T(math.Copysign(0, -1)), v}[r.IntN(3)]
		case "infinities":
			x[i] = []T{T(math.Inf(1)), T(math.Inf(-1)), prove.Max[T](), -prove.Max[T](), v}[r.IntN(5)]
		case "denormal":
			x[i] = v * prove.Tiny[T]() * 100
		case "bits":
			x[i] = prove.FromBits[T](r.Uint64())
		case "extremes": // the least and the greatest key, with which vectors are filled up
			top := prove.Pick[T, uint64](uint64(0xff800001), uint64(0xfff0000000000001))
			x[i] = prove.FromBits[T]([]uint64{top, top ^ 1<<(8*uint(unsafe.Sizeof(v))-1), prove.Bits(T(math.Inf(-1))),
				5}[r.IntN(4)])
		case "halves": // of the bits: one, the other, both or none of them differ
			x[i] = prove.FromBits[T](uint64(0x40000000+r.IntN(3))<<32 | uint64(r.IntN(2))<<31 | uint64(r.IntN(4)))
		case "samples": // small keys where pivots are looked for
			x[i] = v
			if step := (n - 16) / 8; step > 0 && i%step < 16 {
				x[i] = T(-1000 - i)
			}
		default:
			panic(kind)
		}
	}
}

// order compares as Sort promises: NaNs last, -0 before 0, and it tells any two different bits apart.
func order[T float](f Form) func(a, b T) int {
	width := 8 * unsafe.Sizeof(*new(T))
	rank := func(v T) (last bool, magnitude float64, zero int, bits uint64) {
		u := prove.Bits(v)
		if f&Descending != 0 {
			u ^= 1 << (width - 1)
		}
		sign := int(u >> (width - 1))
		if v != v {
			if sign == 1 {
				return true, 1, 0, ^u
			}
			return true, 0, 0, u
		}
		return false, float64(prove.FromBits[T](u)), -sign, 0
	}
	return func(a, b T) int {
		la, ma, za, ba := rank(a)
		lb, mb, zb, bb := rank(b)
		if la != lb {
			if la {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(ma, mb), cmp.Compare(za, zb), cmp.Compare(ba, bb))
	}
}

// sorted returns x in order.
func sorted[T float](x []T, f Form) []T {
	want := slices.Clone(x)
	slices.SortFunc(want, order[T](f))
	return want
}

// sortFloats calls the driver.
func sortFloats[T float](x []T, from, to int, f Form) {
	if prove.IsF32[T]() {
		I32(ints32(x), len(x), from, to, f|Load|Store)
	} else {
		I64(ints64(x), len(x), from, to, f|Load|Store)
	}
}

func ints32[T any](x []T) *int32 { return (*int32)(unsafe.Pointer(unsafe.SliceData(x))) }
func ints64[T any](x []T) *int64 { return (*int64)(unsafe.Pointer(unsafe.SliceData(x))) }

// sameBits returns where a and b differ, or -1.
func sameBits[T float](a, b []T) int {
	for i := range a {
		if prove.Bits(a[i]) != prove.Bits(b[i]) {
			return i
		}
	}
	return -1
}

var forms = map[string]Form{"ascending": 0, "descending": Descending}
