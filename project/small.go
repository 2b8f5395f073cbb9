package project

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/proj"
	"github.com/dualgap/dualgap/vec"
)

// smallProblem is what proj.SmallF32 takes and gives: see there.
type smallProblem struct {
	r, rho, k, limit, share float64
	c, t                    float64 // T = c + t
	th                      Thresholds
	_                       [16 + 3]float64
}

var _ [8 * proj.SmallParams]byte = [unsafe.Sizeof(smallProblem{})]byte{}

// smallMost is the largest dimension that the kernel takes: eight vectors.
func smallMost[T vec.Float]() uint { return 8 * 64 / uint(unsafe.Sizeof(*new(T))) }

// Kinds of small problems.
const (
	smallSimplex = iota
	smallCapped
	smallTopK
	smallKnapsack
	smallEqual
)

// cappedKind is the kind of TopKSimplexBeta.
func cappedKind(k int) int {
	if k == 1 {
		return smallSimplex
	}
	return smallCapped
}

// small projects a into dst if the kernel for small problems does it, and leaves the thresholds in w.problem.th.
func (w *Workspace[T]) small(dst, a []T, k, kind int, r, rho float64) bool {
	return uint(len(a)-1) < smallMost[T]() && w.problem.set(k, r, rho) && callSmall(dst, a, k, kind, &w.problem)
}

// smallFits says whether the arguments are those of a problem for the kernel. It is small enough to be inlined.
func smallFits[T vec.Float](dst, a, k int, r, rho float64) bool {
	return dst == a && uint(a-1) < smallMost[T]() && uint(k-1) < uint(a) && 0 < r && r <= math.MaxFloat64 && 0 <= rho && rho <= math.MaxFloat64
}

// set sets the parameters, and says whether the problem is one for the kernel. It is small enough to be inlined.
func (p *smallProblem) set(k int, r, rho float64) bool {
	p.r, p.rho, p.limit = r, rho, r
	if k > 1 {
		p.setCap(float64(k))
	}
	return 0 < r && r <= math.MaxFloat64
}

func (p *smallProblem) setCap(k float64) {
	p.k, p.limit = k, p.r/k
	p.share = k + p.rho*k*k
}

// smallEqual is small for { 0 <= x_i <= u, <1,x> = r }.
func (w *Workspace[T]) smallEqual(dst, a []T, r, u float64) bool {
	if uint(len(a)-1) >= smallMost[T]() || !(0 < r && r <= math.MaxFloat64) {
		return false
	}
	p := &w.problem
	p.r, p.limit = r, min(u, r)
	if u >= r {
		solved := callSmall(dst, a, 1, smallEqual, p)
		if u > r { // the kernel's cap is r
			p.th.Mid, p.th.Cap = p.th.Mid+p.th.Cap, 0
		}
		return solved
	}
	k := math.Ceil(r / u)
	if !(k <= float64(len(a)) && callSmall(dst, a, int(k), smallKnapsack, p)) {
		return false
	}
	if math.IsInf(p.th.T, -1) { // elements of -Inf would have to hold a part of the sum
		p.th = undefined(dst)
	}
	return true
}

func callSmall[T vec.Float](dst, a []T, k, kind int, p *smallProblem) bool {
	if isF32[T]() {
		return proj.SmallF32((*float32)(unsafe.Pointer(&dst[0])), (*float32)(unsafe.Pointer(&a[0])), len(a), k, kind, &p.r) != 0
	}
	return proj.SmallF64((*float64)(unsafe.Pointer(&dst[0])), (*float64)(unsafe.Pointer(&a[0])), len(a), k, kind, &p.r) != 0
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
		clip(dst, a, w.problem.c, w.problem.t, 0, w.problem.th.U)
		return
	}
	if !w.cleared {
		clear(dst)
	}
	for i, j := range w.index[:len(kept)] {
		dst[j] = kept[i]
	}
}
