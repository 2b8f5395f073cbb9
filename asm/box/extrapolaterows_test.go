package box

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

type extrapolateRowsOf[T prove.Float] func(a, last, free *T, lda, ldl, m, n int, beta T, most *T,
	moved *uint8) (rows int)

func extrapolateRows[T prove.Float]() extrapolateRowsOf[T] {
	return prove.Pick[T, extrapolateRowsOf[T]](extrapolateRowsOf[float32](ExtrapolateRowsF32),
		extrapolateRowsOf[float64](ExtrapolateRowsF64))
}

// blocks are rows of m dual variables, now and last, in intervals of a length each.
type blocks[T prove.Float] struct {
	m, n      int
	now, last []T
	most      []T
}

// drawBlocks makes up rows: a third of them has not moved, in others few numbers have, many are at an end of their
// interval, and of a few rows all that moves leaves it.
func drawBlocks[T prove.Float](rng *rand.Rand, m, n int, size float64) *blocks[T] {
	b := &blocks[T]{m: m, n: n, now: make([]T, m*n), last: make([]T, m*n), most: make([]T, m)}
	for j := range m {
		b.most[j] = T(size * (.5 + rng.Float64()))
		if rng.IntN(4) == 0 {
			b.most[j] = T(math.Inf(1))
		}
	}
	for i := range n {
		still, calm := rng.IntN(3) == 0, rng.IntN(4) > 0
		for j := range m {
			x, y := size*rng.Float64()*.5, size*rng.Float64()*.5
			if calm {
				x = size * .25 * (1 + .25*rng.Float64())
				y = x * (1 + .125*rng.NormFloat64())
			} else if rng.IntN(3) == 0 {
				y = 0
			}
			q, to, from := i*m+j, min(T(x), b.most[j]), min(T(math.Abs(y)), b.most[j])
			if still || rng.IntN(2) == 0 {
				from = to
			}
			if rng.IntN(2) == 0 {
				to, from = -to, -from
			}
			b.now[q], b.last[q] = to, from
		}
	}
	return b
}

// row is what becomes of a row: free of its interval and clipped.
func (b *blocks[T]) row(i int, beta T) (outcome uint8, free, clipped []T) {
	unit := T(0x1p-22)
	if !prove.IsF32[T]() {
		unit = 0x1p-51
	}
	now, last := b.now[i*b.m:][:b.m], b.last[i*b.m:][:b.m]
	if slices.Equal(now, last) {
		return Still, nil, now
	}
	outcome = Inside
	for j, v := range now {
		x, c := beyond(v, last[j], beta), T(0)
		switch negative, positive := min(v, last[j]) < 0, max(v, last[j]) > 0; {
		case negative && positive:
			c = min(max(x, -b.most[j]), b.most[j])
		case positive:
			c = min(max(x, 0), b.most[j])
		case negative:
			c = max(min(x, 0), -b.most[j])
		}
		if T(math.Abs(float64(c-x))) > unit*T(math.Abs(float64(x))) {
			outcome = Clipped
		}
		free, clipped = append(free, x), append(clipped, c)
	}
	return outcome, free, clipped
}

// check compares each tier with the formula, to the bit but for the sign of 0, until all rows are done.
func (b *blocks[T]) check(t *testing.T, at int, beta T) {
	t.Helper()
	var now, last, free, most prove.Memory[T]
	lda, ldl := b.m+at%3, b.m+at%2
	moved, want := make([]uint8, b.n+1), make([]uint8, b.n+1)
	prove.Tiers(func(tier cpu.Tier) {
		now.Place(at%16, b.n, b.m, lda, func(q int) T { return b.now[q] })
		last.Place((at+5)%16, b.n, b.m, ldl, func(q int) T { return b.last[q] })
		most.Place((at+3)%16, 1, b.m, b.m, func(j int) T { return b.most[j] })
		for i := range moved {
			moved[i], want[i] = 77, 77
		}
		for from := 0; from < b.n; {
			free.Place((at+7)%16, 1, b.m, b.m, func(int) T { return prove.Poison[T]() })
			to, outcome := from, uint8(Still)
			for to < b.n && outcome != Clipped {
				var x, c []T
				outcome, x, c = b.row(to, beta)
				copy(now.Want()[to*lda:], c)
				copy(last.Want()[to*ldl:], b.now[to*b.m:][:b.m])
				copy(free.Want(), x)
				want[to] = outcome
				to++
			}
			rows := extrapolateRows[T]()(&now.Data[from*lda], &last.Data[from*ldl], &free.Data[0], lda, ldl, b.m,
				b.n-from, beta, &most.Data[0], &moved[from])
			if outcome != Clipped {
				copy(free.Data, free.Want())
			}
			if rows != to-from || !slices.Equal(moved, want) {
				t.Fatalf("%v, %d rows of %d from %d: %d, %v, want %d, %v", tier, b.n, b.m, from, rows, moved,
					to-from, want)
			}
			for name, x := range map[string]*prove.Memory[T]{"a": &now, "last": &last, "free": &free, "most": &most} {
				if err := x.Diff(true); err != nil {
					t.Fatalf("%v, %d rows of %d from %d, beta %v: %s: %v", tier, b.n, b.m, from, beta, name, err)
				}
			}
			from = to
		}
	})
}

// TestExtrapolateRows: all lengths of rows, numbers of rows, alignments, numbers of all sizes.
func TestExtrapolateRows(t *testing.T) {
	prove.Both(t, testExtrapolateRows[float32], testExtrapolateRows[float64])
}

func testExtrapolateRows[T prove.Float](t *testing.T) {
	rng := prove.Rand(23)
	small := prove.Pick[T, float64](0x1p-140, 0x1p-1060) // denormal
	for m := 1; m <= 130; m++ {
		for i, size := range []float64{1, math.Exp(4 * rng.NormFloat64()), small} {
			if !prove.Visits(m, i, 3) {
				continue
			}
			drawBlocks[T](rng, m, 1+(m+i)%9, size).check(t, m+7*i, T(rng.Float64()))
		}
	}
	for at := range 16 {
		for i, m := range []int{1, 3, 8, 11, 16, 22, 26, 40, 101} {
			if !prove.Visits(at, i, 4) {
				continue
			}
			drawBlocks[T](rng, m, 12, 1).check(t, at, .75)
		}
	}
	drawBlocks[T](rng, 5, 1000, 1).check(t, 3, .5)
	drawBlocks[T](rng, 5, 12, 1).check(t, 3, 0)
}

// TestExtrapolateOneNumber: where one number alone differs, is clipped, or is clipped by no more than rounding, in any
// place of a row, the row says so.
func TestExtrapolateOneNumber(t *testing.T) {
	prove.Both(t, testExtrapolateOneNumber[float32], testExtrapolateOneNumber[float64])
}

func testExtrapolateOneNumber[T prove.Float](t *testing.T) {
	unit := T(2 * prove.Unit[T]())
	for m := 1; m <= 70; m++ {
		if testing.Short() && m > 18 && m < 62 { // rows of one register at most, and of about four of the widest
			continue
		}
		for j := range m {
			if !prove.Visits(m, j, 7) {
				continue
			}
			b := &blocks[T]{m: m, n: 1, now: make([]T, m), last: make([]T, m), most: make([]T, m)}
			for l := range m {
				b.now[l], b.last[l], b.most[l] = 1, 1, 1
			}
			b.check(t, j, .5)
			b.last[j] = 0 // 1.5, clipped to 1
			b.check(t, j, .5)
			b.most[j] = 1.5
			b.check(t, j, .5)
			b.most[j] = 1.5 - unit
			b.check(t, j, .5)
			b.most[j] = 1.5 - 8*unit
			b.check(t, j, .5)
		}
	}
}

// TestExtrapolateRowsHostile: each tier does with every pair of hostile numbers, in every lane, what the twin does; no
// row is not a row of numbers 0 apart.
func TestExtrapolateRowsHostile(t *testing.T) {
	prove.Both(t, testExtrapolateRowsHostile[float32], testExtrapolateRowsHostile[float64])
}

func testExtrapolateRowsHostile[T prove.Float](t *testing.T) {
	hostile := hostileNumbers[T]()
	unit := T(2 * 2 * prove.Unit[T]())
	for m := 1; m <= 37; m++ {
		for q := range len(hostile) * len(hostile) {
			for i, most := range []T{0, 1, T(math.Inf(1))} {
				if !prove.Visits(m+q, i, 3) {
					continue
				}
				b := &blocks[T]{m: m, n: 1, now: make([]T, m), last: make([]T, m), most: slices.Repeat([]T{most}, m)}
				b.now[q%m], b.last[q%m] = hostile[q/len(hostile)], hostile[q%len(hostile)]
				now, last, free := slices.Clone(b.now), slices.Clone(b.last), make([]T, m)
				var want [1]uint8
				extrapolateRowsGeneric(&now[0], &last[0], &free[0], m, m, m, 1, .5, &b.most[0], &want[0], unit)
				prove.Tiers(func(tier cpu.Tier) {
					got, gotLast, gotFree, moved := slices.Clone(b.now), slices.Clone(b.last), make([]T, m), [1]uint8{}
					extrapolateRows[T]()(&got[0], &gotLast[0], &gotFree[0], m, m, m, 1, .5, &b.most[0], &moved[0])
					for l := range m {
						if !prove.Same(got[l], now[l]) || !prove.Same(gotLast[l], last[l]) || moved != want ||
							want[0] == Clipped && !prove.Same(gotFree[l], free[l]) {
							t.Fatalf("%v, m = %d: %v after %v at most %v: %v, %v, %v: %v, want %v, %v, %v: %v", tier,
								m, b.now[l], b.last[l], most, got[l], gotLast[l], gotFree[l], moved, now[l], last[l],
								free[l], want)
						}
					}
				})
			}
		}
	}
}

// TestExtrapolateRowsGuardPages has every array at pages without rights, most and rows that do not move without the
// right to write.
func TestExtrapolateRowsGuardPages(t *testing.T) {
	skipOnQEMU(t)
	prove.Both(t, extrapolateRowsGuardPages[float32], extrapolateRowsGuardPages[float64])
}

func extrapolateRowsGuardPages[T prove.Float](t *testing.T) {
	const rows = 3
	var arenas [4]*guard.Arena
	for i := range arenas {
		arenas[i] = guard.New(t, rows*130*8)
	}
	bytes := guard.New(t, rows)
	rng := prove.Rand(24)
	for m := 1; m <= 130; m++ {
		b := drawBlocks[T](rng, m, rows, 1)
		for j := range m {
			b.most[j] = T(math.Inf(1)) // so that the rows go to the end
			for i := range rows {
				b.last[i*m+j] = b.now[i*m+j] / 2
			}
		}
		prove.Tiers(func(tier cpu.Tier) {
			for end, place := range map[string]func(*guard.Arena,
				int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
				for _, still := range []bool{true, false} {
					var x [4][]T
					for i, from := range [][]T{b.now, b.last, make([]T, m), b.most} {
						if i == 1 && still {
							from = b.now
						}
						arenas[i].ReadOnly(t, false)
						x[i] = place(arenas[i], len(from))
						copy(x[i], from)
						arenas[i].ReadOnly(t, i == 3 || still)
					}
					moved, done := guard.Tail[uint8](bytes, rows), 0
					at, faulted := guard.Fault(func() {
						done = extrapolateRows[T]()(&x[0][0], &x[1][0], &x[2][0], m, m, m, rows, .5, &x[3][0],
							&moved[0])
					})
					if faulted || done != rows {
						t.Fatalf("%v, m = %d at the %s guard page, still %v: %d rows, fault at %#x", tier, m, end,
							still, done, at)
					}
				}
			}
		})
	}
	for _, a := range arenas {
		a.ReadOnly(t, false)
	}
}
