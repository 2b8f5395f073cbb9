package project

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// smallProblem is what the kernel for small problems takes and gives.
type smallProblem struct{ unchecked.SmallProblem }

// thresholds belong to a problem that is solved.
func (p *smallProblem) thresholds() Thresholds {
	return Thresholds{T: p.T, U: p.U, Lambda: p.Lambda, Counts: Counts{Cap: p.Cap, Mid: p.Mid}}
}

// cappedKind is the kind of TopKSimplexBeta.
func cappedKind(k int) int {
	if k == 1 {
		return unchecked.SmallSimplex
	}
	return unchecked.SmallCapped
}

// small projects a into dst if the kernel for small problems does it, and leaves the answer in w.problem.
func (w *Workspace[T]) small(dst, a []T, k, kind int, r, rho float64) bool {
	return uint(len(a)-1) < unchecked.SmallMost[T]() && w.problem.set(k, r, rho) &&
		callSmall(dst, a, k, kind, &w.problem)
}

// smallFits says whether the kernel solves a problem with these arguments. It is small enough to be inlined.
func smallFits[T vec.Float](dst, a, k int, r, rho float64) bool {
	return dst == a && uint(a-1) < unchecked.SmallMost[T]() && uint(k-1) < uint(a) && 0 < r && r <= math.MaxFloat64 &&
		0 <= rho && rho <= math.MaxFloat64
}

// set sets the parameters, and says whether the problem is one for the kernel. It is small enough to be inlined.
func (p *smallProblem) set(k int, r, rho float64) bool {
	p.R, p.Rho, p.Limit = r, rho, r
	if k > 1 {
		p.setCap(float64(k))
	}
	return 0 < r && r <= math.MaxFloat64
}

func (p *smallProblem) setCap(k float64) {
	p.K, p.Limit = k, p.R/k
	p.Share = k + p.Rho*k*k
}

// smallEqual is small for { 0 <= x_i <= u, <1,x> = r }.
func (w *Workspace[T]) smallEqual(dst, a []T, r, u float64) bool {
	if uint(len(a)-1) >= unchecked.SmallMost[T]() || !(0 < r && r <= math.MaxFloat64) {
		return false
	}
	p := &w.problem
	p.R, p.Limit = r, min(u, r)
	if u >= r {
		solved := callSmall(dst, a, 1, unchecked.SmallEqual, p)
		if u > r { // the kernel's cap is r
			p.Mid, p.Cap = p.Mid+p.Cap, 0
		}
		return solved
	}
	k := math.Ceil(r / u)
	if !(k <= float64(len(a)) && callSmall(dst, a, int(k), unchecked.SmallKnapsack, p)) {
		return false
	}
	if math.IsInf(p.T, -1) { // elements of -Inf would have to hold a part of the sum
		th := undefined(dst)
		p.T, p.U, p.Lambda, p.Cap, p.Mid = th.T, th.U, th.Lambda, 0, 0
	}
	return true
}

func callSmall[T vec.Float](dst, a []T, k, kind int, p *smallProblem) bool {
	if unchecked.Is32[T]() {
		return unchecked.Small32(dst, a, k, kind, &p.SmallProblem) != 0
	}
	return unchecked.Small64(dst, a, k, kind, &p.SmallProblem) != 0
}

// smallThenSpread is small for what is kept of a, and then writes all of dst. It destroys what is kept.
func (w *Workspace[T]) smallThenSpread(dst, a, kept []T, k, kind int, r, rho float64) bool {
	if len(kept) == len(a) || !w.small(kept, kept, k, kind, r, rho) { // all of a: tried before
		return false
	}
	w.spreadSmall(dst, a, kept)
	return true
}

// spreadSmall writes dst by what the kernel has made of kept, or by the thresholds that it found.
func (w *Workspace[T]) spreadSmall(dst, a, kept []T) {
	if !w.placed {
		clip(dst, a, w.problem.C, w.problem.Shift, 0, w.problem.U)
		return
	}
	if !w.cleared {
		clear(dst)
	}
	for i, j := range w.index[:len(kept)] {
		dst[j] = kept[i]
	}
}
