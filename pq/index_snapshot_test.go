package pq

import (
	"bytes"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// TestFilterUsesIndex: a filter may call every method of its index, Add too; the search does not see what that adds.
func TestFilterUsesIndex(t *testing.T) {
	ix := goldenIndex(t, 8)
	query := []float32{1, 2}
	want, err := ix.Search(nil, query, Search{K: 5, Filter: func(id uint64) bool { return id%2 == 0 }})
	if err != nil {
		t.Fatal(err)
	}
	added := ix.Len()
	got, err := ix.Search(nil, query, Search{K: 5, Filter: func(id uint64) bool {
		if err := ix.AddCodes(goldenCodes(ix.codec.(*Quantizer), 1)); err != nil {
			t.Error(err)
		}
		added++
		if _, err := ix.Search(nil, query, Search{K: 1}); err != nil {
			t.Error(err)
		}
		if written(t, ix); ix.Len() != added {
			t.Errorf("%d vectors, want %d", ix.Len(), added)
		}
		return id%2 == 0
	}})
	if err != nil || !slices.Equal(got, want) || added == 300 {
		t.Errorf("found %v (error %v), want %v; %d vectors in the end", got, err, want, added)
	}
}

// busyWriter uses the index that writes to it.
type busyWriter struct {
	bytes.Buffer
	t  *testing.T
	ix *Index
}

func (w *busyWriter) Write(b []byte) (int, error) {
	if err := w.ix.AddCodes(goldenCodes(w.ix.codec.(*Quantizer), 200)); err != nil {
		w.t.Error(err)
	}
	if _, err := w.ix.Search(nil, []float32{1, 2}, Search{K: 2}); err != nil {
		w.t.Error(err)
	}
	return w.Buffer.Write(b)
}

// TestWriteWhileAdding: WriteTo holds up nobody, and writes the vectors of its beginning.
func TestWriteWhileAdding(t *testing.T) {
	ix := goldenIndex(t, 8)
	want := written(t, ix)
	w := busyWriter{t: t, ix: ix}
	if n, err := ix.WriteTo(&w); err != nil || n != int64(len(want)) || !bytes.Equal(w.Bytes(), want) {
		t.Errorf("wrote %d bytes (error %v), want %d", n, err, len(want))
	}
	if ix.Len() < 500 {
		t.Errorf("%d vectors", ix.Len())
	}
}

// TestWriteMemory: writing makes no second copy of the codes.
func TestWriteMemory(t *testing.T) {
	q := goldenQuantizer(t, 8)
	codes := goldenCodes(q, 500_000)
	ix, err := NewIndex(q, L2)
	if err == nil {
		err = ix.AddCodes(codes)
	}
	if err != nil {
		t.Fatal(err)
	}
	x, err := NewMatrix(q, 500_000, codes, MatrixOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func() error{
		"index":  func() error { _, err := ix.WriteTo(nowhere{}); return err },
		"matrix": func() error { _, err := x.WriteTo(nowhere{}); return err },
		"codes":  func() error { return q.WriteCodes(nowhere{}, codes) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := write()
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err != nil || took > 100_000 {
			t.Errorf("%s: took %d bytes for %d of codes (error %v)", name, took, len(codes), err)
		}
	}
}

// nowhere is io.Discard without its other methods.
type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

// TestAddAtOnce: adds, searches and writing from several goroutines (the race detector watches); nothing gets lost.
func TestAddAtOnce(t *testing.T) {
	ix := goldenIndex(t, 4)
	const adds = 3000
	code := goldenCodes(ix.codec.(*Quantizer), 1)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for range adds {
				if err := ix.AddCodes(code); err != nil {
					t.Error(err)
				}
				runtime.Gosched()
			}
		})
	}
	all.Go(func() {
		for range 50 {
			if got, err := ix.Search(nil, make([]float32, 5), Search{K: 3}); err != nil || len(got) != 3 {
				t.Error(got, err)
			}
			written(t, ix)
		}
	})
	all.Wait()
	if want := 300 + 3*adds; ix.Len() != want {
		t.Errorf("%d vectors, want %d", ix.Len(), want)
	}
}
