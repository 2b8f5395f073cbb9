package race

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// Linear is a race to the same value of
//
//	1/2 |W|² + C Σ_i loss(i, Wᵀx_i),
//
// the objective, which is computed in float64 for everybody.
type Linear struct {
	Name string
	X    *dataset.CSR[float64]
	C    float64
	Loss func(i int, scores []float64) float64

	Penalty func(w []float64) float64 // in place of 1/2 |W|², unless nil
}

// Train trains a linear model to a tolerance. It returns the weights, features by outputs, and the CPU seconds.
type Train func(tolerance float64) (w vec.Matrix[float64], seconds float64, err error)

// Weights returns the weights of a model as float64.
func Weights[T vec.Float](m *linear.Model[T]) vec.Matrix[float64] {
	narrow := m.Weights()
	w := vec.NewMatrix[float64](narrow.Rows, narrow.Cols)
	for j := range w.Rows {
		for c, v := range narrow.Row(j) {
			w.Row(j)[c] = float64(v)
		}
	}
	return w
}

// PrintHead names the columns of Print.
func PrintHead() {
	fmt.Printf("%-40s %9s %12s %10s %10s %8s %10s %8s\n",
		"problem", "eps", "objective", "LIBLINEAR", "float32 s", "ratio", "float64 s", "ratio")
}

// Print races for a number of rounds and prints a line. LIBLINEAR trains to eps; ours in each precision to the largest
// relative gap, to a fifth, at which its objective is at most as large as LIBLINEAR's.
func (l Linear) Print(eps float64, rounds int, liblinear, float32s, float64s Train) error {
	w, _, err := liblinear(eps)
	if err != nil {
		return err
	}
	target := l.Objective(w)
	trains, tolerances := []Train{liblinear}, []float64{eps}
	columns := []int{0, 0}
	for k, train := range []Train{float32s, float64s} {
		gap, err := l.reach(target, train)
		if err != nil {
			return err
		}
		if gap > 0 {
			columns[k] = len(trains)
			trains, tolerances = append(trains, train), append(tolerances, gap)
		}
	}
	runs := make([]func() (float64, error), len(trains))
	for k, train := range trains {
		runs[k] = func() (float64, error) {
			_, seconds, err := train(tolerances[k])
			return seconds, err
		}
	}
	seconds, err := Alternate(rounds, runs...)
	if err != nil {
		return err
	}
	fmt.Printf("%-40s %9.0e %12.6g %10.3f", l.Name, eps, target, seconds[0])
	for _, k := range columns {
		if k == 0 {
			fmt.Printf(" %10s %8s", "-", "-")
		} else {
			fmt.Printf(" %10.3f %8.2f", seconds[k], seconds[0]/seconds[k])
		}
	}
	fmt.Println()
	return nil
}

// reach returns the largest gap, to a fifth, that leads to an objective of at most target; 0 if there is none.
func (l Linear) reach(target float64, train Train) (gap float64, err error) {
	const least = 1e-8
	high, low := 1.0, 0.0 // too large, and small enough
	for low == 0 || high > 1.2*low {
		try := high / 4
		if low > 0 {
			try = math.Sqrt(low * high)
		}
		if try < least {
			return 0, nil
		}
		w, _, err := train(try)
		if err != nil {
			return 0, err
		}
		if l.Objective(w) <= target {
			low = try
		} else {
			high = try
		}
	}
	return low, nil
}

// Objective returns the objective at the given weights.
func (l Linear) Objective(w vec.Matrix[float64]) float64 {
	sum, scores := 0.0, make([]float64, w.Cols)
	for i := range l.X.Rows {
		clear(scores)
		columns, values := l.X.Row(i)
		for k, j := range columns {
			vec.Axpy(values[k], w.Row(int(j)), scores)
		}
		sum += l.Loss(i, scores)
	}
	if l.Penalty != nil {
		return l.Penalty(w.Data) + l.C*sum
	}
	return vec.SquaredNorm(w.Data)/2 + l.C*sum
}
