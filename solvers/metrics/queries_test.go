package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Two queries. In the first the relevant example is second; in the second both are at the top, in the wrong order of
// grades.
func ExampleNDCG() {
	scores := []float64{.9, .5, .1, .7, .6, .2}
	queries := []int{1, 1, 1, 2, 2, 2}
	ndcg, err := NDCG(scores, []int{0, 1, 0, 1, 2, 0}, queries, 10)
	fmt.Printf("%.4f %v\n", ndcg, err) // (1/log2(3) + (1 + 3/log2(3)) / (3 + 1/log2(3))) / 2
	// Output: 0.7138 <nil>
}

func ExampleMeanAveragePrecision() {
	scores := []float64{.9, .5, .1, .7, .6, .2}
	relevant := []bool{false, true, false, true, true, false}
	average, err := MeanAveragePrecision(scores, relevant, []int{1, 1, 1, 2, 2, 2})
	fmt.Println(average, err) // of 1/2 and 1
	// Output: 0.75 <nil>
}

func ExampleRecallAtK() {
	scores := []float64{.9, .5, .1, .7, .6, .2}
	relevant := []bool{false, true, false, true, true, false}
	recall, err := RecallAtK(scores, relevant, []int{1, 1, 1, 2, 2, 2}, 1)
	fmt.Println(recall, err) // of 0 and 1/2
	// Output: 0.25 <nil>
}

// A model that gives all three examples one score: the relevant one is first, second or third.
func ExampleMeanReciprocalRank() {
	rank, err := MeanReciprocalRank([]float64{0, 0, 0}, []bool{false, true, false}, nil)
	fmt.Printf("%.4f %v\n", rank, err) // (1 + 1/2 + 1/3) / 3
	// Output: 0.6111 <nil>
}

// orders calls do with all orders of 0 to n-1.
func orders(n int, do func([]int)) {
	var grow func(order []int)
	grow = func(order []int) {
		if len(order) == n {
			do(order)
			return
		}
	next:
		for i := range n {
			for _, j := range order {
				if i == j {
					continue next
				}
			}
			grow(append(order[:len(order):len(order)], i))
		}
	}
	grow(nil)
}

// measured is what an order of relevances is worth: NDCG, average precision, recall at k, reciprocal rank.
func measured(grades []int, k int) (m [4]float64) {
	relevant, found := 0, 0
	for _, g := range grades {
		if g > 0 {
			relevant++
		}
	}
	dcg := func(grades []int) (sum float64) {
		for j, g := range grades {
			if j < k {
				sum += (math.Pow(2, float64(g)) - 1) * math.Ln2 / math.Log(float64(j+2))
			}
		}
		return sum
	}
	best := 0.0
	orders(len(grades), func(order []int) {
		some := make([]int, len(order))
		for j, i := range order {
			some[j] = grades[i]
		}
		best = math.Max(best, dcg(some))
	})
	m[0] = dcg(grades) / best
	for j, g := range grades {
		if g == 0 {
			continue
		}
		if found++; found == 1 {
			m[3] = 1 / float64(j+1)
		}
		m[1] += float64(found) / float64(j+1) / float64(relevant)
		if j < k {
			m[2] += 1 / float64(relevant)
		}
	}
	return m
}

// byOrders is the mean of the measures over the queries, of each over all orders in which scores do not rise.
func byOrders(scores []float32, grades, queries []int, k int) (mean [4]float64, has bool) {
	of := map[int][]int{}
	for i, q := range queries {
		of[q] = append(of[q], i)
	}
	n := 0.0
	for _, rows := range of {
		relevant := false
		for _, i := range rows {
			relevant = relevant || grades[i] > 0
		}
		if !relevant {
			continue
		}
		sum, count := [4]float64{}, 0.0
		orders(len(rows), func(order []int) {
			some := make([]int, len(order))
			for j, p := range order {
				if some[j] = grades[rows[p]]; j > 0 && scores[rows[p]] > scores[rows[order[j-1]]] {
					return
				}
			}
			for v, x := range measured(some, k) {
				sum[v] += x
			}
			count++
		})
		for v := range mean {
			mean[v] += sum[v] / count
		}
		n++
	}
	for v := range mean {
		mean[v] /= n
	}
	return mean, n > 0
}

// TestQueries: every measure is the mean over queries, and over all orders that ties leave open; shuffled rows give
// the same bits.
func TestQueries(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for range 400 {
		n, k := 1+rng.IntN(9), 1+rng.IntN(6)
		scores, grades, queries := make([]float32, n), make([]int, n), make([]int, n)
		kinds, most := 1+rng.IntN(5), 1+rng.IntN(3)
		size := map[int]int{}
		for i := range n {
			scores[i], grades[i], queries[i] = float32(rng.IntN(kinds)), max(0, rng.IntN(most+2)-1), rng.IntN(3)-1
			if size[queries[i]]++; size[queries[i]] > 5 { // 120 orders, each against 120
				queries[i] = 7 + i
			}
		}
		measure := func() (got [4]float64, err error) {
			relevant := make([]bool, n)
			for i, g := range grades {
				relevant[i] = g > 0
			}
			var wrong [4]error
			got[0], wrong[0] = NDCG(scores, grades, queries, k)
			got[1], wrong[1] = MeanAveragePrecision(scores, relevant, queries)
			got[2], wrong[2] = RecallAtK(scores, relevant, queries, k)
			got[3], wrong[3] = MeanReciprocalRank(scores, relevant, queries)
			for _, e := range wrong {
				if (e == nil) != (wrong[0] == nil) {
					t.Fatal(wrong)
				}
			}
			return got, wrong[0]
		}
		got, err := measure()
		want, has := byOrders(scores, grades, queries, k)
		if !has {
			checkError(t, err, fmt.Sprintf("none of %d examples", n))
			continue
		}
		for v, x := range got {
			// Either side adds some n terms of some 10 operations, the other one 120 times; all values are at most 1.
			if err != nil || !(math.Abs(x-want[v]) <= 120*10*float64(n)*0x1p-52) {
				t.Fatalf("scores %v, relevance %v, queries %v at %d: measure %d is %v, want %v, %v",
					scores, grades, queries, k, v, x, want[v], err)
			}
		}
		rng.Shuffle(n, func(i, j int) {
			scores[i], scores[j] = scores[j], scores[i]
			grades[i], grades[j] = grades[j], grades[i]
			queries[i], queries[j] = queries[j], queries[i]
		})
		if again, err := measure(); err != nil || again != got {
			t.Fatalf("shuffled rows: %v, %v, want %v", again, err, got)
		}
	}
}

// TestQueriesByHand: values that were computed by hand, with large grades and infinite scores.
func TestQueriesByHand(t *testing.T) {
	inf := math.Inf(1)
	log3 := math.Log2(3)
	for _, c := range []struct {
		scores          []float64
		grades, queries []int
		k               int
		want            float64
	}{
		{[]float64{2, 1}, []int{0, 1}, nil, 1, 0},
		{[]float64{2, 1}, []int{0, 1}, nil, 2, 1 / log3},
		{[]float64{1, 1}, []int{0, 1}, nil, 1, .5},
		{[]float64{1, 1}, []int{0, 1}, []int{-5, 3}, 1, 1},                  // the first query has no relevant example
		{[]float64{-inf, inf}, []int{30, 0}, nil, 2, 1 / log3},              // infinities are scores
		{[]float64{3, 2, 1}, []int{1, 0, 2}, nil, 3, 2.5 / (3 + 1/log3)},    // 1 + 3/2
		{[]float64{3, 2, 2, 1}, []int{0, 1, 0, 0}, nil, 2, .5 / log3},       // second or third
		{[]float64{3, 2, 1, 9}, []int{1, 1, 1, 0}, []int{4, 4, 4, 5}, 9, 1}, // k beyond the last
	} {
		got, err := NDCG(c.scores, c.grades, c.queries, c.k)
		if err != nil || math.Abs(got-c.want) > 8*0x1p-52 { // 8 operations at most on values of at most 1
			t.Errorf("%v: %v, %v", c, got, err)
		}
	}
}

func TestQueryErrors(t *testing.T) {
	s, yes := []float64{1, 2}, []bool{true, true}
	for want, do := range map[string]func() (float64, error){
		"NDCG at 0":                       func() (float64, error) { return NDCG(s, []int{1, 1}, nil, 0) },
		"relevance -1 of row 1":           func() (float64, error) { return NDCG(s, []int{1, -1}, nil, 1) },
		"relevance 31 of row 0":           func() (float64, error) { return NDCG(s, []int{31, 1}, nil, 1) },
		"2 scores and the relevance of 1": func() (float64, error) { return NDCG(s, []int{1}, nil, 1) },
		"recall at -1":                    func() (float64, error) { return RecallAtK(s, yes, nil, -1) },
		"2 scores for 1":                  func() (float64, error) { return MeanAveragePrecision(s, yes[:1], nil) },
		"queries of 3": func() (float64,
			error) {
			return MeanReciprocalRank(s, yes, []int{1, 2, 3})
		},
		"row 1 is NaN": func() (float64, error) { return RecallAtK([]float64{1, math.NaN()}, yes, nil, 1) },
		"none of 0":    func() (float64, error) { return MeanAveragePrecision([]float32{}, nil, nil) },
		"none of 2":    func() (float64, error) { return NDCG(s, []int{0, 0}, []int{1, 2}, 3) },
	} {
		_, err := do()
		checkError(t, err, want)
	}
}
