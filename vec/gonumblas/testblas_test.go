package gonumblas_test

import (
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/testblas"
)

// routines is what gonum's suite needs to test the routines that Implementation has of its own.
type routines interface {
	Ddot(n int, x []float64, incX int, y []float64, incY int) float64
	Dnrm2(n int, x []float64, incX int) float64
	Dasum(n int, x []float64, incX int) float64
	Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int)
	Dscal(n int, alpha float64, x []float64, incX int)
	testblas.Dgemver
	testblas.Dgerer
	testblas.Dsymver
	testblas.Dsyrer
	testblas.Dsyr2er
	testblas.Dtrmver
	testblas.Dtrsver
	testblas.Dgemmer
	testblas.Dsymmer
	testblas.Dsyker
	testblas.Dsyr2ker
	testblas.Dtrmmer
	testblas.Dtrsmer
}

// TestGonumSuite is gonum's own, in float64.
func TestGonumSuite(t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		t.Run(tier.String(), func(t *testing.T) {
			gonumSuite(t, func(*testing.T) routines { return gonumblas.Implementation{} })
		})
	})
}

// TestGonumSuiteShadowed has the cases of gonum's suite in float32 too.
func TestGonumSuiteShadowed(t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		t.Run(tier.String(), func(t *testing.T) { gonumSuite(t, func(t *testing.T) routines { return shadow{t} }) })
	})
}

func gonumSuite(t *testing.T, impl func(t *testing.T) routines) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, impl routines)
	}{
		{"dot", func(t *testing.T, impl routines) { testblas.DdotTest(t, impl) }},
		{"nrm2", func(t *testing.T, impl routines) { testblas.Dnrm2Test(t, impl) }},
		{"asum", func(t *testing.T, impl routines) { testblas.DasumTest(t, impl) }},
		{"axpy", func(t *testing.T, impl routines) { testblas.DaxpyTest(t, impl) }},
		{"scal", func(t *testing.T, impl routines) { testblas.DscalTest(t, impl) }},
		{"gemv", func(t *testing.T, impl routines) { testblas.DgemvTest(t, impl) }},
		{"ger", func(t *testing.T, impl routines) { testblas.DgerTest(t, impl) }},
		{"symv", func(t *testing.T, impl routines) { testblas.DsymvTest(t, impl) }},
		{"syr", func(t *testing.T, impl routines) { testblas.DsyrTest(t, impl) }},
		{"syr2", func(t *testing.T, impl routines) { testblas.Dsyr2Test(t, impl) }},
		{"trmv", func(t *testing.T, impl routines) { testblas.DtrmvTest(t, impl) }},
		{"trsv", func(t *testing.T, impl routines) { testblas.DtrsvTest(t, impl) }},
		{"gemm", func(t *testing.T, impl routines) { testblas.TestDgemm(t, impl) }},
		{"symm", func(t *testing.T, impl routines) { testblas.DsymmTest(t, impl) }},
		{"syrk", func(t *testing.T, impl routines) { testblas.DsyrkTest(t, impl) }},
		{"syr2k", func(t *testing.T, impl routines) { testblas.Dsyr2kTest(t, impl) }},
		{"trmm", func(t *testing.T, impl routines) { testblas.DtrmmTest(t, impl) }},
		{"trsm", func(t *testing.T, impl routines) { testblas.DtrsmTest(t, impl) }},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, impl(t)) })
	}
	if full, ok := impl(t).(blas.Float64); ok { // Dtxmv wants packed and banded triangles as well
		t.Run("txmv", func(t *testing.T) { testblas.DtxmvTest(t, full) })
	}
}
