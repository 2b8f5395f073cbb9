package ranktruth

import (
	"fmt"
	"math/rand/v2"

	"github.com/dualgap/dualgap/solvers/kernel"
)

// Draw returns a problem of n >= 2 examples of d features, a third of them positive, which lie about 1 higher in the
// first feature. It has a kernel, C and thetas, but no method yet: Variants has one each.
func Draw(rng *rand.Rand, n, d int) Problem {
	p := Problem{Name: fmt.Sprintf("%d by %d", n, d), Kernel: kernel.Gaussian{Gamma: .2}, C: .7, Theta1: 1, Theta2: 1}
	for i := range n {
		x := make([]float64, d)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		if i%3 == 0 {
			x[0]++
		}
		p.X, p.Positive = append(p.X, x), append(p.Positive, i%3 == 0)
	}
	return p
}

// Special returns problems at the limits: one positive example, one negative one, every example twice, every example
// both positive and negative, all scores equal, and all scores 0.
func Special(rng *rand.Rand) []Problem {
	one := func(n int, y bool) Problem {
		p := Draw(rng, n, 3)
		for i := range p.Positive {
			p.Positive[i] = (i == n/2) == y
		}
		return p
	}
	named := func(name string, p Problem) Problem {
		p.Name = name
		return p
	}
	twice := Draw(rng, 9, 3)
	twice.X, twice.Positive = append(twice.X, twice.X...), append(twice.Positive, twice.Positive...)
	both := Draw(rng, 9, 3)
	both.X = append(both.X, both.X...)
	for _, y := range both.Positive {
		both.Positive = append(both.Positive, !y)
	}
	equal, zero := Draw(rng, 8, 2), Draw(rng, 8, 2)
	for i := range equal.X {
		equal.X[i], zero.X[i] = equal.X[0], make([]float64, 2)
	}
	zero.Kernel = kernel.Linear{}
	return []Problem{named("one positive", one(9, true)), named("one negative", one(9, false)),
		named("pair", Draw(rng, 2, 2)), named("every example twice", twice), named("every example of both kinds", both),
		named("all scores equal", equal), named("all scores 0", zero)}
}
