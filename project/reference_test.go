package project

import (
	"math"
	"slices"
)

// The readable twin: the projections as the paper writes them, by sorting and a search over all partitions (U, M, L) of
// the sorted elements, in O(d log d + k d). Among the partitions it takes the one that violates its conditions least,
// as rounding leaves none that satisfies them to the last bit.

// referenceAlpha is Lemmas 3, 4 and 5.
func referenceAlpha(a []float64, k int, r, rho float64) []float64 {
	b, sums := sortedSums(a)
	kk := float64(k)
	if sums[k] <= 0 || r == 0 {
		return make([]float64, len(a)) // Lemma 4
	}
	best, bestT, bestU := math.Inf(1), 0.0, 0.0
	try := func(violation, t, u float64) {
		if violation < best {
			best, bestT, bestU = violation, t, u
		}
	}
	// Lemma 3, case 2: any t between the two bounds.
	u := sums[k] / (kk + rho*kk*kk)
	lower := math.Inf(-1)
	if k < len(b) {
		lower = b[k]
	}
	try(lower+u-b[k-1], b[k-1]-u, u)
	// Case 3, the system (7) with the conditions (8).
	for nU := range k {
		for nM := k - nU; nU+nM <= len(b); nM++ {
			sumU, sumM := sums[nU], sums[nU+nM]-sums[nU]
			fU, fM, free := float64(nU), float64(nM), float64(k-nU)
			d := free*free + (fU+rho*kk*kk)*fM
			u := (fM*sumU + free*sumM) / d
			t := (fU*(1+rho*kk)*sumM-(free+rho*kk*fM)*sumU)/d + rho*u*kk
			try(violation8(b, nU, nM, t, u), t, u)
		}
	}
	if kk*bestU > r { // Lemma 5: otherwise <1,x> <= r has no influence
		return referenceKnapsack(a, k, r)
	}
	return clipped(a, bestT, bestU)
}

// referenceBeta is section 5: the unconstrained t of (10), or the knapsack when that has <1,x> > r.
func referenceBeta(a []float64, k int, r, rho float64) []float64 {
	b, sums := sortedSums(a)
	u := r / float64(k)
	best, bestT, bestSum := math.Inf(1), 0.0, 0.0
	for nU := range len(b) + 1 {
		for nM := 0; nU+nM <= len(b); nM++ {
			sumM := sums[nU+nM] - sums[nU]
			t := rho * (float64(nU)*u + sumM) / (1 + rho*float64(nM))
			if v := violation8(b, nU, nM, t, u); v < best {
				best, bestT, bestSum = v, t, float64(nU)*u+sumM-float64(nM)*t
			}
		}
	}
	if bestSum > r {
		return referenceKnapsack(a, k, r)
	}
	return clipped(a, bestT, u)
}

// referenceKnapsack is the projection onto {0 <= x_i <= r/k, <1,x> = r}.
func referenceKnapsack(a []float64, k int, r float64) []float64 {
	b, sums := sortedSums(a)
	u := r / float64(k)
	best, bestT := math.Inf(1), 0.0
	for nU := range k { // |U| = k, M empty, is the case |U| = k-1, |M| = 1 too
		for nM := 1; nU+nM <= len(b); nM++ {
			t := (sums[nU+nM] - sums[nU] - float64(k-nU)*u) / float64(nM)
			if v := violation8(b, nU, nM, t, u); v < best {
				best, bestT = v, t
			}
		}
	}
	return clipped(a, bestT, u)
}

// violation8 is the largest violation of (8): max_L a <= t <= min_M a, max_M a <= t + u <= min_U a.
func violation8(b []float64, nU, nM int, t, u float64) float64 {
	v := 0.0
	if nU > 0 {
		v = max(v, t+u-b[nU-1])
	}
	if nM > 0 {
		v = max(v, b[nU]-t-u, t-b[nU+nM-1])
	}
	if nU+nM < len(b) {
		v = max(v, b[nU+nM]-t)
	}
	return v
}

func clipped(a []float64, t, u float64) []float64 {
	x := make([]float64, len(a))
	for i, ai := range a {
		x[i] = min(max(0, ai-t), u)
	}
	return x
}

// sortedSums returns a sorted downwards and the sums of its first 0..d elements.
func sortedSums(a []float64) (b, sums []float64) {
	b = slices.Clone(a)
	slices.Sort(b)
	slices.Reverse(b)
	sums = make([]float64, len(b)+1)
	for i, x := range b {
		sums[i+1] = sums[i] + x
	}
	return b, sums
}
