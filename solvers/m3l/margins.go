package m3l

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// marginsOf sets the Δ+ and the Δ- of each output of example i, whose loss is max(Δ+, Δ- - 2 y s).
type marginsOf func(i int, plus, minus []float64)

// checkMargins returns an error where margins of n examples and m outputs are not finite, or so far apart that T does
// not hold the difference, or so small that float64 does not hold its half: C may be as large as they are small.
func checkMargins[T vec.Float](margins marginsOf, n, m int) error {
	_, high, _ := family.Limits[T]()
	low, _, _ := family.Limits[float64]()
	plus, minus := make([]float64, m), make([]float64, m)
	for i := range n {
		margins(i, plus, minus)
		for l := range m {
			if !(math.Abs(minus[l]-plus[l]) < high) {
				return fmt.Errorf("margins of row %d, label %d: plus %v, minus %v, want finite numbers less than "+
					"%v apart", i, l, plus[l], minus[l], high)
			}
			for _, v := range [2]float64{plus[l], minus[l]} {
				if v != 0 && math.Abs(v) < low {
					return fmt.Errorf("margins of row %d, label %d: plus %v, minus %v, want 0 or %v at least", i, l,
						plus[l], minus[l], low)
				}
			}
		}
	}
	return nil
}

// hash returns a hash of the margins of n examples and m outputs.
func (margins marginsOf) hash(n, m int) []byte {
	h, numbers := sha256.New(), make([]float64, 2*m)
	for i := range n {
		margins(i, numbers[:m], numbers[m:])
		binary.Write(h, binary.LittleEndian, numbers)
	}
	return h.Sum(nil)[:8]
}
