package loss

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// wide returns n numbers in float64, and as many more.
func (w *Workspace[T]) wide(n int) (x, more []float64) {
	if len(w.u) < 2*n {
		w.u = make([]float64, 2*n)
	}
	return w.u[:n], w.u[n:][:n]
}

// entropyOf returns sum_j u_j log u_j, continued to 0 and to what rounding makes of 0. It takes logs as scratch.
func entropyOf(u, logs []float64) float64 {
	for j, v := range u {
		v = max(0, v)
		u[j], logs[j] = v, max(v, 0x1p-1022) // 0 log 0 = 0, and what is denormal does not count
	}
	vec.Log(logs, logs)
	return vec.Dot64(u, logs)
}

// entropyOfRest returns (1-s) log(1-s), continued to 1 and to what rounding makes of it, with a small relative error:
// beside a small s 1-s has lost most of it.
func entropyOfRest(s float64) float64 {
	if !(s < 1) && s-s == 0 {
		return 0
	}
	return (1 - s) * math.Log1p(-s)
}

// scoresBut sets x to the scores of the classes other than y, and returns the largest.
func scoresBut[T vec.Float](x []float64, s []T, y int) (most float64) {
	vec.Convert(x[:y], s[:y])
	vec.Convert(x[y:], s[y+1:])
	return vec.Max(x)
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
func tail[T vec.Float](s []T, y int, top []T, w *Workspace[T]) float64 {
	x, _ := w.wide(len(s) - 1)
	scoresBut(x, s, y)
	t := float64(top[len(top)-1])
	n := 0
	for j, v := range x {
		if v >= t { // of them len(top) are in top, the others equal t
			x[j] = math.Inf(-1)
			n++
		}
	}
	return unchecked.ExpSum(x, x, t) + float64(n-len(top))
}
