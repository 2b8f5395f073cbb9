package toprank

import (
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// sized is dense examples that say how many they are.
type sized[T vec.Float] struct {
	*dataset.Dense[T]
	n, d int
}

func (s sized[T]) Dims() (n, d int) { return s.n, s.d }

// TestCopied: dense examples in float32 are copied to float64, up to 2²⁶ numbers; others are not.
func TestCopied(t *testing.T) {
	one := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](1, 1)}
	for _, c := range []struct{ n, d, want int }{{1 << 20, 64, 1 << 20}, {1<<20 + 1, 64, 1 << 20}, {1<<20 - 1, 64,
		1<<20 - 1}, {5, 1 << 26, 1}, {5, 1<<26 + 1, 0}, {7, 1, 7}} {
		x := sized[float32]{one, c.n, c.d}
		if got := copied[float32](x); got != c.want {
			t.Errorf("%d examples of %d features: %d are copied, want %d", c.n, c.d, got, c.want)
		}
		double := sized[float64]{&dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](1, 1)}, c.n, c.d}
		if got := copied[float64](double); got != 0 {
			t.Errorf("%d in float64", got)
		}
	}
	sparse, err := one.CSR()
	if err != nil {
		t.Fatal(err)
	}
	if got := copied[float32](design.Matrix[float32](sparse)); got != 0 {
		t.Errorf("%d sparse ones", got)
	}
}
