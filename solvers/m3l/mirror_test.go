package m3l

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// TestTwoClasses: with two classes, one each, one weight vector is trained, and the result is the result of both: the
// certificate is honest of two outputs, whose optimum is the same as by R = I, where both are trained; weights and dual
// variables are each other's negatives, and the objective is twice the one of label 1 alone.
func TestTwoClasses(t *testing.T) {
	const n, d = 70, 6
	rng := rand.New(rand.NewPCG(71, 72))
	x, _ := documents[float64](rng, n, d, 2)
	y, weights := make([]int, n), make([]float64, n)
	for i := range y {
		y[i], weights[i] = rng.IntN(2), float64(1+i%3)/2
	}
	opposite := vec.NewMatrix[float64](d, 2)
	for j := range d {
		opposite.Row(j)[0] = rng.NormFloat64()
		opposite.Row(j)[1] = -opposite.Row(j)[0]
	}
	for name, p := range on(t, rng, x) {
		for _, loss := range []Loss{Hamming, Hinge, SquaredHinge, Logistic} {
			for _, c := range []Config{{}, {Costs: []float64{3, 3}}} {
				name := fmt.Sprintf("%s, %v, costs %v", name, loss, c.Costs)
				c.C, c.Loss, c.Tol, c.Epochs = .2, loss, 1e-9, 100000
				p.Y, p.Weights = y, weights
				if p.Kernel == nil {
					p.Prior = opposite
				}
				one := solve(t, p, c)
				isMirrored(t, name, one)
				both := p
				both.R = identity(2)
				agree(t, name, one.Certificate, solve(t, both, c).Certificate)

				both.R, both.Start = vec.Matrix[float64]{}, one
				if again := solve(t, both, c); again.Visits > 0 || !slices.Equal(again.Duals.Data, one.Duals.Data) {
					t.Errorf("%s: %s from the solution", name, told(again))
				}
				sets := p
				sets.Y, sets.Sets = nil, singles(y)
				if r := solve(t, sets, c); r.Certificate != one.Certificate {
					t.Errorf("%s: %v, by sets %v", name, one.Certificate, r.Certificate)
				}
				alone := p
				alone.Y, alone.Prior = nil, vec.Matrix[float64]{}
				for i := range y {
					alone.Sets = append(alone.Sets, []int{0}[:y[i]])
				}
				if c.Labels, c.Costs = 1, c.Costs[:len(c.Costs)/2]; len(c.Costs) == 0 {
					c.Costs = nil
				}
				if p.Kernel == nil {
					alone.Prior = column(opposite, 1)
				}
				twice := solve(t, alone, c).Certificate
				agree(t, name, one.Certificate, solvers.Certificate{Primal: 2 * twice.Primal, Dual: 2 * twice.Dual})
			}
		}
	}
}

// column returns column c of a as a matrix.
func column(a vec.Matrix[float64], c int) vec.Matrix[float64] {
	one := vec.NewMatrix[float64](a.Rows, 1)
	for j := range a.Rows {
		one.Row(j)[0] = a.Row(j)[c]
	}
	return one
}

// isMirrored asks that the two columns of weights or coefficients, and of dual variables, are each other's negatives.
func isMirrored(t *testing.T, name string, r *Result[float64]) {
	t.Helper()
	var model vec.Matrix[float64]
	if r.Linear != nil {
		model = r.Linear.Weights()
	} else {
		model = r.Kernel.Coefficients()
	}
	for _, a := range []vec.Matrix[float64]{model, r.Duals} {
		for i := range a.Rows {
			if row := a.Row(i); len(row) != 2 || row[0] != -row[1] {
				t.Fatalf("%s: row %d is %v", name, i, row)
			}
		}
	}
}

// TestTwoLabelsApart: where anything tells two labels apart both are trained.
func TestTwoLabelsApart(t *testing.T) {
	const n, d = 70, 6
	rng := rand.New(rand.NewPCG(73, 74))
	x, _ := documents[float64](rng, n, d, 2)
	y, sets := make([]int, n), make([][]int, n)
	for i := range y {
		y[i] = rng.IntN(2)
		sets[i] = []int{y[i]}
	}
	sets[3] = nil
	prior := vec.NewMatrix[float64](d, 2)
	prior.Row(0)[0] = 1
	for name, q := range map[string]struct {
		p Problem[float64]
		c Config
	}{
		"an example without labels": {Problem[float64]{Sets: sets}, Config{}},
		"costs":                     {Problem[float64]{Y: y}, Config{Costs: []float64{1, 2}}},
		"prior":                     {Problem[float64]{Y: y, Prior: prior}, Config{}},
		"margins":                   {Problem[float64]{Y: y, Margins: someMargins}, Config{}},
	} {
		q.p.X = x
		q.c.C, q.c.Tol, q.c.Epochs = .01, 1e-9, 100000
		r := solve(t, q.p, q.c)
		w, off := r.Linear.Weights(), 0.0
		for j := range d {
			off = max(off, math.Abs(w.Row(j)[0]+w.Row(j)[1]))
		}
		if off < 1e-3 {
			t.Errorf("%s: weights that are mirrored to %g", name, off)
		}
	}
	// And with a prior R that is not the identity, where both are trained, and the objective has R⁻¹.
	r := identity(2)
	r.Row(0)[1], r.Row(1)[0] = -.5, -.5
	solve(t, Problem[float64]{X: x, Y: y, R: r}, Config{Tol: 1e-9, Epochs: 100000})
}
