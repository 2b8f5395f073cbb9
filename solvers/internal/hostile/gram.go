package hostile

import (
	"cmp"
	"math/big"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Most is how many examples a problem has at most whose certificate is computed exactly: larger ones take seconds.
const Most = 24

// Gram is a kernel matrix.
type Gram [][]*big.Float

// GramOf returns the true kernel's numbers of the examples as they are, but for nothing that counts, and not the
// numbers in float64 that certificates are computed from: what these are off by kernel.Matrix.Rounding tells. A matrix
// that is given has the numbers that it was given.
func GramOf[T vec.Float](k *kernel.Matrix[T]) Gram {
	of := k.Kernel()
	if of == nil {
		n := k.Len()
		given, all := vec.NewMatrix[T](n, n), make([]int, n)
		for i := range all {
			all[i] = i
		}
		k.Rows(given, all, 1)
		g := make(Gram, n)
		for i := range g {
			for _, v := range given.Row(i) {
				g[i] = append(g[i], Exact(float64(v)))
			}
		}
		return g
	}
	return GramBy(of, Rows(k.Features()))
}

// GramBy returns the kernel matrix of examples.
func GramBy(k kernel.Kernel, x [][]float64) Gram {
	g := make(Gram, len(x))
	for i := range g {
		g[i] = make([]*big.Float, len(x))
		for j := range i + 1 {
			g[i][j] = valueOf(k, x[i], x[j])
			g[j][i] = g[i][j]
		}
	}
	return g
}

// Rows returns all examples.
func Rows[T vec.Float](x design.Matrix[T]) [][]float64 {
	n, d := x.Dims()
	all := vec.NewMatrix[T](n, d)
	x.Gather(all, nil)
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, d)
		vec.Convert(rows[i], all.Row(i))
	}
	return rows
}

// valueOf returns k(x, z).
func valueOf(k kernel.Kernel, x, z []float64) *big.Float {
	switch k := k.(type) {
	case kernel.Linear:
		return Inner(x, z)
	case kernel.Polynomial:
		v := Inner(x, z)
		v.Add(v.Mul(v, Exact(cmp.Or(k.Scale, 1))), Exact(k.Offset))
		power := Exact(1)
		for range k.Degree {
			power.Mul(power, v)
		}
		return power
	case kernel.Gaussian:
		sum := Exact(0)
		for j, v := range x {
			difference := Exact(v)
			difference.Sub(difference, Exact(z[j]))
			Plus(sum, difference, difference)
		}
		return Exp(sum.Mul(sum, Exact(-k.Gamma)))
	}
	panic(shape.Errorf("hostile: GramBy", "no formula of the kernel %T", k))
}

// Times returns K a.
func (g Gram) Times(a []float64) []*big.Float {
	sums := make([]*big.Float, len(g))
	for i, row := range g {
		sums[i] = Exact(0)
		for j, v := range row {
			if a[j] != 0 {
				Plus(sums[i], v, Exact(a[j]))
			}
		}
	}
	return sums
}

// Dot returns <a, s>.
func Dot(a []float64, s []*big.Float) *big.Float {
	sum := Exact(0)
	for i, v := range a {
		if v != 0 {
			Plus(sum, Exact(v), s[i])
		}
	}
	return sum
}
