package topk

import (
	"context"
	"math"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
)

// TestSparseNotFinite: what is not finite is found among zeros too, where training is on a copy without them.
func TestSparseNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		x, y := vec.NewMatrix[float64](40, 30), make([]int, 40)
		for i := range y {
			y[i] = i % 2
			x.Row(i)[i%30] = 1
		}
		x.Row(17)[20] = bad
		_, err := Fit(context.Background(), design.Matrix[float64](&dataset.Dense[float64]{Matrix: x}), y,
			Config{Lambda: 1})
		familytest.Contains(t, err, "row 17, column 20")
	}
}
