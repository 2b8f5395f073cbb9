package m3l

import (
	"context"
	"math"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/m3ltruth"
)

// problemOf is p as a Problem: on features where the kernel is linear and linear is set, else on the kernel.
func problemOf(t testing.TB, p m3ltruth.Problem, linear bool) Problem[float64] {
	q := Problem[float64]{Sets: p.Sets(), R: p.Prior()}
	if linear {
		q.X = featuresOf(p)
	} else {
		q.Kernel = kernelOf(t, featuresOf(p), p.Mercer())
	}
	if !p.Hamming {
		q.Margins = p.Margins
	}
	return q
}

func featuresOf(p m3ltruth.Problem) design.Matrix[float64] {
	return &dataset.Dense[float64]{Matrix: matrixOf(p.X)}
}

// TestTruth: the optima that were computed independently, by features, dense and sparse, and by kernels.
func TestTruth(t *testing.T) {
	for i, p := range m3ltruth.Read(t, "testdata") {
		for name, q := range problemsOf(t, p) {
			r, err := q.Fit(context.Background(), Config{C: p.C, Tol: 1e-7, Epochs: 100000})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("problem %d, %s: %v", i, name, r.Outcome)
			want := p.Dual + p.Constant
			if r.Status != solvers.Converged || r.Certificate.Primal < want*(1-1e-9) ||
				r.Certificate.Primal > want*(1+1.1e-7) ||
				r.Certificate.Dual > want*(1+1e-9) || r.Certificate.Dual < want*(1-1.1e-7) {
				t.Errorf("problem %d, %s: %v, want %v", i, name, r.Outcome, want)
			}
			primal, dual := p.Values(r.Duals)
			if math.Abs(primal-r.Certificate.Primal) > 1e-12*want || math.Abs(dual-r.Certificate.Dual) > 1e-12*want {
				t.Errorf("problem %d, %s: certificate %v, from scratch %v and %v", i, name, r.Certificate, primal, dual)
			}
		}
	}
}

func problemsOf(t testing.TB, p m3ltruth.Problem) map[string]Problem[float64] {
	all := map[string]Problem[float64]{"kernel": problemOf(t, p, false)}
	if p.Kernel == "linear" {
		all["dense"] = problemOf(t, p, true)
		sparse := problemOf(t, p, true)
		sparse.X = sparseOf(p.X)
		all["sparse"] = sparse
	}
	return all
}

func sparseOf(rows [][]float64) *dataset.CSR[float64] {
	ptr, idx, val := []int{0}, []int32{}, []float64{}
	for _, row := range rows {
		for j, v := range row {
			idx, val = append(idx, int32(j)), append(val, v)
		}
		ptr = append(ptr, len(idx))
	}
	x, err := dataset.NewCSR(len(rows[0]), ptr, idx, val)
	if err != nil {
		panic(err)
	}
	return x
}
