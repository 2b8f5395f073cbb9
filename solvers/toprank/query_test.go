package toprank

import (
	"slices"
	"testing"
)

// TestQuerySet: p is what beta is of the sum of alpha, 1/k at most, and 0 where there is no alpha.
func TestQuerySet(t *testing.T) {
	q := &query{at: []int{4, 1, 0, 3}, positives: 2, k: 2, alpha: make([]float64, 2), p: []float64{7, 7}}
	for _, c := range []struct{ alpha, beta, want []float64 }{
		{[]float64{0, 1, 0, 0, 3}, []float64{1, 0, 0, 3, 0}, []float64{.25, .5}},
		{[]float64{9, 0, 0, 9, 0}, []float64{1, 0, 0, 1, 0}, []float64{0, 0}},
	} {
		q.set(c.alpha, c.beta)
		if alpha := []float64{c.alpha[4], c.alpha[1]}; !slices.Equal(q.alpha, alpha) || !slices.Equal(q.p, c.want) {
			t.Errorf("alpha %v, p %v, want %v and %v", q.alpha, q.p, alpha, c.want)
		}
	}
}
