package pq

import (
	"runtime"
	"testing"
)

// TestSearchKeepsNothing: memory that searches use again keeps no contents that the index has given up.
func TestSearchKeepsNothing(t *testing.T) {
	x := clustered(300, 8, 104)
	all := make([]uint64, x.Rows)
	for i := range all {
		all[i] = uint64(i)
	}
	for name, fresh := range changeKinds(t, x) {
		ix := fresh()
		if err := ix.Add(x, 1); err != nil {
			t.Fatal(err)
		}
		gone := make(chan struct{})
		b := ix.held.Load().blocks[0]
		runtime.AddCleanup(b, func(struct{}) { close(gone) }, struct{}{})
		b = nil
		s := newSearcher(ix.codec)
		ix.pool.Put(s)
		if _, err := ix.Search(nil, x.Row(0), Search{K: 3, Candidates: 5}); err != nil {
			t.Fatal(err)
		}
		if ix.Bounds() {
			if _, _, err := ix.Certify(nil, x.Row(0), Search{K: 3}); err != nil {
				t.Fatal(err)
			}
		}
		ix.Remove(all...)
		ix.Compact()
		kept := true
		for range 5 {
			runtime.GC()
			select {
			case <-gone:
				kept = false
			default:
			}
		}
		if kept {
			t.Errorf("%s: a block is kept", name)
		}
		runtime.KeepAlive(s)
	}
}
