package sparse

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// shapes calls f with numbers of elements and of columns: all remainders of both, and each number of vectors of columns
// that a kernel keeps in registers, and beyond.
func shapes(f func(nnz, n int)) {
	few, many, step := 21, 240, 1
	if testing.Short() {
		few, many, step = 6, 130, 11
	}
	for nnz := range few {
		for n := nnz % min(step, 3); n < 40; n += min(step, 3) {
			f(nnz, n)
		}
	}
	for n := 40; n <= many; n += step {
		for _, nnz := range []int{0, 1, 2, 5, 9} {
			f(nnz, n)
		}
	}
	for _, nnz := range []int{31, 33, 64, 100, 257} {
		for _, n := range []int{1, 2, 10, 26, 101} {
			f(nnz, n)
		}
	}
	f(3, 417)
	f(7, 1000)
}

// TestExact: sums of small integers have one result in every order; a missing, doubled or foreign element changes it
// for certain.
func TestExact(t *testing.T) { prove.Both(t, exact[float32], exact[float64]) }

func exact[T float](t *testing.T) {
	for _, k := range kernels[T]() {
		r := prove.Rand(1)
		odd := prove.Odd[T](r)
		var s scene[T]
		shapes(func(nnz, n int) {
			s.c.alpha, s.c.beta = []T{1, -1, 0.5, 3}[r.IntN(4)], T(r.IntN(3)-1)
			d := []int{1, 2, 5, 40, 300}[r.IntN(5)]
			s.place(k, d, nnz, n, layout{r.IntN(16), r.IntN(16), r.IntN(16), r.IntN(16), []int{0, 1, 3, 21}[r.IntN(4)]},
				odd, r)
			s.check(t, true)
		})
	}
}

// TestAlignments: every offset of the dense operand against some of the others.
func TestAlignments(t *testing.T) { prove.Both(t, alignments[float32], alignments[float64]) }

func alignments[T float](t *testing.T) {
	for _, k := range kernels[T]() {
		r := prove.Rand(2)
		even := prove.Even[T](r)
		var s scene[T]
		s.c.alpha, s.c.beta = 2, 1
		for at := range 16 {
			for i, n := range []int{1, 7, 10, 26, 100} {
				if testing.Short() && (at+i)%3 != 0 {
					continue
				}
				s.place(k, 20, 13, n, layout{(at + 3) % 16, at * 5 % 16, at, at * 7 % 16, at % 3}, even, r)
				s.check(t, true)
			}
		}
	}
}

// TestRounding holds every tier to the bound of prove.Sum, on sums of every condition.
func TestRounding(t *testing.T) { prove.Both(t, rounding[float32], rounding[float64]) }

func rounding[T float](t *testing.T) {
	for _, kind := range prove.Kinds {
		for _, k := range kernels[T]() {
			r := prove.Rand(3)
			draw := prove.Draw[T](kind, r)
			var s scene[T]
			for _, nnz := range []int{1, 3, 8, 17, 70, 300} {
				for _, n := range []int{1, 10, 26, 101} {
					s.c.alpha, s.c.beta = T(2*r.Float64()-1), []T{0, 1, T(r.Float64())}[r.IntN(3)]
					s.place(k, 50, nnz, n, layout{a: r.IntN(16), gap: r.IntN(5)}, draw, r)
					s.check(t, false)
				}
			}
		}
	}
}

// TestSpecials: NaN, infinities, zeros, denormals and numbers that overflow, one of them at each place among small
// integers.
func TestSpecials(t *testing.T) { prove.Both(t, specials[float32], specials[float64]) }

func specials[T float](t *testing.T) {
	inf := T(math.Inf(1))
	for _, k := range kernels[T]() {
		r := prove.Rand(4)
		odd := prove.Odd[T](r)
		var s scene[T]
		for _, v := range []T{T(math.NaN()), inf, -inf, 0, T(math.Copysign(0, -1)), prove.Max[T]()} {
			for _, n := range []int{1, 5, 18} {
				for place := range 25 {
					s.c.alpha, s.c.beta = 1, T(place%2)
					s.place(k, 9, 1+place, n, layout{}, odd, r)
					// in val, of which every copy of the call's arguments must have it
					s.val.Place(3, 1, 1+place, 1+place, func(i int) T {
						if i == place {
							return v
						}
						return odd(i)
					})
					s.c.val = s.val.Data
					s.check(t, true)
				}
			}
		}
		for _, alpha := range []T{0, T(math.NaN()), 1} {
			s.c.alpha, s.c.beta = alpha, T(math.NaN())
			s.place(k, 9, 12, 18, layout{}, odd, r)
			s.check(t, true)
		}
		tiny := func(i int) T { return odd(i) * prove.Tiny[T]() }
		s.c.alpha, s.c.beta = 1, 1
		s.place(k, 9, 12, 18, layout{}, tiny, r)
		s.check(t, k.out != returned && !k.matrix)
	}
}
