package loss

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// Usunier is the loss of Usunier, Buffoni and Gallinari with any weights, L_beta: sum_j beta_j max(0, h_[j]), h_j = 1 +
// s_j - s_y, j != y, for beta_1 >= beta_2 >= ... >= 0. So the sum is over the places of the classes, the worst first.
// With beta_j = 1/K for j <= K it is TopKUsunier, which is quicker. [NewUsunier] makes one; the zero value has the one
// weight 1. With Smoothing > 0 it is smoothed: the maximum of <h,u> - Smoothing/2 |u|² over its set.
//
// The conjugate is -<1,u> + Smoothing/2 |u|² on the u >= 0 whose j largest elements sum to beta_1 + ... + beta_j at
// most, for each j.
type Usunier[T vec.Float] struct {
	Smoothing float64
	weights   []float64
}

// NewUsunier returns the loss with the given weights, which it copies; those beyond the m-1 classes that are not true
// have no part in it. It is an error that names the place unless they are finite, fall, and are not negative, and the
// first is above 0.
func NewUsunier[T vec.Float](weights []float64) (Usunier[T], error) {
	if len(weights) == 0 || !(weights[0] > 0) || math.IsInf(weights[0], 1) {
		return Usunier[T]{}, fmt.Errorf("loss: weights %v, want a finite number above 0 and others that fall", weights)
	}
	for j, v := range weights[1:] {
		if !(v >= 0 && v <= weights[j]) {
			return Usunier[T]{}, fmt.Errorf("loss: weight %v of place %d after %v, want 0 to %v", v, j+1, weights[j],
				weights[j])
		}
	}
	return Usunier[T]{weights: slices.Clone(weights)}, nil
}

// Traits returns the name, which tells the weights and the smoothing.
func (l Usunier[T]) Traits() Traits {
	name := fmt.Sprintf("Usunier with weights %v", l.of(math.MaxInt))
	if l.Smoothing > 0 {
		name += fmt.Sprintf(" and smoothing %v", l.Smoothing)
	}
	return Traits{Name: name}
}

// With sets Smoothing.
func (l Usunier[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := check(k, smoothing); err != nil {
		return nil, err
	}
	if k > 1 {
		return nil, fmt.Errorf("loss: K = %d with weights of each place, which say how many count", k)
	}
	l.Smoothing = smoothing
	return l, nil
}

var one = []float64{1}

// of returns the weights that count where that number of classes is not true.
func (l Usunier[T]) of(others int) []float64 {
	if l.weights == nil {
		return one
	}
	return l.weights[:min(len(l.weights), others)]
}

// Primal returns the loss. O(m) for few weights.
func (l Usunier[T]) Primal(s []T, y []int, w *Workspace[T]) float64 {
	beta := l.of(len(s) - 1)
	if l.Smoothing > 0 {
		u := scaledMargins(s, y[0], l.Smoothing, w)
		project.Permutahedron(u, u, beta, 1, 0, &w.projection)
		return smoothed(u, l.Smoothing, w)
	}
	sum, margin := 0.0, 1-float64(s[y[0]])
	for j, v := range largest(s, y[0], len(beta), w) {
		sum += beta[j] * max(0, float64(v)+margin)
	}
	return sum
}

// Dual returns <1,x> - Smoothing/(2r) |x|².
func (l Usunier[T]) Dual(a []T, y []int, r float64, _ *Workspace[T]) float64 {
	return sumOthers(a, y[0]) - penalty(a, y[0], l.Smoothing, r)
}

// Visit moves a block to its optimum.
func (l Usunier[T]) Visit(
	a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	return Visit(l, a, s, y, h, r, term, least, delta, w)
}

// Update is Proposition 4 with the set of the weights: its biased projection.
func (l Usunier[T]) Update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool {
	b := w.take(len(a) - 1)
	inv, rho := curvature(h, l.Smoothing, r)
	target(b, a, s, y[0], 1, inv, rho)
	project.Permutahedron(b, b, l.of(len(b)), inner[T](r), rho, &w.projection)
	l.settle(b, r, w)
	return moveX(a, b, y[0], delta)
}

// settle moves x >= 0 into the set of radius r, along the line to 0. Violations within the rounding of sums stay.
func (l Usunier[T]) settle(x []T, r float64, w *Workspace[T]) {
	if t := l.reach(x, r, w); !(t >= 1-0x1p-51*float64(len(x))) {
		for j, v := range x {
			x[j] = roundDown[T](float64(v) * t)
		}
	}
}

// reach returns the largest t for which t x is in the set of radius r, +Inf for x = 0. O(m log m).
func (l Usunier[T]) reach(x []T, r float64, w *Workspace[T]) float64 {
	top := w.margin64[:0]
	for _, v := range x {
		if !(v <= 0) {
			top = append(top, float64(v))
		}
	}
	w.margin64 = top
	vec.SortDescending(top)
	beta, t, sum, most := l.of(len(x)), math.Inf(1), 0.0, 0.0
	for j, v := range top {
		sum += v
		if j < len(beta) {
			most += beta[j]
		}
		t = min(t, r*most/sum)
	}
	return t
}

// Repair moves a into the set.
func (l Usunier[T]) Repair(a []T, y []int, r float64, w *Workspace[T]) {
	x := w.take(len(a) - 1)
	for j := range x {
		from := j
		if j >= y[0] {
			from++
		}
		x[j] = max(0, -a[from])
	}
	l.settle(x, r, w)
	put(a, x, y[0])
}

// Reach returns the t at which a sum of largest elements of t x meets its bound. It allocates.
func (l Usunier[T]) Reach(a []T, y []int, r float64) float64 {
	var w Workspace[T]
	x := slices.Delete(slices.Clone(a), y[0], y[0]+1)
	for j, v := range x {
		x[j] = -v
	}
	return l.reach(x, r, &w)
}

// At gives r beta_j to the j-th largest margin where that is above 0; with Smoothing it projects all.
func (l Usunier[T]) At(a, s []T, y []int, r float64, w *Workspace[T]) {
	beta, x := l.of(len(s)-1), []T(nil)
	if l.Smoothing > 0 {
		x = scaledMargins(s, y[0], l.Smoothing, w)
		project.Permutahedron(x, x, beta, inner[T](1), 0, &w.projection)
		for j, v := range x {
			x[j] = T(r * float64(v))
		}
		l.settle(x, r, w)
		put(a, x, y[0])
		return
	}
	top := largest(s, y[0], len(beta), w)
	if len(w.places) < len(top) {
		w.places = make([]int32, len(top))
	}
	taken := w.places[:len(top)] // of the scores that are equal to top[j], the first such
	clear(taken)
	sum, floor := 0.0, float64(s[y[0]])-1
	for j, v := range s {
		a[j] = 0
		if j == y[0] || !(float64(v) > floor) || v < top[len(top)-1] {
			continue
		}
		first := sort.Search(len(top), func(i int) bool { return top[i] <= v })
		place := first + int(taken[first])
		if place < len(top) && top[place] == v {
			taken[first]++
			share := roundDown[T](r * beta[place])
			a[j] = 0 - share
			sum += float64(share)
		}
	}
	a[y[0]] = T(sum)
}
