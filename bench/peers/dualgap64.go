package main

import "github.com/dualgap/dualgap/vec"

// dualgap64 is dualgap32 in double precision.
var dualgap64 = map[string]loop[float64]{
	"Dot": func(p *operands[float64], iters int) {
		for range iters {
			p.out = vec.Dot64(p.x, p.y)
		}
	},
	"Axpy": func(p *operands[float64], iters int) {
		for range iters {
			vec.Axpy64(p.alpha, p.x, p.y)
		}
	},
	"SquaredDistance": func(p *operands[float64], iters int) {
		for range iters {
			p.out = vec.SquaredDistance64(p.x, p.y)
		}
	},
	"SquaredNorm": func(p *operands[float64], iters int) {
		for range iters {
			p.out = vec.SquaredNorm(p.x)
		}
	},
	"Sum": func(p *operands[float64], iters int) {
		for range iters {
			p.out = vec.Sum(p.x)
		}
	},
	"AbsSum": func(p *operands[float64], iters int) {
		for range iters {
			p.out = vec.AbsSum(p.x)
		}
	},
	"Scale": func(p *operands[float64], iters int) {
		for range iters {
			vec.Scale(p.alpha, p.x)
		}
	},
	"Exp": func(p *operands[float64], iters int) {
		for range iters {
			vec.Exp(p.y, p.x)
		}
	},
	"Log": func(p *operands[float64], iters int) {
		for range iters {
			vec.Log(p.y, p.x)
		}
	},
	"Ger": func(p *operands[float64], iters int) {
		for range iters {
			vec.Ger(p.alpha, p.x, p.y, p.a)
		}
	},
	"Gemv": func(p *operands[float64], iters int) {
		for range iters {
			vec.Gemv(p.alpha, p.a, p.x, 0, p.y)
		}
	},
	"GemvT": func(p *operands[float64], iters int) {
		for range iters {
			vec.GemvT(p.alpha, p.a, p.x, 0, p.y)
		}
	},
}
