package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Support vectors far from the origin meet examples less their mean: scores are what the formula says, within the bound
// of TestFarFromOrigin for each term and (n+3)u for their sum. Kernels of inner products take them as they are.
func TestExpansionFar(t *testing.T) { prove.Both(t, expansionFar[float32], expansionFar[float64]) }

func expansionFar[T vec.Float](t *testing.T) {
	const n, d = 300, 12
	rng := rand.New(rand.NewPCG(41, 42))
	x := vec.NewMatrix[T](n, d)
	for i := range x.Data {
		x.Data[i] = T(1000 + rng.NormFloat64())
	}
	a := coefficients[T](rng, n, 1)
	k := Gaussian{Gamma: .03}
	examples := design.Matrix[T](&dataset.Dense[T]{Matrix: x})
	m, err := New(examples, k, 0)
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewExpansion(m, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := e.vectors.(denseVectors[T])
	for p, norm := range v.norms {
		if norm > 10*d {
			t.Fatalf("|x|² of support vector %d less the mean is %v", p, norm)
		}
	}
	dst, unit := vec.NewMatrix[T](n, 1), prove.Unit[T]()
	if err := e.Scores(dst, examples, nil); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		want, bound := 0.0, 0.0
		for p := range n {
			distance, size := 0.0, 0.0
			for j := range d {
				b, c := float64(x.Row(i)[j])-1000, float64(x.Row(p)[j])-1000
				distance += (b - c) * (b - c)
				size += 2 * (b*b + c*c + 1) // of numbers less a mean that is off by less than 1
			}
			value, off := gaussians(k, distance, 17./16*(2*d+12)*unit*size, unit)
			w := float64(a.At(p, 0))
			want, bound = want+w*value, bound+math.Abs(w)*(off+(n+3)*unit*value)
		}
		if got := float64(dst.At(i, 0)); math.Abs(got-want) > bound {
			t.Fatalf("score of example %d: %v, want %v within %v", i, got, want, bound)
		}
	}
	if v := newDenseVectors(Polynomial{Degree: 2}, x); v.mean != nil || v.norms[0] != vec.SquaredNorm(x.Row(0)) {
		t.Errorf("the mean %v is subtracted from support vectors of a polynomial kernel", v.mean)
	}
}
