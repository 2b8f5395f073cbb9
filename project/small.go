package project

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/proj"
)

// smallProblem is what proj.SmallF32 takes and gives: see there.
type smallProblem struct {
	r, rho, k, limit, share float64
	c, t, u, sum, excess    float64
	_                       [proj.SmallParams - 10]float64
}

// Kinds of small problems.
const (
	smallSimplex = iota
	smallCapped
	smallTopK
	smallKnapsack
)

// cappedKind is the kind of TopKSimplexBeta.
func cappedKind(k int) int {
	if k == 1 {
		return smallSimplex
	}
	return smallCapped
}

// small projects a into dst if the kernel for small problems does it. 1 <= k <= len(a).
func (w *Workspace[T]) small(dst, a []T, k, kind int, r, rho float64) (th Thresholds, ok bool) {
	if len(a) > classes || !(0 < r && r <= math.MaxFloat64) {
		return th, false
	}
	p, kk := &w.problem, float64(k)
	p.r, p.rho, p.k, p.limit = r, rho, kk, r/kk
	p.share = kk + rho*kk*kk
	return w.callSmall(dst, a, k, kind)
}

// smallEqual is small for { 0 <= x_i <= u, <1,x> = r }, k being r/u rounded up.
func (w *Workspace[T]) smallEqual(dst, a []T, r, u float64) (th Thresholds, ok bool) {
	u = min(u, r)
	need := math.Ceil(r / u)
	if len(a) > classes || !(0 < r && r <= math.MaxFloat64) || !(need <= float64(len(a))) {
		return th, false
	}
	w.problem.r, w.problem.limit = r, u
	return w.callSmall(dst, a, int(need), smallKnapsack)
}

func (w *Workspace[T]) callSmall(dst, a []T, k, kind int) (th Thresholds, ok bool) {
	p, kk := &w.problem, float64(k)
	d, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	var s int
	if isF32[T]() {
		s = proj.SmallF32((*float32)(d), (*float32)(from), len(a), k, kind, &p.r)
	} else {
		s = proj.SmallF64((*float64)(d), (*float64)(from), len(a), k, kind, &p.r)
	}
	if s == 0 {
		return th, false
	}
	th = Thresholds{T: p.c + p.t, U: p.u, Counts: Counts{Cap: int32(s >> 8 & 0xff), Mid: int32(s >> 16)}}
	if kind == smallKnapsack {
		th.Lambda = th.T
		return th, true
	}
	l := th.T - p.rho*p.r // where the sum is less than r, T = rho s
	if kind == smallTopK {
		switch {
		case th.U < p.limit:
			l = 0
		case th.Mid == 0: // sum_i max(0, a_i - T - U) = sum - k (T + U)
			l = p.sum/kk - p.limit - p.rho*p.r
		default:
			l += p.excess / kk
		}
	}
	if l > 0 {
		th.Lambda = l
	}
	return th, true
}

// smallThenClip is small for the candidates of a, whose thresholds then serve for all of a. It destroys the candidates.
func (w *Workspace[T]) smallThenClip(dst, a, cand []T, k, kind int, r, rho float64) (th Thresholds, ok bool) {
	if len(cand) == len(a) { // tried before
		return th, false
	}
	if th, ok = w.small(cand, cand, k, kind, r, rho); ok {
		w.clip(dst, a)
	}
	return th, ok
}

// clip projects a by the thresholds that the kernel found last.
func (w *Workspace[T]) clip(dst, a []T) { clip(dst, a, w.problem.c, w.problem.t, 0, w.problem.u) }
