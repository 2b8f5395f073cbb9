package kernel

import (
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// GivenProducts is for package bundle: the numbers of a matrix that Precomputed or FromDistances returned, or of a
// Subset of such, in the place of products, of which nothing is copied. Another matrix is an error.
func GivenProducts[T vec.Float](m *Matrix[T]) (core.Given[T], error) {
	if m.k != nil {
		return nil, fmt.Errorf("kernel: the matrix of a %T, want one that is given: of a kernel, give features", m.k)
	}
	var examples []int
	if s, ok := m.source.(subset[T]); ok {
		m, examples = s.whole, s.examples
	}
	return givenProducts[T, T]{m.from().(numbers[T]).k, examples}, nil
}

// givenProducts are the numbers of a matrix of type S, or of some of its rows and columns, converted to type T.
type givenProducts[T, S vec.Float] struct {
	k        vec.Matrix[S]
	examples []int // nil: all
}

func (g givenProducts[T, S]) Len() int {
	if g.examples == nil {
		return g.k.Rows
	}
	return len(g.examples)
}

func (g givenProducts[T, S]) Room() int { return g.Len() }

func (g givenProducts[T, S]) Diagonal(dst []T, _ int) {
	for i := range dst {
		j := g.example(i)
		dst[i] = T(g.k.Row(j)[j])
	}
}

func (g givenProducts[T, S]) example(i int) int {
	if g.examples == nil {
		return i
	}
	return g.examples[i]
}

func (g givenProducts[T, S]) Rounding(int) (worst, typical float64) { return roundings[S](), 0 }

func (g givenProducts[T, S]) Compact(examples []int, _ bool) core.Products[T] {
	list := slices.Clone(examples)
	for p, i := range examples {
		list[p] = g.example(i)
	}
	return givenProducts[T, S]{g.k, list}
}

func (g givenProducts[T, S]) Float64() (core.Products[float64], error) {
	return givenProducts[float64, S](g), nil
}

func (g givenProducts[T, S]) Prepare(int) {}

func (g givenProducts[T, S]) Held() bool { return true }

func (g givenProducts[T, S]) Prefix() bool { return true }

func (g givenProducts[T, S]) Values(room []T, i int, examples []int) []T {
	row, room := g.k.Row(g.example(i)), room[:len(examples)]
	if g.examples == nil {
		unchecked.Take(room, row, examples)
		return room
	}
	for q, j := range examples {
		room[q] = T(row[g.examples[j]])
	}
	return room
}

// first returns K[i, :count], in room or where it lies.
func (g givenProducts[T, S]) first(room []T, i, count int) []T {
	row := g.k.Row(g.example(i))
	if g.examples != nil {
		unchecked.Take(room[:count], row, g.examples[:count])
		return room[:count]
	}
	if same, ok := any(row).([]T); ok {
		return same[:count]
	}
	vec.Convert(room[:count], row[:count])
	return room[:count]
}
