package dataset

import (
	"slices"
	"testing"
)

func TestPieces(t *testing.T) {
	for _, n := range []int{0, 1, 1<<13 - 1, 1 << 13, 1<<13 + 1, 1<<15 + 3, 1<<20 + 1<<19 + 5} {
		var p pieces[int32]
		var want []int32
		for i := range n {
			if p.len() != i {
				t.Fatalf("length %d of %d numbers", p.len(), i)
			}
			p.add(int32(i))
			want = append(want, int32(i))
		}
		if got := p.take(); !slices.Equal(got, want) || cap(got) != n || p.len() != 0 {
			t.Errorf("%d numbers: %d of capacity %d, and %d left", n, len(got), cap(got), p.len())
		}
	}
}
