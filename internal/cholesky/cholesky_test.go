package cholesky

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestExact: of a small-integer L with powers of 2 on its diagonal every number on the way is an integer that float64
// holds, so that all orders of summation give L itself, and the solution of equations to the bit.
func TestExact(t *testing.T) {
	for _, n := range []int{0, 1, 2, 31, 32, 33, 64, 65, 100, 150, 333} {
		for _, workers := range []int{1, 3} {
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			l := vec.NewMatrix[float64](n, n)
			for i := range n {
				for j := range i {
					l.Row(i)[j] = float64(rng.IntN(5) - 2)
				}
				l.Row(i)[i] = float64(int(1) << rng.IntN(3))
			}
			a := vec.NewMatrix[float64](n, n+3).Slice(0, n, 2, n+2)
			vec.Gram(a, l)
			for i := range n {
				for j := i + 1; j < n; j++ {
					a.Row(i)[j] = math.NaN() // is not read
				}
			}
			if err := Factor(a, workers); err != nil {
				t.Fatal(err)
			}
			for i := range n {
				if !slices.Equal(a.Row(i)[:i+1], l.Row(i)[:i+1]) {
					t.Fatalf("n = %d, %d workers: row %d of L is %v, want %v", n, workers, i, a.Row(i)[:i+1],
						l.Row(i)[:i+1])
				}
			}
			for _, m := range []int{0, 1, 4} {
				x, y, b := vec.NewMatrix[float64](n, m), vec.NewMatrix[float64](n, m), vec.NewMatrix[float64](n, m)
				for i := range x.Data {
					x.Data[i] = float64(rng.IntN(7) - 3)
				}
				vec.Gemm(vec.Transposed, vec.NoTrans, 1, l, x, 0, y)
				vec.Gemm(vec.NoTrans, vec.NoTrans, 1, l, y, 0, b)
				Solve(a, b, workers)
				if !slices.Equal(b.Data, x.Data) {
					t.Fatalf("n = %d, m = %d, %d workers: x = %v, want %v", n, m, workers, b.Data, x.Data)
				}
			}
		}
	}
}

// TestRounding: Higham's theorems 10.3 and 10.4 in each tier: |A - L Lᵀ| <= γ(n+1) |L||Lᵀ|, where prove.Sum allows
// γ(k+4) for the k terms of an element, and |b - A x| <= γ(3n+1) |L||Lᵀ||x|, whatever the condition of A is.
func TestRounding(t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		for _, n := range []int{3, 40, 130} {
			rng := rand.New(rand.NewPCG(uint64(n), 2))
			x := vec.NewMatrix[float64](n, n)
			for i := range n {
				size := math.Exp(6 * rng.NormFloat64()) // rows differ by decades
				for j := range n {
					x.Row(i)[j] = size * rng.NormFloat64()
				}
			}
			a, l, b, right := vec.NewMatrix[float64](n, n), vec.NewMatrix[float64](n, n), vec.NewMatrix[float64](n, 1),
				make([]float64, n)
			vec.Gram(a, x)
			copy(l.Data, a.Data)
			if err := Factor(l, 2); err != nil {
				t.Fatal(err)
			}
			for i := range right {
				right[i] = rng.NormFloat64()
			}
			copy(b.Data, right)
			Solve(l, b, 2)
			exact := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
			for i := range n {
				residual, bound := exact(right[i]), 0.0
				for j := range n {
					var product prove.Sum[float64]
					product.Reset()
					size := 0.0
					for k := range min(i, j) + 1 {
						product.Add(l.Row(max(i, j))[k], l.Row(min(i, j))[k], 1)
						size += math.Abs(l.Row(i)[k] * l.Row(j)[k])
					}
					if err := product.Check(a.Row(i)[j]); i >= j && err != nil {
						t.Errorf("%v, n = %d: L Lᵀ at %d, %d: %v", tier, n, i, j, err)
					}
					residual.Sub(residual, exact(0).Mul(exact(a.Row(max(i, j))[min(i, j)]), exact(b.Data[j])))
					bound += size * math.Abs(b.Data[j])
				}
				// One more term for what rounds here.
				gamma := math.Ldexp(float64(3*n+2), -53)
				if miss, _ := residual.Float64(); !(math.Abs(miss) <= gamma/(1-gamma)*bound) {
					t.Errorf("%v, n = %d: the residual of equation %d is %v, allowed %v", tier, n, i, miss, gamma*bound)
				}
			}
		}
	})
}

// TestPivot: what is not positive definite is an error that names the first pivot that shows it.
func TestPivot(t *testing.T) {
	for _, bad := range []float64{-1, 0, math.NaN(), math.Inf(1)} {
		for _, at := range []int{0, 40, 99} {
			a := vec.NewMatrix[float64](100, 100)
			for i := range a.Rows {
				a.Row(i)[i] = 2
			}
			a.Row(at)[at] = bad
			if err := Factor(a, 1); err == nil ||
				!strings.Contains(err.Error(), fmt.Sprintf("pivot %d is %v,", at, bad)) {
				t.Errorf("%v at %d: %v", bad, at, err)
			}
		}
	}
}

func TestSizes(t *testing.T) {
	a := vec.NewMatrix[float64](3, 3)
	for what, f := range map[string]func(){
		"cholesky: Factor: a 3-by-2 matrix for 3 equations": func() { _ = Factor(a.Slice(0, 3, 0, 2), 1) },
		"cholesky: Solve: a 3-by-3 matrix for 2 equations":  func() { Solve(a, a.Slice(0, 2, 0, 2), 1) },
		"cholesky: Factor: -1 workers, want at least 0":     func() { _ = Factor(a, -1) },
	} {
		func() {
			defer func() {
				if err, ok := recover().(vec.ShapeError); !ok || err.Error() != what {
					t.Errorf("panic %v, want %q", err, what)
				}
			}()
			f()
		}()
	}
}

// BenchmarkCholesky: a decomposition, and solutions with it.
func BenchmarkCholesky(b *testing.B) {
	for _, n := range []int{100, 2449} {
		a, l := vec.NewMatrix[float64](n, n), vec.NewMatrix[float64](n, n)
		for i := range a.Data {
			a.Data[i] = 1 / float64(n)
		}
		for i := range n {
			a.Row(i)[i] = 1 + float64(i)
		}
		b.Run(fmt.Sprintf("op=factor/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				copy(l.Data, a.Data)
				if err := Factor(l, 0); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(n)*float64(n)/3e9*float64(b.N)/b.Elapsed().Seconds(), "GFLOP/s")
		})
		copy(l.Data, a.Data)
		_ = Factor(l, 0)
		for _, m := range []int{1, 4} {
			x := vec.NewMatrix[float64](n, m)
			b.Run(fmt.Sprintf("op=solve/n=%d/m=%d", n, m), func(b *testing.B) {
				for b.Loop() {
					Solve(l, x, 0)
				}
			})
		}
	}
}
