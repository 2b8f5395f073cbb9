package pq

import (
	"bytes"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// TestBlocks: codes come back in order whatever pieces they were added in, and earlier values stay what they were.
func TestBlocks(t *testing.T) {
	r := prove.Rand(21)
	for _, size := range []int{1, 5} {
		var all []byte
		// Of the quantizer only the size of codes matters, and floats are none or two.
		q := &Quantizer{m: size, nbits: 8}
		kept := size / 5 * 2
		snapshots := []blocks{{codec: q, floats: kept}}
		var own []float32
		for range 60 {
			n := []int{0, 1, 2, 100, 255, 256, 257, 600}[r.IntN(8)]
			codes := make([]byte, n*size)
			for i := range codes {
				codes[i] = byte(r.IntN(256))
			}
			floats := make([]float32, n*kept)
			for i := range floats {
				floats[i] = r.Float32()
			}
			all, own = append(all, codes...), append(own, floats...)
			snapshots = append(snapshots, snapshots[len(snapshots)-1].add(codes, floats))
		}
		code, floats := make([]byte, size), make([]float32, kept)
		for _, b := range snapshots {
			for i := range b.n {
				if b.code(code, i); !bytes.Equal(code, all[i*size:][:size]) {
					t.Fatalf("size %d: code %d of %d is %v, want %v", size, i, b.n, code, all[i*size:][:size])
				}
				if b.own(floats, i); !slices.Equal(floats, own[i*kept:][:kept]) {
					t.Fatalf("floats of code %d of %d are %v, want %v", i, b.n, floats, own[i*kept:][:kept])
				}
			}
		}
		if last := snapshots[len(snapshots)-1]; last.n != len(all)/size || last.count() != (last.n+255)/256 {
			t.Errorf("size %d: %d codes in %d blocks, want %d", size, last.n, last.count(), len(all)/size)
		}
	}
}

// TestFilterUsesIndex: a filter may call every method of its index, Add too; the search does not see what that adds.
func TestFilterUsesIndex(t *testing.T) {
	ix := goldenIndex(t, 8)
	query := []float32{1, 2}
	want, err := ix.Search(nil, query, Search{K: 5, Filter: func(id int) bool { return id%2 == 0 }})
	if err != nil {
		t.Fatal(err)
	}
	added := ix.Len()
	got, err := ix.Search(nil, query, Search{K: 5, Filter: func(id int) bool {
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
