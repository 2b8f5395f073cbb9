package race

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// drawn returns examples of norm 1, with a few zeros, and labels that a linear model gives them, one in ten false.
func drawn(t *testing.T, n, d int) (*dataset.CSR[float64], []int) {
	rng := rand.New(rand.NewPCG(7, 8))
	x, y, teacher := vec.NewMatrix[float64](n, d), make([]int, n), make([]float64, d)
	for j := range teacher {
		teacher[j] = rng.NormFloat64()
	}
	for i := range n {
		for j := range d {
			if rng.IntN(4) > 0 {
				x.Row(i)[j] = rng.NormFloat64()
			}
		}
		vec.Scale(1/math.Sqrt(vec.SquaredNorm(x.Row(i))), x.Row(i))
		y[i] = 1
		if (vec.Dot(x.Row(i), teacher) < 0) != (rng.IntN(10) == 0) {
			y[i] = -1
		}
	}
	sparse, err := (&dataset.Dense[float64]{Matrix: x}).CSR()
	if err != nil {
		t.Fatal(err)
	}
	return sparse, y
}

// dots returns the inner products of all pairs of examples.
func dots(x *dataset.CSR[float64]) vec.Matrix[float64] {
	all := make([]int, x.Rows)
	for i := range all {
		all[i] = i
	}
	k := vec.NewMatrix[float64](x.Rows, x.Rows)
	x.Gram(k, all, all)
	return k
}

// TestLIBSVM: its scores meet the conditions of optimality, y s >= 1 - eps where the coefficient is 0, <= 1 + eps where
// it is y C, both between; the coefficients sum to 0. LIBSVM stops when the extremes of y - s, between which the offset
// lies, are less than eps apart, for a kernel matrix whose values, at most 1, are rounded to float32.
func TestLIBSVM(t *testing.T) {
	const c, gamma, eps = 2, .5, 1e-3
	x, y := drawn(t, 60, 5)
	k := dots(x)
	for _, swap := range []int{1, -1} { // the first label is the other one
		for i := range y {
			y[i] *= swap
		}
		e := NewExamples(x)
		defer e.Free()
		_, coef, offset := e.LIBSVM(c, gamma, 1, y)
		sum, free := 0.0, 0
		for _, v := range coef {
			sum += v
		}
		if math.Abs(sum) > 1e-9 {
			t.Errorf("coefficients sum to %g", sum)
		}
		const bound = eps + 60*c*0x1p-24
		for i := range y {
			s := offset
			for j, v := range coef {
				s += v * math.Exp(-gamma*(k.Row(i)[i]+k.Row(j)[j]-2*k.Row(i)[j]))
			}
			margin, alpha := s*float64(y[i]), coef[i]*float64(y[i])
			if alpha < 0 || alpha > c || alpha < c && margin < 1-bound || alpha > 0 && margin > 1+bound {
				t.Errorf("example %d: y s = %g at y coef = %g", i, margin, alpha)
			}
			if alpha > 0 && alpha < c {
				free++
			}
		}
		if free == 0 || free == len(y) {
			t.Errorf("%d free variables of %d say little", free, len(y))
		}
	}
}

func TestLIBSVMOneLabel(t *testing.T) {
	x, y := drawn(t, 20, 3)
	e := NewExamples(x)
	defer e.Free()
	for _, label := range []int{1, -1} {
		for i := range y {
			y[i] = label
		}
		_, coef, offset := e.LIBSVM(1, 1, 1, y)
		if vec.SquaredNorm(coef) != 0 || offset != float64(label) {
			t.Errorf("label %d: coefficients %v, offset %g", label, coef, offset)
		}
	}
}

// TestLIBLINEAR: no step from LIBLINEAR's weights, in a random direction or towards 0, lowers the objective by more
// than n C eps, the duality gap of variables none of which violates its condition of optimality by more than eps.
func TestLIBLINEAR(t *testing.T) {
	const c, eps = .5, 1e-8
	x, y := drawn(t, 60, 5)
	rng := rand.New(rand.NewPCG(9, 10))
	e := NewExamples(x)
	defer e.Free()
	for _, solver := range []int{Hinge, SquaredHinge} {
		for _, one := range []bool{false, true} { // labels, all the same
			labels := y
			if one {
				labels = make([]int, len(y))
				for i := range labels {
					labels[i] = -1
				}
			}
			_, first, w := e.LIBLINEAR(solver, c, eps, labels)
			vec.Scale(float64(first[0]), w.Data)
			l := Linear{X: x, C: c, Loss: func(i int, s []float64) float64 {
				h := max(0, 1-float64(labels[i])*s[0])
				if solver == SquaredHinge {
					h *= h
				}
				return h
			}}
			best := l.Objective(w)
			for range 1000 {
				v := vec.NewMatrix[float64](w.Rows, 1)
				step := math.Pow(10, -4*rng.Float64())
				for j := range v.Data {
					v.Data[j] = w.Data[j]*(1-step*rng.Float64()) + step*rng.NormFloat64()
				}
				if got := l.Objective(v); got < best-60*c*eps {
					t.Fatalf("solver %d, one label %v: objective %.12g, %.12g elsewhere", solver, one, best, got)
				}
			}
		}
	}
}

// TestCrammerSinger: every class has its column.
func TestCrammerSinger(t *testing.T) {
	x, y := drawn(t, 30, 4)
	for i := range y {
		y[i] += i % 2
	}
	e := NewExamples(x)
	defer e.Free()
	_, labels, w := e.LIBLINEAR(CrammerSinger, 1, .1, y)
	if len(labels) != 4 || w.Cols != 4 || w.Rows != 4 {
		t.Errorf("labels %v, %d by %d weights", labels, w.Rows, w.Cols)
	}
}

// TestOneClassLosses: no offset has less.
func TestOneClassLosses(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		scores, nu := make([]float64, 1+rng.IntN(9)), 1-rng.Float64()
		for i := range scores {
			scores[i] = float64(rng.IntN(7) - 3)
		}
		best := math.Inf(1)
		for _, s := range scores { // the sum is linear between them
			sum := -nu * float64(len(scores)) * s
			for _, other := range scores {
				sum += max(0, s-other)
			}
			best = min(best, sum)
		}
		if got := OneClassLosses(nu, scores); math.Abs(got-best) > 1e-12*(1+math.Abs(best)) {
			t.Errorf("nu %v, scores %v: %v, want %v", nu, scores, got, best)
		}
	}
}

// TestLIBLINEAROneClass: where LIBLINEAR has one class its weights have the least objective.
func TestLIBLINEAROneClass(t *testing.T) {
	if err := NoOneClass(); err != nil {
		t.Skip(err)
	}
	x, _ := drawn(t, 60, 5)
	for i := range x.Val {
		x.Val[i] += 1
	}
	e := NewExamples(x)
	defer e.Free()
	_, w, err := e.LIBLINEAROneClass(.3, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	l := Linear{X: x, C: 1, Losses: func(s []float64) float64 { return OneClassLosses(.3, s) }}
	best, rng := l.Objective(w), rand.New(rand.NewPCG(13, 14))
	for range 1000 {
		v := vec.NewMatrix[float64](w.Rows, 1)
		step := math.Pow(10, -4*rng.Float64())
		for j := range v.Data {
			v.Data[j] = w.Data[j]*(1-step*rng.Float64()) + step*rng.NormFloat64()
		}
		if got := l.Objective(v); got < best-1e-7 {
			t.Fatalf("objective %.12g, %.12g elsewhere", best, got)
		}
	}
}

// TestReach: the gap found is the largest, to a fifth; none where none will do.
func TestReach(t *testing.T) {
	train := func(gap float64) (float64, float64, error) { return gap, 1, nil } // the objective is the gap
	for _, target := range []float64{.01, 3e-5, .05} {
		if gap, err := reach(target, Least, train); err != nil || gap > target || gap < target/1.2/1.0000001 {
			t.Errorf("%g, %v for %g", gap, err, target)
		}
	}
	if gap, err := reach(1e-9, Least, train); gap != 0 || err != nil {
		t.Errorf("%g, %v for an objective out of reach", gap, err)
	}
	sorry := errors.New("sorry")
	if _, err := reach(1, Least, func(float64) (float64, float64, error) {
		return 0, 0, sorry
	}); err != sorry {
		t.Errorf("%v", err)
	}
}

func TestAlternate(t *testing.T) {
	var order []int
	turn := func(k int, seconds ...float64) func() (float64, error) {
		return func() (float64, error) {
			order = append(order, k)
			s := seconds[0]
			seconds = seconds[1:]
			return s, nil
		}
	}
	least, err := Alternate(3, turn(1, 5, 3, 4), turn(2, 7, 8, 9))
	if err != nil || least[0] != 3 || least[1] != 7 || len(order) != 6 || order[1] != 2 || order[2] != 1 {
		t.Errorf("%v, %v in the order %v", least, err, order)
	}
}
