package train

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
)

// Trust is what a method knows of the rounding of its last certificate.
type Trust struct{ off float64 }

// Off is how far rounding may take the last certificate.
func (t *Trust) Off() float64 { return t.off }

// Judge takes up how far rounding may take a certificate. It is an error where that is above its gap and above the
// tolerance.
func (t *Trust) Judge(c solvers.Certificate, off, tol float64) error {
	t.off = off
	if !(off <= Room(c, tol)) {
		return fmt.Errorf("%w: %v, of which %.1g may be rounding", ErrRounding, c, off)
	}
	return nil
}

// Room is the gap, or the tolerance.
func Room(c solvers.Certificate, tol float64) float64 { return max(c.Gap(), tol*magnitude(c)) }

func magnitude(c solvers.Certificate) float64 { return math.Max(math.Abs(c.Primal), math.Abs(c.Dual)) }
