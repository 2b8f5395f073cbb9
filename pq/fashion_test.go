package pq

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// images returns the 60000 training images and the 10000 test images of fashion-mnist or mnist, where the larger data
// are at hand.
func images(t testing.TB, name string) (base, queries vec.Matrix[float32]) {
	t.Helper()
	dir := os.Getenv("DUALGAP_DATA")
	if dir == "" || testing.Short() {
		t.Skip("needs DUALGAP_DATA, and minutes")
	}
	read := func(part string) vec.Matrix[float32] {
		file := filepath.Join(dir, name, part)
		set, err := dataset.OpenIDX[float32](file+"-images-idx3-ubyte.gz", file+"-labels-idx1-ubyte.gz",
			dataset.IDXOptions{Scale: 1.0 / 255})
		if err != nil {
			t.Fatal(err)
		}
		return set.X.Matrix
	}
	return read("train"), read("t10k")
}

// truth returns the k nearest of x to each query, by reading all.
func truth(x, queries vec.Matrix[float32], metric Metric, k int) [][]Neighbor {
	all := make([][]Neighbor, queries.Rows)
	parallel.Do(runtime.GOMAXPROCS(0), queries.Rows, func(_, i int) {
		var best ranks
		for id := range x.Rows {
			best.keep(ranked{uint64(id), distance(metric, queries.Row(i), x.Row(id)), nil}, k)
		}
		all[i] = best.append(nil, metric, k)
	})
	return all
}

// found is the part of the true neighbors that answers have.
func found(answers, truth [][]Neighbor) float64 {
	hits, all := 0, 0
	for i, want := range truth {
		in := map[uint64]bool{}
		for _, x := range answers[i] {
			in[x.ID] = true
		}
		for _, x := range want {
			if all++; in[x.ID] {
				hits++
			}
		}
	}
	return float64(hits) / float64(all)
}

var allImages = flag.Bool("all", false, "TestCertifyImages asks for the neighbors of all test images, by all codecs")

// TestCertifyImages: for test images proved answers are the exact ones, of every codec and metric, with lists and
// without. Pixels are whole numbers, so that only cosines are rounded.
func TestCertifyImages(t *testing.T) {
	names, metrics := []string{"fashion-mnist", "mnist"}, []Metric{L2, InnerProduct, CosineSimilarity}
	if !*allImages {
		names, metrics = names[:1], metrics[:1]
	}
	for _, name := range names {
		base, queries := images(t, name)
		if !*allImages {
			queries = queries.Slice(0, 100, 0, queries.Cols)
		}
		for _, x := range []vec.Matrix[float32]{base, queries} {
			for i, v := range x.Data {
				x.Data[i] = float32(math.Round(255 * float64(v)))
			}
		}
		unit, err := Normalized(base)
		if err != nil {
			t.Fatal(err)
		}
		for _, metric := range metrics {
			x := base
			if metric == CosineSimilarity {
				x = unit
			}
			idx, dist := make([]int32, 10*queries.Rows), vec.NewMatrix[float32](queries.Rows, 10)
			vec.NewSearcher(base, metric).Nearest(idx, dist, queries, 0)
			centres, err := TrainLists(context.Background(), x, 64, 1, 0)
			if err != nil {
				t.Fatal(err)
			}
			for code, codec := range imageCodecs(t, x) {
				for _, lists := range []vec.Matrix[float32]{{}, centres} {
					ix, err := NewIndexOf(codec, IndexConfig{Metric: metric, Bounds: true, Lists: lists})
					if err == nil {
						err = ix.Add(base, 0)
					}
					if err != nil {
						t.Fatal(err)
					}
					what := fmt.Sprintf("%s, %s, %v, %d lists", name, code, metric, lists.Rows)
					certifyImages(t, what, ix, base, queries, idx)
				}
			}
		}
	}
}

// imageCodecs are codecs for images like x: with -all of every kind.
func imageCodecs(t *testing.T, x vec.Matrix[float32]) map[string]Codec {
	codecs := map[string]Codec{
		"M=98":            train(t, x, Config{M: 98, PointsPerCentroid: 16}),
		"PCA 98 x 8 bits": trainScalar(t, x, ScalarConfig{Dims: 98, Bits: 8, Tails: 3}),
	}
	if *allImages {
		codecs["M=98, rotated"] = train(t, x, Config{M: 98, Rotations: 1, PointsPerCentroid: 16})
		codecs["M=196, 4 bits"] = train(t, x, Config{M: 196, NBits: 4, PointsPerCentroid: 16})
		codecs["PCA 196 x 4 bits"] = trainScalar(t, x, ScalarConfig{Dims: 196})
		codecs["PCA 392 x 8 bits"] = trainScalar(t, x, ScalarConfig{Dims: 392, Bits: 8})
		codecs["Hadamard, 2 bits"] = trainScalar(t, x, ScalarConfig{Turn: Hadamard, Bits: 2})
	}
	return codecs
}

// certifyImages compares proved answers with the rows idx, 10 for each query. Cosines that differ by no more than
// float64 rounds may come in another order.
func certifyImages(t *testing.T, what string, ix *Index, base, queries vec.Matrix[float32], idx []int32) {
	t.Helper()
	got, proofs, err := ix.CertifyBatch(queries, Search{K: 10, Vector: Rows(base)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	read, wrong := 0, 0
	for i, p := range proofs {
		read += p.Read
		if p.Gap() != 0 || len(got[i]) != 10 {
			t.Fatalf("%s, query %d: %v, proof %+v", what, i, got[i], p)
		}
		for j, g := range got[i] {
			want := uint64(idx[10*i+j])
			if g.ID == want {
				continue
			}
			off := distance(ix.Metric(), queries.Row(i), base.Row(int(g.ID))) -
				distance(ix.Metric(), queries.Row(i), base.Row(int(want)))
			if ix.Metric() != CosineSimilarity || math.Abs(off) > 1e-14 {
				wrong++
			}
		}
	}
	t.Logf("%s: %d wrong of %d, %.5f of the originals read", what, wrong, len(idx),
		float64(read)/float64(queries.Rows*base.Rows))
	if wrong > 0 {
		t.Errorf("%s: %d wrong", what, wrong)
	}
}

// BenchmarkFashion: the 10 nearest of 60000 images of Fashion-MNIST, by reading all, by codes of 98 bytes, by codes
// with bounds, and with proof, also in lists. It needs DUALGAP_DATA, and minutes to train. recall is among the 10
// found; read is the part of the originals.
func BenchmarkFashion(b *testing.B) {
	base, queries := images(b, "fashion-mnist")
	queries = queries.Slice(0, 500, 0, queries.Cols)
	want := truth(base, queries, L2, 10)
	dist, norms := make([]float32, base.Rows), make([]float32, base.Rows)
	val, idx := make([]float32, 10), make([]int32, 10)
	for i := range norms {
		norms[i] = -vec.Dot32(base.Row(i), base.Row(i))
	}
	b.Run("all", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			copy(dist, norms)
			vec.Gemv(2, base, queries.Row(i%queries.Rows), 1, dist)
			vec.TopK(val, idx, dist)
		}
	})
	centres, err := TrainLists(context.Background(), base, 64, 1, 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		codec Codec
	}{
		{"M=98", train(b, base, Config{M: 98, Iterations: 25})},
		{"M=98 rotated", train(b, base, Config{M: 98, Iterations: 25, Rotations: 6})},
		{"PCA 98x8", trainScalar(b, base, ScalarConfig{Dims: 98, Bits: 8, Tails: 3})},
		{"PCA 196x4", trainScalar(b, base, ScalarConfig{Dims: 196})},
	} {
		index := func(o IndexConfig) *Index {
			ix, err := NewIndexOf(c.codec, o)
			if err == nil {
				err = ix.Add(base, 0)
			}
			if err != nil {
				b.Fatal(err)
			}
			return ix
		}
		var codes *Index
		if _, ok := c.codec.(*Quantizer); ok {
			codes = index(IndexConfig{})
		}
		bounds := index(IndexConfig{Bounds: true, Vectors: true})
		lists := index(IndexConfig{Bounds: true, Vectors: true, Lists: centres})
		for _, s := range []struct {
			name   string
			search func(dst []Neighbor, query []float32) ([]Neighbor, Proof, error)
		}{
			{"codes", func(dst []Neighbor, query []float32) ([]Neighbor, Proof, error) {
				dst, err := codes.Search(dst, query, Search{K: 10})
				return dst, Proof{}, err
			}},
			{"bounds", func(dst []Neighbor, query []float32) ([]Neighbor, Proof, error) {
				dst, err := bounds.Search(dst, query, Search{K: 10, Codes: true})
				return dst, Proof{}, err
			}},
			{"certify", func(dst []Neighbor, query []float32) ([]Neighbor, Proof, error) {
				return bounds.Certify(dst, query, Search{K: 10})
			}},
			{"certify, 64 lists", func(dst []Neighbor, query []float32) ([]Neighbor, Proof, error) {
				return lists.Certify(dst, query, Search{K: 10})
			}},
		} {
			if s.name == "codes" && codes == nil {
				continue
			}
			b.Run(c.name+"/"+s.name, func(b *testing.B) {
				answers, read := make([][]Neighbor, queries.Rows), 0
				for i := range answers {
					found, proof, err := s.search(nil, queries.Row(i))
					if err != nil {
						b.Fatal(err)
					}
					answers[i], read = found, read+proof.Read
				}
				var dst []Neighbor
				for i := 0; b.Loop(); i++ {
					dst, _, _ = s.search(dst, queries.Row(i%queries.Rows))
				}
				b.ReportMetric(found(answers, want), "recall")
				b.ReportMetric(float64(read)/float64(queries.Rows*base.Rows), "read")
			})
		}
	}
}
