package dataset

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

func isFinite[T vec.Float](v T) bool { return v-v == 0 }

// firstNotFinite returns the place of the first number of x that is NaN or an infinity, or -1. The sum of a piece is
// one of these where a number is. It is also infinite where large numbers overflow, so that each number of such a piece
// is looked at.
func firstNotFinite[T vec.Float](x []T) int {
	const piece = 1 << 12 // stays in the first cache for the second look
	for p := 0; p < len(x); p += piece {
		part := x[p:min(p+piece, len(x))]
		if isFinite(vec.Sum(part)) {
			continue
		}
		for k, v := range part {
			if !isFinite(v) {
				return p + k
			}
		}
	}
	return -1
}

func valueError[T vec.Float](i, j int, v T) error {
	return fmt.Errorf("dataset: row %d, column %d: value %v, want a finite number", i, j, v)
}
