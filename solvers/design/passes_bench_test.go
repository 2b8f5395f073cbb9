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

// BenchmarkPasses is the time of scores of all of 8000 images of MNIST, or of 20 for which a second worker does not
// pay, for 10 outputs, and of what they add to W, as dense as sparse rows, and as these with a transposed copy.
func BenchmarkPasses(b *testing.B) {
	b.Run("type=f32", benchmarkPasses[float32])
	b.Run("type=f64", benchmarkPasses[float64])
}

func benchmarkPasses[T vec.Float](b *testing.B) {
	data := os.Getenv("DUALGAP_DATA")
	if data == "" {
		b.Skip("DUALGAP_DATA does not name the folder of larger sets")
	}
	file := func(kind string) string { return filepath.Join(data, "mnist", "train-"+kind+"-ubyte.gz") }
	for _, n := range []int{20, 8000} {
		set, err := dataset.OpenIDX[T](file("images-idx3"), file("labels-idx1"), dataset.IDXOptions{Scale: 1.0 / 255,
			MaxRows: n})
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
		const d, m = 784, 10
		w, a, sum := vec.NewMatrix[T](d, m), vec.NewMatrix[T](n, m), vec.NewMatrix[T](d, m)
		for i := range w.Data {
			w.Data[i] = T(i%7) - 3
		}
		for _, s := range []struct {
			name string
			x    design.Matrix[T]
		}{{"dense", set.X}, {"sparse", sparse}, {"columns", columns}} {
			for _, workers := range []int{1, 2} {
				name := fmt.Sprintf("storage=%s/n=%d/workers=%d", s.name, n, workers)
				b.Run("pass=scores/"+name, func(b *testing.B) {
					for b.Loop() {
						design.ScoresAll(a, w, s.x, workers)
					}
				})
				b.Run("pass=accumulate/"+name, func(b *testing.B) {
					for b.Loop() {
						design.AccumulateAll(sum, a, s.x, workers)
					}
				})
			}
		}
	}
}
