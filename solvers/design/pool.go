package design

import (
	"sync"

	"github.com/dualgap/dualgap/vec"
)

// pool holds memory for the calls of a wrapper, and of its windows.
type pool[T vec.Float] struct{ sync.Pool }

// scratch is memory for one call, with numbers left by earlier ones.
type scratch[T vec.Float] struct {
	numbers []T
	rows    []int
}

// get returns memory for as many numbers and rows as it is told.
func (p *pool[T]) get(numbers, rows int) *scratch[T] {
	s, _ := p.Get().(*scratch[T])
	if s == nil {
		s = new(scratch[T])
	}
	if cap(s.numbers) < numbers {
		s.numbers = make([]T, numbers)
	}
	if cap(s.rows) < rows {
		s.rows = make([]int, rows)
	}
	s.numbers, s.rows = s.numbers[:numbers], s.rows[:rows]
	return s
}

func (p *pool[T]) put(s *scratch[T]) { p.Put(s) }
