package solvers

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// FitTemperature returns the calibration that divides scores by a temperature T: p = softmax(s/T) of classes, the
// sigmoid of s_l/T of labels and of a model of one output (Guo, Pleiss, Sun and Weinberger, On calibration of modern
// neural networks, 2017). The inverse b = 1/T minimises the log loss of the n examples,
//
//	min over 0 <= b <= most of sum_i log sum_c e^(b (s_ic - s_iy))
//	                        or sum_i sum_l log(1 + e^(-b z_il s_il)), z_il = 1 if example i has label l, else -1,
//
// which is convex in b. It keeps what a model decides by the largest score or by signs. scores, n-by-outputs, are of
// examples that the training has not seen, as [HeldOut] keeps them.
//
// Where every decision is right the loss falls as b grows without end. Therefore most is where the decisions that are
// right, not by a tie, still lose log 2 in all, as much as one that is tied; b is 0 where these are so few that they
// never do. It is 0, too, where the scores say less than a constant does: T is infinite then, and all probabilities are
// the same. Where all scores of each example are equal any b is as good, and it is 1.
//
// It is an error if a score is not finite, if the truth does not fit the scores, or if there is no example. O(n m) for
// each of some 10 steps of Newton's method.
func FitTemperature[T vec.Float](scores vec.Matrix[T], truth Truth) (*Calibration, error) {
	truth, err := check(scores, truth)
	if err != nil {
		return nil, fmt.Errorf("solvers: a temperature: %w", err)
	}
	f := &heat[T]{scores: scores, truth: truth, row: make([]float64, scores.Cols), is: make([]bool, scores.Cols),
		p: make([]float64, scores.Cols)}
	c := &Calibration{Link: Sigmoid}
	if truth.Y != nil {
		c.Link = Softmax
	}
	f.scale = 1
	f.scale = f.widest()
	if math.IsInf(f.scale, 1) {
		return nil, fmt.Errorf("solvers: a temperature: scores that are farther apart than float64 has numbers")
	}
	c.Slope = []float64{1}
	if f.scale > 0 {
		c.Slope[0] = f.minimize() / f.scale
	}
	return c, c.Check(scores.Cols)
}

// heat is the log loss as a function of b times scale, for scores over scale.
type heat[T vec.Float] struct {
	scores vec.Matrix[T]
	truth  Truth
	scale  float64

	row, p []float64 // of an example: exponents, probabilities
	is     []bool
}

// loss is the log loss at b: its derivatives, and what the decisions lose that are right and not tied.
type loss struct{ value, first, second, right float64 }

// exponents sets row to what b is multiplied by in example i: s_c less the largest one, or the scores, over scale.
func (f *heat[T]) exponents(i int) {
	vec.Convert(f.row, f.scores.Row(i))
	most := 0.0
	if f.truth.Y != nil {
		most = vec.Max(f.row)
	}
	for c, s := range f.row {
		f.row[c] = (s - most) / f.scale
	}
}

// widest returns the largest absolute exponent.
func (f *heat[T]) widest() (most float64) {
	for i := range f.scores.Rows {
		f.exponents(i)
		for _, v := range f.row {
			most = max(most, math.Abs(v))
		}
	}
	return most
}

// at returns the loss at b. O(n m).
func (f *heat[T]) at(b float64) (sum loss) {
	for i := range f.scores.Rows {
		f.exponents(i)
		if f.truth.Y == nil {
			f.labels(b, i, &sum)
			continue
		}
		y, runner := f.truth.Y[i], math.Inf(-1)
		own, mean, square := f.row[y], 0.0, 0.0
		for c, v := range f.row {
			f.p[c] = b * v
			if c != y {
				runner = max(runner, v)
			}
		}
		value := vec.SoftmaxLogSumExp(f.p, f.p) - b*own
		for c, p := range f.p {
			mean += float64(p * f.row[c])
		}
		for c, p := range f.p {
			square += float64(p * (f.row[c] - mean) * (f.row[c] - mean))
		}
		sum.add(value, mean-own, square, own > runner)
	}
	return sum
}

// labels adds the losses of example i's labels.
func (f *heat[T]) labels(b float64, i int, sum *loss) {
	f.truth.has(i, f.is)
	for l, v := range f.row {
		if !f.is[l] {
			v = -v
		}
		p := sigmoid(-b * v)
		sum.add(softplus(-b*v), -p*v, p*(1-p)*v*v, v > 0)
	}
}

func (l *loss) add(value, first, second float64, right bool) {
	l.value, l.first, l.second = l.value+value, l.first+first, l.second+second
	if right {
		l.right += value
	}
}

// minimize returns the best b of scores over scale, none of which is above 1 in size.
func (f *heat[T]) minimize() float64 {
	at := f.at(0)
	if at.first >= 0 || at.right <= math.Ln2 {
		return 0
	}
	low, high := 0.0, 1.0
	for at = f.at(high); at.first < 0 && at.right > math.Ln2; at = f.at(high) {
		low, high = high, 2*high
	}
	if at.right < math.Ln2 { // the end of the interval is in this one
		least, most := low, high
		for range 60 {
			middle := least + (most-least)/2
			if f.at(middle).right > math.Ln2 {
				least = middle
			} else {
				most = middle
			}
		}
		if high = least; f.at(high).first <= 0 {
			return high
		}
	}
	return f.root(low, high)
}

// root returns where the slope of the loss is 0, which is negative at low and not at high: Newton's method, and halves
// of the interval where that leaves it.
func (f *heat[T]) root(low, high float64) float64 {
	b := low + (high-low)/2
	for range 100 {
		at := f.at(b)
		switch {
		case at.first == 0:
			return b
		case at.first < 0:
			low = b
		default:
			high = b
		}
		next := b - at.first/at.second
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if math.Abs(next-b) <= 1e-14*b || next == low || next == high {
			return next
		}
		b = next
	}
	return b
}
