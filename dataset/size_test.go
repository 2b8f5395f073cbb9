package dataset

import "testing"

// TestCheckSize: a matrix is refused where it has one element more than fit, however many rows it has.
func TestCheckSize(t *testing.T) {
	for _, rows := range []int{0, 1, 2, 3} {
		cols := maxElements / max(rows, 1)
		if err := checkSize[float64](rows, cols); err != nil {
			t.Errorf("%d rows: %v", rows, err)
		}
		if err := checkSize[float64](rows, cols+1); (err == nil) != (rows == 0) {
			t.Errorf("%d rows, a column more: %v", rows, err)
		}
	}
}
