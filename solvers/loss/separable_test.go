package loss

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSeparable: a separable loss is the sum of itself over two groups of classes, and a visit of the groups is one of
// the whole. Other losses for sets are no such sums.
func TestSeparable(t *testing.T) {
	sums := map[string]bool{}
	trials(35, 1000, func(rng *rand.Rand, c trial[float64]) {
		traits := c.Traits()
		if !traits.Sets {
			return
		}
		cut, whole := 1+rng.IntN(len(c.s)-1), c.Primal(c.s, c.y, c.w)
		first := 0
		for first < len(c.y) && c.y[first] < cut {
			first++
		}
		low, high := c.y[:first], []int{}
		for _, y := range c.y[first:] {
			high = append(high, y-cut)
		}
		left, right := c.Loss, c.Loss
		if p, ok := c.Loss.(Parted[float64]); ok {
			left, right = p.Part(0, cut, len(c.s)), p.Part(cut, len(c.s), len(c.s))
		}
		// m sums of terms that are not negative
		parts := left.Primal(c.s[:cut], low, c.w) + right.Primal(c.s[cut:], high, c.w)
		if equal := math.Abs(parts-whole) <= 0x1p-52*float64(len(c.s))*whole; !equal {
			sums[traits.Name] = false
		} else if _, seen := sums[traits.Name]; !seen {
			sums[traits.Name] = true
		}
		if !traits.Separable {
			return
		}
		a, delta := slices.Clone(c.a), make([]float64, len(c.a))
		optimize(c.Loss, c.a, c.s, c.y, c.h, c.r, delta, c.w)
		optimize(left, a[:cut], c.s[:cut], low, c.h, c.r, delta[:cut], c.w)
		optimize(right, a[cut:], c.s[cut:], high, c.h, c.r, delta[cut:], c.w)
		if !slices.Equal(a, c.a) {
			t.Fatalf("%v: by groups of %d and %d %v", c, cut, len(c.s)-cut, a)
		}
		got, want := left.Dual(a[:cut], low, c.r, c.w)+right.Dual(a[cut:], high, c.r, c.w), c.Dual(c.a, c.y, c.r, c.w)
		if !(math.Abs(got-want) <= 0x1p-52*float64(len(a))*c.scale()) {
			t.Fatalf("%v: dual term %v, by groups %v", c, want, got)
		}
	})
	for _, e := range entries[float64](1) {
		if traits := e.Traits(); sums[traits.Name] != traits.Separable {
			t.Errorf("%s: a sum over groups %t, Separable is %t", traits.Name, sums[traits.Name], traits.Separable)
		}
	}
}
