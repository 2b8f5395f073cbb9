package newton

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// logistic is log(1 + exp(-y s)), y 1 or -1.
type logistic struct {
	y, r []float64
	e    []float64 // exp(-|s|), and then whatever is made of that
}

func newLogistic(y, r []float64) *logistic { return &logistic{y: y, r: r, e: make([]float64, len(y))} }

// exps sets e to exp(-|s + t q|).
func (l *logistic) exps(s, q []float64, t float64) {
	for i, v := range s {
		if q != nil {
			v += float64(t * q[i])
		}
		l.e[i] = -math.Abs(v)
	}
	vec.Exp(l.e, l.e)
}

// share returns 1/(1 + exp(z)) by e = exp(-|z|).
func share(z, e float64) float64 {
	if z > 0 {
		return e / (1 + e)
	}
	return 1 / (1 + e)
}

func (l *logistic) set(a, c, s []float64, _ float64) {
	l.exps(s, nil, 0)
	for i, r := range l.r {
		e := l.e[i]
		a[i] = l.y[i] * r * share(l.y[i]*s[i], e)
		c[i] = r * e / ((1 + e) * (1 + e))
	}
}

func (l *logistic) along(s, q []float64, t, _ float64) (slope, bend float64) {
	l.exps(s, q, t)
	for i, r := range l.r {
		e, at := l.e[i], q[i]
		slope -= l.y[i] * r * share(l.y[i]*(s[i]+t*at), e) * at
		bend += r * e / ((1 + e) * (1 + e)) * at * at
	}
	return slope, bend
}

func (l *logistic) primal(s []float64) (sum float64) {
	l.exps(s, nil, 0)
	for i, e := range l.e {
		l.e[i] = 1 + e
	}
	vec.Log(l.e, l.e)
	for i, r := range l.r {
		sum += float64(r * (max(0, -l.y[i]*s[i]) + l.e[i]))
	}
	return sum
}

// dual is the sum of the entropies -a log(a/r) - (r - a) log(1 - a/r).
func (l *logistic) dual(a []float64) (sum float64) {
	for i, v := range a {
		r := l.r[i]
		if r == 0 {
			continue
		}
		q := math.Abs(v) / r
		if q > 0 && q < 1 {
			sum -= float64(r * (q*math.Log(q) + (1-q)*math.Log1p(-q)))
		}
	}
	return sum
}

func (l *logistic) repair(a []float64) {
	for i, v := range a {
		a[i] = l.y[i] * min(max(0, l.y[i]*v), l.r[i])
	}
}

func (*logistic) kink() float64 { return 0 }
