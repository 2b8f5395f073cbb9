package toprank

import (
	"math"

	"github.com/dualgap/dualgap/solvers"
)

// objective is the problem without its data: the configuration with its defaults, the number of examples that the
// threshold is over, and that of all of them which the Tau is a part of.
type objective struct {
	Config
	positive []bool
	bound    float64 // of PatMat: Tau n, the most that sum_j l2(f_j - t) may be
}

func newObjective(c Config, positive []bool) *objective {
	o := &objective{Config: c, positive: positive}
	o.bound = c.Tau * float64(o.below())
	return o
}

// ranked reports whether the threshold depends on example i, which has a beta then.
func (o *objective) ranked(i int) bool { return o.All || !o.positive[i] }

// below returns how many examples the threshold is over.
func (o *objective) below() (n int) {
	for i := range o.positive {
		if o.ranked(i) {
			n++
		}
	}
	return n
}

// loss returns l(s) and its derivative.
func (l Loss) loss(theta, s float64) (value, slope float64) {
	v := 1 + theta*s
	switch {
	case v <= 0:
		return 0, 0
	case l == Hinge:
		return v, theta
	}
	return v * v, 2 * theta * v
}

// curvature is 2 p1: what an alpha of size 1 takes from its own slope.
func (o *objective) curvature() float64 {
	if o.Loss == Hinge {
		return 0
	}
	return 1 / (2 * o.C * o.Theta1 * o.Theta1)
}

// most is the upper bound of an alpha.
func (o *objective) most() float64 {
	if o.Loss == Hinge {
		return o.C * o.Theta1
	}
	return math.Inf(1)
}

// threshold returns t of the scores f of the examples that it is over.
func (o *objective) threshold(f []float64) float64 {
	if o.Method == TopPush {
		at, t := make([]int, min(o.K, len(f))), 0.0
		solvers.Rank(at, f)
		for _, j := range at {
			if j < 0 {
				return math.NaN() // there are scores that are NaN
			}
			t += f[j] / float64(len(at))
		}
		return t
	}
	// sum_j l2(f_j - t) is convex and falls with t. By Jensen's inequality it is at least the bound at the t that it would
	// have if all f_j were their mean; from there Newton's steps rise to the solution without passing it.
	mean, n := 0.0, float64(len(f))
	for _, v := range f {
		mean += v / n
	}
	share := o.bound / n
	if o.Loss == Quadratic {
		share = math.Sqrt(share)
	}
	t := mean + (1-share)/o.Theta2
	for range 200 {
		sum, slope := o.passing(f, t)
		next := t + (sum-o.bound)/slope
		if !(next > t) {
			break
		}
		t = next
	}
	return t
}

// passing returns sum_j l2(f_j - t), and minus its derivative by t.
func (o *objective) passing(f []float64, t float64) (sum, slope float64) {
	for _, v := range f {
		l, d := o.Loss.loss(o.Theta2, v-t)
		sum, slope = sum+l, slope+d
	}
	return sum, slope
}

// losses returns sum_i l1(t - f_i), and its derivative by t.
func (o *objective) losses(f []float64, t float64) (sum, slope float64) {
	for _, v := range f {
		l, d := o.Loss.loss(o.Theta1, t-v)
		sum, slope = sum+l, slope+d
	}
	return sum, slope
}

// dual returns the dual value of alphas and betas with |w|² = norm: alpha of positive examples, beta of those that the
// threshold is over. Signs do not matter.
func (o *objective) dual(alpha, beta []float64, norm float64) float64 {
	d := -norm / 2
	for _, v := range alpha {
		v = math.Abs(v)
		d += v/o.Theta1 - o.curvature()/2*v*v
	}
	if o.Method == TopPush {
		return d
	}
	squares, largest := 0.0, 0.0
	for _, v := range beta {
		v = math.Abs(v)
		d += v / o.Theta2
		squares += v * v
		largest = max(largest, v)
	}
	if o.Loss == Hinge {
		return d - o.bound*largest/o.Theta2
	}
	return d - math.Sqrt(o.bound*squares)/o.Theta2
}

// split returns the scores of the positive examples, and of those that the threshold is over.
func (o *objective) split(f []float64) (positive, ranked []float64) {
	for i, v := range f {
		if o.positive[i] {
			positive = append(positive, v)
		}
		if o.ranked(i) {
			ranked = append(ranked, v)
		}
	}
	return positive, ranked
}

// primal returns the value (4) of a model with the scores f and |w|² = norm, and its threshold.
func (o *objective) primal(f []float64, norm float64) (value, t float64) {
	positive, ranked := o.split(f)
	t = o.threshold(ranked)
	sum, _ := o.losses(positive, t)
	return norm/2 + o.C*sum, t
}
