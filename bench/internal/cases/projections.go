package cases

import (
	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

func projections[T vec.Float]() []Kernel[T] {
	return []Kernel[T]{{
		Name: "TopKSimplex", bench: [][]int{{0, 10, 3}, {0, 100, 5}, {0, 1000, 10}}, shape: two,
		costs: costs{moved: n2},
		fill:  normal[T], PureGo: true,
		Ours: func(p *Operands[T], iters int) {
			for range iters {
				project.TopKSimplex(p.Y, p.X, p.k, 1, 1, &p.work)
			}
		},
	}}
}
