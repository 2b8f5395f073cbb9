package project

import (
	"math"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

func unfit(function, format string, arguments ...any) shape.Error {
	return shape.Errorf("project: "+function, format, arguments...)
}

func checkLengths[T vec.Float](function string, dst, a []T) {
	if len(dst) != len(a) {
		panic(unfit(function, "dst has %d elements, a has %d", len(dst), len(a)))
	}
}

// checkSolution is checkLengths for the arguments of a residual.
func checkSolution[T vec.Float](function string, a, x []T) {
	if len(a) != len(x) {
		panic(unfit(function, "x has %d elements, a has %d", len(x), len(a)))
	}
}

// checkItems panics unless each element of a has its weight and its bounds.
func checkItems[T vec.Float](function string, a, b, l, u []T) {
	if len(b) != len(a) || len(l) != len(a) || len(u) != len(a) {
		panic(unfit(function, "a has %d elements, b %d, l %d, u %d", len(a), len(b), len(l), len(u)))
	}
}

// checkSizes panics unless dst and a are sound matrices of one size.
func checkSizes[T vec.Float](function string, dst, a vec.Matrix[T]) {
	for _, m := range []vec.Matrix[T]{dst, a} {
		if err := m.Validate(); err != nil {
			panic(unfit(function, "%v", err))
		}
	}
	if dst.Rows != a.Rows || dst.Cols != a.Cols {
		panic(unfit(function, "dst is %dx%d, a is %dx%d", dst.Rows, dst.Cols, a.Rows, a.Cols))
	}
}

// check panics where the arguments fit no problem, which is an error of the program and not of its data.
func check[T vec.Float](function string, dst, a []T, k int, r, rho T) {
	if !fits(len(dst), len(a), k, r, rho) {
		refuse(function, dst, a, k, r, rho)
	}
}

// fits is small enough to be inlined.
func fits[T vec.Float](dst, a, k int, r, rho T) bool {
	return dst == a && 1 <= k && k <= a && r >= 0 && rho >= 0 && rho-rho == 0
}

func refuse[T vec.Float](function string, dst, a []T, k int, r, rho T) {
	checkLengths(function, dst, a)
	if k < 1 || k > len(a) {
		panic(unfit(function, "k = %d is not in 1..%d, the dimension", k, len(a)))
	}
	checkRadius(function, r)
	checkFactor(function, "rho", rho)
}

// checkRadius panics unless r is in [0, Inf].
func checkRadius[T vec.Float](function string, r T) {
	if !(r >= 0) {
		panic(unfit(function, "r = %v, want r >= 0", r))
	}
}

// checkFinite panics unless r is in [0, Inf).
func checkFinite[T vec.Float](function string, r T) {
	if !(r >= 0) || math.IsInf(float64(r), 1) {
		panic(unfit(function, "r = %v, want r >= 0 and finite", r))
	}
}

// checkFactor panics unless a factor of the objective is in [0, Inf).
func checkFactor[T vec.Float](function, name string, v T) {
	if !(v >= 0) || math.IsInf(float64(v), 1) {
		panic(unfit(function, "%s = %v, want 0 <= %s < Inf", name, v, name))
	}
}
