package shape_test

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/internal/shape"
)

// TestPieces compares with a count of the pieces, and looks at numbers where a sum would overflow.
func TestPieces(t *testing.T) {
	for n := range 50 {
		for size := 1; size < 20; size++ {
			want := 0
			for have := 0; have < n; have += size {
				want++
			}
			if got := shape.Pieces(n, size); got != want {
				t.Errorf("%d pieces of %d hold %d, want %d", got, size, n, want)
			}
			if got := shape.Padded(n, size); got != want*size {
				t.Errorf("%d is padded to %d by units of %d, want %d", n, got, size, want*size)
			}
		}
	}
	if got := shape.Pieces(math.MaxInt, 2); got != math.MaxInt/2+1 {
		t.Errorf("%d pieces of 2 hold %d, want %d", got, math.MaxInt, math.MaxInt/2+1)
	}
	if got := shape.Pieces(math.MaxInt, math.MaxInt); got != 1 {
		t.Errorf("%d pieces of %d hold as many, want 1", got, math.MaxInt)
	}
}
