package ascent

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// blobs draws n examples of d features around m centers, some of them far from theirs.
func blobs[T vec.Float](rng *rand.Rand, n, d, m int) (*dataset.Dense[T], []int) {
	centers, x, y := vec.NewMatrix[T](m, d), vec.NewMatrix[T](n, d), make([]int, n)
	for i := range centers.Data {
		centers.Data[i] = T(rng.NormFloat64())
	}
	for i := range n {
		y[i] = i % m
		for j := range d {
			x.Row(i)[j] = centers.Row(y[i])[j] + T(rng.NormFloat64())
		}
	}
	return &dataset.Dense[T]{Matrix: x}, y
}

// sparse is the same numbers without the zeros.
func sparse[T vec.Float](t testing.TB, a *dataset.Dense[T]) *dataset.CSR[T] {
	t.Helper()
	b, err := a.CSR()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// problem is the problem of the given loss with the classes y, each of the n examples of weight 1.
func problem[T vec.Float](t testing.TB, x design.Matrix[T], y []int, m int, l loss.Loss[T], exact loss.Loss[float64],
	lambda float64) Problem[T] {
	t.Helper()
	labels := family.Labels{One: y}
	radii, err := family.Radii[T](1/(lambda*float64(len(y))), "lambda", &labels, nil, nil, m)
	if err != nil {
		t.Fatal(err)
	}
	return Problem[T]{X: x, Labels: labels, Outputs: m, Radius: radii, Lambda: lambda, Loss: l, Exact: exact}
}

// hinge is the problem with the top-k hinge.
func hinge[T vec.Float](t testing.TB, x design.Matrix[T], y []int, m, k int, lambda float64) Problem[T] {
	return problem(t, x, y, m, loss.Loss[T](loss.TopKHinge[T]{K: k}), loss.Loss[float64](loss.TopKHinge[float64]{K: k}),
		lambda)
}

// training returns a training on features that has taken no step.
func training[T vec.Float](t testing.TB, p Problem[T], o Options) *linearSolver[T] {
	t.Helper()
	s, err := New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return s.(*linearSolver[T])
}

// certify fails the test where there is no certificate.
func certify[T vec.Float](t testing.TB, s Solver[T]) solvers.Certificate {
	t.Helper()
	c, err := s.Certify()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// endsSoon is a context that ends when it has been asked a few times.
type endsSoon struct {
	context.Context
	left atomic.Int64
}

func soon(left int) *endsSoon {
	c := &endsSoon{Context: context.Background()}
	c.left.Store(int64(left))
	return c
}

func (c *endsSoon) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// weightsOf returns the weights of a training on features.
func weightsOf[T vec.Float](t testing.TB, s Solver[T]) vec.Matrix[T] {
	t.Helper()
	v, err := s.PrimalVariables()
	if err != nil {
		t.Fatal(err)
	}
	return v.Matrices[0]
}
