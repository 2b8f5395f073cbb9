package ints

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/internal/prove"
)

// TestExceed: in every form the places are those that a comparison one by one finds, whether none, few or all are
// above, and differences wrap around as the doc says.
func TestExceed(t *testing.T) {
	r := prove.Rand(8)
	for i, n := range append(lengths(), 1024, 4096, 5001) {
		for j, rare := range []int{0, 1, 2, 17, 300} {
			if !prove.Visits(i, j, 3) {
				continue
			}
			p, half, least := make([]int32, n), make([]int32, n), r.Int32()-r.Int32()
			var want []int32
			for i := range p {
				half[i] = int32(r.Uint32())
				d := []int32{least, math.MinInt32, min(least, least-r.Int32())}[r.IntN(3)]
				if rare > 0 && r.IntN(rare) == 0 {
					d = []int32{max(least, least+1), math.MaxInt32, max(least, r.Int32())}[r.IntN(3)]
				}
				p[i] = d + half[i]
				if int64(d) > int64(least) {
					want = append(want, int32(i))
				}
			}
			prove.Forms(func(form string) {
				idx := make([]int32, n)
				found := Exceed(n, unsafe.SliceData(p), unsafe.SliceData(half), least, unsafe.SliceData(idx))
				if got := idx[:found]; !slices.Equal(got, want) {
					t.Fatalf("%s: %d places, 1 of %d above %d: found %d, want %d", form, n, rare, least, got, want)
				}
			})
		}
	}
}

// TestExceedLine: the places are those that a comparison of integers finds, where floats are integers.
func TestExceedLine(t *testing.T) {
	r := prove.Rand(9)
	for i, n := range append(lengths(), 1024, 5001) {
		for j, rare := range []int{0, 1, 2, 17, 300} {
			if !prove.Visits(i, j, 3) {
				continue
			}
			p, z, slope, floor := make([]int32, n), make([]float32, n), r.IntN(99)-49, r.IntN(1<<20)-1<<19
			var want []int32
			for i := range p {
				v, above := r.IntN(1<<16), 0-r.IntN(2)*r.IntN(1<<20)
				if rare > 0 && r.IntN(rare) == 0 {
					above = 1 + r.IntN(2)*r.IntN(1<<20)
					want = append(want, int32(i))
				}
				p[i], z[i] = int32(slope*v+floor+above), float32(v)
			}
			prove.Forms(func(form string) {
				idx := make([]int32, n)
				found := ExceedLine(n, unsafe.SliceData(p), unsafe.SliceData(z), float32(slope), float32(floor),
					unsafe.SliceData(idx))
				if got := idx[:found]; !slices.Equal(got, want) {
					t.Fatalf("%s: %d places, 1 of %d above: found %d, want %d", form, n, rare, got, want)
				}
			})
		}
	}
}

// TestExceedEach: a place above among others is found wherever it is, and nothing where thresholds are extreme.
func TestExceedEach(t *testing.T) {
	const n = 150
	p, half, idx := make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range p {
		p[i], half[i] = -5, 2
	}
	prove.Forms(func(form string) {
		find := func(least int32) []int32 {
			return idx[:Exceed(n, unsafe.SliceData(p), unsafe.SliceData(half), least, unsafe.SliceData(idx))]
		}
		for i := range p {
			p[i] = -4
			if got := find(-7); len(got) != 1 || int(got[0]) != i {
				t.Fatalf("%s: found %d, want %d", form, got, i)
			}
			p[i] = -5
		}
		if got := find(math.MaxInt32); len(got) > 0 {
			t.Errorf("%s: %d above the largest int32", form, got)
		}
		if got := find(math.MinInt32); len(got) != n {
			t.Errorf("%s: %d above the least int32, want all", form, got)
		}
	})
}
