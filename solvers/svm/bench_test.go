package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// drawDocuments draws n documents of 75 words of 47236, frequent ones more often, of norm 1, and the scores that a
// linear model gives them, with noise.
func drawDocuments[T vec.Float](n int) (*dataset.CSR[T], []float64) {
	const d, nnz, head = 47236, 75, 17
	rng := rand.New(rand.NewPCG(23, 24))
	teacher, scores := make([]float64, d), make([]float64, n)
	for j := range teacher {
		teacher[j] = rng.NormFloat64()
	}
	x, seen := &dataset.CSR[T]{Rows: n, Cols: d, Ptr: []int{0}}, make([]int, d)
	for i := range n {
		score, square, from := 0.0, 0.0, len(x.Idx)
		for len(x.Idx) < from+nnz {
			if j := int(head * (math.Pow(1+d/head, rng.Float64()) - 1)); seen[j] <= i {
				seen[j] = i + 1
				x.Idx, x.Val = append(x.Idx, int32(j)), append(x.Val, 0)
			}
		}
		slices.Sort(x.Idx[from:])
		for k, j := range x.Idx[from:] {
			v := .1 + rng.Float64()
			score, square = score+v*teacher[j], square+v*v
			x.Val[from+k] = T(v)
		}
		vec.Scale(T(1/math.Sqrt(square)), x.Val[from:])
		x.Ptr = append(x.Ptr, len(x.Val))
		scores[i] = score/math.Sqrt(square) + .1*rng.NormFloat64()
	}
	return x, scores
}

// BenchmarkFit trains to 1e-2 on documents, and on short dense rows.
func BenchmarkFit(b *testing.B) {
	b.Run("type=f32", benchmarkFit[float32])
	b.Run("type=f64", benchmarkFit[float64])
}

func benchmarkFit[T vec.Float](b *testing.B) {
	documents, scores := drawDocuments[T](20000)
	rng := rand.New(rand.NewPCG(25, 26))
	short := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](20000, 20)}
	targets := make([]float64, short.Rows)
	for i := range short.Rows {
		for j := range short.Cols {
			short.Row(i)[j] = T(rng.NormFloat64())
		}
		targets[i] = float64(short.Row(i)[0]-short.Row(i)[1]) + .5*rng.NormFloat64()
	}
	for _, data := range []struct {
		name    string
		x       design.Matrix[T]
		targets []float64
	}{{"documents", documents, scores}, {"short", short, targets}} {
		y := make([]int, len(data.targets))
		for i, v := range data.targets {
			if v > 0 {
				y[i] = 1
			}
		}
		for _, l := range []Loss{Hinge, SquaredHinge, Insensitive, SquaredInsensitive} {
			p := Problem[T]{X: data.x, Y: y}
			if l.ofTargets() {
				p = Problem[T]{X: data.x, Targets: data.targets}
			}
			b.Run("data="+data.name+"/loss="+l.String(), func(b *testing.B) {
				for b.Loop() {
					r, err := p.Fit(context.Background(), Config{Loss: l, Tol: 1e-2, Workers: 1})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(r.Visits)/float64(len(y)), "passes")
				}
			})
		}
	}
}
