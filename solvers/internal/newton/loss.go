package newton

import (
	"math"

	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// losses are the losses of all examples as functions of their scores.
type losses interface {
	// set sets a to the dual variables that the scores s name and c to the second derivatives, both of the losses
	// smoothed by mu.
	set(a, c, s []float64, mu float64)

	// along returns the first and the second derivative by t of the sum of the smoothed losses at the scores s + t q.
	along(s, q []float64, t, mu float64) (slope, bend float64)

	// primal returns the sum of the losses themselves, dual the sum of the dual terms of a, which is feasible.
	primal(s []float64) float64
	dual(a []float64) float64

	// repair moves a into the domain that rounding has taken it out of.
	repair(a []float64)

	// kink is the largest mu that makes sense, 0 for a loss that is smooth.
	kink() float64
}

// lossesOf returns the losses of a problem, nil where it has other ones.
func lossesOf[T vec.Float](p *ascent.Problem[T]) losses {
	of := pieces{r: p.Radius}
	switch l := p.Exact.(type) {
	case loss.LabelHinge[float64]:
		if l.Label != nil {
			return nil
		}
		of.hinge = true
	case loss.SquaredHinge[float64]:
		if l.Label != nil {
			return nil
		}
		of.hinge, of.squared = true, true
	case loss.Logistic[float64]:
		if l.Label != nil {
			return nil
		}
		return newLogistic(signs(p), p.Radius)
	case loss.EpsilonInsensitive[float64]:
		of.setTargets(l.Targets)
	case loss.SquaredEpsilonInsensitive[float64]:
		of.setTargets(l.Targets)
		of.squared = true
	default:
		return nil
	}
	if of.hinge {
		of.y = signs(p)
	} else if of.y == nil {
		of.y = make([]float64, len(p.Radius))
	}
	return &of
}

// signs returns 1 for examples whose label is true, -1 for others.
func signs[T vec.Float](p *ascent.Problem[T]) []float64 {
	t := make([]float64, len(p.Radius))
	for i := range t {
		t[i] = -1
		if len(p.Labels.Of(i)) > 0 {
			t[i] = 1
		}
	}
	return t
}

// pieces are losses that are quadratic or linear by parts, functions of z: with the hinge z = 1 - y s = y (y - s), of
// targets z = |y - s| - epsilon. They are z or z² where z > 0.
type pieces struct {
	y, r           []float64 // 1 and -1, or targets; the weights of the losses
	epsilon        float64
	hinge, squared bool
}

func (l *pieces) setTargets(t *loss.Targets) {
	if t != nil {
		l.y, l.epsilon = t.Y, t.Epsilon
	}
}

// part returns the slope k of the first part of the loss's derivative, and where it ends: min(k z, most).
func (l *pieces) part(mu float64) (k, most float64) {
	if l.squared {
		return 2, math.Inf(1)
	}
	return 1 / mu, 1
}

// z returns z of target y at score s, and the sign of the dual variable.
func (l *pieces) z(y, s float64) (z, sign float64) {
	if l.hinge {
		return y * (y - s), y
	}
	return loss.Excess(s, y, l.epsilon), math.Copysign(1, y-s)
}

func (l *pieces) set(a, c, s []float64, mu float64) {
	k, most := l.part(mu)
	for i, r := range l.r {
		z, sign := l.z(l.y[i], s[i])
		a[i], c[i] = 0, 0
		if v := k * z; v >= most {
			a[i] = sign * r
		} else if v > 0 {
			a[i], c[i] = sign*r*v, r*k
		}
	}
}

func (l *pieces) along(s, q []float64, t, mu float64) (slope, bend float64) {
	k, most := l.part(mu)
	for i, r := range l.r {
		at := q[i]
		z, sign := l.z(l.y[i], s[i]+t*at)
		if v := k * z; v >= most {
			slope -= sign * r * at
		} else if v > 0 {
			slope -= sign * r * v * at
			bend += r * k * at * at
		}
	}
	return slope, bend
}

func (l *pieces) primal(s []float64) (sum float64) {
	for i, r := range l.r {
		if z, _ := l.z(l.y[i], s[i]); !(z > 0) && z == z {
			continue
		} else if l.squared {
			sum += float64(r * z * z)
		} else {
			sum += float64(r * z)
		}
	}
	return sum
}

func (l *pieces) dual(a []float64) (sum float64) {
	for i, v := range a {
		if v == 0 {
			continue
		}
		term := l.y[i] * v
		if l.epsilon > 0 {
			term -= l.epsilon * math.Abs(v)
		}
		if l.squared {
			term -= v * (v / l.r[i]) / 4 // v² may be less than the least number
		}
		sum += term
	}
	return sum
}

func (l *pieces) repair(a []float64) {
	for i, v := range a {
		if l.hinge {
			v = l.y[i] * max(0, l.y[i]*v)
		}
		if !l.squared || l.r[i] == 0 {
			v = min(max(v, -l.r[i]), l.r[i])
		}
		a[i] = v
	}
}

func (l *pieces) kink() (mu float64) {
	if l.squared {
		return 0
	}
	if l.hinge {
		return 2
	}
	for _, y := range l.y {
		mu += max(0, math.Abs(y)-l.epsilon) / float64(len(l.y))
	}
	return max(2*mu, l.epsilon, math.SmallestNonzeroFloat64)
}
