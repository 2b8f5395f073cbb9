package pq

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/dualgap/dualgap/vec"
)

// measured are the figures of an index: the part of the 10 nearest that a search by codes finds, and of the originals
// that a proof reads; and microseconds of a search, of a proof and of training and adding.
type figures struct {
	recall, read          float64
	search, proof, making float64
}

func measure(t testing.TB, make func() (Codec, error), base, queries vec.Matrix[float32], truth [][]Neighbor) figures {
	t.Helper()
	start := time.Now()
	codec, err := make()
	if err != nil {
		t.Fatal(err)
	}
	ix := boundsOf(t, codec, L2, base, nil)
	f := figures{making: time.Since(start).Seconds() * 1e6}
	found := make2(queries.Rows)
	start = time.Now()
	for i := range found {
		if found[i], err = ix.Search(nil, queries.Row(i), Search{K: 10}); err != nil {
			t.Fatal(err)
		}
	}
	f.search = time.Since(start).Seconds() * 1e6 / float64(queries.Rows)
	f.recall = found10(found, truth)
	runtime.GC()
	start = time.Now()
	for i := range found {
		got, proof, err := ix.Certify(nil, queries.Row(i), Search{K: 10, Vector: base.Row})
		if err != nil || proof.Gap() != 0 || fmt.Sprint(got) != fmt.Sprint(truth[i]) {
			t.Fatalf("query %d: %v, %+v, error %v, want %v", i, got, proof, err, truth[i])
		}
		f.read += float64(proof.Read) / float64(base.Rows*queries.Rows)
	}
	f.proof = time.Since(start).Seconds() * 1e6 / float64(queries.Rows)
	return f
}
func make2(n int) [][]Neighbor          { return make([][]Neighbor, n) }
func found10(a, b [][]Neighbor) float64 { return found(a, b) }

func TestScalarFashion(t *testing.T) {
	base, queries := images(t, "fashion-mnist")
	queries = queries.Slice(0, 200, 0, queries.Cols)
	want := truth(base, queries, L2, 10)
	for _, c := range []ScalarConfig{{Dims: 196, Bits: 8}, {Dims: 392, Bits: 8}, {Dims: 196, Bits: 4}} {
		f := measure(t, func() (Codec, error) { return TrainScalar(context.Background(), base, c) }, base, queries, want)
		t.Logf("%+v %+v", c, f)
	}
	if testing.Verbose() {
		return
	}
	for _, c := range []ScalarConfig{
		{Dims: 196, Bits: 4}, {Dims: 98, Bits: 8, Tails: 3}, {Dims: 392, Bits: 2}, {Turn: Hadamard, Bits: 1},
		{Dims: 196, Bits: 8}, {Dims: 392, Bits: 4}, {Turn: Hadamard, Bits: 2},
		{Dims: 392, Bits: 8}, {Turn: Hadamard, Bits: 4}, {Turn: Hadamard, Bits: 8},
	} {
		f := measure(t, func() (Codec, error) { return TrainScalar(context.Background(), base, c) }, base, queries, want)
		t.Logf("%v %d x %d bits: recall %.3f, read %.4f %% (%.0f), search %.0f us, proof %.0f us, making %.1f s", c.Turn,
			c.Dims, c.Bits, f.recall, 100*f.read, f.read*float64(base.Rows), f.search, f.proof, f.making/1e6)
	}
}
