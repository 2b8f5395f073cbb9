package unchecked

import (
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestTranspose: what stood there before is not read.
func TestTranspose(t *testing.T) { prove.Both(t, testTranspose[float32], testTranspose[float64]) }

func testTranspose[T prove.Float](t *testing.T) {
	a, nan := vec.MatrixOf(2, 3, []T{1, 2, 3, 4, 5, 6}), T(math.NaN())
	dst := vec.MatrixOf(3, 2, []T{nan, nan, nan, 7, 7, 7})
	Transpose(dst, a)
	if want := []T{1, 4, 2, 5, 3, 6}; !slices.Equal(dst.Data, want) {
		t.Errorf("%v, want %v", dst.Data, want)
	}
}
