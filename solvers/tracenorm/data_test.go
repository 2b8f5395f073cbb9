package tracenorm

import (
	"context"
	"fmt"
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

// sample is a problem that is drawn: examples whose mean is not 0, with about a third of their numbers 0, and classes
// that go by scores of rank 2 with noise. Each class has an example where there are as many.
type sample struct {
	x vec.Matrix[float64]
	y []int
	k int
}

func draw(seed uint64, n, d, k int) sample {
	rng := rand.New(rand.NewPCG(seed, 17))
	s := sample{vec.NewMatrix[float64](n, d), make([]int, n), k}
	u, v := vec.NewMatrix[float64](d, 2), vec.NewMatrix[float64](k, 2)
	for _, a := range []vec.Matrix[float64]{s.x, u, v} {
		for i := range a.Data {
			a.Data[i] = rng.NormFloat64()
		}
	}
	scores := make([]float64, k)
	for i := range s.y {
		x := s.x.Row(i)
		for j := range x {
			if x[j] += .5; rng.IntN(3) == 0 {
				x[j] = 0
			}
		}
		for l := range scores {
			scores[l] = rng.NormFloat64()
			for j := range x {
				scores[l] += x[j] * vec.Dot(u.Row(j), v.Row(l))
			}
		}
		if s.y[i] = vec.ArgMax(scores); i < k {
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

// forms returns the examples in every storage: dense, sparse and, for float32, as codes.
func forms[T vec.Float](t testing.TB, s sample) map[string]design.Matrix[T] {
	t.Helper()
	x := dense[T](s)
	sparse, err := x.CSR()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]design.Matrix[T]{"dense": x, "sparse": sparse}
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
	return fmt.Sprintf("%v, rank %d", r.Outcome, len(r.Spectrum))
}

// sameResult reports whether two results have the same bits.
func sameResult[T vec.Float](a, b *Result[T]) bool {
	au, av := a.Factors()
	bu, bv := b.Factors()
	return a.Outcome == b.Outcome && slices.Equal(a.Spectrum, b.Spectrum) && slices.Equal(a.Duals.Data, b.Duals.Data) &&
		slices.Equal(au.Data, bu.Data) && slices.Equal(av.Data, bv.Data) && slices.Equal(a.Bias(), b.Bias())
}
