package proj

import (
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

func pruneOf[T float]() func(cand *T, index *int32, m, a, dst *T, n, k int, p *float32) int {
	return prove.Pick[T, func(cand *T, index *int32, m, a, dst *T, n, k int, p *float32) int](PruneF32, PruneF64)
}

// pruneParameters are bounds of all kinds of problems, with limits that bind and do not.
var pruneParameters = [][4]float32{{1, 0, 1, 0}, {0.3, 0.2, 0.1, 0}, {0.5, 0, 0, float32(math.Inf(1))},
	{float32(math.Inf(1)), 0.5, 0.5, 0}, {0, 0, 1, 0}}

// TestPrune: what is kept is what is not below some bound, and that bound lies where the doc says.
func TestPrune(t *testing.T) { prove.Both(t, testPrune[float32], testPrune[float64]) }

func testPrune[T float](t *testing.T) {
	for name, fill := range kinds[T]() {
		for _, n := range lengths() {
			for k := 0; k <= min(n, 16); k += 1 + k/4 {
				checkPrune(t, name, n, (n+k)%16, k, pruneParameters[(n+k)%len(pruneParameters)], fill)
			}
		}
	}
}

func checkPrune[T float](t *testing.T, kind string, n, at, k int, p [4]float32, fill func(int) T) {
	t.Helper()
	var a, cand, m, dst prove.Memory[T]
	a.Place(at, 1, n, n, fill)
	elements := slices.Clone(a.Data)
	nothing := func(int) T { return prove.Poison[T]() }
	index := make([]int32, n+17)
	prove.Tiers(func(tier cpu.Tier) {
		cand.Place((at+3)%16, 1, n+16, n+16, nothing)
		m.Place((at+1)%16, 1, 16, 16, nothing)
		dst.Place((at+2)%16, 1, n, n, nothing)
		index[n+16] = 12345
		kept := pruneOf[T]()(ptr(cand.Data), &index[0], ptr(m.Data), ptr(a.Data), ptr(dst.Data), n, k, &p[0])
		fail := func(what string) {
			t.Helper()
			t.Fatalf("%v, %s, n=%d k=%d p=%v: %s: %v at %v of %v", tier, kind, n, k, p, what, cand.Data[:max(kept, 0)],
				index[:max(kept, 0)], elements)
		}
		if kept < 0 {
			if tier == cpu.AVX512 {
				fail("refused")
			}
			for _, x := range []*prove.Memory[T]{&a, &cand, &m, &dst} {
				if x.Diff(true) != nil {
					fail("refused, but memory has changed")
				}
			}
			return
		}
		// the bound, from below and above
		least, slack := float64(p[0]), 0.0
		if k > 0 {
			maxima := wantMaxima(elements)
			copy(m.Want(), maxima)
			slices.SortFunc(maxima, func(x, y T) int { return -cmpFloat(x, y) })
			v, c := float64(maxima[0]), float64(maxima[k-1])
			low := float64(p[1])*v + float64(p[2])*c + float64(p[3])
			if !(low < float64(p[0])) {
				low = float64(p[0])
			}
			low = max(0, low)
			least, slack = c-low, 0x1p-19*(math.Abs(c)+low)+0x1p-99
			if math.Abs(c)+low+math.Abs(v) > math.MaxFloat32/4 {
				slack = math.Inf(1)
			}
		}
		pos := 0
		for i, x := range elements {
			held := pos < kept && int(index[pos]) == i
			if held {
				if y := cand.Data[pos]; y != x && x == x {
					fail("another element")
				}
				pos++
			}
			switch {
			case !(float64(x) < least) && !held:
				fail("lost an element")
			case float64(x) < least-slack && held:
				fail("an element too many")
			}
		}
		if pos != kept || index[n+16] != 12345 {
			fail("positions")
		}
		if kept <= 16 {
			clear(dst.Want())
		}
		copy(cand.Want(), cand.Data)
		for _, x := range []*prove.Memory[T]{&a, &cand, &m, &dst} {
			if err := x.Diff(true); err != nil {
				fail(err.Error())
			}
		}
		// in place, both
		copy(cand.Data, elements)
		if again := pruneOf[T]()(ptr(cand.Data), &index[0], ptr(m.Data), ptr(cand.Data), nil, n, k,
			&p[0]); again != kept {
			fail("in place")
		}
		copy(dst.Data, elements)
		if again := pruneOf[T]()(ptr(cand.Data), &index[0], ptr(m.Data), ptr(dst.Data), ptr(dst.Data), n, k,
			&p[0]); again != kept {
			fail("dst in place")
		}
	})
}

func cmpFloat[T float](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
