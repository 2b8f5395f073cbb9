package m3l

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// The draw of a training subset whose labels go together in other ways than the labels of the test part. It sees labels
// alone, and nothing that was trained. With y = ±1 an example is the more unlikely to be drawn, the larger
//
//	t_i = Σ_ab w_ab y_ia y_ib  over some pairs of labels, less the mean of all examples, over their standard deviation.
//
// Examples are drawn without replacement with probabilities in proportion to exp(-tilt t_i) (Efraimidis and Spirakis,
// 2006: those with the largest log(u_i)/p_i, u_i uniform). For Table 3 the pairs are all pairs of labels that are
// neither rare nor nearly everywhere, and w_ab = ±ρ_ab, the correlation of a and b over all training examples, the sign
// by the toss of a coin: some labels go together more than they should, and some less. The examples left over go into R
// alone.

// pair is two labels and the weight of their agreement.
type pair struct {
	a, b   int
	weight float64
}

// rareShare is the share of the examples that have a label, and that lack it, from which on it is taken for a pair.
const rareShare = .05

// draw returns the rows of a training subset of that size, and those left over.
func draw(sets [][]int, labels, size int, pairs []pair, tilt float64, random *rand.Rand) (subset, left []int,
	err error) {
	if size >= len(sets) {
		return nil, nil, fmt.Errorf("a subset of %d of %d training examples leaves none over", size, len(sets))
	}
	t, err := unlikely(sets, labels, pairs)
	if err != nil {
		return nil, nil, err
	}
	keys, order := make([]float64, len(sets)), make([]int, len(sets))
	for i, v := range t {
		keys[i] = math.Log(1-random.Float64()) * math.Exp(tilt*v) // log(u)/p, at most 0
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(keys[j], keys[i]) })
	subset, left = order[:size], order[size:]
	slices.Sort(subset)
	slices.Sort(left)
	return subset, left, nil
}

// unlikely returns t_i of all examples.
func unlikely(sets [][]int, labels int, pairs []pair) ([]float64, error) {
	t, y := make([]float64, len(sets)), make([]float64, labels)
	mean, square := 0.0, 0.0
	for i, s := range sets {
		signs(y, s)
		for _, p := range pairs {
			t[i] += p.weight * y[p.a] * y[p.b]
		}
		mean += t[i] / float64(len(sets))
	}
	for _, v := range t {
		square += (v - mean) * (v - mean) / float64(len(sets))
	}
	if !(square > 0) {
		return nil, fmt.Errorf("in %d pairs of labels all examples are alike: no subset has other correlations",
			len(pairs))
	}
	for i := range t {
		t[i] = (t[i] - mean) / math.Sqrt(square)
	}
	return t, nil
}

// toss returns the pairs with their signs tossed.
func toss(pairs []pair, random *rand.Rand) []pair {
	pairs = slices.Clone(pairs)
	for k := range pairs {
		if random.IntN(2) == 1 {
			pairs[k].weight *= -1
		}
	}
	return pairs
}

// frequentPairs returns the pairs of labels that rareShare of the examples have and rareShare lack, weighted by their
// correlations.
func frequentPairs(sets [][]int, labels int) (pairs []pair, err error) {
	rho, err := m3l.Correlations(sets, labels, 0)
	if err != nil {
		return nil, err
	}
	count := make([]float64, labels)
	for _, s := range sets {
		for _, l := range s {
			count[l]++
		}
	}
	var frequent []int
	for l, c := range count {
		if share := c / float64(len(sets)); share >= rareShare && share <= 1-rareShare {
			for _, k := range frequent {
				pairs = append(pairs, pair{k, l, rho.At(k, l)})
			}
			frequent = append(frequent, l)
		}
	}
	return pairs, nil
}

// signs sets y to 1 for the labels of the set and to -1 for the others.
func signs(y []float64, set []int) {
	for l := range y {
		y[l] = -1
	}
	for _, l := range set {
		y[l] = 1
	}
}

// signMatrix returns the signs of all sets, a row each.
func signMatrix(sets [][]int, labels int) vec.Matrix[float64] {
	y := vec.NewMatrix[float64](len(sets), labels)
	for i, s := range sets {
		signs(y.Row(i), s)
	}
	return y
}

// shift returns the mean |ρ_ab - ρ'_ab| over the pairs, ρ and ρ' being the correlations in two lists of sets.
func shift(a, b [][]int, labels int, pairs []pair) (float64, error) {
	ra, err := m3l.Correlations(a, labels, 0)
	if err != nil {
		return 0, err
	}
	rb, err := m3l.Correlations(b, labels, 0)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, p := range pairs {
		sum += math.Abs(ra.At(p.a, p.b) - rb.At(p.a, p.b))
	}
	return sum / float64(len(pairs)), nil
}
