package m3l

import (
	"context"
	"math"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// problem is the truth as a Problem: on features where the kernel is linear and linear is set, else on the kernel.
func (p truthProblem) problem(t testing.TB, linear bool) Problem[float64] {
	q := Problem[float64]{Sets: p.sets(), R: p.prior()}
	if linear {
		q.X = p.features()
	} else {
		q.Kernel = p.matrix(t)
	}
	if !p.Hamming {
		q.Margins = p.margins
	}
	return q
}

// TestTruth: the optima that were computed independently, by features, dense and sparse, and by kernels.
func TestTruth(t *testing.T) {
	for i, p := range truth(t) {
		for name, q := range p.problems(t) {
			r, err := q.Fit(context.Background(), Config{C: p.C, Tol: 1e-7, Epochs: 100000})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("problem %d, %s: %v", i, name, r.Outcome)
			want := p.Dual + p.Constant
			if r.Status != solvers.Converged || r.Certificate.Primal < want*(1-1e-9) || r.Certificate.Primal > want*(1+1.1e-7) ||
				r.Certificate.Dual > want*(1+1e-9) || r.Certificate.Dual < want*(1-1.1e-7) {
				t.Errorf("problem %d, %s: %v, want %v", i, name, r.Outcome, want)
			}
			primal, dual := p.recomputed(r.Duals)
			if math.Abs(primal-r.Certificate.Primal) > 1e-12*want || math.Abs(dual-r.Certificate.Dual) > 1e-12*want {
				t.Errorf("problem %d, %s: certificate %v, from scratch %v and %v", i, name, r.Certificate, primal, dual)
			}
		}
	}
}

func (p truthProblem) problems(t testing.TB) map[string]Problem[float64] {
	all := map[string]Problem[float64]{"kernel": p.problem(t, false)}
	if p.Kernel == "linear" {
		all["dense"] = p.problem(t, true)
		sparse := p.problem(t, true)
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

// recomputed is the primal and the dual value of A by their formulas, O(n² L²).
func (p truthProblem) recomputed(a vec.Matrix[float64]) (primal, dual float64) {
	n, labels := a.Rows, a.Cols
	quadratic := 0.0
	for i := range n {
		for l := range labels {
			score := 0.0
			for j := range n {
				for k := range labels {
					score += p.value(i, j) * a.Row(j)[k] * p.R[k][l]
				}
			}
			quadratic += a.Row(i)[l] * score
			plus, minus, y := 0.0, 2.0, p.Y[i][l]
			if !p.Hamming {
				plus, minus = p.Plus[i][l], p.Minus[i][l]
			}
			primal += p.C * max(plus, minus-2*y*score)
			dual += y*a.Row(i)[l]*(minus-plus)/2 + p.C*plus
		}
	}
	return primal + quadratic/2, dual - quadratic/2
}

// value is the kernel's of two examples.
func (p truthProblem) value(i, j int) float64 {
	if p.Kernel == "linear" {
		return vec.Dot(p.X[i], p.X[j])
	}
	return math.Exp(-p.Gamma * vec.SquaredDistance(p.X[i], p.X[j]))
}
