package cases

import "github.com/dualgap/dualgap/vec"

func matrixRows[T vec.Float]() []Kernel[T] {
	bench := [][]int{{784, 10}, {784, 100}, {4096, 1000}}
	peers := [][]int{{64, 64}, {10, 784}, {784, 10}, {784, 100}, {4096, 1000}}
	return []Kernel[T]{
		{
			Name: "Ger", bench: bench, peers: peers, shape: rowsFirst, costs: costs{moved: update, held: matrix,
				flops: mn2},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.Ger(p.Alpha, p.X, p.Y, p.A)
				}
			},
			Plain: each(func(p *Operands[T]) {
				for i, v := range p.X {
					axpy(p.Alpha*v, p.Y, p.A.Row(i))
				}
			}),
		},
		{
			Name: "Gemv", bench: bench, peers: peers, shape: columnsFirst, costs: costs{moved: matrix, flops: mn2},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.Gemv(p.Alpha, p.A, p.X, 0, p.Y)
				}
			},
			Plain: each(func(p *Operands[T]) {
				for i := range p.Y {
					p.Y[i] = p.Alpha * dot(p.A.Row(i), p.X)
				}
			}),
		},
		{
			Name: "GemvT", bench: bench, peers: peers, shape: rowsFirst, costs: costs{moved: matrix, flops: mn2},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.GemvT(p.Alpha, p.A, p.X, 0, p.Y)
				}
			},
			Plain: each(func(p *Operands[T]) {
				clear(p.Y)
				for i, v := range p.X {
					axpy(p.Alpha*v, p.A.Row(i), p.Y)
				}
			}),
		},
	}
}
