package kernel

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/pages"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Mixture is the kernel matrix Σ_k weights[k] K_k of all examples of a Bundle, n² numbers in memory, for solvers that
// change the weights as they go. While Weigh runs no one else may use it.
type Mixture[T vec.Float] struct {
	*Matrix[T] // as a precomputed one
	b          *Bundle[T]
	weights    []T
}

// Mix returns a Mixture whose weights are all 0, or an error where n² numbers are beyond what this machine can address.
func (b *Bundle[T]) Mix() (*Mixture[T], error) {
	if !squareFits(b.n) {
		return nil, fmt.Errorf("kernel: a matrix of %d examples is beyond this machine's memory", b.n)
	}
	k := aligned[T](b.n, b.n)
	pages.Huge(k.Data)
	return &Mixture[T]{Matrix: given(k), b: b, weights: make([]T, len(b.kernels))}, nil
}

// Weigh sets the weights, by so many goroutines, 0 for all cores. Each pair of examples is evaluated once, by kernels
// whose weight is not 0 in T. The bits are the same for any number of goroutines. It panics where the numbers of
// weights and of kernels differ, or workers is negative.
func (m *Mixture[T]) Weigh(weights []float64, workers int) {
	if len(weights) != len(m.weights) {
		panic(shape.Errorf("kernel: Mixture.Weigh", "%d weights for %d kernels", len(weights), len(m.weights)))
	}
	workers, err := parallel.Cores(workers)
	if err != nil {
		panic(shape.Errorf("kernel: Mixture.Weigh", "%v", err))
	}
	for k, v := range weights {
		m.weights[k] = T(v)
	}
	k := m.given
	m.b.lower(workers, func(k int) bool { return m.weights[k] != 0 },
		func(_, _, from, to int) {
			for i := from; i < to; i++ {
				clear(k.Row(i)[:i+1])
			}
		},
		func(_, _, j int, kernel Kernel, row, column int, products []T, t *bundlePiece[T]) {
			addValues(kernel, weights[j], t, 0, k.Row(row)[column:column+len(products)], products, t.near)
		})
	mirror(k, workers)
}

// mirror copies what is below the diagonal to above it, tile by tile through a buffer, so that both are read and
// written by whole cache lines.
func mirror[T vec.Float](k vec.Matrix[T], workers int) {
	const edge = 64
	count := (k.Rows + edge - 1) / edge
	parallel.Do(workers, count, func(_, q int) {
		var tile [edge][edge]T
		i0, i1 := q*edge, min((q+1)*edge, k.Rows)
		for j0 := 0; j0 <= i0; j0 += edge {
			j1 := min(j0+edge, k.Rows)
			for i := i0; i < i1; i++ {
				for c, v := range k.Row(i)[j0:min(j1, i+1)] {
					tile[c][i-i0] = v
				}
			}
			for j := j0; j < j1; j++ {
				if first := max(i0, j+1); first < i1 {
					copy(k.Row(j)[first:i1], tile[j-j0][first-i0:i1-i0])
				}
			}
		}
	})
}
