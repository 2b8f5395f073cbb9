package active

import (
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Part returns the kernel matrix of some of the examples of k. A kernel of few active examples is best held compact; a
// given matrix has its numbers anyway.
func Part[T vec.Float](k *kernel.Matrix[T], rows []int) (*kernel.Matrix[T], error) {
	if k.Kernel() == nil {
		return k.Subset(rows)
	}
	return k.Compact(rows), nil
}

// Activate makes the examples of k rows the active ones of s, and returns their matrix. now is the matrix of the
// examples that are active so far, nil where there is none: what it knows of the examples that come first among rows is
// kept.
func Activate[T vec.Float](s *Set, k, now *kernel.Matrix[T], rows []int, workers int) (part *kernel.Matrix[T],
	err error) {
	if now == nil || k.Kernel() == nil {
		part, err = Part(k, rows)
	} else {
		var keep []int // places
		for _, i := range rows {
			if s.Place(i) < 0 {
				break
			}
			keep = append(keep, s.Place(i))
		}
		part = now.Renew(keep, rows[len(keep):], workers)
	}
	if err == nil {
		s.Activate(rows)
	}
	return part, err
}
