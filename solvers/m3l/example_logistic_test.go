package m3l_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// Logistic regression of two classes: one weight vector is trained, and the scores of the classes are each other's
// negatives. Their sigmoids are probabilities.
func ExampleOneVsAll_logistic() {
	radar := samples.Ionosphere[float64]()
	x := design.Matrix[float64](radar.X)
	r, err := m3l.OneVsAll(context.Background(), x, radar.Y, m3l.Config{C: 1, Loss: m3l.Logistic, Bias: 1})
	if err != nil {
		log.Fatal(err)
	}
	scores := vec.NewMatrix[float64](1, 2)
	if err := r.Scores(scores, x, []int{0}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Status)
	for c, name := range radar.Classes {
		fmt.Printf("%s: %.2f\n", name, 1/(1+math.Exp(-scores.Row(0)[c])))
	}
	// Output:
	// converged
	// b: 0.15
	// g: 0.85
}
