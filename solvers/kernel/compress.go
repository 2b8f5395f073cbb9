package kernel

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Compress returns a model with fewer support vectors whose scores are almost the same, and a bound on |w - w'|, the
// distance of the two models in the kernel's space, the largest over the outputs. No score changes by more than
//
//	|f(x) - f'(x)| <= |w - w'| sqrt(k(x, x))
//
// Support vectors with the same features become one, the first of them, with the sum of their coefficients, and those
// with coefficients of 0 are dropped. This is all where tolerance is 0, and the bound is what rounding the sums to T
// costs.
//
// Else it chooses support vectors one by one, each the one that brings the span of those chosen nearest to w, until the
// projection of w onto that span is within tolerance. The distance is computed in float64 from the coefficients of the
// model that it returns, with a bound on the rounding of that sum. Where it stays above tolerance whatever is chosen,
// the model is the one of tolerance 0, with its bound. Names and notes go over as they are.
//
// Choosing r of s support vectors costs O(s² d + s r²) by all cores, and memory of s (r + d) numbers of 8 bytes.
func (m *Expansion[T]) Compress(tolerance float64) (*Expansion[T], float64, error) {
	if m.c.A.Cols == 0 {
		return nil, 0, errZero
	}
	if m.vectors == nil {
		return nil, 0, fmt.Errorf("kernel: a model of a precomputed kernel has no features to compress")
	}
	if !(tolerance >= 0) || math.IsInf(tolerance, 1) {
		return nil, 0, fmt.Errorf("kernel: a tolerance of %v, want a finite number of at least 0", tolerance)
	}
	if len(m.c.Support) == 0 {
		return m, 0, nil
	}
	places, sums := m.merge(m.vectors.supports(m.k).compare)
	a, err := round[T](sums)
	if err != nil {
		return nil, 0, err
	}
	merged, err := m.pick(places, a)
	if err != nil {
		return nil, 0, err
	}
	r := newReduction(merged.vectors.supports(m.k), sums)
	bound := slices.Max(r.sizes(difference(sums, a, nil)))
	if tolerance == 0 {
		return merged, bound, nil
	}
	chosen := -1
	for target := tolerance * tolerance; r.approach(target) && len(r.chosen) > chosen; target = slices.Max(r.left) / 4 {
		chosen = len(r.chosen)
		a, err := round[T](r.coefficients())
		if err != nil {
			break
		}
		if distance := r.distance(difference(sums, a, r.chosen)); distance <= tolerance {
			small, err := merged.pick(ascending(r.chosen, &a), a)
			return small, distance, err
		}
	}
	return merged, bound, nil
}

// merge returns the places of the first support vectors of each kind, ascending, and the sums of the coefficients of
// the kind; kinds whose sums are 0 are left out.
func (m *Expansion[T]) merge(compare func(p, q int) int) (places []int, sums vec.Matrix[float64]) {
	order := core.Some(nil, 0, len(m.c.Support))
	slices.SortStableFunc(order, compare)
	first := make([]int, len(order)) // of the kind of p
	for q, p := range order {
		first[p] = p
		if q > 0 && compare(order[q-1], p) == 0 {
			first[p] = first[order[q-1]]
		}
	}
	all := vec.NewMatrix[float64](len(order), m.c.A.Cols)
	for p, f := range first {
		for c, v := range m.c.A.Row(p) {
			all.Row(f)[c] += float64(v)
		}
	}
	for p := range first {
		if slices.ContainsFunc(all.Row(p), func(v float64) bool { return v != 0 }) {
			places = append(places, p)
		}
	}
	sums = vec.NewMatrix[float64](len(places), m.c.A.Cols)
	for q, p := range places {
		copy(sums.Row(q), all.Row(p))
	}
	return places, sums
}

// pick returns the model of those support vectors, ascending, with the coefficients a.
func (m *Expansion[T]) pick(places []int, a vec.Matrix[T]) (*Expansion[T], error) {
	small := *m
	small.c.A, small.c.Support = a, make([]int, len(places))
	core.Choose(small.c.Support, m.c.Support, places)
	var err error
	small.vectors, err = m.vectors.pick(m.k, m.d, places)
	return &small, err
}

// round returns a in T, or an error where a number is too large for that.
func round[T vec.Float](a vec.Matrix[float64]) (vec.Matrix[T], error) {
	r := vec.NewMatrix[T](a.Rows, a.Cols)
	for p := range a.Rows {
		vec.Convert(r.Row(p), a.Row(p))
		for c, v := range r.Row(p) {
			if v-v != 0 {
				return r, fmt.Errorf("kernel: coefficient %v for output %d exceeds the largest %T", a.Row(p)[c], c, v)
			}
		}
	}
	return r, nil
}

// difference returns a less b, whose rows are at places, nil for all.
func difference[T vec.Float](a vec.Matrix[float64], b vec.Matrix[T], places []int) vec.Matrix[float64] {
	d := vec.NewMatrix[float64](a.Rows, a.Cols)
	for p := range a.Rows {
		copy(d.Row(p), a.Row(p))
	}
	for q := range b.Rows {
		p := q
		if places != nil {
			p = places[q]
		}
		for c, v := range b.Row(q) {
			d.Row(p)[c] -= float64(v)
		}
	}
	return d
}

// ascending returns list in order, and a with its rows so.
func ascending[T vec.Float](list []int, a *vec.Matrix[T]) []int {
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	b := vec.NewMatrix[T](a.Rows, a.Cols)
	for q, p := range list {
		to, _ := slices.BinarySearch(sorted, p)
		copy(b.Row(to), a.Row(q))
	}
	*a = b
	return sorted
}
