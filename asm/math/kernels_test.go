package math

import (
	"math"
	"math/big"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/internal/prove"
)

func ptr[T float](x []T) *T { return unsafe.SliceData(x) }

// kernel describes one function to the tests, which all are loops over this table.
type kernel[T float] struct {
	name   string
	scaled bool // takes alpha
	run    func(alpha T, x, y []T)

	// exact returns the result for a finite argument in double precision, and with many digits; only one of them is
	// asked for.
	exact func(alpha, x T, digits bool) (float64, *big.Float)

	// special returns the result for an argument that leaves nothing to compute.
	special func(v float64) (T, bool)

	// hard lists arguments where something changes: the way to compute, the exponent, the kind of the result.
	hard func() []T
}

func kernels[T float]() []kernel[T] {
	exp := prove.Pick[T, func(x, y *T, n int)](ExpF32, ExpF64)
	log := prove.Pick[T, func(x, y *T, n int)](LogF32, LogF64)
	expScaled := prove.Pick[T, func(alpha T, x, y *T, n int)](ExpScaledF32, ExpScaledF64)
	return []kernel[T]{{
		name: "exp",
		run:  func(_ T, x, y []T) { exp(ptr(x), ptr(y), len(x)) },
		exact: func(_, x T, digits bool) (float64, *big.Float) {
			if digits {
				return 0, bigExp(bigNumber(float64(x)))
			}
			return math.Exp(float64(x)), nil
		},
		special: specialExp[T], hard: hardExp[T],
	}, {
		name: "expscaled", scaled: true,
		run: func(alpha T, x, y []T) { expScaled(alpha, ptr(x), ptr(y), len(x)) },
		exact: func(alpha, x T, digits bool) (float64, *big.Float) {
			if digits {
				return 0, bigExp(bigNumber(float64(alpha)).Mul(bigNumber(float64(alpha)), bigNumber(float64(x))))
			}
			return math.Exp(float64(alpha) * float64(x)), nil
		},
		special: specialExp[T], hard: hardExp[T],
	}, {
		name: "log",
		run:  func(_ T, x, y []T) { log(ptr(x), ptr(y), len(x)) },
		exact: func(_, x T, digits bool) (float64, *big.Float) {
			if digits {
				return 0, bigLog(float64(x))
			}
			return math.Log(float64(x)), nil
		},
		special: specialLog[T], hard: hardLog[T],
	}}
}

func specialLog[T float](v float64) (T, bool) {
	switch {
	case v != v || v < 0:
		return T(math.NaN()), true
	case v == 0:
		return T(math.Inf(-1)), true
	case v > math.MaxFloat64:
		return T(v), true
	case v == 1:
		return 0, true
	}
	return 0, false
}

// hardLog lists the neighbours of all m 2^k, m the multiples of 1/64 between 1/2 and 1 and √½: where exponents and
// table entries change. Around 1, where the result is small, there are more, and zero has denormal neighbours.
func hardLog[T float]() (x []T) {
	least, most, step := -150, 129, 1
	if !prove.IsF32[T]() {
		least, most, step = -1075, 1025, 9
	}
	if testing.Short() {
		step *= 19
	}
	for i := 64 * least; i < 64*most; i += step {
		for _, v := range neighbours(T(math.Ldexp(float64(64+i&63)/128, i>>6))) {
			x = append(x, v, -v)
		}
	}
	for e := least; e <= most; e++ {
		x = append(x, neighbours(T(math.Ldexp(math.Sqrt2/2, e)))...)
	}
	for e := 1; e < 60; e++ {
		x = append(x, neighbours(1-T(math.Ldexp(1, -e)))...)
		x = append(x, neighbours(1+T(math.Ldexp(1, -e)))...)
	}
	return append(x, 0, T(math.Copysign(0, -1)), T(math.Inf(1)), T(math.Inf(-1)), T(math.NaN()))
}

// specialExp: what is beyond ±1000 is beyond all exponents of either type.
func specialExp[T float](v float64) (T, bool) {
	switch {
	case v != v:
		return T(v), true
	case v > 1000:
		return T(math.Inf(1)), true
	case v < -1000:
		return 0, true
	}
	return 0, false
}

// hardExp lists the neighbours of multiples of ln 2/32, where one table entry or exponent gives way to the next, of the
// arguments where results overflow, become denormal and vanish, and of where the AVX2 kernels change their way.
func hardExp[T float]() (x []T) {
	bits, least, step := 24, 150, 1
	if !prove.IsF32[T]() {
		bits, least, step = 53, 1075, 11
	}
	if testing.Short() {
		step *= 19
	}
	for i := -32 * (least + 1); i <= 32*(least-bits+3); i += step {
		x = append(x, neighbours(T(float64(i)*math.Ln2/32))...)
	}
	for _, v := range []float64{87, 87.33654, 88, 88.72284, 89, 103.2789, 103.97208, 708, 708.3964, 709.78271, 710,
		744.4400, 745.13321, 746, 1e4, 1e10, 1e30} {
		x = append(x, neighbours(T(v))...)
		x = append(x, neighbours(T(-v))...)
	}
	return x
}

// neighbours returns v and a few numbers on either side.
func neighbours[T float](v T) (x []T) {
	for d := range uint64(5) {
		x = append(x, prove.FromBits[T](prove.Bits(v)+d-2))
	}
	return x
}
