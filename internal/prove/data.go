package prove

import (
	"math"
	"math/rand/v2"
)

// Rand returns a generator that gives the same numbers in each run.
func Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// Odd and Even draw small integers that are never zero, so that products and differences of the two are not either:
// while sums stay below 2²⁴ all orders of summation give the same bits, and a missing or doubled element shows for
// certain.

func Odd[T Float](r *rand.Rand) func(int) T { return func(int) T { return T(2*r.IntN(8) - 7) } }
func Even[T Float](r *rand.Rand) func(int) T {
	return func(int) T {
		v := 2 + 2*r.IntN(3)
		return T(v - 2*v*r.IntN(2))
	}
}

// Kinds are ways to draw numbers on which sums round: from one sum without cancellation to sums that nearly vanish.
var Kinds = []string{"uniform", "positive", "decades", "cancelling", "denormal"}

// Draw returns a source of numbers of that kind.
func Draw[T Float](kind string, r *rand.Rand) func(i int) T {
	switch kind {
	case "uniform":
		return func(int) T { return T(2*r.Float64() - 1) }
	case "positive":
		return func(int) T { return T(r.Float64() + 0.5) }
	case "decades":
		return func(int) T { return T(math.Ldexp(2*r.Float64()-1, r.IntN(41)-20)) }
	case "cancelling":
		var last T
		return func(i int) T {
			if i%2 == 1 {
				return -last
			}
			last = T(1000 + r.Float64())
			return last
		}
	case "denormal": // a product of two is denormal as well
		low := Pick[T, int](-62, -535)
		return func(int) T { return T(math.Ldexp(2*r.Float64()-1, low-r.IntN(14))) }
	}
	panic("prove: no kind " + kind)
}
