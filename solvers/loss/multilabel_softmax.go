package loss

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// MultilabelSoftmax is log sum_j exp s_j less the mean of the true classes' scores: the cross entropy of the softmax
// with q, which is uniform on the set Y of true classes. It is 0 where no class is true. For one true class it is
// TopKEntropy with K = 1.
//
// A block is r (q - p), p in the simplex; the conjugate is <p, log p>. Of an example with one true class all is left to
// the softmax loss of classes, the same function: its dual variable of the true class is the sum of the others as they
// are rounded, and small losses and dual terms keep their digits.
type MultilabelSoftmax[T vec.Float] struct{}

func (MultilabelSoftmax[T]) ofOne() TopKEntropy[T] { return TopKEntropy[T]{K: 1} }

// Traits returns the name, that it is for sets of true classes, and that every dual variable moves.
func (MultilabelSoftmax[T]) Traits() Traits {
	return Traits{Name: "multilabel softmax", Sets: true, AllMove: true}
}

// With refuses K > 1 and smoothing: there is neither.
func (l MultilabelSoftmax[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := checkNone(l.Traits().Name, k, smoothing); err != nil {
		return nil, err
	}
	return l, nil
}

// Primal returns the loss. O(m), with an exponential each.
func (l MultilabelSoftmax[T]) Primal(s []T, y []int, w *Workspace[T]) float64 {
	switch len(y) {
	case 0:
		return 0
	case 1:
		return l.ofOne().Primal(s, y, w)
	}
	x, _ := w.wide(len(s))
	vec.Convert(x, s)
	most, mean := vec.Max(x), 0.0
	for _, c := range y {
		mean += float64(s[c]) - most
	}
	return math.Log(unchecked.ExpSum(x, x, most)) - mean/float64(len(y))
}

// Dual returns -r <p, log p>.
func (l MultilabelSoftmax[T]) Dual(a []T, y []int, r float64, w *Workspace[T]) float64 {
	switch len(y) {
	case 0:
		return 0
	case 1:
		return l.ofOne().Dual(a, y, r, w)
	}
	p, logs := w.wide(len(a))
	scale, q := -1/r, 1/float64(len(y))
	for j, v := range a {
		p[j] = scale * float64(v)
	}
	for _, c := range y {
		p[c] += q
	}
	return -r * entropyOf(p, logs)
}

// Visit moves a block to its optimum.
func (l MultilabelSoftmax[T]) Visit(
	a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	switch len(y) {
	case 0:
		return Visit(l, a, s, y, h, r, term, least, delta, w)
	case 1:
		return l.ofOne().Visit(a, s, y, h, r, term, least, delta, w)
	}
	return visitSoftmax(l, false, a, s, y, h, r, term, least, delta, w)
}

// Update is the proximal point of the entropy on the simplex.
func (l MultilabelSoftmax[T]) Update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool {
	switch len(y) {
	case 0:
		clear(delta)
		return false
	case 1:
		return l.ofOne().Update(a, s, y, h, r, delta, w)
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
	return move(a, b, delta)
}

// Repair moves p into the simplex.
func (l MultilabelSoftmax[T]) Repair(a []T, y []int, r float64, w *Workspace[T]) {
	switch len(y) {
	case 0:
		clear(a)
		return
	case 1:
		l.ofOne().Repair(a, y, r, w)
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

// Reach returns the t at which an entry t a_c of a true class c is r/|Y|, where p_c = 0. The other bounds follow: p_j
// of a false class is -t a_j/r >= 0, and p sums to 1 since the entries of a sum to 0.
func (MultilabelSoftmax[T]) Reach(a []T, y []int, r float64) float64 {
	most := 0.0
	for _, c := range y {
		most = max(most, float64(a[c]))
	}
	return r / (float64(len(y)) * most)
}
