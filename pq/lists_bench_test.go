package pq

import (
	"context"
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// BenchmarkLists: a million vectors of 128 numbers around 2000 centres, with codes of 64 bytes in 1024 lists, and the
// 10 nearest to each of some queries: by reading all vectors, by some lists, and proved. recall is of those 10.
func BenchmarkLists(b *testing.B) {
	n := 1_000_000
	if testing.Short() {
		n = 50_000
	}
	x, queries := around(2000, n, 128), around(2000, 200, 128)
	exact := vec.NewSearcher(x, vec.L2)
	idx, dist := make([]int32, 10*queries.Rows), vec.NewMatrix[float32](queries.Rows, 10)
	exact.Nearest(idx, dist, queries, 0)
	want := make([][]Neighbor, queries.Rows)
	for i, id := range idx {
		want[i/10] = append(want[i/10], Neighbor{ID: uint64(id)})
	}
	centres, err := TrainLists(context.Background(), x, n/1000, 1, 0)
	if err != nil {
		b.Fatal(err)
	}
	codec := trainScalar(b, x, ScalarConfig{Dims: 128})
	ix, err := NewIndexOf(codec, IndexConfig{Bounds: true, Vectors: true, Lists: centres})
	if err == nil {
		err = ix.Add(x, 0)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Run("exact", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			k := i % queries.Rows
			exact.Nearest(idx[:10], dist.Slice(0, 1, 0, 10), queries.Slice(k, k+1, 0, 128), 1)
		}
	})
	search := func(name string, search func(dst []Neighbor, query []float32) ([]Neighbor, Proof, error)) {
		b.Run(name, func(b *testing.B) {
			answers, read := make([][]Neighbor, queries.Rows), 0
			for i := range answers {
				found, proof, err := search(nil, queries.Row(i))
				if err != nil {
					b.Fatal(err)
				}
				answers[i], read = found, read+proof.Read
			}
			var dst []Neighbor
			for i := 0; b.Loop(); i++ {
				dst, _, _ = search(dst, queries.Row(i%queries.Rows))
			}
			b.ReportMetric(found(answers, want), "recall")
			b.ReportMetric(float64(read)/float64(queries.Rows*n), "read")
		})
	}
	for _, probes := range []int{1, 2, 4, 8, 0} {
		search(fmt.Sprintf("probes=%d", probes), func(dst []Neighbor, query []float32) ([]Neighbor, Proof, error) {
			dst, err := ix.Search(dst, query, Search{K: 10, Probes: probes})
			return dst, Proof{}, err
		})
	}
	search("proof", func(dst []Neighbor, query []float32) ([]Neighbor, Proof, error) {
		return ix.Certify(dst, query, Search{K: 10})
	})
}

// around returns n vectors around some centres, the same ones at each call, and farther from some than from others.
func around(centres, n, d int) vec.Matrix[float32] {
	r, s := prove.Rand(96), prove.Rand(uint64(n))
	c := vec.NewMatrix[float32](centres, d)
	for i := range c.Data {
		c.Data[i] = float32(r.NormFloat64())
	}
	x := vec.NewMatrix[float32](n, d)
	for i := range n {
		k := s.IntN(centres)
		wide := .2 + .3*float64(k)/float64(centres)
		for t, v := range c.Row(k) {
			x.Row(i)[t] = v + float32(wide*s.NormFloat64())
		}
	}
	return x
}
