package loss

import (
	"math"

	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// MultilabelSoftmax is log sum_j exp s_j less the mean of the true classes' scores: the cross entropy of the softmax with q,
// which is uniform on the set Y of true classes. It is 0 where no class is true. For one true class it is TopKEntropy with
// K = 1.
//
// A block is r (q - p), p in the simplex; the conjugate is <p, log p>.
type MultilabelSoftmax[T vec.Float] struct{}

// Primal returns the loss. O(m), with an exponential each.
func (MultilabelSoftmax[T]) Primal(s []T, y []int, _ *Workspace[T]) float64 {
	if len(y) == 0 {
		return 0
	}
	most := s[0]
	for _, v := range s {
		most = max(most, v)
	}
	sum, mean := 0.0, 0.0
	for _, v := range s {
		sum += math.Exp(float64(v) - float64(most))
	}
	for _, c := range y {
		mean += float64(s[c]) - float64(most)
	}
	return math.Log(sum) - mean/float64(len(y))
}

// Dual returns -r <p, log p>.
func (MultilabelSoftmax[T]) Dual(a []T, y []int, r float64, _ *Workspace[T]) float64 {
	if len(y) == 0 {
		return 0
	}
	q, total := 1/float64(len(y)), 0.0
	each(len(a), y, func(j int, isTrue bool) {
		p := -float64(a[j]) / r
		if isTrue {
			p += q
		}
		total += xlogx(p)
	})
	return -r * total
}

// Update is the proximal point of the entropy on the simplex.
func (MultilabelSoftmax[T]) Update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool {
	if len(y) == 0 {
		return false
	}
	b, inv, q := w.take(len(a)), 1/h, T(r/float64(len(y)))
	for j, v := range s {
		b[j] = v*inv - a[j]
	}
	for _, c := range y {
		b[c] += q
	}
	project.EntropySimplex(b, b, T(r), inv, &w.projection)
	for j, v := range b {
		b[j] = -v
	}
	for _, c := range y {
		b[c] += q
	}
	moved := false
	for j, v := range b {
		delta[j] = v - a[j]
		moved = moved || delta[j] != 0
		a[j] = v
	}
	return moved
}

// Repair moves p into the simplex.
func (MultilabelSoftmax[T]) Repair(a []T, y []int, r float64, w *Workspace[T]) {
	if len(y) == 0 {
		clear(a)
		return
	}
	q, total := r/float64(len(y)), 0.0
	p := w.take(len(a))
	each(len(a), y, func(j int, isTrue bool) {
		v := -float64(a[j])
		if isTrue {
			v += q
		}
		p[j] = T(max(0, v))
		total += float64(p[j])
	})
	each(len(a), y, func(j int, isTrue bool) {
		v := -float64(p[j]) * (r / total)
		if isTrue {
			v += q
		}
		a[j] = T(v)
	})
}
