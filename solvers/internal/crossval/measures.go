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

// Measure is one or more measures that one function computes together, from the scores of the examples rows.
type Measure[T vec.Float] struct {
	Names   []string
	Smaller bool // the smaller the better, of all of them
	Of      func(scores vec.Matrix[T], rows []int) ([]float64, error)
}

// Accuracies are the top-1 to top-k accuracies for the classes y, or the error that m classes have no such k.
func Accuracies[T vec.Float](y []int, k, m int) (Measure[T], error) {
	if k < 1 || k > m {
		return Measure[T]{}, fmt.Errorf("top-%d accuracy of %d classes", k, m)
	}
	names := []string{"accuracy"}
	for j := 2; j <= k; j++ {
		names = append(names, fmt.Sprintf("top-%d accuracy", j))
	}
	return Measure[T]{Names: names, Of: func(scores vec.Matrix[T], rows []int) ([]float64, error) {
		return metrics.TopK(scores, family.Pick(y, rows), k)
	}}, nil
}

// named returns what the measures of a family are called.
func named[T vec.Float](own []Measure[T]) (all []solvers.Measure) {
	for _, m := range own {
		for _, name := range m.Names {
			all = append(all, solvers.Measure{Name: name, Smaller: m.Smaller})
		}
	}
	return all
}

// callers returns the measures that a caller has, in place of a family's.
func callers[T vec.Float](given []solvers.Measure) (all []Measure[T]) {
	for _, m := range given {
		all = append(all, Measure[T]{Of: func(scores vec.Matrix[T], rows []int) ([]float64, error) {
			wide := vec.NewMatrix[float64](scores.Rows, scores.Cols)
			for p := range scores.Rows {
				vec.Convert(wide.Row(p), scores.Row(p))
			}
			v, err := m.Of(wide, rows)
			if err != nil {
				err = fmt.Errorf("%s: %w", m.Name, err)
			}
			return []float64{v}, err
		}})
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
