package fashion

import (
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// Each pixel of each image stands in the quarter where it belongs.
func TestQuarters(t *testing.T) {
	x := vec.NewMatrix[float32](2, Side*Side)
	for k := range x.Data {
		x.Data[k] = float32(k)
	}
	blocks := Quarters(x)
	for i := range x.Rows {
		for r := range Side {
			for c := range Side {
				if v := blocks[r/14*2+c/14].At(i, r%14*14+c%14); v != x.At(i, r*Side+c) {
					t.Fatalf("image %d, row %d, column %d: %v", i, r, c, v)
				}
			}
		}
	}
}
