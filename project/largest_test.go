package project

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSelectLargest(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 3000 {
		v := make([]float64, 1+rng.IntN(60))
		levels := 1 + rng.IntN(100) // few: ties
		for i := range v {
			v[i] = float64(rng.IntN(levels))
		}
		k, rounds := 1+rng.IntN(len(v)), rng.IntN(8)
		want := slices.Clone(v)
		slices.Sort(want)
		selectLargest(v, k, rounds)
		slices.Sort(v[:k])
		slices.Sort(v[k:])
		if !slices.Equal(v[:k], want[len(v)-k:]) || !slices.Equal(v[k:], want[:len(v)-k]) {
			t.Fatalf("k=%d rounds=%d: %v and %v of %v", k, rounds, v[:k], v[k:], want)
		}
	}
}
