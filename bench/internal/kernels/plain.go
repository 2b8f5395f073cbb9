package kernels

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// plain are the loops that one writes in Go without a library, by name.
func plain[T vec.Float]() map[string]loop[T] {
	dot := func(x, y []T) (sum T) {
		for i, v := range x {
			sum += v * y[i]
		}
		return sum
	}
	axpy := func(alpha T, x, y []T) {
		for i, v := range x {
			y[i] += alpha * v
		}
	}
	return map[string]loop[T]{
		"Dot": each(func(p *operands[T]) { p.out = dot(p.x, p.y) }),
		"SquaredDistance": each(func(p *operands[T]) {
			var sum T
			for i, v := range p.x {
				d := v - p.y[i]
				sum += d * d
			}
			p.out = sum
		}),
		"SquaredNorm": each(func(p *operands[T]) { p.out = dot(p.x, p.x) }),
		"Sum": each(func(p *operands[T]) {
			var sum T
			for _, v := range p.x {
				sum += v
			}
			p.out = sum
		}),
		"AbsSum": each(func(p *operands[T]) {
			var sum T
			for _, v := range p.x {
				sum += T(math.Abs(float64(v)))
			}
			p.out = sum
		}),
		"Scale": each(func(p *operands[T]) {
			for i := range p.x {
				p.x[i] *= p.alpha
			}
		}),
		"Axpy": each(func(p *operands[T]) { axpy(p.alpha, p.x, p.y) }),
		"Ger": each(func(p *operands[T]) {
			for i, v := range p.x {
				axpy(p.alpha*v, p.y, p.a.Row(i))
			}
		}),
		"Gemv": each(func(p *operands[T]) {
			for i := range p.y {
				p.y[i] = p.alpha * dot(p.a.Row(i), p.x)
			}
		}),
		"GemvT": each(func(p *operands[T]) {
			clear(p.y)
			for i, v := range p.x {
				axpy(p.alpha*v, p.a.Row(i), p.y)
			}
		}),
		"Gemm": each(func(p *operands[T]) {
			clear(p.c.Data)
			for i := range p.a.Rows {
				for l, v := range p.a.Row(i) {
					axpy(p.alpha*v, p.b.Row(l), p.c.Row(i))
				}
			}
		}),
		"Exp": each(func(p *operands[T]) {
			for i, v := range p.x {
				p.y[i] = T(math.Exp(float64(v)))
			}
		}),
		"Log": each(func(p *operands[T]) {
			for i, v := range p.x {
				p.y[i] = T(math.Log(float64(v)))
			}
		}),
		"Sort": each(func(p *operands[T]) {
			copy(p.y, p.x)
			slices.Sort(p.y)
		}),
	}
}

func each[T vec.Float](call func(p *operands[T])) loop[T] {
	return func(p *operands[T], iters int) {
		for range iters {
			call(p)
		}
	}
}
