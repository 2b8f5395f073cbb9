package kernel

import (
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// Lent rows are the rows of K, of a Subset and of a given matrix too, and lie where they are kept; none stays held
// behind Return, and rows beside the budget are computed again in the same memory.
func TestLend(t *testing.T) {
	const n = 100
	for _, rows := range []int64{0, 3, n} {
		m, all := pinned(t, n, rows)
		given, err := Precomputed(all)
		if err != nil {
			t.Fatal(err)
		}
		some := []int{7, 99, 0, 3, 50}
		part, err := m.Subset(some)
		if err != nil {
			t.Fatal(err)
		}
		var l Lent[float32]
		for _, k := range []*Matrix[float32]{m, given, part} {
			list := append(every(k.n), 0, 1, 1) // more than a batch, and some twice
			for range 2 {
				k.Lend(&l, list, 2)
				checkLent(t, &l, list, all, k == part, some)
				if at := k.Pin(1); &at[0] != &l.Rows[1][0] {
					t.Errorf("room for %d rows: row 1 is lent and pinned in two places", rows)
				}
				k.Release(1)
				k.Return(&l)
				if k.cache.pinned != 0 || len(k.cache.others) != 0 || len(l.Rows) != 0 {
					t.Fatalf("room for %d rows: %d rows are held, %d beside, %d lent", rows, k.cache.pinned,
						len(k.cache.others), len(l.Rows))
				}
			}
		}
		kept := every(min(int(rows), n))
		lend := func() {
			m.Lend(&l, kept, 1)
			m.Return(&l)
		}
		lend()
		if allocs := prove.Allocs(10, lend); allocs > 0 {
			t.Errorf("%v allocations for %d rows that are kept", allocs, len(kept))
		}
	}
}

func checkLent(t *testing.T, l *Lent[float32], list []int, all vec.Matrix[float32], part bool, some []int) {
	t.Helper()
	for p, i := range list {
		want := all.Row(i)
		if part {
			want = nil
			for _, j := range some {
				want = append(want, all.At(some[i], j))
			}
		}
		if !slices.Equal(l.Rows[p], want) {
			t.Fatalf("row %d at place %d is %v, want %v", i, p, l.Rows[p], want)
		}
	}
}

func TestLendPanics(t *testing.T) {
	m, _ := pinned(t, 3, 1)
	var l Lent[float32]
	panics(t, "kernel: Matrix.Lend: example 3 at place 1, want one in 0..2", func() { m.Lend(&l, []int{0, 3}, 1) })
	panics(t, "kernel: Matrix.Lend: -1 workers, want at least 0", func() { m.Lend(&l, nil, -1) })
}
