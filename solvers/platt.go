package solvers

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// FitPlatt returns the calibration of Platt (Probabilistic outputs for support vector machines, 1999), with the targets
// and the method of Lin, Lin and Weng (A note on Platt's probabilistic outputs, 2007): for each output the line A s + B
// whose sigmoids minimise
//
//	min over A, B of -sum_i t_i log p_i + (1 - t_i) log(1 - p_i), p_i = 1/(1 + e^-(A s_i + B)),
//
// where t_i is (n+ + 1)/(n+ + 2) of the n+ examples that have the output, and 1/(n- + 2) of the n- others. (Their A and
// B have the other sign.) The targets keep it finite where scores tell both apart without a fault, and where all
// examples are of one kind. Where all scores are equal A is 0.
//
// Labels, and positive examples of a model of one output, get such a sigmoid each. Of two classes it is one of the
// difference of the scores; of more each is told from all others, and the sigmoids are divided by their sum. That may
// change which class is the most probable one.
//
// scores, n-by-outputs, are of examples that the training has not seen, as [HeldOut] keeps them. Errors are as in
// [FitTemperature]. O(n m) for each of some 10 steps of Newton's method.
func FitPlatt[T vec.Float](scores vec.Matrix[T], truth Truth) (*Calibration, error) {
	truth, err := check(scores, truth)
	if err != nil {
		return nil, fmt.Errorf("solvers: Platt's probabilities: %w", err)
	}
	n, m := scores.Rows, scores.Cols
	s, has := make([]float64, n), make([]bool, n)
	if truth.Y != nil && m == 2 {
		truth.having(1, has)
		for i := range n {
			row := scores.Row(i)
			s[i] = float64(row[1]) - float64(row[0])
			if s[i]-s[i] != 0 {
				return nil, fmt.Errorf("solvers: Platt's probabilities: the scores %v and %v of row %d are too far "+
					"apart", row[0], row[1], i)
			}
		}
		a, b := platt(s, has)
		c := &Calibration{Link: Softmax, Slope: []float64{a}, Offset: []float64{0, b}}
		return c, c.Check(m)
	}
	c := &Calibration{Link: Sigmoid, Slope: make([]float64, m), Offset: make([]float64, m)}
	if truth.Y != nil {
		c.Link = Normalized
	}
	for l := range m {
		truth.having(l, has)
		for i := range n {
			s[i] = float64(scores.Row(i)[l])
		}
		c.Slope[l], c.Offset[l] = platt(s, has)
	}
	return c, c.Check(m)
}

// line is a problem of two numbers, A and B, on scores of mean 0 and variance 1.
type line struct{ scores, targets []float64 }

// platt returns A and B of one output, and overwrites scores.
func platt(scores []float64, has []bool) (a, b float64) {
	count, largest := 0, 0.0
	for i, is := range has {
		if is {
			count++
		}
		largest = max(largest, math.Abs(scores[i]))
	}
	largest = max(largest, math.SmallestNonzeroFloat64)
	f := line{scores, make([]float64, len(scores))}
	above, below := (float64(count)+1)/(float64(count)+2), 1/(float64(len(scores)-count)+2)
	mean, target := 0.0, 0.0
	for i, is := range has {
		f.targets[i] = below
		if is {
			f.targets[i] = above
		}
		target += f.targets[i] / float64(len(has))
		scores[i] /= largest
		mean += scores[i] / float64(len(has))
	}
	deviation := 0.0
	for i := range scores {
		scores[i] -= mean
		deviation += scores[i] * scores[i] / float64(len(has))
	}
	b = math.Log(target / (1 - target))
	if deviation = math.Sqrt(deviation); deviation <= 1e-12 { // but for rounding they are equal
		return 0, b
	}
	for i := range scores {
		scores[i] /= deviation
	}
	a, b = f.minimize(b)
	a /= deviation
	return a / largest, b - a*mean
}

// at returns the loss at (a, b), its gradient, and its second derivatives by a, by both and by b.
func (f line) at(a, b float64) (value float64, slope [2]float64, curve [3]float64) {
	for i, z := range f.scores {
		t := float64(a*z) + b
		p := sigmoid(t)
		off, w := p-f.targets[i], p*sigmoid(-t)
		value += softplus(t) - float64(f.targets[i]*t)
		slope[0], slope[1] = slope[0]+float64(off*z), slope[1]+off
		curve[0], curve[1], curve[2] = curve[0]+float64(w*z*z), curve[1]+float64(w*z), curve[2]+w
	}
	return value, slope, curve
}

// newton returns the step d of H d = -g, and whether H is positive definite.
func newton(slope [2]float64, curve [3]float64) (da, db float64, ok bool) {
	det := curve[0]*curve[2] - curve[1]*curve[1]
	da = (curve[1]*slope[1] - curve[2]*slope[0]) / det
	db = (curve[1]*slope[0] - curve[0]*slope[1]) / det
	return da, db, det > 0
}

// minimize returns the minimiser, from (0, b): Newton's method with half steps where a whole one gains too little.
func (f line) minimize(b float64) (float64, float64) {
	a := 0.0
	value, slope, curve := f.at(a, b)
	for range 100 {
		da, db, ok := newton(slope, curve)
		if !ok {
			break
		}
		falls := da*slope[0] + db*slope[1] // twice what is left to gain, about, and negative
		if !(falls < -1e-16*value) {
			return a + da, b + db
		}
		step := 1.0
		for ; step > 1e-10; step /= 2 {
			v, s, c := f.at(a+step*da, b+step*db)
			if v <= value+1e-4*step*falls {
				a, b, value, slope, curve = a+step*da, b+step*db, v, s, c
				break
			}
		}
		if step <= 1e-10 {
			break
		}
	}
	return a, b
}
