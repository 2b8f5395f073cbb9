package core

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Scratch is what one goroutine needs for scores.
type Scratch[T vec.Float] struct {
	rows    []int         // of a block
	X       vec.Matrix[T] // those examples
	Z       vec.Matrix[T] // the same less a mean
	Support vec.Matrix[T] // some support vectors less the mean
	Norms   []T
	Values  vec.Matrix[T] // of the kernel

	// A sparse example.
	Columns []int32
	Numbers []T
}

// EachBlock calls do for blocks of dst, cleared, of at most size rows, and the examples that they belong to: rows, nil
// for all in order. Blocks, and so the bits, are the same for any number of goroutines.
func EachBlock[T vec.Float](dst vec.Matrix[T], rows []int, size, workers int,
	do func(w int, part vec.Matrix[T], some []int, s *Scratch[T])) {
	blocks := shape.Pieces(dst.Rows, size)
	scratches := make([]Scratch[T], max(1, min(workers, blocks)))
	parallel.Do(workers, blocks, func(w, b int) {
		s, from, to := &scratches[w], b*size, min((b+1)*size, dst.Rows)
		s.rows = s.rows[:0]
		for p := from; p < to; p++ {
			if rows == nil {
				s.rows = append(s.rows, p)
			} else {
				s.rows = append(s.rows, rows[p])
			}
			clear(dst.Row(p))
		}
		do(w, dst.Slice(from, to, 0, dst.Cols), s.rows, s)
	})
}
