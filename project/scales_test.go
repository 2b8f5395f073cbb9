package project

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// Elements of all magnitudes, denormal ones among them, and caps that are much smaller still.
func TestScales(t *testing.T) {
	t.Run("float32", func(t *testing.T) { scales[float32](t, -149, 110, 3, 0x1p-24) })
	t.Run("float64", func(t *testing.T) { scales[float64](t, -1040, 960, 20, 0x1p-53) })
}

func scales[T vec.Float](t *testing.T, from, to, step int, eps float64) {
	cases := 300
	if testing.Short() {
		cases = 30
	}
	least, w := math.Ldexp(1, from), new(Workspace[T])
	for e := from; e < to; e += step {
		for seed := range cases {
			rng := rand.New(rand.NewPCG(uint64(seed), uint64(e-from)))
			a := make([]T, 5+rng.IntN(120))
			most := 0.0
			for i := range a {
				a[i] = T(rng.NormFloat64() * math.Ldexp(1e4, e))
				most = max(most, math.Abs(float64(a[i])))
			}
			k, rho, x := 1+rng.IntN(4), T(50*rng.IntN(3)), make([]T, len(a))
			r := T(rng.Float64() * math.Ldexp(1e4, e) * math.Pow(10, -12*rng.Float64()))
			if r/T(k) == 0 {
				continue
			}
			check := func(name string, residual float64) {
				t.Helper()
				if !(residual <= 0x1p-46*most+4*eps*float64(k)*float64(r)+float64(len(a))*least) {
					t.Fatalf("%s, scale 2^%d, d = %d, k = %d, r = %g, rho = %g, largest %g: residual %g", name, e,
						len(a), k, r, rho, most, residual)
				}
			}
			check("TopKSimplex", ResidualTopKSimplex(a, x, k, r, rho, TopKSimplex(x, a, k, r, rho, w)))
			check("TopKSimplexBeta", ResidualTopKSimplexBeta(a, x, k, r, rho, TopKSimplexBeta(x, a, k, r, rho, w)))
			check("Simplex", ResidualSimplex(a, x, AtMost, r, Simplex(x, a, AtMost, r, w)))
			th, err := Knapsack(x, a, 0, r/T(k), AtMost, r, w)
			if err != nil {
				t.Fatal(err)
			}
			check("Knapsack", ResidualKnapsack(a, x, 0, r/T(k), AtMost, r, th))
		}
	}
}
