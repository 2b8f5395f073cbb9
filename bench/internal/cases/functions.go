package cases

import (
	"math"
	"math/rand/v2"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// functions are applied to each element. Exponentials and logarithms may differ by two units in the last place, since
// each implementation is within one of the truth; a root has one result.
func functions[T vec.Float]() []Kernel[T] {
	multiples := lengths(16, 128, 1024, 4096) // of every vector's length, as SLEEF wants them
	slack := 2 * 0x1p-52
	if unsafe.Sizeof(T(0)) == 4 {
		slack = 2 * 0x1p-23
	}
	return []Kernel[T]{
		{
			Name: "Exp", bench: common, peers: multiples, shape: two, costs: costs{moved: n2}, slack: slack,
			fill: normal[T],
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.Exp(p.Y, p.X)
				}
			},
			Plain: function[T](math.Exp),
		},
		{
			Name: "Log", bench: common, peers: multiples, shape: two, costs: costs{moved: n2}, slack: slack,
			fill: logNormal[T],
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.Log(p.Y, p.X)
				}
			},
			Plain: function[T](math.Log),
		},
		{
			Name: "Sqrt", peers: raced, shape: two, costs: costs{moved: n2}, fill: logNormal[T],
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.Sqrt(p.Y, p.X)
				}
			},
			Plain: function[T](math.Sqrt),
		},
	}
}

// function applies f, which for float32 goes through float64.
func function[T vec.Float](f func(float64) float64) Loop[T] {
	return each(func(p *Operands[T]) {
		for i, v := range p.X {
			p.Y[i] = T(f(float64(v)))
		}
	})
}

// normal sets x to random numbers as scores are.
func normal[T vec.Float](p *Operands[T], random *rand.Rand) {
	for i := range p.X {
		p.X[i] = T(random.NormFloat64())
	}
}

func logNormal[T vec.Float](p *Operands[T], random *rand.Rand) {
	for i := range p.X {
		p.X[i] = T(math.Exp(random.NormFloat64()))
	}
}
