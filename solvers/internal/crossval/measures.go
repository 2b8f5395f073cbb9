package crossval

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Accuracies names the top-1 to top-k accuracies.
func Accuracies(k int) []solvers.Measure {
	all := []solvers.Measure{{Name: "accuracy"}}
	for j := 2; j <= k; j++ {
		all = append(all, solvers.Measure{Name: fmt.Sprintf("top-%d accuracy", j)})
	}
	return all
}

// scorer is what every model is, and every result has.
type scorer[T vec.Float] interface {
	Dims() (features, outputs int)
	ScoresWorkers(dst vec.Matrix[T], x design.Matrix[T], rows []int, workers int) error
}

// Scores returns what computes the scores of the examples rows of x, or of the examples of k where that is not nil.
func Scores[T vec.Float, R scorer[T]](x design.Matrix[T], k *kernel.Matrix[T]) func(r R, rows []int) (vec.Matrix[T],
	error) {
	if k != nil {
		x = k.Features()
	}
	return func(r R, rows []int) (vec.Matrix[T], error) {
		_, outputs := r.Dims()
		scores := vec.NewMatrix[T](len(rows), outputs)
		return scores, r.ScoresWorkers(scores, x, rows, 1)
	}
}
