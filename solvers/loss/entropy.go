package loss

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// xlogx is continued to 0, and to what rounding makes of 0.
func xlogx(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log(x)
}

// entropyTerms returns r sum_j u_j log u_j, u = scale a.
func entropyTerms[T vec.Float](a []T, scale, r float64) float64 {
	sum := 0.0
	for _, v := range a {
		sum += xlogx(scale * float64(v))
	}
	return r * sum
}

// softplus is log(1 + e^x).
func softplus(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

// tail returns the sum of exp(s_j - t) over the classes other than y that are not in top, the largest, where t is the
// least number of top.
func tail[T vec.Float](s []T, y int, top []T) float64 {
	t := top[len(top)-1]
	sum, ties := 0.0, 0
	for j, v := range s {
		switch {
		case j == y:
		case v < t:
			sum += math.Exp(float64(v) - float64(t))
		case v == t:
			ties++
		}
	}
	for _, v := range top {
		if v == t {
			ties--
		}
	}
	return sum + float64(ties)
}
