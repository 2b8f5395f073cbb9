package loss

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// TopKEntropy is the top-k entropy loss of Lapin, Hein and Schiele ("Loss functions for top-k error", CVPR 2016): the
// conjugate, at a_j = s_j - s_y, of <u, log u> + (1-s) log(1-s), s = <1,u>, over Delta_k. For K = 1 it is the softmax
// loss, log(1 + sum_j exp a_j). 1 <= K <= m-1.
//
// Its maximum has the n < K largest of a at the cap s/K and u_j in proportion to exp a_j behind them, which makes it
// log(1 + K exp(e)), e = 1/K (sum_{j<=n} a_[j] + (K-n) log(Z/(K-n))), Z = sum_{j>n} exp a_[j]; n is the least number
// for which a_[n+1] <= log(Z/(K-n)).
type TopKEntropy[T vec.Float] struct {
	K int
}

// Traits returns the name, and that every dual variable moves.
func (TopKEntropy[T]) Traits() Traits { return Traits{Name: "top-k entropy", AllMove: true} }

// With sets K; there is no smoothing.
func (l TopKEntropy[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := checkOnlyK(l.Traits().Name, k, smoothing); err != nil {
		return nil, err
	}
	return TopKEntropy[T]{K: k}, nil
}

// Primal returns the loss. O(m), with an exponential each.
func (l TopKEntropy[T]) Primal(s []T, y []int, w *Workspace[T]) float64 {
	if l.K == 1 {
		return softmaxLoss(s, y[0], w)
	}
	_, _, _, logit := l.caps(s, y[0], w)
	return softplus(logit)
}

// caps returns n, a_[n+1] + s_y, Z as a multiple of exp a_[n+1], and log K + e, whose softplus is the loss.
func (l TopKEntropy[T]) caps(s []T, y int, w *Workspace[T]) (n int, t, z, logit float64) {
	top := largest(s, y, l.K, w)
	// Z = z exp a_[n+1], from the largest n to 0: all terms are positive and none overflows.
	z, n = 1+tail(s, y, top, w), l.K-1
	for n > 0 && !(float64(top[n-1])-float64(top[n]) >= math.Log(z/float64(l.K-n))) {
		n--
		z = 1 + z*math.Exp(float64(top[n+1])-float64(top[n]))
	}
	e := float64(l.K-n) * (float64(top[n]) + math.Log(z/float64(l.K-n)))
	for _, v := range top[:n] {
		e += float64(v)
	}
	return n, float64(top[n]), z, e/float64(l.K) + math.Log(float64(l.K)) - float64(s[y])
}

// softmaxLoss returns log(1 + sum_j exp a_j).
func softmaxLoss[T vec.Float](s []T, y int, w *Workspace[T]) float64 {
	x, _ := w.wide(len(s) - 1)
	most, margin := scoresBut(x, s, y), float64(s[y])
	if !(most > margin) { // NaN as well
		return math.Log1p(unchecked.ExpSum(x, x, margin))
	}
	return most - margin + math.Log(unchecked.ExpSum(x, x, most)+math.Exp(margin-most))
}

// Dual returns -<x, log(x/r)> - (r-<1,x>) log(1-<1,x>/r).
func (l TopKEntropy[T]) Dual(a []T, y []int, r float64, w *Workspace[T]) float64 {
	u, logs := w.wide(len(a))
	scale, sum := -1/r, 0.0
	for j, v := range a {
		u[j] = scale * float64(v)
		sum += u[j]
	}
	sum -= u[y[0]]
	u[y[0]] = 0
	return -r * (entropyOf(u, logs) + entropyOfRest(sum))
}

// Visit moves a block to its optimum.
func (l TopKEntropy[T]) Visit(
	a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	if l.K == 1 {
		return visitSoftmax(l, true, a, s, y, h, r, term, least, delta, w)
	}
	return Visit(l, a, s, y, h, r, term, least, delta, w)
}

// Update is the proximal point of the conjugate.
func (l TopKEntropy[T]) Update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool {
	b := w.take(len(a) - 1)
	target(b, a, s, y[0], 0, 1/h, 1)
	th := project.TopKEntropy(b, b, l.K, inner[T](r), 1, 1/h, &w.projection)
	settle(b, l.K, r, th.U, l.K > 1)
	return moveX(a, b, y[0], delta)
}

// Repair moves a into the set.
func (l TopKEntropy[T]) Repair(a []T, y []int, r float64, w *Workspace[T]) {
	repair(a, y[0], l.K, r, true, w)
}

// Reach returns r/<1,x>.
func (l TopKEntropy[T]) Reach(a []T, _ []int, r float64) float64 { return r / positive(a) }
