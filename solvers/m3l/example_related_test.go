package m3l_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// A loss that counts a label less where the others make it likely: by the same R as the prior.
func ExampleRelatedLoss() {
	r := vec.MatrixOf(2, 2, []float64{1, .5, .5, 1})
	sets := [][]int{{0, 1}, {0}, {}}
	margins, err := m3l.RelatedLoss(sets, r)
	if err != nil {
		log.Fatal(err)
	}
	plus, minus := make([]float64, 2), make([]float64, 2)
	margins(0, plus, minus)
	fmt.Println("of the first example, right and wrong:", plus, minus)

	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 2, []float64{1, 1, 1, 0, 0, 0})}
	p := m3l.Problem[float64]{X: x, Sets: sets, R: r, Margins: margins}
	result, err := p.Fit(context.Background(), m3l.Config{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status)
	// Output:
	// of the first example, right and wrong: [0 0] [3 3]
	// converged
}
