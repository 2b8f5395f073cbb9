package bundle

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// draw returns n examples of d features, a fraction of them not 0 and some alike or almost, as storages.
func draw[T vec.Float](rng *rand.Rand, n, d int, density float64) map[string]design.Matrix[T] {
	x := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](n, d)}
	for i := range n {
		row := x.Row(i)
		for j := range row {
			if rng.Float64() < density {
				row[j] = T(rng.NormFloat64())
			}
		}
		if i%5 == 4 {
			copy(row, x.Row(i-1))
			row[rng.IntN(d)] += T(1e-3 * float64(i%2))
		}
	}
	sparse, err := x.CSR()
	if err != nil {
		panic(err)
	}
	return map[string]design.Matrix[T]{"dense": x, "csr": sparse}
}

// reference is a kernel matrix in float64, and the sizes that rounding errors of its numbers are relative to.
type reference struct{ k, scale vec.Matrix[float64] }

// referenceOf returns the matrix of the examples x. An error of a product is relative to the product of the absolute
// values, an error of a power to Degree+1 times as much, and an error of v = e^-t to (1+8t) v.
func referenceOf(k kernel.Kernel, x vec.Matrix[float64]) reference {
	r := reference{vec.NewMatrix[float64](x.Rows, x.Rows), vec.NewMatrix[float64](x.Rows, x.Rows)}
	sizes := vec.NewMatrix[float64](x.Rows, x.Cols)
	for i, v := range x.Data {
		sizes.Data[i] = math.Abs(v)
	}
	kernel.Between(r.k, k, x, x)
	kernel.Between(r.scale, k, sizes, sizes)
	switch k := k.(type) {
	case kernel.Polynomial:
		vec.Scale(float64(k.Degree+1), r.scale.Data)
	case kernel.Gaussian:
		for i, v := range r.k.Data {
			r.scale.Data[i] = v * (1 - 8*math.Log(v))
		}
	}
	return r
}

func panics(t *testing.T, want string, call func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got, ok := recover().(vec.ShapeError); !ok || got.Error() != want {
			t.Errorf("panic %v, want a ShapeError %q", got, want)
		}
	}()
	call()
}
