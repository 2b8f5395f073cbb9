package kernels

import (
	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

const topKSimplex = "TopKSimplex"

// ours are the kernels of this module, by name.
func ours[T vec.Float]() map[string]loop[T] {
	return map[string]loop[T]{
		"Dot": func(p *operands[T], iters int) {
			for range iters {
				p.out = vec.Dot(p.x, p.y)
			}
		},
		"SquaredDistance": func(p *operands[T], iters int) {
			for range iters {
				p.out = vec.SquaredDistance(p.x, p.y)
			}
		},
		"SquaredNorm": func(p *operands[T], iters int) {
			for range iters {
				p.out = vec.SquaredNorm(p.x)
			}
		},
		"Sum": func(p *operands[T], iters int) {
			for range iters {
				p.out = vec.Sum(p.x)
			}
		},
		"AbsSum": func(p *operands[T], iters int) {
			for range iters {
				p.out = vec.AbsSum(p.x)
			}
		},
		"Scale": func(p *operands[T], iters int) {
			for range iters {
				vec.Scale(p.alpha, p.x)
			}
		},
		"Axpy": func(p *operands[T], iters int) {
			for range iters {
				vec.Axpy(p.alpha, p.x, p.y)
			}
		},
		"Ger": func(p *operands[T], iters int) {
			for range iters {
				vec.Ger(p.alpha, p.x, p.y, p.a)
			}
		},
		"Gemv": func(p *operands[T], iters int) {
			for range iters {
				vec.Gemv(p.alpha, p.a, p.x, 0, p.y)
			}
		},
		"GemvT": func(p *operands[T], iters int) {
			for range iters {
				vec.GemvT(p.alpha, p.a, p.x, 0, p.y)
			}
		},
		"Gemm": func(p *operands[T], iters int) {
			for range iters {
				vec.Gemm(vec.NoTrans, vec.NoTrans, p.alpha, p.a, p.b, 0, p.c)
			}
		},
		"Exp": func(p *operands[T], iters int) {
			for range iters {
				vec.Exp(p.y, p.x)
			}
		},
		"Log": func(p *operands[T], iters int) {
			for range iters {
				vec.Log(p.y, p.x)
			}
		},
		"Sort": func(p *operands[T], iters int) {
			for range iters {
				copy(p.y, p.x)
				vec.Sort(p.y)
			}
		},
		topKSimplex: func(p *operands[T], iters int) {
			for range iters {
				project.TopKSimplex(p.y, p.x, p.k, 1, 1, &p.work)
			}
		},
	}
}
