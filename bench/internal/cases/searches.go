package cases

import "github.com/dualgap/dualgap/vec"

// Above is the threshold of the kernels that have one: one element in six is greater.
const Above = 0.5

// searches look for something in a vector: its maximum, or what lies above the threshold. FilterAbove writes y and
// positions, and leaves what it likes behind the elements found.
func searches[T vec.Float]() []Kernel[T] {
	sizes := lengths(10, 100, 1024, 65536)
	return []Kernel[T]{
		{
			// It would matter to some how often the maximum is there.
			Name: "Max", peers: sizes, shape: one, costs: costs{moved: n1}, fill: normal[T],
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					p.Out = vec.Max(p.X)
				}
			},
			Plain: each(func(p *Operands[T]) {
				p.Out = p.X[0]
				for _, v := range p.X {
					p.Out = max(p.Out, v)
				}
			}),
		},
		{
			Name: "ArgMax", peers: sizes, shape: one, costs: costs{moved: n1}, fill: normal[T],
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					p.Out = T(vec.ArgMax(p.X))
				}
			},
			Plain: each(func(p *Operands[T]) {
				arg := 0
				for i, v := range p.X {
					if v > p.X[arg] {
						arg = i
					}
				}
				p.Out = T(arg)
			}),
		},
		{
			Name: "SumAbove", peers: sizes, shape: one, costs: costs{moved: n1},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					sum, count := vec.SumAbove(p.X, Above)
					p.Out = sum + T(count)
				}
			},
			Plain: each(func(p *Operands[T]) {
				p.Out = 0
				for _, v := range p.X {
					if v > Above {
						p.Out += v - Above + 1
					}
				}
			}),
		},
		{
			Name: "FilterAbove", peers: sizes, shape: filtered, costs: costs{moved: n2},
			settle: func(p *Operands[T]) {
				clear(p.Y[int(p.Out):])
				clear(p.Idx[int(p.Out):])
			},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					p.Out = T(vec.FilterAbove(p.Y, p.Idx, p.X, Above))
				}
			},
			Plain: each(func(p *Operands[T]) {
				count := 0
				for i, v := range p.X {
					if v > Above {
						p.Y[count], p.Idx[count] = v, int32(i)
						count++
					}
				}
				p.Out = T(count)
			}),
		},
		{
			Name: "Clip", peers: sizes, shape: two, costs: costs{moved: n2},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.Clip(p.Y, p.X, -Above, Above)
				}
			},
			Plain: each(func(p *Operands[T]) {
				for i, v := range p.X {
					p.Y[i] = min(max(v, -Above), Above)
				}
			}),
		},
	}
}
