package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// operands is what a kernel works on, the same memory for all implementations.
type operands[T vec.Float] struct {
	alpha T
	x, y  []T
	a     vec.Matrix[T]
	b, c  vec.Matrix[T] // of Gemm, which sets c to alpha a b
	k     int
	work  project.Workspace[T]
	out   T // result of a reduction
}

// newOperands returns operands for c. Those of vectors and matrices are multiples of 1/4, at most 3/4 in magnitude and
// never 0: sums of their products are exact in whatever order they are added, so that all implementations must agree to
// the bit.
func newOperands[T vec.Float](c Case) *operands[T] {
	p := &operands[T]{alpha: 0.125, k: c.K}
	lenX, lenY := c.N, c.N
	switch c.Name {
	case "Scale":
		p.alpha = -1 // keeps the magnitude over many calls
	case "Ger", "GemvT":
		lenX = c.M
	case "Gemv":
		lenY = c.M
	}
	if c.Name == "Gemm" {
		lenX, lenY = 0, 0
		p.b, p.c = vec.NewMatrix[T](c.N, c.K), vec.NewMatrix[T](c.M, c.K)
	}
	p.x, p.y, p.a = make([]T, lenX), make([]T, lenY), vec.NewMatrix[T](c.M, c.N)
	const period = 997 // random numbers are slow; a prime, so that rows differ
	random := rand.New(rand.NewPCG(1, 2))
	switch c.Name {
	case topKSimplex, "Exp", "Log", "Sort":
		for i := range p.x {
			p.x[i] = T(random.NormFloat64()) // as scores are: no two of them equal
			if c.Name == "Log" {
				p.x[i] = T(math.Exp(float64(p.x[i])))
			}
		}
		return p
	}
	for _, v := range [][]T{p.x, p.y, p.a.Data, p.b.Data} {
		for i := range v {
			if i >= period {
				v[i] = v[i-period]
				continue
			}
			v[i] = T(1+random.IntN(3)) / 4
			if random.IntN(2) == 0 {
				v[i] = -v[i]
			}
		}
	}
	return p
}

// agree calls every implementation once, and returns an error unless all leave the same numbers behind; exponentials and
// logarithms within two units in the last place, since each implementation is within one of the truth.
func agree[T vec.Float](c Case, runners []runner[T]) error {
	first := newOperands[T](c)
	runners[0].run(first, 1)
	loose, ulp := c.Name == "Exp" || c.Name == "Log", 0x1p-52
	if _, single := any(first.alpha).(float32); single {
		ulp = 0x1p-23
	}
	for _, r := range runners[1:] {
		p := newOperands[T](c)
		r.run(p, 1)
		for _, v := range []struct {
			name       string
			first, got []T
		}{
			{"result", []T{first.out}, []T{p.out}}, {"x", first.x, p.x}, {"y", first.y, p.y}, {"a", first.a.Data, p.a.Data}, {"c", first.c.Data, p.c.Data},
		} {
			for i, want := range v.first {
				if v.got[i] != want && !(loose && math.Abs(float64(v.got[i]-want)) <= 2*ulp*math.Abs(float64(want))) {
					return fmt.Errorf("%s[%d] is %v by %s, but %v by %s", v.name, i, want, runners[0].name, v.got[i], r.name)
				}
			}
		}
	}
	return nil
}
