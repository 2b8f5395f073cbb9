package main

import (
	"math"
	"strings"

	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/mat"
)

// plain computes a kernel once, by its definition. Its results are what every library must agree with.
func plain[T vec.Float](kernel string, p *operands[T]) {
	term := map[string]func(x, y T) T{
		"Dot":             func(x, y T) T { return x * y },
		"SquaredDistance": func(x, y T) T { return (x - y) * (x - y) },
		"SquaredNorm":     func(x, _ T) T { return x * x },
		"Sum":             func(x, _ T) T { return x },
		"AbsSum":          func(x, _ T) T { return T(math.Abs(float64(x))) },
	}[kernel]
	d, decomposition := decompositions[kernel]
	product, ok := products[kernel]
	switch {
	case ok:
		plainProduct(product, p)
	case decomposition:
		p.out = T(d.plain(mat.NewDense(p.a.Rows, p.a.Cols, any(p.a.Data).([]float64))))
	case searches[T]()[kernel] != nil:
		searches[T]()[kernel](p)
	case strings.HasPrefix(kernel, "Sparse"):
		p.sparsePlainly()
	case p.turns > 0:
		p.sortPlainly()
	case term != nil:
		for i := range p.x {
			p.out += term(p.x[i], p.y[i])
		}
	case kernel == "Axpy":
		for i := range p.x {
			p.y[i] += p.alpha * p.x[i]
		}
	case kernel == "Exp":
		for i, x := range p.x {
			p.y[i] = T(math.Exp(float64(x)))
		}
	case kernel == "Log":
		for i, x := range p.x {
			p.y[i] = T(math.Log(float64(x)))
		}
	case kernel == "Scale":
		for i := range p.x {
			p.x[i] *= p.alpha
		}
	default:
		if kernel != "Ger" {
			clear(p.y)
		}
		for i := range p.a.Rows {
			for j, a := range p.a.Row(i) {
				switch kernel {
				case "Ger":
					p.a.Row(i)[j] += p.alpha * p.x[i] * p.y[j]
				case "Gemv":
					p.y[i] += p.alpha * a * p.x[j]
				case "GemvT":
					p.y[j] += p.alpha * a * p.x[i]
				}
			}
		}
	}
}
