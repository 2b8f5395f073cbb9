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
	weights    []float64
	room       vec.Matrix[T] // whose first n rows and columns it is
}

// Mix returns a Mixture whose weights are all 0, or an error where n² numbers are beyond what this machine can address.
func (b *Bundle[T]) Mix() (*Mixture[T], error) { return b.MixRoom(b.n) }

// MixRoom is Mix with memory for the square of room numbers, if room > n: Extend then takes no more.
func (b *Bundle[T]) MixRoom(room int) (*Mixture[T], error) {
	if room = max(room, b.n); !squareFits(room) {
		return nil, fmt.Errorf("kernel: a matrix of %d examples is beyond this machine's memory", room)
	}
	k := aligned[T](room, room)
	pages.Huge(k.Data)
	return &Mixture[T]{mixed(k, b.n), b, make([]float64, len(b.kernels)), k}, nil
}

// mixed returns the matrix of the first n rows and columns of room.
func mixed[T vec.Float](room vec.Matrix[T], n int) *Matrix[T] {
	return given(room.Slice(0, n, 0, n), roundings[T]())
}

// Weigh sets the weights, by workers goroutines, 0 for all cores. Each pair of examples is evaluated once, by kernels
// whose weight is not 0 in T. The bits are the same for any number of goroutines. It panics where the numbers of
// weights and of kernels differ, or workers is negative.
func (m *Mixture[T]) Weigh(weights []float64, workers int) {
	if len(weights) != len(m.weights) {
		panic(shape.Errorf("kernel: Mixture.Weigh", "%d weights for %d kernels", len(weights), len(m.weights)))
	}
	copy(m.weights, weights)
	m.weigh("Mixture.Weigh", 0, workers)
}

// Extend returns the Mixture of b with the weights of m, whose examples are the first ones of b, by workers goroutines,
// 0 for all cores: only pairs with the others are evaluated. m must not be used any more: its memory is used again,
// where there is room. The bits are Weigh's. It returns an error where Mix does, and panics where b has fewer examples
// than m or another number of kernels, or workers is negative.
func (m *Mixture[T]) Extend(b *Bundle[T], workers int) (*Mixture[T], error) {
	if b.n < m.n || len(b.kernels) != len(m.weights) {
		panic(shape.Errorf("kernel: Mixture.Extend", "%d examples and %d kernels for a mixture of %d and %d",
			b.n, len(b.kernels), m.n, len(m.weights)))
	}
	e := &Mixture[T]{b: b, weights: m.weights, room: m.room}
	if b.n <= m.room.Rows {
		e.Matrix = mixed(m.room, b.n)
	} else {
		var err error
		if e, err = b.Mix(); err != nil {
			return nil, err
		}
		e.weights = m.weights
		for i := range m.n {
			copy(e.room.Row(i), m.room.Row(i)[:m.n])
		}
	}
	e.weigh("Mixture.Extend", m.n, workers)
	return e, nil
}

// weigh computes the rows and columns from first on.
func (m *Mixture[T]) weigh(function string, first, workers int) {
	workers, err := parallel.Cores(workers, m.n)
	if err != nil {
		panic(shape.Errorf("kernel: "+function, "%v", err))
	}
	k := m.room.Slice(0, m.n, 0, m.n)
	m.b.lower(first, workers, lowerVisit[T]{
		wanted: func(k int) bool { return T(m.weights[k]) != 0 },
		begin: func(_, _, from, to int) {
			for i := from; i < to; i++ {
				clear(k.Row(i)[:i+1])
			}
		},
		value: func(_, _, j int, kernel Kernel, row, column int, products []T, t *bundlePiece[T]) {
			addValues(kernel, m.weights[j], t, 0, k.Row(row)[column:column+len(products)], products, t.near)
		},
	})
	mirror(k, first, workers)
}

// mirror copies what is below the diagonal, in the rows from first on, to above it, tile by tile through a buffer, so
// that both are read and written by whole cache lines.
func mirror[T vec.Float](k vec.Matrix[T], first, workers int) {
	const edge = 64
	count := (k.Rows - first + edge - 1) / edge
	parallel.Do(workers, count, func(_, q int) {
		var tile [edge][edge]T
		i0, i1 := first+q*edge, min(first+(q+1)*edge, k.Rows)
		for j0 := 0; j0 < i1; j0 += edge {
			j1 := min(j0+edge, i1)
			for i := max(i0, j0); i < i1; i++ {
				for c, v := range k.Row(i)[j0:min(j1, i+1)] {
					tile[c][i-i0] = v
				}
			}
			for j := j0; j < j1; j++ {
				if above := max(i0, j+1); above < i1 {
					copy(k.Row(j)[above:i1], tile[j-j0][above-i0:i1-i0])
				}
			}
		}
	})
}
