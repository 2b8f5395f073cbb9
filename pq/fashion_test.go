package pq

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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

// TestCertifyImages: the answers for test images are the same as by reading all training images.
func TestCertifyImages(t *testing.T) {
	for _, name := range []string{"fashion-mnist", "mnist"} {
		base, queries := images(t, name)
		queries = queries.Slice(0, 100, 0, queries.Cols)
		for _, c := range []Config{{M: 98}, {M: 98, Rotations: 1}, {M: 196, NBits: 4}} {
			c.Iterations, c.PointsPerCentroid = 4, 16
			q := train(t, base, c)
			for _, metric := range []Metric{L2, InnerProduct} {
				want := truth(base, queries, metric, 10)
				ix := boundsOf(t, q, metric, base, nil)
				got, proofs, err := ix.CertifyBatch(queries, Search{K: 10, Vector: Rows(base)}, 0)
				if err != nil {
					t.Fatal(err)
				}
				read := 0
				for i, p := range proofs {
					if read += p.Read; !slices.Equal(got[i], want[i]) || p.Gap() != 0 {
						t.Fatalf("%s, %+v, %v, query %d: %v, want %v, proof %+v", name, c, metric, i, got[i], want[i],
							p)
					}
				}
				t.Logf("%s, M=%d, %d bits, %d rotations, %v: %.4f of the originals read", name, c.M, q.nbits,
					c.Rotations, metric, float64(read)/float64(queries.Rows*base.Rows))
			}
		}
	}
}

// BenchmarkFashion: the 10 nearest of 60000 images of Fashion-MNIST, by reading all, by codes of 98 bytes, by codes
// with bounds, and with proof. It needs DUALGAP_DATA, and minutes to train. recall is among the 10 found; read is the
// part of the originals.
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
	for _, rotations := range []int{0, 6} {
		q, err := Train(context.Background(), base, Config{M: 98, Rotations: rotations})
		if err != nil {
			b.Fatal(err)
		}
		plain, err := NewIndex(q, L2)
		if err == nil {
			err = plain.Add(base, 0)
		}
		if err != nil {
			b.Fatal(err)
		}
		bounds := boundsOf(b, q, L2, base, nil)
		for _, c := range []struct {
			name   string
			search func(dst []Neighbor, query []float32) ([]Neighbor, Proof, error)
		}{
			{"codes", func(dst []Neighbor, query []float32) ([]Neighbor, Proof, error) {
				dst, err := plain.Search(dst, query, Search{K: 10})
				return dst, Proof{}, err
			}},
			{"bounds", func(dst []Neighbor, query []float32) ([]Neighbor, Proof, error) {
				dst, err := bounds.Search(dst, query, Search{K: 10})
				return dst, Proof{}, err
			}},
			{"certify", func(dst []Neighbor, query []float32) ([]Neighbor, Proof, error) {
				return bounds.Certify(dst, query, Search{K: 10, Vector: Rows(base)})
			}},
		} {
			b.Run(fmt.Sprintf("rotations=%d/%s", rotations, c.name), func(b *testing.B) {
				answers, read := make([][]Neighbor, queries.Rows), 0
				for i := range answers {
					found, proof, err := c.search(nil, queries.Row(i))
					if err != nil {
						b.Fatal(err)
					}
					answers[i], read = found, read+proof.Read
				}
				var dst []Neighbor
				for i := 0; b.Loop(); i++ {
					if dst, _, err = c.search(dst, queries.Row(i%queries.Rows)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(found(answers, want), "recall")
				b.ReportMetric(float64(read)/float64(queries.Rows*base.Rows), "read")
			})
		}
	}
}
