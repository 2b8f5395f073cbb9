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

// The draw of a training subset whose labels go together in other ways than those of the test part. It sees labels
// alone, and nothing that was trained. With ρ_ab the correlation of the labels a and b over all training examples, and y
// = ±1, an example is the more typical, the more its labels agree with the correlations,
//
//	t_i = Σ_ab ρ_ab y_ia y_ib  over some pairs of labels, less the mean of all examples, over their standard deviation.
//
// Examples are drawn without replacement with probabilities in proportion to exp(-tilt t_i) (Efraimidis and Spirakis,
// 2006: those with the largest log(u_i)/w_i, u_i uniform): where two labels go together, examples that have one of them
// are preferred, and where they exclude each other, those that have both or neither. The examples left over go into R
// alone.

// rareShare is the share of the examples that have a label, and that lack it, from which on it is taken for a pair.
const rareShare = .05

// draw returns the rows of a training subset of that size, and those left over.
func draw(sets [][]int, labels, size int, pairs [][2]int, tilt float64, random *rand.Rand) (subset, left []int, err error) {
	if size >= len(sets) {
		return nil, nil, fmt.Errorf("a subset of %d of %d training examples leaves none over", size, len(sets))
	}
	typical, err := typicality(sets, labels, pairs)
	if err != nil {
		return nil, nil, err
	}
	keys, order := make([]float64, len(sets)), make([]int, len(sets))
	for i, t := range typical {
		keys[i] = math.Log(1-random.Float64()) * math.Exp(tilt*t) // log(u)/w, at most 0
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(keys[j], keys[i]) })
	subset, left = order[:size], order[size:]
	slices.Sort(subset)
	slices.Sort(left)
	return subset, left, nil
}

// typicality returns t_i of all examples.
func typicality(sets [][]int, labels int, pairs [][2]int) ([]float64, error) {
	rho, err := m3l.Correlations(sets, labels, 0)
	if err != nil {
		return nil, err
	}
	t, y := make([]float64, len(sets)), make([]float64, labels)
	mean, square := 0.0, 0.0
	for i, s := range sets {
		signs(y, s)
		for _, p := range pairs {
			t[i] += rho.At(p[0], p[1]) * y[p[0]] * y[p[1]]
		}
		mean += t[i] / float64(len(sets))
	}
	for _, v := range t {
		square += (v - mean) * (v - mean) / float64(len(sets))
	}
	if !(square > 0) {
		return nil, fmt.Errorf("all label sets are as typical, in %d pairs of labels: no subset has other correlations", len(pairs))
	}
	for i := range t {
		t[i] = (t[i] - mean) / math.Sqrt(square)
	}
	return t, nil
}

// frequentPairs returns the pairs of labels that rareShare of the examples have and rareShare lack.
func frequentPairs(sets [][]int, labels int) (pairs [][2]int) {
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
				pairs = append(pairs, [2]int{k, l})
			}
			frequent = append(frequent, l)
		}
	}
	return pairs
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
func shift(a, b [][]int, labels int, pairs [][2]int) (float64, error) {
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
		sum += math.Abs(ra.At(p[0], p[1]) - rb.At(p[0], p[1]))
	}
	return sum / float64(len(pairs)), nil
}
