package l1

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// sample is a problem that is drawn: examples with about two thirds of their numbers 0, and classes that go by linear
// scores of every third feature with noise. Each class has an example where there are as many.
type sample struct {
	x vec.Matrix[float64]
	y []int
}

func draw(seed uint64, n, d, m int) sample {
	rng := rand.New(rand.NewPCG(seed, 19))
	s := sample{vec.NewMatrix[float64](n, d), make([]int, n)}
	w := vec.NewMatrix[float64](d, m)
	for j := 0; j < d; j += 3 {
		for l := range m {
			w.Row(j)[l] = rng.NormFloat64()
		}
	}
	scores := make([]float64, m)
	for i := range s.y {
		x := s.x.Row(i)
		for j := range x {
			if rng.IntN(3) == 0 {
				x[j] = rng.NormFloat64() + .3
			}
		}
		for l := range scores {
			scores[l] = rng.NormFloat64() / 2
			for j := range x {
				scores[l] += x[j] * w.Row(j)[l]
			}
		}
		if s.y[i] = vec.ArgMax(scores); i < m {
			s.y[i] = i
		}
	}
	return s
}

// dense returns the examples.
func dense[T vec.Float](s sample) *dataset.Dense[T] {
	x := vec.NewMatrix[T](s.x.Rows, s.x.Cols)
	vec.Convert(x.Data, s.x.Data)
	return &dataset.Dense[T]{Matrix: x}
}

// forms returns the examples in every storage: dense, sparse, with few numbers, and, for float32, as codes.
func forms[T vec.Float](t testing.TB, s sample) map[string]design.Matrix[T] {
	t.Helper()
	x := dense[T](s)
	sparse, err := x.CSR()
	if err != nil {
		t.Fatal(err)
	}
	few := dense[T](s)
	for k := range few.Data {
		if few.Data[k] < .7 && (k%5 > 0 || few.Data[k] < 0) {
			few.Data[k] = 0
		}
	}
	narrow, err := few.CSR()
	if err != nil {
		t.Fatal(err)
	}
	shifted := dense[T](s)
	for k := range shifted.Data {
		shifted.Data[k] += .25 // no zeros: these stay dense
	}
	all := map[string]design.Matrix[T]{"dense": shifted, "zeros": x, "sparse": sparse, "few": narrow}
	if prove.IsF32[T]() {
		all["codes"] = any(codes(t, dense[float32](s))).(design.Matrix[T])
	}
	return all
}

// codes returns product-quantized examples.
func codes(t testing.TB, x *dataset.Dense[float32]) *pq.Matrix {
	t.Helper()
	q, err := pq.Train(context.Background(), x.Matrix, pq.Config{M: x.Cols / 2, NBits: 4, Uneven: true, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	codes := make([]byte, x.Rows*q.CodeSize())
	if err := q.Encode(codes, x.Matrix, 1); err != nil {
		t.Fatal(err)
	}
	m, err := pq.NewMatrix(q, x.Rows, codes, pq.MatrixOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// fit trains, and demands that it converges.
func fit[T vec.Float](t testing.TB, p Problem[T], c Config) *Result[T] {
	t.Helper()
	r, err := p.Fit(context.Background(), c)
	if err != nil || r.Status != solvers.Converged || !(r.Certificate.RelativeGap() <= r.Tol) {
		t.Fatalf("%s, %v", told(r), err)
	}
	return r
}

// told is the outcome in words.
func told[T vec.Float](r *Result[T]) string {
	if r == nil {
		return "no result"
	}
	return r.Outcome.String()
}

// sameResult reports whether two results have the same bits.
func sameResult[T vec.Float](a, b *Result[T]) bool {
	return a.Outcome == b.Outcome && slices.Equal(a.Duals.Data, b.Duals.Data) &&
		slices.Equal(a.Weights().Data, b.Weights().Data) && slices.Equal(a.Bias(), b.Bias())
}
