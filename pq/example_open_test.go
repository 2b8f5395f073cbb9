package pq_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// An index in a file, opened without reading it, changed, and written again.
func ExampleOpenIndex() {
	dir, err := os.MkdirTemp("", "index")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "index.dg")

	centroids := make([]float32, 16*2) // of one subspace of two dimensions
	for c := range 16 {
		centroids[2*c], centroids[2*c+1] = float32(c%4), float32(c/4)
	}
	q, err := pq.New(2, 1, 4, centroids, nil)
	if err != nil {
		log.Fatal(err)
	}
	index, err := pq.NewIndexOf(q, pq.IndexConfig{Vectors: true})
	if err != nil {
		log.Fatal(err)
	}
	rows := vec.MatrixOf(3, 2, []float32{.1, 0, 3.2, .9, 2, 2.1})
	if err := index.AddIDs([]uint64{10, 20, 30}, rows, 0); err != nil {
		log.Fatal(err)
	}
	if err := index.WriteFile(path); err != nil {
		log.Fatal(err)
	}

	opened, err := pq.OpenIndex(path)
	if err != nil {
		log.Fatal(err)
	}
	if err := opened.Verify(); err != nil { // reads it all: not needed before each use
		log.Fatal(err)
	}
	opened.Remove(20)
	found, err := opened.Search(nil, []float32{3, 1}, pq.Search{K: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d at %.2f\n", found[0].ID, found[0].Distance)
	if err := opened.WriteFile(path); err != nil { // the same file
		log.Fatal(err)
	}
	if err := opened.Close(); err != nil {
		log.Fatal(err)
	}
	// Output: 30 at 2.21
}
