package metrics

import (
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// PrecisionAtK returns the precisions at 1 to k: element j-1 is
//
//	P@j = 1/n Σ_i |{the j labels of example i with the largest scores} ∩ truth[i]| / j
//
// (Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4). An example with fewer than
// j labels cannot reach 1, and one with an empty set adds 0. Of equal scores the smaller label comes first, as in
// [TopK]. scores is n-by-m, sets hold labels in 0..m-1 in any order, 1 <= k <= m. It is an error if there are no
// examples, if a score is NaN, or if sizes or labels do not fit. O(n m k) at worst, O(n m) for few labels in play.
func PrecisionAtK[T vec.Float](scores vec.Matrix[T], truth [][]int, k int) ([]float64, error) {
	if err := checkScores(scores, len(truth)); err != nil {
		return nil, err
	}
	if k < 1 || k > scores.Cols {
		return nil, fmt.Errorf("metrics: precision at %d of %d labels", k, scores.Cols)
	}
	hits, best := make([]int, k), make([]int, k)
	var room []int
	for i, set := range truth {
		set, err := ascending(&room, set, scores.Cols, i, "true")
		if err != nil {
			return nil, err
		}
		solvers.Rank(best, scores.Row(i))
		for place, c := range best {
			if _, has := slices.BinarySearch(set, c); has {
				hits[place]++
			}
		}
	}
	p := fractions(hits, len(truth))
	for j := range p {
		p[j] /= float64(j + 1)
	}
	return p, nil
}

// RankingLoss returns the mean fraction of pairs in the wrong order, of a label that the example has and one that it
// has not:
//
//	mean over i of |{(c, e): c in Y_i, e not in Y_i, s_ic <= s_ie}| / (|Y_i| (m - |Y_i|)),  Y_i = truth[i]
//
// (Schapire and Singer, BoosTexter, 2000). Equal scores are in the wrong order, so that a model which gives all labels
// the same score gains nothing by it. An example with no label or with all has no pair: it is left out of the mean,
// since it would only dilute it, and it is an error if no example is left. Further errors are as in [PrecisionAtK]. O(n
// m log m).
func RankingLoss[T vec.Float](scores vec.Matrix[T], truth [][]int) (float64, error) {
	if err := checkScores(scores, len(truth)); err != nil {
		return 0, err
	}
	m := scores.Cols
	sum, n := 0.0, 0
	others := make([]T, 0, m) // the scores of the labels that the example has not
	var room []int
	for i, set := range truth {
		set, err := ascending(&room, set, m, i, "true")
		if err != nil {
			return 0, err
		}
		if len(set) == 0 || len(set) == m {
			continue
		}
		row := scores.Row(i)
		others = others[:0]
		next := set
		for e, v := range row {
			if len(next) > 0 && next[0] == e {
				next = next[1:]
			} else {
				others = append(others, v)
			}
		}
		slices.Sort(others)
		wrong := 0.0
		for _, c := range set {
			below, _ := slices.BinarySearch(others, row[c])
			wrong += float64(len(others) - below)
		}
		sum += wrong / (float64(len(set)) * float64(len(others)))
		n++
	}
	if n == 0 {
		return 0, fmt.Errorf("metrics: ranking loss of %d examples that have no label or all %d", len(truth), m)
	}
	return sum / float64(n), nil
}
