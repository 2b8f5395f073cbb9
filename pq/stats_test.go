package pq

import (
	"context"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestStats: what is added and removed is counted, and bytes are those that files and memory have.
func TestStats(t *testing.T) {
	x := vec.NewMatrix[float32](300, 4)
	for i := range x.Data {
		x.Data[i] = float32(i * 7 % 31)
	}
	s, err := TrainScalar(context.Background(), x, ScalarConfig{Dims: 2, Bits: 4, Tails: 1})
	if err != nil {
		t.Fatal(err)
	}
	lists, err := TrainLists(context.Background(), x, 3, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := NewIndexOf(s, IndexConfig{Bounds: true, Vectors: true, Lists: lists})
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Add(x, 1); err != nil {
		t.Fatal(err)
	}
	ix.Remove(3, 5)
	want := Stats{Vectors: 298, Holes: 2, Lists: 3, Code: 1, Bounds: 4 * (3 + 1 + 1), Vector: 16}
	if got := ix.Stats(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	ix.Compact()
	want.Holes = 0
	if got := ix.Stats(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
