package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"testing"
)

// A quarter of the four negative examples is one of them, the best: two of the three positive ones are above it.
func ExampleAccuracyAtTop() {
	scores := []float64{.9, .8, .7, .7, .4, .2, .1}
	positive := []bool{true, true, true, false, false, false, false}
	fmt.Println(AccuracyAtTop(scores, positive, .25, false))
	fmt.Println(AccuracyAtTop(scores, positive, .5, false)) // the second best one is at .4
	// Output:
	// 0.6666666666666666 0.7 <nil>
	// 1 0.4 <nil>
}

// above counts, by the definition, the positive examples not below the k-th score, of examples sorted with the negative
// ones first where scores tie.
func above(scores []float32, positive []bool, k int, all bool) (count int, threshold float32) {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(p, q int) bool {
		i, j := order[p], order[q]
		return scores[i] > scores[j] || scores[i] == scores[j] && !positive[i] && positive[j]
	})
	for _, i := range order {
		if positive[i] {
			count++
		}
		if all || !positive[i] {
			k--
		}
		if threshold = scores[i]; k == 0 {
			break
		}
	}
	return count, threshold
}

// TestAccuracyAtTop: against the definition, with ties and infinities.
func TestAccuracyAtTop(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	inf := float32(math.Inf(1))
	levels := []float32{-inf, -2, -1, 0, .5, 1, 2, inf}
	for range 2000 {
		n := 2 + rng.IntN(20)
		scores, positive, kinds := make([]float32, n), make([]bool, n), 1+rng.IntN(len(levels))
		for i := range n {
			scores[i], positive[i] = levels[rng.IntN(kinds)], rng.IntN(2) == 0
		}
		first := rng.IntN(n)
		positive[first], positive[(first+1)%n] = true, false
		for _, all := range []bool{false, true} {
			members, count := 0, 0
			for i := range n {
				if positive[i] {
					count++
				}
				if all || !positive[i] {
					members++
				}
			}
			k := 1 + rng.IntN(members)
			for _, tau := range []float64{float64(k) / float64(members), (float64(k) - .5) / float64(members)} {
				found, threshold := above(scores, positive, k, all)
				got, at, err := AccuracyAtTop(scores, positive, tau, all)
				if want := float64(found) / float64(count); err != nil || got != want || at != threshold {
					t.Fatalf("scores %v of %v, tau %v, all %t: %v from %v (%v), want %v from %v", scores, positive, tau,
						all, got, at, err, want, threshold)
				}
			}
		}
	}
	hundred, some := make([]float64, 107), make([]bool, 107)
	for i := range hundred {
		hundred[i], some[i] = float64(i), i%50 == 7 && i < 100 || i >= 102
	}
	// 100 negative examples, .07*100 in float64 is above 7: the seventh largest is 95, below five positive ones of 7.
	if got, at, err := AccuracyAtTop(hundred, some, .07, false); got != 5./7 || at != 95 || err != nil {
		t.Error(got, at, err)
	}
	for want, c := range map[string]struct {
		tau      float64
		from, to int
	}{
		"top 0,": {0, 0, 107}, "top 1.5,": {1.5, 0, 107}, "top NaN,": {math.NaN(), 0, 107},
		"none of 1 examples is positive": {.1, 0, 1}, "all of 5 examples are positive": {1, 102, 107},
	} {
		for _, all := range []bool{false, true} {
			_, _, err := AccuracyAtTop(hundred[c.from:c.to], some[c.from:c.to], c.tau, all)
			checkError(t, err, want)
		}
	}
	_, _, err := AccuracyAtTop(hundred[:2], some, .1, true)
	checkError(t, err, "2 scores for 107")
	_, _, err = AccuracyAtTop([]float64{math.NaN()}, some[:1], 1, false)
	checkError(t, err, "score of row 0 is NaN")
}
