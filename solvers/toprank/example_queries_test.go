package toprank_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/vec"
)

// Two searches, for flights and for hotels. People take what is cheap: three of the flights, one of the hotels. Over
// both the price says nothing, since flights cost more and are taken more often; within each search it says all.
func ExampleProblem_queries() {
	price := vec.MatrixOf(8, 1, []float64{2.2, 2.1, 3.0, 2.3, .8, 1.1, .9, 1.2})
	x := &dataset.Dense[float64]{Matrix: price}
	taken := []bool{true, true, false, true, true, false, false, false}
	search := []int{1, 1, 1, 1, 2, 2, 2, 2}
	for _, groups := range [][]int{nil, search} {
		p := toprank.Problem[float64]{X: x, Positive: taken, Groups: groups}
		r, err := p.Fit(context.Background(), toprank.Config{C: 10, K: 4})
		if err != nil {
			log.Fatal(err)
		}
		scores := vec.NewMatrix[float64](8, 1)
		if err := r.Scores(scores, x, nil); err != nil {
			log.Fatal(err)
		}
		average, err := metrics.MeanAveragePrecision(scores.Data, taken, search)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v, %d queries: mean average precision %.3f\n", r.Status, r.Queries, average)
	}
	// Output:
	// converged, 0 queries: mean average precision 0.444
	// converged, 2 queries: mean average precision 1.000
}
