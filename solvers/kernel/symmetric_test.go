package kernel

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestSymmetric: one number that its mirror image is not is found wherever it is, and named; the matrix may be a part
// of a wider one.
func TestSymmetric(t *testing.T) { prove.Both(t, symmetric[float32], symmetric[float64]) }

func symmetric[T vec.Float](t *testing.T) {
	for _, n := range []int{2, 63, 64, 65, 130, 200} {
		k := vec.NewMatrix[T](n, n+3).Slice(0, n, 1, n+1)
		for i := range n {
			for j := range n {
				k.Row(i)[j] = T(i*j%7) / 8
			}
			k.Row(i)[i] = 1
		}
		if _, err := Precomputed(k); err != nil {
			t.Fatalf("n = %d: %v", n, err)
		}
		for _, i := range []int{1, 2, 62, 63, 64, 65, 127, 128, 129, n - 1} {
			for _, j := range []int{0, 1, 62, 63, 64, 65, 126, 127, 128, i - 1} {
				if i >= n || j >= i {
					continue
				}
				for _, at := range [][2]int{{i, j}, {j, i}} {
					v := &k.Row(at[0])[at[1]]
					*v += 0.125
					_, err := Precomputed(k)
					want := fmt.Sprintf("value %v of row %d, column %d, but %v of row %d, column %d: not symmetric",
						k.At(i, j), i, j, k.At(j, i), j, i)
					if err == nil || !strings.Contains(err.Error(), want) {
						t.Fatalf("n = %d: %v, want %q", n, err, want)
					}
					*v -= 0.125
				}
			}
		}
	}
}

// TestSymmetricSizes: what a value may be off by is relative to the diagonal of both examples, and of a distance to the
// largest one of either.
func TestSymmetricSizes(t *testing.T) {
	of := func(v ...float64) vec.Matrix[float64] { return vec.MatrixOf(3, 3, v) }
	for _, c := range []struct {
		off  float64 // relative to what is allowed
		fine bool
	}{{.5, true}, {2, false}} {
		value, distance := c.off*1e-10*1e3, c.off*1e-10*1e6 // sqrt(1 * 1e6), and max(1, 1e6)
		for _, k := range []vec.Matrix[float64]{of(1e6, 0, 0, value, 1, 0, 0, 0, 1),
			of(1, 0, 0, value, 1e6, 0, 0, 0, 1)} {
			if _, err := Precomputed(k); (err == nil) != c.fine {
				t.Errorf("%v: %v, want none: %t", k.Data, err, c.fine)
			}
		}
		for _, d := range []vec.Matrix[float64]{of(0, 1, 1e6, 1+distance, 0, 1, 1e6, 1, 0),
			of(0, 1, 1e6, 1, 0, 1, 1e6, 1+distance, 0)} {
			if _, err := FromDistances(d, 1); (err == nil) != c.fine {
				t.Errorf("distances %v: %v, want none: %t", d.Data, err, c.fine)
			}
		}
	}
}
