package box

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

type groupKernel[T prove.Float] func(w *T, idx *int32, val *T, nnz int, a *T, y int, g *Group[T], inv T,
	least float64) (gap, after float64, outcome int)

func groupKernelOf[T prove.Float](squared bool) groupKernel[T] {
	if squared {
		return prove.Pick[T, groupKernel[T]](groupKernel[float32](GroupSquaredF32),
			groupKernel[float64](GroupSquaredF64))
	}
	return prove.Pick[T, groupKernel[T]](groupKernel[float32](GroupHingeF32), groupKernel[float64](GroupHingeF64))
}

// group returns what a visit of at most 16 labels has as a Group, and which of them are true.
func (v *visit[T]) group() (g *Group[T], y int) {
	g = &Group[T]{Bend: v.bend, R: v.r}
	for l, c := range v.c {
		g.U[l], g.Hi[l] = -c, -v.lo[l]
		if v.hi[l] > 0 {
			g.U[l], g.Hi[l] = c, v.hi[l]
			y |= 1 << l
		}
	}
	return g, y
}

// scene is where a visit of a group takes place: every array between poison, and the rows of w that x has no number
// for.
type scene[T prove.Float] struct {
	w, val, a prove.Memory[T]
	idx       []int32
}

// place puts an example into w that has one number, 1, so that its scores are a row of w.
func (m *scene[T]) place(v *visit[T], at int) {
	const rows = 5
	row := at % rows
	m.idx = []int32{int32(row)}
	m.w.Place(at%16, 1, rows*GroupSize, rows*GroupSize, func(j int) T {
		switch l := j - row*GroupSize; {
		case l < 0 || l >= GroupSize:
			return prove.Poison[T]()
		case l < len(v.s):
			return v.s[l]
		}
		return 0
	})
	m.val.Place((at+5)%16, 1, 1, 1, func(int) T { return 1 })
	m.a.Place((at+3)%16, 1, GroupSize, GroupSize, func(l int) T {
		if l < len(v.a) {
			return v.a[l]
		}
		return 0
	})
}

// row is the one that the example has a number for.
func (m *scene[T]) row() []T { return m.w.Data[int(m.idx[0])*GroupSize:][:GroupSize] }

func (m *scene[T]) visit(v *visit[T]) (gap, after float64, outcome int) {
	g, y := v.group()
	return groupKernelOf[T](v.squared)(&m.w.Data[0], &m.idx[0], &m.val.Data[0], 1, &m.a.Data[0], y, g, v.inv, v.least)
}

// diff finds what has changed beside the dual variables and the row, or if moves is false beside nothing.
func (m *scene[T]) diff(moves bool) error {
	if moves {
		copy(m.a.Want(), m.a.Data)
		copy(m.w.Want()[int(m.idx[0])*GroupSize:], m.row())
	}
	for _, x := range []*prove.Memory[T]{&m.w, &m.val, &m.a} {
		if err := x.Diff(false); err != nil {
			return err
		}
	}
	return nil
}

// checkGroup is check for the kernels of groups. The 16 places of a group are as many roundings, whatever the number of
// labels.
func (v *visit[T]) checkGroup(t *testing.T, at int) {
	t.Helper()
	want := v.solve()
	grow := (1 + rounded[T](GroupSize+6)) / (1 - rounded[T](GroupSize+6)) * float64(GroupSize+6)
	var m scene[T]
	prove.Tiers(func(tier cpu.Tier) {
		m.place(v, at)
		gap, after, outcome := m.visit(v)
		fail := func(format string, args ...any) {
			t.Helper()
			t.Errorf("%v, m = %d, squared %v: "+format, append([]any{tier, len(v.a), v.squared}, args...)...)
			t.Fatalf("%+v\n-> %v, %v, %v\na = %v\nrow = %v", *v, gap, after, outcome, m.a.Data, m.row())
		}
		if !(math.Abs(gap-want.gap) <= grow*want.gapBound) {
			fail("gap %v, want %v within %v", gap, want.gap, want.gapBound)
		}
		rests := !(gap > v.least)
		if err := m.diff(!rests); err != nil {
			fail("%v", err)
		}
		if rests {
			if outcome != Rests || after != 0 {
				fail("rests: outcome %d, after %v", outcome, after)
			}
			return
		}
		moved := Rests
		for l, x := range m.a.Data {
			if l >= len(v.a) {
				if x != 0 || m.row()[l] != 0 {
					fail("behind the labels a[%d] = %v, row[%d] = %v", l, x, l, m.row()[l])
				}
				continue
			}
			if !(math.Abs(float64(x)-want.x[l]) <= want.xBound[l]) || !(v.lo[l] <= x && x <= v.hi[l]) {
				fail("a[%d] = %v, want %v within %v", l, x, want.x[l], want.xBound[l])
			}
			if s := v.s[l] + (x - v.a[l]); m.row()[l] != s {
				fail("row[%d] = %v, want %v", l, m.row()[l], s)
			}
			if x != v.a[l] {
				moved = Moved
			}
		}
		if outcome != moved {
			fail("outcome %d, want %d", outcome, moved)
		}
	})
}

// TestGroup: all numbers of labels, at all alignments, numbers of all sizes.
func TestGroup(t *testing.T) { each(t, testGroup[float32], testGroup[float64]) }

func testGroup[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(21)
	small := prove.Pick[T, float64](0x1p-140, 0x1p-1060) // denormal
	rounds := 40
	if prove.Quick() {
		rounds = 8
	}
	for i := range rounds * GroupSize {
		m := 1 + i%GroupSize
		draw[T](rng, m, 1, math.Exp(2*rng.NormFloat64()), squared).checkGroup(t, i)
		draw[T](rng, m, math.Exp(4*rng.NormFloat64()), 1, squared).checkGroup(t, i/16)
		draw[T](rng, m, 1, small, squared).checkGroup(t, i)
		draw[T](rng, m, small, small, squared).checkGroup(t, i)
		rests := draw[T](rng, m, 1, 1, squared)
		rests.least = math.Inf(1)
		rests.checkGroup(t, i)
	}
}

// whole is an example of integers and a group whose numbers are such that nothing is rounded.
type whole[T prove.Float] struct {
	w, val, a []T
	idx       []int32
	g         Group[T]
	y         int
	inv       T
	squared   bool
}

func drawWhole[T prove.Float](rng *rand.Rand, nnz int, squared bool) *whole[T] {
	v := &whole[T]{w: make([]T, 50*GroupSize), val: make([]T, nnz), a: make([]T, GroupSize), idx: make([]int32, nnz),
		y: rng.IntN(1 << GroupSize), inv: .25, squared: squared, g: Group[T]{Bend: .5, R: 1}}
	for i := range v.w {
		v.w[i] = T(rng.IntN(5) - 2)
	}
	for k, j := range rng.Perm(50)[:nnz] {
		v.idx[k], v.val[k] = int32(j), T(rng.IntN(5)-2)
	}
	for l := range GroupSize {
		v.g.U[l], v.g.Hi[l] = T(rng.IntN(8)), 4
		if squared {
			v.g.Hi[l] = T(math.Inf(1))
		}
		v.a[l] = T(rng.IntN(5))
		if v.y>>l&1 == 0 {
			v.a[l] = -v.a[l]
		}
	}
	return v
}

func (v *whole[T]) visit(w, val, a []T, idx []int32) (gap, after float64, outcome int) {
	return groupKernelOf[T](v.squared)(&w[0], &idx[0], &val[0], len(v.val), &a[0], v.y, &v.g, v.inv, 0)
}

// TestGroupRows: examples of any number of numbers come to what the twin comes to, in all tiers.
func TestGroupRows(t *testing.T) { each(t, testGroupRows[float32], testGroupRows[float64]) }

func testGroupRows[T prove.Float](t *testing.T, squared bool) {
	rng, moved := prove.Rand(22), 0
	for nnz := range 50 {
		for range 4 {
			v := drawWhole[T](rng, nnz, squared)
			type end struct {
				gap, after float64
				outcome    int
				w, a       []T
			}
			var want end
			idx, val := append(slices.Clone(v.idx), -1), append(slices.Clone(v.val), T(math.NaN()))
			want.w, want.a = slices.Clone(v.w), slices.Clone(v.a)
			want.gap, want.after, want.outcome = groupGeneric(&want.w[0], &idx[0], &val[0], nnz, &want.a[0], v.y, &v.g,
				v.inv, 0, squared)
			moved += want.outcome
			prove.Tiers(func(tier cpu.Tier) {
				got := end{w: slices.Clone(v.w), a: slices.Clone(v.a)}
				got.gap, got.after, got.outcome = v.visit(got.w, val, got.a, idx)
				if got.gap != want.gap || got.after != want.after || got.outcome != want.outcome ||
					!slices.Equal(got.w, want.w) || !slices.Equal(got.a, want.a) {
					t.Fatalf("%v, %d numbers, squared %v: %+v, want %+v", tier, nnz, squared, got, want)
				}
			})
		}
	}
	if moved < 50 {
		t.Fatalf("only %d visits moved", moved)
	}
}

// TestGroupNotFinite: whatever the scores and 1/h are, nothing moves, or the dual variables stay in their intervals.
func TestGroupNotFinite(t *testing.T) {
	each(t, testGroupNotFinite[float32], testGroupNotFinite[float64])
}

func testGroupNotFinite[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(23)
	hostile := []T{T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), prove.Max[T](), -prove.Max[T](), prove.Tiny[T](),
		T(math.Copysign(0, -1)), 0}
	for i := range 100 * GroupSize {
		v := draw[T](rng, 1+i%GroupSize, 1, 1, squared)
		nan := rng.IntN(4) == 0
		for range 1 + rng.IntN(3) {
			first := 1
			if nan {
				first = 0
			}
			v.s[rng.IntN(len(v.s))] = hostile[first+rng.IntN(len(hostile)-first)]
		}
		nan = slices.ContainsFunc(v.s, func(s T) bool { return s != s })
		if rng.IntN(2) == 0 {
			v.inv = hostile[rng.IntN(len(hostile))]
		}
		prove.Tiers(func(tier cpu.Tier) {
			var m scene[T]
			m.place(v, i)
			gap, _, outcome := m.visit(v)
			goes := gap > v.least
			if err := m.diff(goes); err != nil || outcome == Moved && !goes || nan && goes {
				t.Fatalf("%v, gap %v, outcome %d: %v: %+v", tier, gap, outcome, err, *v)
			}
			for l, x := range m.a.Data[:len(v.a)] {
				if !(v.lo[l] <= x && x <= v.hi[l]) {
					t.Fatalf("%v, a[%d] = %v: %+v", tier, l, x, *v)
				}
			}
		})
	}
}

// TestGroupGuardPages visits with every array at pages without rights, those that are only read without the right to
// write, and in a visit that rests all of them.
func TestGroupGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("as TestGuardPages")
	}
	each(t, groupGuardPages[float32], groupGuardPages[float64])
}

func groupGuardPages[T prove.Float](t *testing.T, squared bool) {
	rng := prove.Rand(24)
	var arenas [3]*guard.Arena
	for i := range arenas {
		arenas[i] = guard.New(t, 50*GroupSize*8)
	}
	places := guard.New(t, 50*4)
	for nnz := 1; nnz < 50; nnz++ {
		v := drawWhole[T](rng, nnz, squared)
		prove.Tiers(func(tier cpu.Tier) {
			for end := range 2 {
				place, placeIdx := guard.Head[T], guard.Head[int32]
				if end == 1 {
					place, placeIdx = guard.Tail[T], guard.Tail[int32]
				}
				var x [3][]T
				for i, from := range [][]T{v.w, v.a, v.val} {
					arenas[i].ReadOnly(t, false)
					x[i] = place(arenas[i], len(from))
					copy(x[i], from)
					arenas[i].ReadOnly(t, i > 1)
				}
				places.ReadOnly(t, false)
				idx := placeIdx(places, nnz)
				copy(idx, v.idx)
				places.ReadOnly(t, true)
				at, faulted := guard.Fault(func() { v.visit(x[0], x[2], x[1], idx) })
				if faulted {
					t.Fatalf("%v, %d numbers at the end %d: fault at %#x", tier, nnz, end, at)
				}
			}
		})
	}
	for _, a := range append(arenas[:], places) {
		a.ReadOnly(t, false)
	}
}

// TestGroupAllocs: a visit takes no memory.
func TestGroupAllocs(t *testing.T) {
	v := drawWhole[float32](prove.Rand(25), 20, true)
	prove.Tiers(func(tier cpu.Tier) {
		if n := prove.Allocs(10, func() {
			g := v.g
			GroupHingeF32(&v.w[0], &v.idx[0], &v.val[0], 20, &v.a[0], v.y, &g, v.inv, 0)
			GroupSquaredF32(&v.w[0], &v.idx[0], &v.val[0], 20, &v.a[0], v.y, &g, v.inv, 0)
		}); n != 0 {
			t.Errorf("%v: %v allocations", tier, n)
		}
	})
}

// BenchmarkGroup visits a sparse example of 30 numbers, in whose weights some labels move each time.
func BenchmarkGroup(b *testing.B) {
	benchmarkGroup[float32](b, "f32")
	benchmarkGroup[float64](b, "f64")
}

func benchmarkGroup[T prove.Float](b *testing.B, name string) {
	for _, squared := range []bool{false, true} {
		v := drawWhole[T](prove.Rand(26), 30, squared)
		prove.Tiers(func(tier cpu.Tier) {
			b.Run(fmt.Sprintf("type=%s/squared=%v/tier=%v", name, squared, tier), func(b *testing.B) {
				// so large that it begins at a cache line
				w, a := append(make([]T, 0, 1<<14), v.w...), slices.Clone(v.a)
				for b.Loop() {
					v.y ^= 1 // turns a label, so that it moves
					v.visit(w, v.val, a, v.idx)
				}
			})
		})
	}
}
