package kernel

import (
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// TestFill: all rows are kept then, if there is room for all; else none is computed.
func TestFill(t *testing.T) {
	const n = 150
	x := vec.NewMatrix[float64](n, 3)
	for i := range x.Data {
		x.Data[i] = float64(i*7%11) / 4
	}
	for budget, want := range map[int64]int64{1 << 24: n, 1 << 10: 0} {
		k, err := New(&dataset.Dense[float64]{Matrix: x}, Gaussian{Gamma: .5}, budget)
		if err != nil {
			t.Fatal(err)
		}
		k.Fill(2)
		k.Fill(1)
		if got := k.Computed(); got != want {
			t.Errorf("budget %d: %d rows, want %d", budget, got, want)
		}
		if want > 0 {
			k.Pin(3)
			k.Release(3)
			if k.Computed() != want {
				t.Errorf("a row that was filled in is computed again")
			}
		}
	}
	given, err := Precomputed(vec.MatrixOf(1, 1, []float64{1}))
	if err != nil {
		t.Fatal(err)
	}
	given.Fill(1)
}
