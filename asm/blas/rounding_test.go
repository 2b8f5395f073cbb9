package blas

import (
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// TestVectorsRounding holds every tier to the bound of prove.Sum, on sums of every condition.
func TestVectorsRounding(t *testing.T) {
	prove.Both(t, vectorsRounding[float32], vectorsRounding[float64])
}

func vectorsRounding[T float](t *testing.T) {
	for _, kind := range prove.Kinds {
		r := prove.Rand(4)
		from := source[T]{prove.Draw[T](kind, r), prove.Draw[T](kind, r), nil}
		for _, k := range kernels[T]() {
			if k.matrix {
				continue
			}
			var s scene[T]
			for i, n := range lengths() {
				if testing.Short() && i%3 != 0 {
					continue
				}
				s.c.alpha = T(2*r.Float64() - 1)
				at := layout{x: r.IntN(16), y: r.IntN(16)}
				s.place(k, 1, n, at, from, false)
				if k.bitwise {
					s.check(t)
				} else {
					s.checkBound(t)
				}
				if k.y != none {
					s.place(k, 1, n, at, from, true)
					s.checkBound(t)
				}
			}
		}
	}
}

// TestMatricesRounding is TestVectorsRounding for matrices.
func TestMatricesRounding(t *testing.T) {
	prove.Both(t, matricesRounding[float32], matricesRounding[float64])
}

func matricesRounding[T float](t *testing.T) {
	rows, cols := []int{1, 2, 3, 4, 5, 7, 8, 13, 19, 64}, []int{1, 2, 3, 4, 7, 8, 9, 10, 14, 15, 16, 17, 31, 33, 70,
		100, 129, 209, 300}
	if testing.Short() {
		rows, cols = []int{1, 5, 8, 11, 37}, []int{1, 3, 9, 10, 17, 33, 70, 140}
	}
	for at, kind := range prove.Kinds {
		r := prove.Rand(5)
		draw := prove.Draw[T](kind, r)
		for _, k := range kernels[T]() {
			if !k.matrix {
				continue
			}
			var s scene[T]
			for i, m := range rows {
				for j, n := range cols {
					if !prove.Visits(at+i, j, 3) {
						continue
					}
					s.c.alpha, s.c.beta = T(2*r.Float64()-1), []T{0, 1, T(r.Float64())}[(i+j)%3]
					s.place(k, m, n, layout{x: r.IntN(16), y: r.IntN(16), a: r.IntN(16), gap: r.IntN(20)},
						source[T]{draw, draw, draw}, false)
					s.checkBound(t)
				}
			}
		}
	}
}
