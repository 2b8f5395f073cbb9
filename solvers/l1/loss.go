package l1

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// losses are the losses of all examples of one output, sum_i r_i phi(y_i s_i), with r_i = C times the weight of the
// example.
type losses struct {
	loss    Loss
	radius  []float64 // r_i
	largest float64   // of them
	sign    []float64 // y_i, 1 or -1

	version  int       // how often it was computed
	value    float64   // the sum at the last scores
	slope    []float64 // its derivative by each score
	curve    []float64 // the second derivative, or an upper bound of it
	exps     []float64 // exp(-|s_i|)
	logs     []float64 // log(1 + exp(-|s_i|))
	trial    []float64 // scores of a trial step
	logistic bool
}

func newLosses(l Loss, n int) *losses {
	s := &losses{loss: l, sign: make([]float64, n), slope: make([]float64, n), curve: make([]float64, n),
		trial: make([]float64, n), logistic: l == Logistic}
	if s.logistic {
		s.exps, s.logs = make([]float64, n), make([]float64, n)
	}
	return s
}

// leastRest is how small 1 - p is taken to be in the curvature r p (1 - p) of the logistic loss at least: an example
// that is wrong by far has next to none, and steps would be too long.
const leastRest = 1e-3

// at computes the value, slope and curvature at the scores s.
func (l *losses) at(s []float64) {
	sum := 0.0
	l.version++
	if !l.logistic {
		for i, y := range l.sign {
			r := l.radius[i]
			m := 1 - y*s[i]
			if m > 0 {
				sum += r * m * m
				l.slope[i], l.curve[i] = -2*r*m*y, 2*r
			} else {
				l.slope[i], l.curve[i] = 0, 0
			}
		}
		l.value = sum
		return
	}
	l.powers(s)
	e, logs, radius, slope, curve := l.exps[:len(s)], l.logs[:len(s)], l.radius[:len(s)], l.slope[:len(s)],
		l.curve[:len(s)]
	for i, y := range l.sign[:len(s)] {
		z, r := y*s[i], radius[i]
		p := 1 / (1 + e[i])
		wrong, right := ordered(e[i]*p, p, z) // of the wrong sign: 1/(1 + exp z)
		sum += r * (logs[i] + max(0, -z))
		slope[i], curve[i] = -r*wrong*y, r*wrong*max(right, leastRest)
	}
	l.value = sum
}

// ordered returns a and b, but b and a where z is negative, without a branch: which it is is hard to foretell.
func ordered(a, b, z float64) (first, second float64) {
	negative := uint64(int64(math.Float64bits(z)) >> 63)
	other := (math.Float64bits(a) ^ math.Float64bits(b)) & negative
	return math.Float64frombits(math.Float64bits(a) ^ other), math.Float64frombits(math.Float64bits(b) ^ other)
}

// powers fills exps and logs.
func (l *losses) powers(s []float64) {
	for i, v := range s {
		l.exps[i] = -math.Abs(v)
	}
	vec.Exp(l.exps, l.exps)
	for i, e := range l.exps {
		l.logs[i] = 1 + e
	}
	vec.Log(l.logs, l.logs)
}

// along returns the value at the scores s + t delta.
func (l *losses) along(s, delta []float64, t float64) (sum float64) {
	if !l.logistic {
		for i, y := range l.sign {
			if m := 1 - y*(s[i]+t*delta[i]); m > 0 {
				sum += l.radius[i] * m * m
			}
		}
		return sum
	}
	for i, v := range s {
		l.trial[i] = v + t*delta[i]
	}
	l.powers(l.trial)
	for i, y := range l.sign {
		sum += l.radius[i] * (l.logs[i] + max(0, -y*l.trial[i]))
	}
	return sum
}

// dual returns the largest dual value of theta |slope_i|, theta <= most, and that theta:
//
//	squared hinge: sum_i a_i - a_i²/(4 r_i),   logistic: sum_i r_i H(a_i/r_i), H(p) = -p log p - (1-p) log(1-p)
//
// of which the latter is taken at theta = min(1, most).
func (l *losses) dual(most float64) (value, theta float64) {
	if !l.logistic {
		one, two := 0.0, 0.0
		for i, v := range l.slope {
			if v != 0 {
				v = math.Abs(v)
				one += v
				two += v * v / (4 * l.radius[i])
			}
		}
		theta = most
		if two > 0 {
			theta = min(theta, one/(2*two))
		}
		if theta > math.MaxFloat64 {
			return 0, 1
		}
		return theta*one - theta*theta*two, theta
	}
	theta = min(1, most)
	p, q := l.exps, l.logs
	for i, v := range l.slope {
		p[i] = 0
		if v != 0 {
			p[i] = theta * math.Abs(v) / l.radius[i]
		}
		q[i] = 1 - p[i]
		p[i] = max(p[i], math.SmallestNonzeroFloat64)
		q[i] = max(q[i], math.SmallestNonzeroFloat64)
	}
	value -= l.entropies(p, q)
	return value, theta
}

// entropies returns sum_i r_i (p log p + q log q), and overwrites both.
func (l *losses) entropies(p, q []float64) (sum float64) {
	copy(l.trial, p)
	vec.Log(p, p)
	for i, r := range l.radius {
		sum += r * l.trial[i] * p[i]
	}
	copy(l.trial, q)
	vec.Log(q, q)
	for i, r := range l.radius {
		sum += r * l.trial[i] * q[i]
	}
	return sum
}

// reach returns the radius of the sphere around dual variables with this gap that holds the optimum: the dual is
// strongly concave, with modulus 1/(2 r) or 4/r.
func (l *losses) reach(gap float64) float64 {
	if l.logistic {
		return math.Sqrt(max(0, gap) * l.largest / 2)
	}
	return math.Sqrt(max(0, gap) * l.largest * 4)
}
