package unchecked

import (
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// TestBox: the kernels find their arguments, with one label of each kind whose visit has a result in whole numbers, in
// a generic function, as solvers call them, and without allocation.
func TestBox(t *testing.T) { prove.Both(t, testBox[float32], testBox[float64]) }

func testBox[T prove.Float](t *testing.T) {
	hinge, squared := BoxHinge64[T], BoxSquared64[T]
	if Is32[T]() {
		hinge, squared = BoxHinge32[T], BoxSquared32[T]
	}
	const most = 1 << 20
	s, c := []T{-1, 1}, []T{1, -1} // both labels lose 2
	a, delta := make([]T, 2), make([]T, 2)
	same := func(name string, gap, after float64, outcome int, wantGap, wantAfter float64, moves T) {
		t.Helper()
		want := []T{moves, -moves}
		if gap != wantGap || after != wantAfter || outcome != Moved || !slices.Equal(a, want) ||
			!slices.Equal(delta, want) {
			t.Errorf("%s: gap %v, after %v, outcome %d, a = %v, delta = %v", name, gap, after, outcome, a, delta)
		}
	}
	// u = 3: gap 2 u for each, 0 + 2/2 = 1
	p := &BoxProblem[T]{C: &c[0], Lo: &[]T{0, -3}[0], Hi: &[]T{3, 0}[0]}
	gap, after, outcome := hinge(a, s, delta, p, 0.5, 0)
	same("hinge", gap, after, outcome, 12, 2, 1)
	// r = 1/4, h = 2: gap 4 r for each, 0 + 2/(2+2) = 1/2, after (1 - 1/2) 1/2 for each
	clear(a)
	p = &BoxProblem[T]{C: &c[0], Lo: &[]T{0, -most}[0], Hi: &[]T{most, 0}[0], Bend: 2, R: 0.25}
	gap, after, outcome = squared(a, s, delta, p, 0.25, 0)
	same("squared hinge", gap, after, outcome, 2, 0.5, 0.5)
	if n := prove.Allocs(10, func() { boxes(a, s, delta, p) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func boxes[T prove.Float](a, s, delta []T, p *BoxProblem[T]) {
	q := *p
	if Is32[T]() {
		BoxHinge32(a, s, delta, &q, 1, 0)
		BoxSquared32(a, s, delta, &q, 1, 0)
	} else {
		BoxHinge64(a, s, delta, &q, 1, 0)
		BoxSquared64(a, s, delta, &q, 1, 0)
	}
}
