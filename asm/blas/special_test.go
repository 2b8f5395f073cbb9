package blas

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// specials are pairs that one element of x and the element of y beside it become, or one of a and y. Elsewhere lie
// small integers, so that the result is the same in every order: a NaN, an infinity, or a number.
func specials[T float]() [][2]T {
	inf, nan, big, zero := T(math.Inf(1)), T(math.NaN()), prove.Max[T](), T(math.Copysign(0, -1))
	return [][2]T{
		{nan, 1}, {1, nan}, {nan, inf}, {inf, 1}, {-inf, 1}, {1, inf}, {1, -inf}, {inf, 0}, {0, inf}, {inf, inf},
		{inf, -inf},
		{big, 1}, {-big, 1}, {1, big}, {big, big}, {big, -big}, {zero, 1}, {1, zero}, {zero, zero},
	}
}

// TestSpecialVectors puts each pair at every position, in the tail as in the blocks.
func TestSpecialVectors(t *testing.T) {
	prove.Both(t, specialVectors[float32], specialVectors[float64])
}

func specialVectors[T float](t *testing.T) {
	sizes := []int{1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 33, 64, 100, 129, 273}
	if testing.Short() {
		sizes = []int{1, 3, 7, 16, 33, 70}
	}
	r := prove.Rand(6)
	odd, even := prove.Odd[T](r), prove.Even[T](r)
	for _, k := range kernels[T]() {
		if k.matrix {
			continue
		}
		var s scene[T]
		s.c.alpha = 1
		for _, n := range sizes {
			for p := range n {
				for i, v := range specials[T]() {
					if !prove.Visits(p, i, 3) {
						continue
					}
					s.place(k, 1, n, layout{x: p, y: n % 16}, source[T]{put(p, v[0], odd), put(p, v[1], even), nil},
						false)
					s.check(t)
				}
			}
		}
	}
}

// put is f, but v at position p.
func put[T float](p int, v T, f func(int) T) func(int) T {
	return func(i int) T {
		if i == p {
			return v
		}
		return f(i)
	}
}

// TestZeros: the sum of nothing, and of nothing but -0, is +0; products of zeros keep their sign where elements stand
// alone.
func TestZeros(t *testing.T) { prove.Both(t, zeros[float32], zeros[float64]) }

func zeros[T float](t *testing.T) {
	minus := func(int) T { return T(math.Copysign(0, -1)) }
	plus := func(int) T { return 0 }
	for _, k := range kernels[T]() {
		var s scene[T]
		for n := range 70 {
			for _, alpha := range []T{1, -1} {
				for _, from := range []source[T]{{minus, plus, minus}, {minus, minus, plus}, {plus, minus, minus}} {
					s.c.alpha, s.c.beta = alpha, alpha
					s.place(k, 3, n, layout{}, from, false)
					s.check(t)
				}
			}
		}
	}
}

// TestSpecialFactors: alpha and beta that are no numbers, zero or too large. An infinite alpha times a sum depends on
// the order in gemv and gemvt, so these get NaN only, and sums that are not empty.
func TestSpecialFactors(t *testing.T) {
	prove.Both(t, specialFactors[float32], specialFactors[float64])
}

func specialFactors[T float](t *testing.T) {
	inf, nan := T(math.Inf(1)), T(math.NaN())
	r := prove.Rand(7)
	odd, even := prove.Odd[T](r), prove.Even[T](r)
	for _, k := range kernels[T]() {
		if !k.scalars {
			continue
		}
		alphas, betas := []T{0, T(math.Copysign(0, -1)), nan, inf, -inf, prove.Max[T]()}, []T{1}
		if k.beta {
			alphas, betas = []T{0, 1, nan}, []T{0, T(math.Copysign(0, -1)), 1, nan, inf}
		}
		var s scene[T]
		for n := 1; n < 140; n++ {
			for i, alpha := range alphas {
				for j, beta := range betas {
					if !prove.Visits(n, i*len(betas)+j, 3) {
						continue
					}
					s.c.alpha, s.c.beta = alpha, beta
					s.place(k, 1+n%9, n, layout{gap: n % 2}, source[T]{odd, even, even}, false)
					s.check(t)
				}
			}
		}
	}
}

// TestSpecialMatrices puts each pair at every position of the matrix, and of the vectors.
func TestSpecialMatrices(t *testing.T) {
	prove.Both(t, specialMatrices[float32], specialMatrices[float64])
}

func specialMatrices[T float](t *testing.T) {
	shapes := [][2]int{{1, 1}, {3, 5}, {4, 17}, {9, 33}, {2, 130}}
	if testing.Short() {
		shapes = [][2]int{{1, 1}, {3, 5}, {9, 7}}
	}
	r := prove.Rand(8)
	odd, even := prove.Odd[T](r), prove.Even[T](r)
	for _, k := range kernels[T]() {
		if !k.matrix {
			continue
		}
		var s scene[T]
		for _, shape := range shapes {
			m, n := shape[0], shape[1]
			for p := range m * n {
				px, py := p/n, p%n // the elements of the vectors that meet element p of the matrix
				if k.x == byN {
					px, py = py, px
				}
				for i, v := range specials[T]() {
					if !prove.Visits(p, i, 4) {
						continue
					}
					ax := source[T]{put(px, v[0], odd), even, put(p, v[1], even)}
					ay := source[T]{odd, put(py, v[0], even), put(p, v[1], even)}
					xy := source[T]{put(px, v[0], odd), put(py, v[1], even), even}
					all := []source[T]{ax, ay, xy}
					if big := prove.Max[T](); max(v[0], -v[0]) == big && max(v[1], -v[1]) == big {
						// Two that overflow are certain only as factors: beside each other the order and the fusing
						// decide.
						all = []source[T]{ax}
						if k.name == "ger" {
							all = []source[T]{xy}
						}
					}
					s.c.alpha, s.c.beta = 1, []T{0, 1}[(p+i)%2]
					for _, from := range all {
						s.place(k, m, n, layout{gap: p % 3}, from, false)
						s.check(t)
					}
				}
			}
		}
	}
}
