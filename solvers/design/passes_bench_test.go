package design_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// BenchmarkPasses is the time of scores of all of 8000 images of MNIST for 10 outputs, and of what they add to W, as
// dense as sparse rows, and as these with a transposed copy.
func BenchmarkPasses(b *testing.B) {
	data := os.Getenv("DUALGAP_DATA")
	if data == "" {
		b.Skip("DUALGAP_DATA does not name the folder of larger sets")
	}
	file := func(kind string) string { return filepath.Join(data, "mnist", "train-"+kind+"-ubyte.gz") }
	set, err := dataset.OpenIDX[float32](file("images-idx3"), file("labels-idx1"), dataset.IDXOptions{Scale: 1.0 / 255,
		MaxRows: 8000})
	if err != nil {
		b.Skip(err)
	}
	sparse, err := set.X.CSR()
	if err != nil {
		b.Fatal(err)
	}
	columns, err := sparse.WithColumns()
	if err != nil {
		b.Fatal(err)
	}
	n, d, m := 8000, 784, 10
	w, a := vec.NewMatrix[float32](d, m), vec.NewMatrix[float32](n, m)
	for i := range w.Data {
		w.Data[i] = float32(i%7) - 3
	}
	for _, s := range []struct {
		name string
		x    design.Matrix[float32]
	}{{"dense", set.X}, {"sparse", sparse}, {"columns", columns}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("pass=scores/storage=%s/workers=%d", s.name, workers), func(b *testing.B) {
				for b.Loop() {
					design.ScoresAll(a, w, s.x, workers)
				}
			})
			b.Run(fmt.Sprintf("pass=accumulate/storage=%s/workers=%d", s.name, workers), func(b *testing.B) {
				sum := vec.NewMatrix[float32](d, m)
				for b.Loop() {
					design.AccumulateAll(sum, a, s.x, workers)
				}
			})
		}
	}
}
