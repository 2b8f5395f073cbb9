package unchecked

import (
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// TestBoxCoupled: the kernels find their arguments, with a true label and one that is not, both of which lose 2, and R
// = (1, -1/2; -1/2, 1), so that nothing is rounded.
func TestBoxCoupled(t *testing.T) { prove.Both(t, testBoxCoupled[float32], testBoxCoupled[float64]) }

func testBoxCoupled[T prove.Float](t *testing.T) {
	const wide, most = 16, 1 << 20
	numbers := func(v ...T) []T { return append(v, make([]T, wide-len(v))...) }
	u, own, r := numbers(1, 1), numbers(1, 1), append(numbers(1, -.5), numbers(-.5, 1)...)
	s, y := []T{-1, 1}, []uint64{1}
	type visitor func(a, s, delta []T, y []uint64, p *BoxCoupled[T], h T, least float64) (gap, term, quadratic float64,
		outcome int)
	for _, c := range []struct {
		name                 string
		visit                visitor
		hi, bend, r          T
		gap, term, quadratic float64
		a, delta             []T
	}{
		{"hinge", BoxCoupledHinge[T], 3, 0, 0, 12, 1.5, .25, []T{1, -.5}, []T{1.25, -1}},
		{"squared hinge", BoxCoupledSquared[T], most, 2, .25, 2, .484375, -.296875, []T{.5, -.375}, []T{.6875, -.625}},
	} {
		hi := numbers(c.hi, c.hi)
		p := &BoxCoupled[T]{U: &u[0], Hi: &hi[0], Coupling: &r[0], Own: &own[0], Stride: wide, Floor: 0x1p-100,
			Bend: c.bend, R: c.r}
		a, delta := make([]T, 2), make([]T, wide)
		gap, term, quadratic, outcome := c.visit(a, s, delta, y, p, 2, 0)
		if gap != c.gap || term != c.term || quadratic != c.quadratic || outcome != Moved || !slices.Equal(a, c.a) ||
			!slices.Equal(delta[:2], c.delta) {
			t.Errorf("%s: gap %v, term %v, quadratic %v, outcome %d, a = %v, delta = %v", c.name, gap, term, quadratic,
				outcome, a, delta)
		}
	}
}
