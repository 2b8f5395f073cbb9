package cases

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

func vectors[T vec.Float]() []Kernel[T] {
	withLarge, long := lengths(16, 784, 65536, large), lengths(4, 8, 15, 16, 64, 100, 128, 256, 784, 1024, 4096, 65536)
	return []Kernel[T]{
		{
			Name: "Dot", bench: withLarge, peers: long, shape: two, costs: costs{moved: n2, flops: n2},
			Ours: pick[T](func(p *Operands[float32], iters int) {
				for range iters {
					p.Out = vec.Dot32(p.X, p.Y)
				}
			}, func(p *Operands[float64], iters int) {
				for range iters {
					p.Out = vec.Dot64(p.X, p.Y)
				}
			}),
			Plain: each(func(p *Operands[T]) { p.Out = dot(p.X, p.Y) }),
		},
		{
			Name: "SquaredDistance", bench: common, peers: raced, shape: two, costs: costs{moved: n2, flops: n3},
			Ours: pick[T](func(p *Operands[float32], iters int) {
				for range iters {
					p.Out = vec.SquaredDistance32(p.X, p.Y)
				}
			}, func(p *Operands[float64], iters int) {
				for range iters {
					p.Out = vec.SquaredDistance64(p.X, p.Y)
				}
			}),
			Plain: each(func(p *Operands[T]) {
				var sum T
				for i, v := range p.X {
					d := v - p.Y[i]
					sum += d * d
				}
				p.Out = sum
			}),
		},
		{
			Name: "SquaredNorm", bench: common, peers: raced, shape: one, costs: costs{moved: n1, flops: n2},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					p.Out = vec.SquaredNorm(p.X)
				}
			},
			Plain: each(func(p *Operands[T]) { p.Out = dot(p.X, p.X) }),
		},
		{
			Name: "Sum", bench: common, peers: raced, shape: one, costs: costs{moved: n1, flops: n1},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					p.Out = vec.Sum(p.X)
				}
			},
			Plain: each(func(p *Operands[T]) {
				var sum T
				for _, v := range p.X {
					sum += v
				}
				p.Out = sum
			}),
		},
		{
			Name: "AbsSum", bench: common, peers: raced, shape: one, costs: costs{moved: n1, flops: n1},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					p.Out = vec.AbsSum(p.X)
				}
			},
			Plain: each(func(p *Operands[T]) {
				var sum T
				for _, v := range p.X {
					sum += T(math.Abs(float64(v)))
				}
				p.Out = sum
			}),
		},
		{
			Name: "Scale", bench: common, peers: raced, shape: one, costs: costs{moved: n2, held: n1, flops: n1},
			alpha: -1, // keeps the magnitude over many calls, and nobody skips it as one may skip 1
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.Scale(p.Alpha, p.X)
				}
			},
			Plain: each(func(p *Operands[T]) {
				for i := range p.X {
					p.X[i] *= p.Alpha
				}
			}),
		},
		{
			Name: "Axpy", bench: withLarge, peers: long, shape: two, costs: costs{moved: n3, held: n2, flops: n2},
			Ours: pick[T](func(p *Operands[float32], iters int) {
				for range iters {
					vec.Axpy32(p.Alpha, p.X, p.Y)
				}
			}, func(p *Operands[float64], iters int) {
				for range iters {
					vec.Axpy64(p.Alpha, p.X, p.Y)
				}
			}),
			Plain: each(func(p *Operands[T]) { axpy(p.Alpha, p.X, p.Y) }),
		},
		{
			Name: "Add", peers: raced, shape: three, costs: costs{moved: n3, flops: n1},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.Add(p.Z, p.X, p.Y)
				}
			},
			Plain: each(func(p *Operands[T]) {
				for i, v := range p.X {
					p.Z[i] = v + p.Y[i]
				}
			}),
		},
		{
			Name: "Mul", peers: raced, shape: three, costs: costs{moved: n3, flops: n1},
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.Mul(p.Z, p.X, p.Y)
				}
			},
			Plain: each(func(p *Operands[T]) {
				for i, v := range p.X {
					p.Z[i] = v * p.Y[i]
				}
			}),
		},
	}
}

func dot[T vec.Float](x, y []T) (sum T) {
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

func axpy[T vec.Float](alpha T, x, y []T) {
	for i, v := range x {
		y[i] += alpha * v
	}
}
