package loss

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestVisitGroup: a visit with the weights of a sparse example is one with its scores, and adds the move to the
// weights. Numbers are such that nothing is rounded: the two are equal.
func TestVisitGroup(t *testing.T) { prove.Both(t, testVisitGroup[float32], testVisitGroup[float64]) }

func testVisitGroup[T vec.Float](t *testing.T) {
	const d, h = 30, 4
	rng := prove.Rand(31)
	var one, other Workspace[T]
	moves := 0
	for i := range 2000 {
		m := 1 + i%GroupSize
		label := &Label[T]{}
		if i%3 == 0 {
			label = nil
		}
		var l Loss[T] = LabelHinge[T]{label}
		r := []float64{1, 4}[i/2%2]
		if i%2 == 0 {
			l, r = SquaredHinge[T]{label}, .125 // h + 1/(2r) is 8
		} else if i%4 == 1 {
			label = &Label[T]{Costs: make([]float64, m)}
			for c := range m {
				label.Costs[c] = []float64{.5, 1, 2}[rng.IntN(3)]
			}
			l = LabelHinge[T]{label}
		}
		z := vec.NewMatrix[T](d, GroupSize)
		for j := range d {
			for c := range m {
				z.Row(j)[c] = T(rng.IntN(5)-2) / 4
			}
		}
		idx, val := drawSparse[T](rng, d)
		y, bits := []int{}, 0
		a := make([]T, GroupSize)
		for c := range m {
			if rng.IntN(2) == 0 {
				y, bits = append(y, c), bits|1<<c
				a[c] = T(rng.IntN(5)) / 8
			} else {
				a[c] = -T(rng.IntN(5)) / 8
			}
		}
		wide, s, delta := slices.Clone(a), make([]T, m), make([]T, m)
		for k, j := range idx {
			for c := range m {
				s[c] += val[k] * z.Row(int(j))[c]
			}
		}
		term := l.Dual(a[:m], y, r, &one)
		least := []float64{0, 20}[rng.IntN(2)]
		gap, after, moved := l.Visit(a[:m], s, y, h, r, term, least, delta, &one)
		want := vec.NewMatrix[T](d, GroupSize)
		copy(want.Data, z.Data)
		if moved {
			moves++
			for k, j := range idx {
				vec.Axpy(val[k], delta, want.Row(int(j))[:m])
			}
		}
		g := l.(Grouped[T])
		if !g.Groups() {
			t.Fatalf("visit %d: %+v has no groups", i, l)
		}
		gap2, after2, moved2 := g.VisitGroup(&z, idx, val, wide, m, bits, h, r, term, least, &other)
		if gap2 != gap || after2 != after || moved2 != moved || !slices.Equal(wide, a) ||
			!slices.Equal(z.Data, want.Data) {
			t.Fatalf("visit %d of %d labels, %s: gap %v, after %v, moved %v, a = %v; want %v, %v, %v, %v", i, m,
				l.Traits().Name, gap2, after2, moved2, wide, gap, after, moved, a)
		}
	}
	if moves < 500 {
		t.Fatalf("only %d visits moved", moves)
	}
}

// drawSparse returns the places and values of some of d numbers.
func drawSparse[T vec.Float](rng *rand.Rand, d int) (idx []int32, val []T) {
	for j := range d {
		if rng.IntN(3) == 0 {
			idx, val = append(idx, int32(j)), append(val, T(rng.IntN(5)-2)/2)
		}
	}
	return idx, val
}

// TestGroups: which losses VisitGroup knows.
func TestGroups(t *testing.T) {
	costs := &Label[float64]{Costs: []float64{1, 2}}
	margins := &Label[float64]{Margins: func(int, []float64, []float64) {}}
	coupled := &Label[float64]{Coupling: vec.NewMatrix[float64](2, 2)}
	for name, c := range map[string]struct {
		l    Grouped[float64]
		want bool
	}{
		"hinge": {LabelHinge[float64]{}, true}, "squared hinge": {SquaredHinge[float64]{}, true},
		"costs": {LabelHinge[float64]{costs}, true}, "costs and squared hinge": {SquaredHinge[float64]{costs}, false},
		"margins": {LabelHinge[float64]{margins}, false}, "coupled": {LabelHinge[float64]{coupled}, false},
	} {
		if got := c.l.Groups(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
