package pq

import (
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
			best.keep(ranked{id, distance(metric, queries.Row(i), x.Row(id))}, k)
		}
		all[i] = best.append(nil, metric, k)
	})
	return all
}

// found is the part of the true neighbors that answers have.
func found(answers, truth [][]Neighbor) float64 {
	hits, all := 0, 0
	for i, want := range truth {
		in := map[int]bool{}
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
