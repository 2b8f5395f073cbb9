package pq

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// allocated is how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// largeIndex is an index of 60000 vectors with all that takes room, 8 MB.
func largeIndex(t testing.TB) *Index {
	t.Helper()
	x := clustered(60000, 32, 3)
	q := train(t, x.Slice(0, 500, 0, 32), Config{M: 4, NBits: 4, Iterations: 1})
	ix, err := NewIndexOf(q, IndexConfig{Bounds: true, Vectors: true})
	own := make([]uint64, x.Rows)
	for i := range own {
		own[i] = 7 * uint64(i)
	}
	if err == nil {
		err = ix.AddIDs(own, x, 2)
	}
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// TestOpenLazy: opening reads little and takes little memory, and writing makes no second copy.
func TestOpenLazy(t *testing.T) {
	ix := largeIndex(t)
	path := filepath.Join(t.TempDir(), "index")
	if took := allocated(func() {
		if err := ix.WriteFile(path); err != nil {
			t.Fatal(err)
		}
	}); took > 300_000 {
		t.Errorf("writing took %d bytes", took)
	}
	var opened *Index
	took := allocated(func() {
		var err error
		if opened, err = OpenIndex(path); err != nil {
			t.Fatal(err)
		}
	})
	if inFile(opened) && took > 500_000 {
		t.Errorf("opening took %d bytes", took)
	}
	if took := allocated(func() {
		if _, err := opened.WriteTo(nowhere{}); err != nil {
			t.Error(err)
		}
	}); took > 300_000 {
		t.Errorf("writing what was opened took %d bytes", took)
	}
	query := clustered(1, 32, 4).Row(0)
	want, _, _ := ix.Certify(nil, query, Search{K: 9})
	if got, proof, err := opened.Certify(nil, query, Search{K: 9}); !slices.Equal(got, want) || proof.Gap() != 0 {
		t.Errorf("found %v (%v), want %v", got, err, want)
	}
	opened.Remove(7, 700)
	if took := allocated(opened.Compact); inFile(opened) && took > 60000*(2+16+8+8+8) {
		t.Errorf("compacting took %d bytes", took)
	}
}

func inFile(ix *Index) bool { return ix.held.Load().file != nil }

// TestClose: a closed index holds nothing, and says so.
func TestClose(t *testing.T) {
	for name, ix := range map[string]*Index{"made": goldenBlocks(t, 8), "opened": reopened(t, goldenBlocks(t, 8))} {
		x := vec.NewMatrix[float32](1, 2)
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		_, search := ix.Search(nil, x.Row(0), Search{K: 1})
		_, batch := ix.SearchBatch(x, Search{K: 1}, 1)
		_, write := ix.WriteTo(nowhere{})
		path := filepath.Join(t.TempDir(), "index")
		for what, err := range map[string]error{
			"Search": search, "SearchBatch": batch, "WriteTo": write, "WriteFile": ix.WriteFile(path),
			"Add":    ix.Add(x, 1),
			"AddIDs": ix.AddIDs([]uint64{1}, x, 1), "Update": ix.Update([]uint64{1}, x, 1), "Close": ix.Close(),
			"Code": ix.Code(make([]byte, 2), 1), "Vector": ix.Vector(make([]float32, 2), 1), "Verify": ix.Verify(),
		} {
			if !says(err, "closed") {
				t.Errorf("%s, %s: error %v", name, what, err)
			}
		}
		ix.Compact()
		if ix.Len() != 0 || ix.Has(1) || ix.Remove(1) != 0 {
			t.Errorf("%s: %d vectors", name, ix.Len())
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a file was written", name)
		}
	}
	closed := boundsOf(t, goldenQuantizer(t, 4), L2, goldenVectors(5), nil)
	err := closed.Close()
	_, _, certify := closed.Certify(nil, make([]float32, 5), Search{K: 1, Vector: Rows(goldenVectors(5))})
	if err != nil || !says(certify, "closed") {
		t.Errorf("errors %v, %v", err, certify)
	}
}

// TestCloseUnderWay: searches and writing that began before Close go on to their end, and see all they saw.
func TestCloseUnderWay(t *testing.T) {
	for _, kind := range []string{"search", "certify", "write"} {
		ix := reopened(t, largeIndex(t))
		path := filepath.Join(t.TempDir(), "other")
		if err := ix.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		ix, err := OpenIndex(path)
		if err != nil {
			t.Fatal(err)
		}
		query, parts := clustered(1, 32, 4).Row(0), mappings(path)
		if parts == 0 && inFile(ix) && runtime.GOOS == "linux" {
			t.Error("the file was not mapped")
		}
		once := sync.OnceFunc(func() {
			if err := ix.Close(); err != nil {
				t.Error(err)
			}
			for range 3 {
				runtime.GC()
				time.Sleep(time.Millisecond)
			}
			if n := mappings(path); n != parts {
				t.Errorf("%s: %d parts of the file are mapped, want %d", kind, n, parts)
			}
		})
		filter := func(uint64) bool { once(); return true }
		switch kind {
		case "search":
			want, _ := ix.Search(nil, query, Search{K: 20})
			got, err := ix.Search(nil, query, Search{K: 20, Filter: filter})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("found %v (error %v), want %v", got, err, want)
			}
		case "certify":
			want, _, _ := ix.Certify(nil, query, Search{K: 20})
			got, proof, err := ix.Certify(nil, query, Search{K: 20, Filter: filter})
			if err != nil || !slices.Equal(got, want) || proof.Gap() != 0 {
				t.Errorf("found %v (error %v), want %v", got, err, want)
			}
		case "write":
			want, w := written(t, ix), closingWriter{close: once}
			w.from = len(want) - 1<<20
			if _, err := ix.WriteTo(&w); err != nil || !bytes.Equal(w.Bytes(), want) {
				t.Errorf("wrote %d bytes (error %v), want %d", w.Len(), err, len(want))
			}
		}
		for range 100 {
			if runtime.GC(); mappings(path) == 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if n := mappings(path); n > 0 {
			t.Errorf("%s: %d parts of the file are still mapped", kind, n)
		}
	}
}

type closingWriter struct {
	bytes.Buffer
	from  int // which byte is near the end
	close func()
}

func (w *closingWriter) Write(b []byte) (int, error) {
	if w.Len() > w.from {
		w.close()
	}
	return w.Buffer.Write(b)
}

// mappings is how many parts of a file this process has mapped, as far as the system tells.
func mappings(path string) int {
	text, _ := os.ReadFile("/proc/self/maps")
	return strings.Count(string(text), path)
}

// TestCloseAtOnce: searches and changes from many goroutines meet Close; each is right or an error.
func TestCloseAtOnce(t *testing.T) {
	r := prove.Rand(97)
	x := wholes(r, 1200, 8)
	for name, fresh := range changeKinds(t, x) {
		ix := fresh()
		if err := ix.Add(x, 1); err != nil {
			t.Fatal(err)
		}
		ix = reopened(t, ix)
		var all sync.WaitGroup
		for g := range 8 {
			all.Go(func() {
				for i := 0; ; i++ {
					query := x.Row((97*i + g) % x.Rows)
					got, err := ix.Search(nil, query, Search{K: 5, Candidates: x.Rows + 1, Probes: 7})
					if errors.Is(err, errClosed) {
						return
					}
					if err != nil || len(got) != 5 {
						t.Errorf("%s: found %v, error %v", name, got, err)
					}
				}
			})
		}
		all.Go(func() {
			for k := 0; ; k++ {
				id := uint64(k % 1200)
				if err := ix.Update([]uint64{id}, x.Slice(int(id), int(id)+1, 0, 8), 1); err != nil {
					return
				}
			}
		})
		time.Sleep(3 * time.Millisecond)
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
		runtime.GC()
		all.Wait()
	}
}
