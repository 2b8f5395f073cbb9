package main

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// gomath calls the standard library element by element, which for float32 goes through float64.
func gomath[T vec.Float]() library[T] {
	each := func(f func(float64) float64) loop[T] {
		return func(p *operands[T], iters int) {
			for range iters {
				for i, v := range p.x {
					p.y[i] = T(f(float64(v)))
				}
			}
		}
	}
	return library[T]{"math", map[string]loop[T]{"Exp": each(math.Exp), "Log": each(math.Log)}}
}
