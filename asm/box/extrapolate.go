//go:build (amd64 || arm64) && !purego

package box

// ExtrapolateF32 goes on from last to w and beyond,
//
//	w[j], last[j] = w[j] + beta (w[j] - last[j]), w[j]    0 <= j < n
//
// and returns the sums of the squares of w before and after, in float64. Each operation is rounded. The two do not
// overlap.
//
//go:noescape
func ExtrapolateF32(w, last *float32, n int, beta float32) (before, after float64)

// ExtrapolateF64 is ExtrapolateF32 for float64.
//
//go:noescape
func ExtrapolateF64(w, last *float64, n int, beta float64) (before, after float64)

// ExtrapolateRowsF32 does the same with n rows of m numbers each, lda and ldl apart, that have intervals: most[j] >= 0
// is the largest size of number j of a row, whose sign is the sign it has or had. Of a row i that differs from its last
// one
//
//	free[j]          = a[i, j] + beta (a[i, j] - last[i, j])
//	lo, hi           = -most[j] if a[i, j] < 0 or last[i, j] < 0, else 0; most[j] if one of them > 0, else 0
//	a[i, j], last[i, j] = min(max(free[j], lo), hi), a[i, j]
//
// and NaN becomes lo. It sets moved[i] to Still, Inside or Clipped, ends with the first row that is Clipped, whose
// numbers before that are in free then, and returns how many rows that makes. Otherwise nobody knows what is in free. m
// is at least 1. Nothing overlaps.
//
//go:noescape
func ExtrapolateRowsF32(a, last, free *float32, lda, ldl, m, n int, beta float32, most *float32,
	moved *uint8) (rows int)

// ExtrapolateRowsF64 is ExtrapolateRowsF32 for float64.
//
//go:noescape
func ExtrapolateRowsF64(a, last, free *float64, lda, ldl, m, n int, beta float64, most *float64,
	moved *uint8) (rows int)
