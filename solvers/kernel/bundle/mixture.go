package bundle

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/pages"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Mixture is the kernel matrix Σ_k weights[k] K_k of all examples of a Bundle, n² numbers in memory, for solvers that
// change the weights as they go. While Weigh runs no one else may use it.
type Mixture[T vec.Float] struct {
	*kernel.Matrix[T] // as a precomputed one
	b                 *Bundle[T]
	weights           []float64
	room              vec.Matrix[T] // whose first n rows and columns it is
}

// Mix returns a Mixture whose weights are all 0, with memory for the square of room numbers, if room > n: Extend then
// takes no more. It returns an error where that is beyond what this machine can address.
func (b *Bundle[T]) Mix(room int) (*Mixture[T], error) {
	room = max(room, b.n)
	if uint64(room) > uint64(math.Sqrt(min(math.MaxInt, 1<<47)/8)) {
		return nil, fmt.Errorf("bundle: a matrix of %d examples is beyond this machine's memory", room)
	}
	k := core.Aligned[T](room, room)
	pages.Huge(k.Data)
	return mixture(b, make([]float64, b.kernels), k), nil
}

// mixture returns the Mixture in the first n rows and columns of room.
func mixture[T vec.Float](b *Bundle[T], weights []float64, room vec.Matrix[T]) *Mixture[T] {
	return &Mixture[T]{kernel.Unchecked(room.Slice(0, b.n, 0, b.n)), b, weights, room}
}

// Weigh sets the weights, by workers goroutines, 0 for all cores. Each pair of examples is evaluated once, by kernels
// whose weight is not 0 in T. The bits are the same for any number of goroutines. It panics where the numbers of
// weights and of kernels differ, or workers is negative.
func (m *Mixture[T]) Weigh(weights []float64, workers int) {
	if len(weights) != len(m.weights) {
		panic(shape.Errorf("bundle: Mixture.Weigh", "%d weights for %d kernels", len(weights), len(m.weights)))
	}
	copy(m.weights, weights)
	m.weigh("Mixture.Weigh", 0, workers)
}

// Extend returns the Mixture of b with the weights of m, whose examples are the first ones of b, by workers goroutines,
// 0 for all cores: only pairs with the others are evaluated. m must not be used any more: its memory is used again,
// where there is room. The bits are Weigh's. It returns an error where Mix does, and panics where b has fewer examples
// than m or another number of kernels, or workers is negative.
func (m *Mixture[T]) Extend(b *Bundle[T], workers int) (*Mixture[T], error) {
	if b.n < m.Len() || b.kernels != len(m.weights) {
		panic(shape.Errorf("bundle: Mixture.Extend", "%d examples and %d kernels for a mixture of %d and %d",
			b.n, b.kernels, m.Len(), len(m.weights)))
	}
	room := m.room
	if b.n > room.Rows {
		larger, err := b.Mix(b.n)
		if err != nil {
			return nil, err
		}
		room = larger.room
		for i := range m.Len() {
			copy(room.Row(i), m.room.Row(i)[:m.Len()])
		}
	}
	e := mixture(b, m.weights, room)
	e.weigh("Mixture.Extend", m.Len(), workers)
	return e, nil
}

// weigh computes the rows and columns from first on.
func (m *Mixture[T]) weigh(function string, first, workers int) {
	workers, err := parallel.Cores(workers, m.Len())
	if err != nil {
		panic(shape.Errorf("bundle: "+function, "%v", err))
	}
	k := m.room.Slice(0, m.Len(), 0, m.Len())
	m.b.eachPair(first, workers, pairVisit[T]{
		wanted: func(k int) bool { return T(m.weights[k]) != 0 },
		begin: func(_, _, from, to int) {
			for i := from; i < to; i++ {
				clear(k.Row(i)[:i+1])
			}
		},
		value: func(_, q int, p *piece[T]) { p.addTo(k.Row(first+q*StripeRows+p.place), m.weights[p.k]) },
	})
	mirror(k, first, workers)
}

// mirror copies what is below the diagonal, in the rows from first on, to above it, by tiles.
func mirror[T vec.Float](k vec.Matrix[T], first, workers int) {
	const edge = 64
	count := shape.Pieces(k.Rows-first, edge)
	parallel.Do(workers, count, func(_, q int) {
		i0, i1 := first+q*edge, min(first+(q+1)*edge, k.Rows)
		for j0 := 0; j0 < i0; j0 += edge {
			j1 := min(j0+edge, i0)
			unchecked.Transpose(k.Slice(j0, j1, i0, i1), k.Slice(i0, i1, j0, j1))
		}
		for i := i0; i < i1; i++ {
			for j, v := range k.Row(i)[i0:i] {
				k.Row(i0 + j)[i] = v
			}
		}
	})
}
