package kernel

import (
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// givenMatrix is a precomputed matrix as a group of a Bundle sees it, or some of its rows and columns.
type givenMatrix[T vec.Float] interface {
	// row returns K[i, cols], nil standing for the first count columns. It is written to room or read where it lies.
	row(room []T, i int, cols []int, count int) []T

	subset(rows []int) givenMatrix[T]
	widen() givenMatrix[float64]
	matrix() *Matrix[T] // nil where its numbers have been converted
	off() float64       // see Rounding
}

// givenNumbers is the numbers of a matrix of type S, converted to type T.
type givenNumbers[T, S vec.Float] struct {
	k        vec.Matrix[S]
	examples []int // of k; nil: all
}

// givenOf returns the numbers of a precomputed matrix, which may be a Subset.
func givenOf[T vec.Float](m *Matrix[T]) givenMatrix[T] {
	var examples []int
	if s, ok := m.source.(subset[T]); ok {
		m, examples = s.whole, s.examples
	}
	return givenNumbers[T, T]{m.source.(numbers[T]).k, examples}
}

func (g givenNumbers[T, S]) row(room []T, i int, cols []int, count int) []T {
	if g.examples != nil {
		i = g.examples[i]
	}
	row := g.k.Row(i)
	if g.examples == nil && cols == nil {
		if same, ok := any(row).([]T); ok {
			return same[:count]
		}
		vec.Convert(room[:count], row[:count])
		return room[:count]
	}
	for q := range count {
		j := q
		if cols != nil {
			j = cols[q]
		}
		if g.examples != nil {
			j = g.examples[j]
		}
		room[q] = T(row[j])
	}
	return room[:count]
}

func (g givenNumbers[T, S]) subset(rows []int) givenMatrix[T] {
	examples := slices.Clone(rows)
	if g.examples != nil {
		choose(examples, g.examples, rows)
	}
	return givenNumbers[T, S]{g.k, examples}
}

func (g givenNumbers[T, S]) widen() givenMatrix[float64] { return givenNumbers[float64, S](g) }

func (g givenNumbers[T, S]) off() float64 { return roundings[S]() }

func (g givenNumbers[T, S]) matrix() *Matrix[T] {
	k, ok := any(g.k).(vec.Matrix[T])
	if !ok {
		return nil
	}
	m := given(k, roundings[T]())
	if g.examples != nil {
		m, _ = m.Subset(g.examples) // sound, or there were no such group
	}
	return m
}
