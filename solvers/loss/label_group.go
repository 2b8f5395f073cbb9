package loss

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// GroupSize is the number of labels that a visit of a group has room for.
const GroupSize = unchecked.BoxGroupSize

// Grouped is a separable loss that may visit a sparse example and its weights by one kernel.
type Grouped[T vec.Float] interface {
	// Groups reports whether the loss is one that VisitGroup knows.
	Groups() bool

	// VisitGroup is Visit of the sparse example x = (idx, val) with m labels, at most GroupSize: the scores come from
	// the rows of z that idx names, to which the move times x is added. These rows and a have GroupSize numbers, 0
	// behind the m-th, and bit c of y is set where label c is true.
	VisitGroup(z *vec.Matrix[T], idx []int32, val, a []T, m, y int, h, r, term, least float64, w *Workspace[T]) (gap,
		after float64, moved bool)
}

// group is what VisitGroup needs to know of the labels: u_c, r v_c where psi is not the square, and 1/(2 r v_c).
type group[T vec.Float] struct {
	box     unchecked.BoxGroup[T]
	bend    float64
	label   *Label[T] // whose these are, of how many labels and of which weight r
	m       int
	r       float64
	squared bool
}

// groups is Groups: of the square all bends must be the same.
func (l *Label[T]) groups(squared bool) bool {
	return l == nil || !l.coupled() && l.Margins == nil && (!squared || l.Costs == nil)
}

func (g *group[T]) fill(l *Label[T], m int, r float64, squared bool) {
	*g = group[T]{label: l, m: m, r: r, squared: squared}
	for c := range m {
		g.box.U[c], g.box.Hi[c] = 1, below[T](r*l.cost(c))
		if squared {
			g.box.Hi[c] = T(math.Inf(1))
		}
	}
	if squared {
		g.bend = 1 / (2 * r)
		g.box.Bend, g.box.R = T(g.bend), T(r)
	}
}

func (l *Label[T]) visitGroup(
	z *vec.Matrix[T], idx []int32, val, a []T, m, y int, h, r, term, least float64, squared bool, w *Workspace[T],
) (gap, after float64, moved bool) {
	g := &w.group
	if g.label != l || g.m != m || g.r != r || g.squared != squared {
		g.fill(l, m, r, squared)
	}
	inv, outcome := T(1/(h+g.bend)), 0
	if squared {
		gap, after, outcome = unchecked.BoxGroupSquared(z, idx, val, a, y, &g.box, inv, least)
	} else {
		gap, after, outcome = unchecked.BoxGroupHinge(z, idx, val, a, y, &g.box, inv, least)
	}
	if outcome == unchecked.Rests {
		return gap, term, false
	}
	return gap, after, true
}
