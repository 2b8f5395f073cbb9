package crossval

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// Accuracies are the top-1 to top-k accuracies for the classes y, or the error that m classes have no such k.
func Accuracies(y []int, k, m int) (all []solvers.Measure, err error) {
	if k < 1 || k > m {
		return nil, fmt.Errorf("top-%d accuracy of %d classes", k, m)
	}
	for j := range k {
		name := "accuracy"
		if j > 0 {
			name = fmt.Sprintf("top-%d accuracy", j+1)
		}
		of := func(scores vec.Matrix[float64], rows []int) (float64, error) {
			tops, err := metrics.TopK(scores, family.Pick(y, rows), j+1)
			if err != nil {
				return 0, err
			}
			return tops[j], nil
		}
		all = append(all, solvers.Measure{Name: name, Of: of})
	}
	return all, nil
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
