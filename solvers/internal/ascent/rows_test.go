package ascent

import (
	"fmt"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// TestRows: scores and moves of an example, by rows in memory of either kind, by sparse rows that do not follow each
// other and by a storage that knows products alone, with and without a constant feature, of one output and of more, are
// the sums of small integers that they are.
func TestRows(t *testing.T) { prove.Both(t, testRows[float32], testRows[float64]) }

func testRows[T vec.Float](t *testing.T) {
	const n, d = 9, 5
	rng := prove.Rand(91)
	integer := func() T { return T(rng.IntN(7) - 3) }
	dense := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](n, d)}
	for i := range dense.Data {
		dense.Data[i] = integer()
	}
	csr, err := dense.CSR()
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]design.Matrix[T]{"dense": dense, "sparse": csr,
		"sparse, apart": struct{ design.SparseRows[T] }{csr}, "products": struct{ design.Matrix[T] }{dense}} {
		for _, constant := range []T{0, 2} {
			for _, m := range []int{1, 16} {
				r := newRows(x, &Problem[T]{X: x, Outputs: m, Constant: constant, Loss: loss.TopKEntropy[T]{K: 1}})
				features := d
				if constant != 0 {
					features++
				}
				w, want := vec.NewMatrix[T](features, m), vec.NewMatrix[T](features, m)
				for i := range w.Data {
					w.Data[i] = integer()
				}
				copy(want.Data, w.Data)
				for i := range n {
					what := fmt.Sprintf("%s, constant %v, %d outputs, example %d", name, constant, m, i)
					row := append(slices.Clone(dense.Row(i)), constant)[:features]
					scores, sums, delta := make([]T, m), make([]T, m), make([]T, m)
					for c := range delta {
						delta[c] = integer()
						for j, v := range row {
							sums[c] += v * want.Row(j)[c]
							want.Row(j)[c] += v * delta[c]
						}
					}
					if r.scores(scores, i, &w); !slices.Equal(scores, sums) {
						t.Errorf("%s: scores %v, want %v", what, scores, sums)
					}
					if r.add(&w, i, delta); !slices.Equal(w.Data, want.Data) {
						t.Fatalf("%s: W = %v, want %v", what, w.Data, want.Data)
					}
				}
			}
		}
	}
}
