package metrics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// largestGrade is the largest relevance: gains up to 2^30 - 1 are exact, and so are their sums.
const largestGrade = 30

// NDCG returns the normalised discounted cumulative gain of the first k examples of each query, its mean over the
// queries:
//
//	DCG@k = Σ_{j=1..k} (2^rel_j - 1) / log2(j + 1),   NDCG@k = DCG@k / DCG@k of the best order
//
// with rel_j the relevance of the j-th example by descending score (Järvelin and Kekäläinen, Cumulated gain-based
// evaluation of IR techniques, 2002; the gains are from Burges et al., Learning to rank using gradient descent, 2005).
// relevance is 0 to 30; for relevant or not 1 and 0. k is at least 1; examples beyond the last of a query add nothing.
//
// The functions that measure queries have this in common. queries[i] is the number of the query of example i, any
// integer; rows may be in any order; nil is one query of all. The mean is over the queries that have a relevant
// example, since others have no right order. Equal scores count with their expectation over all orders of their
// examples, which are equally likely: so a measure does not depend on the order of rows, and a model that gives all
// examples one score has what an order drawn by lot has (McSherry and Najork, Computing information retrieval
// performance measures efficiently in the presence of tied scores, 2008). It is an error if no example is relevant,
// if a score is NaN, or if lengths differ. O(n log n).
func NDCG[T vec.Float](scores []T, relevance, queries []int, k int) (float64, error) {
	if k < 1 {
		return 0, fmt.Errorf("metrics: NDCG at %d, want at least 1", k)
	}
	for i, grade := range relevance {
		if grade < 0 || grade > largestGrade {
			return 0, fmt.Errorf("metrics: relevance %d of row %d, want 0 to %d", grade, i, largestGrade)
		}
	}
	if len(scores) != len(relevance) {
		return 0, fmt.Errorf("metrics: %d scores and the relevance of %d examples, want as many", len(scores),
			len(relevance))
	}
	gain := func(i int) float64 { return math.Ldexp(1, relevance[i]) - 1 }
	relevant := make([]bool, len(relevance))
	for i, grade := range relevance {
		relevant[i] = grade > 0
	}
	return overQueries(scores, relevant, queries, func(ties [][]int) float64 {
		dcg, best, before := 0.0, 0.0, 0
		var gains []float64
		for _, rows := range ties {
			sum := 0.0
			for _, i := range rows {
				gains = append(gains, gain(i))
				sum += gain(i)
			}
			for j := before; j < min(before+len(rows), k); j++ {
				dcg += sum / float64(len(rows)) / math.Log2(float64(j+2))
			}
			before += len(rows)
		}
		slices.SortFunc(gains, func(a, b float64) int { return cmp.Compare(b, a) })
		for j, g := range gains[:min(k, len(gains))] {
			best += g / math.Log2(float64(j+2))
		}
		return dcg / best
	})
}

// MeanAveragePrecision returns the mean over the queries of the average precision, the mean of the precisions at the
// places of the relevant examples:
//
//	AP = 1/R Σ_{j relevant} |{relevant examples among the first j}| / j,   R relevant examples
//
// (Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4). Queries, ties and errors
// are as for [NDCG]. Without ties it is the area of [PrecisionRecall], which takes examples of equal scores for one
// point.
func MeanAveragePrecision[T vec.Float](scores []T, relevant []bool, queries []int) (float64, error) {
	return overQueries(scores, relevant, queries, func(ties [][]int) float64 {
		sum, before, found := 0.0, 0, 0
		for _, rows := range ties {
			// The j-th of n equal ones is relevant in r of n orders, and then (j-1) (r-1)/(n-1) of those before it
			// are.
			n, r := len(rows), count(relevant, rows)
			others := float64(r-1) / float64(max(n-1, 1))
			for j := range n {
				if r > 0 {
					sum += fraction(r, n) * (float64(found+1) + float64(j)*others) / float64(before+j+1)
				}
			}
			before, found = before+n, found+r
		}
		return sum / float64(found)
	})
}

// RecallAtK returns the mean over the queries of the part of their relevant examples that is among the first k.
// Queries, ties and errors are as for [NDCG].
func RecallAtK[T vec.Float](scores []T, relevant []bool, queries []int, k int) (float64, error) {
	if k < 1 {
		return 0, fmt.Errorf("metrics: recall at %d, want at least 1", k)
	}
	return overQueries(scores, relevant, queries, func(ties [][]int) float64 {
		sum, before, found := 0.0, 0, 0
		for _, rows := range ties {
			r := count(relevant, rows)
			sum += float64(r) * fraction(min(max(k-before, 0), len(rows)), len(rows))
			before, found = before+len(rows), found+r
		}
		return sum / float64(found)
	})
}

// MeanReciprocalRank returns the mean over the queries of 1 over the place of the first relevant example. Queries,
// ties and errors are as for [NDCG].
func MeanReciprocalRank[T vec.Float](scores []T, relevant []bool, queries []int) (float64, error) {
	return overQueries(scores, relevant, queries, func(ties [][]int) (sum float64) {
		before := 0
		for _, rows := range ties {
			n, r := len(rows), count(relevant, rows)
			if r == 0 {
				before += n
				continue
			}
			first := fraction(r, n) // of the orders of these: the j-th is the first relevant one
			for j := 1; j <= n-r+1; j++ {
				sum += first / float64(before+j)
				first *= float64(n-r-j+1) / float64(max(n-j, 1))
			}
			break
		}
		return sum
	})
}

// count returns how many of the rows are relevant.
func count(relevant []bool, rows []int) (r int) {
	for _, i := range rows {
		if relevant[i] {
			r++
		}
	}
	return r
}

// overQueries returns the mean of a measure of the examples of each query that has a relevant one: its rows by
// descending score, rows of equal scores together.
func overQueries[T vec.Float](
	scores []T, relevant []bool, queries []int, measure func(ties [][]int) float64,
) (float64, error) {
	if _, err := countPositives(scores, relevant); err != nil {
		return 0, err
	}
	if queries != nil && len(queries) != len(scores) {
		return 0, fmt.Errorf("metrics: the queries of %d examples and %d scores, want as many", len(queries),
			len(scores))
	}
	of := func(i int) int {
		if queries == nil {
			return 0
		}
		return queries[i]
	}
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(of(i), of(j)), cmp.Compare(scores[j], scores[i]))
	})
	sum, n := 0.0, 0
	for from := 0; from < len(order); {
		var ties [][]int
		has := false
		q := of(order[from])
		for from < len(order) && of(order[from]) == q {
			end := from + 1
			for end < len(order) && of(order[end]) == q && scores[order[end]] == scores[order[from]] {
				end++
			}
			ties = append(ties, order[from:end])
			has = has || count(relevant, order[from:end]) > 0
			from = end
		}
		if has {
			sum += measure(ties)
			n++
		}
	}
	return sum / float64(n), nil
}
