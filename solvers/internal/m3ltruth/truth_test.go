package m3ltruth

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestValues: at the known optima the formulas give the known values, and elsewhere the dual value is less and the
// primal value is more.
func TestValues(t *testing.T) {
	for i, p := range Read(t, filepath.Join("..", "..", "m3l", "testdata")) {
		a := vec.NewMatrix[float64](len(p.Y), len(p.R))
		for j, alpha := range p.Alpha {
			for l, v := range alpha {
				a.Row(j)[l] = 2 * p.Y[j][l] * v
			}
		}
		primal, dual := p.Values(a)
		t.Logf("problem %d: primal %.3g and dual %.3g too much", i, primal/p.Primal-1, dual/(p.Dual+p.Constant)-1)
		if math.Abs(primal-p.Primal) > 1e-9*p.Primal || math.Abs(dual-p.Dual-p.Constant) > 1e-9*p.Primal {
			t.Errorf("problem %d: %v and %v, want %v and %v", i, primal, dual, p.Primal, p.Dual+p.Constant)
		}
		for k := range a.Data {
			a.Data[k] *= .9
		}
		if lower, less := p.Values(a); lower <= primal || less >= dual {
			t.Errorf("problem %d: %v and %v, where the optimum is %v and %v", i, lower, less, primal, dual)
		}
	}
}
