package loss

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestRows: visits by a kernel are as VisitOne has them, where scores are sums of small integers, which nothing rounds.
func TestRows(t *testing.T) { prove.Both(t, testRows[float32], testRows[float64]) }

func testRows[T vec.Float](t *testing.T) {
	rng := prove.Rand(51)
	for name, l := range map[string]Loss[T]{"hinge": LabelHinge[T]{}, "squared hinge": SquaredHinge[T]{},
		"logistic": Logistic[T]{}} {
		prove.Tiers(func(tier cpu.Tier) {
			rows := RowsOf(l)
			if (rows == nil) != (tier < cpu.AVX2) {
				t.Fatalf("%v, %s: rows %v", tier, name, rows)
			}
			if rows == nil {
				return
			}
			moved := 0
			for round := range 1000 {
				v := drawRow[T](rng, T(round%2), float64(rng.IntN(2)))
				if v.check(t, l.(One[T]), rows) {
					moved++
				}
			}
			if moved < 100 || moved > 900 {
				t.Errorf("%v, %s: %d of 1000 visits moved", tier, name, moved)
			}
		})
	}
}

// rowVisit is a visit of a sparse example.
type rowVisit[T vec.Float] struct {
	idx      []int32
	val, w   []T // the weight of the constant feature is the last one
	a        T
	isTrue   bool
	h, r     float64
	constant T
	least    float64
}

func drawRow[T vec.Float](rng *rand.Rand, constant T, least float64) *rowVisit[T] {
	const d = 40
	v := &rowVisit[T]{w: make([]T, d+1), isTrue: rng.IntN(2) == 0, h: .1 + rng.Float64()*20, r: .1 + rng.Float64()*2,
		constant: constant, least: least}
	for j := range v.w {
		v.w[j] = T(rng.IntN(9)-4) / 8
	}
	for _, j := range rng.Perm(d)[:1+rng.IntN(d-1)] {
		v.idx, v.val = append(v.idx, int32(j)), append(v.val, T(rng.IntN(5)-2))
	}
	if v.a = T(rng.Float64() * v.r * float64(rng.IntN(3)) / 2); !v.isTrue {
		v.a = -v.a
	}
	return v
}

// check compares a visit by rows with VisitOne, and reports whether it moves. Both compute with float64: a gap, of some
// ten operations, is off by as many roundings of its parts' sizes, and since r is rounded to T, towards 0; a dual
// variable by roundings of its terms, and of the division that a product with 1/h stands for, and by one of T. Of the
// logistic loss the last step is at most near, and leaves out half of its third power, of a distance that the smaller
// part of r goes with; so it may be that one of both takes another step. The dual term feels the square.
func (v *rowVisit[T]) check(t *testing.T, one One[T], rows *Rows[T]) (moved bool) {
	t.Helper()
	const u = 0x1p-53
	unit, d := prove.Pick[T, float64](0x1p-24, 0x1p-53), len(v.w)-1
	w, score := append([]T(nil), v.w...), v.constant*v.w[d]
	for k, j := range v.idx {
		score += v.val[k] * v.w[j]
	}
	rows.Put(0, 0, len(v.idx), v.a, v.isTrue, v.h, v.r, 0)
	for k := range RowsAhead {
		rows.Next(1+k, 0)
	}
	rows.Visit(1, v.idx, v.val, w, v.constant, d, v.least)
	to, gap := rows.Visited(0)
	want, wantGap, wantAfter := one.VisitOne(v.a, score, v.isTrue, 0, v.h, v.r, 0, v.least)
	lacks, x, bend := 1+math.Abs(float64(score)), math.Abs(float64(v.a))+v.r, 1/(2*v.r)
	near := func(what string, got, want, off float64) {
		if !(math.Abs(got-want) <= off) {
			t.Fatalf("%v, rows %+v: %s is %v, want %v within %v", *v, rows.visits[0], what, got, want, off)
		}
	}
	near("gap", gap, wantGap, 10*u*(lacks*x+(lacks+bend*x)*(lacks+bend*x)*v.r)+2*unit*x*lacks)
	off, offAfter := 8*u*(x+(lacks+bend*x)/v.h)+2*unit*math.Abs(float64(want)), 0.0
	offAfter = off * (1 + 2*bend*x)
	if rows.logistic {
		last := prove.Pick[T, float64](0x1p-4, 0x1p-7)
		left := last * last * last / 2
		off = 2*unit*v.r + v.r*left/4
		offAfter = v.r * (2*unit*(1+lacks*(1+v.h*v.r)) + left*left)
	}
	near("dual variable", float64(to), float64(want), off)
	step := to - v.a
	if step != 0 {
		near("dual term", rows.Term(0), wantAfter, offAfter)
	}
	for k, j := range v.idx { // each place comes once
		near("weight", float64(w[j]), float64(v.w[j]+v.val[k]*step), 4*unit*(1+2*math.Abs(float64(step))))
	}
	off = 4 * unit * (1 + math.Abs(float64(step)))
	near("weight of the constant feature", float64(w[d]), float64(v.w[d]+v.constant*step), off)
	return step != 0
}
