package project

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Workspace holds the scratch memory of the projections. The zero value is ready; it grows to the largest vector it has
// met, and a projection that fits allocates nothing. It serves one goroutine at a time. Where a projection takes a
// workspace, nil is allowed and costs an allocation.
type Workspace[T vec.Float] struct {
	v []float64 // the elements that can matter, as float64 whatever T is
}

// scratch returns an empty slice with room for n numbers.
func (w *Workspace[T]) scratch(n int) []float64 {
	if w == nil {
		return make([]float64, 0, n)
	}
	if cap(w.v) < n {
		w.v = make([]float64, 0, n)
	}
	return w.v[:0]
}

// Thresholds tells how a projection came about: x_i = min(max(0, a_i - T), U), computed in float64 before x is rounded to
// the type of the vector.
type Thresholds struct {
	T   float64 // the shift t, in units of a
	U   float64 // the cap u on every x_i
	Cap int     // |U|, the number of i with x_i = u > 0
	Mid int     // |M|, the number of i with 0 < x_i < u
}

// check panics where the arguments fit no problem, which is an error of the program and not of its data.
func check[T vec.Float](name string, dst, a []T, k int, r, rho T) {
	if len(dst) == len(a) && 1 <= k && k <= len(a) && r >= 0 && rho >= 0 && !math.IsInf(float64(rho), 1) {
		return
	}
	switch {
	case len(dst) != len(a):
		panic(fmt.Sprintf("project: %s: dst has %d elements, a has %d", name, len(dst), len(a)))
	case k < 1 || k > len(a):
		panic(fmt.Sprintf("project: %s: k = %d is not in 1..%d, the dimension", name, k, len(a)))
	case !(r >= 0):
		panic(fmt.Sprintf("project: %s: r = %v, need r >= 0", name, r))
	default:
		panic(fmt.Sprintf("project: %s: rho = %v, need 0 <= rho < Inf", name, rho))
	}
}

// write sets dst = min(max(0, a - c - t), u) and counts: T is c + t, kept apart because the elements between the bounds
// lie within u of c, so that a - c is exact where a - (c+t) would not be. Thresholds that are not finite (the input was
// not, or its sums overflow) make every element NaN.
func write[T vec.Float](dst, a []T, c, t, u float64) Thresholds {
	if t-t != 0 || c-c != 0 || u != u {
		return undefined(dst)
	}
	th := Thresholds{T: c + t, U: u}
	dst = dst[:len(a)]
	for i, ai := range a {
		x := float64(ai) - c - t
		switch {
		case x <= 0:
			x = 0
		case x >= u:
			x = u
			th.Cap++
		default:
			th.Mid++
		}
		dst[i] = T(x)
	}
	return th
}

// undefined is the answer to input that has none.
func undefined[T vec.Float](dst []T) Thresholds {
	nan := math.NaN()
	for i := range dst {
		dst[i] = T(nan)
	}
	return Thresholds{T: nan, U: nan}
}
