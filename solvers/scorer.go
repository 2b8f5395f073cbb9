package solvers

import (
	"fmt"
	"reflect"

	"github.com/dualgap/dualgap/vec"
)

// Scorer turns examples into scores, one for each of its outputs: classes or labels. It is immutable and safe for
// concurrent use. What the scores stand for is found by functions of a Scorer: [Predict], [TopK], [LabelSets].
//
// A Scorer may offer besides
//
//	ScoresWorkers(dst vec.Matrix[T], x Features[T], rows []int, workers int) error
//
// which is Scores by so many goroutines. The functions of this package then keep to the workers that they are given.
type Scorer[T vec.Float] interface {
	// Dims returns the number of features that an example has, and of outputs.
	Dims() (features, outputs int)

	// Scores sets dst, len(rows)-by-outputs, to the scores of the examples rows of x; nil stands for all. It uses all
	// cores. Sizes that do not fit are an error with the numbers that clash.
	Scores(dst vec.Matrix[T], x Features[T], rows []int) error
}

// CheckFeatures returns the number of examples of x and of their features, or an error where x is nil or a nil pointer,
// or where it has a method CheckSizes() error that returns one. Storages offer that whose fields anybody can fill: as
// literals they may not fit together.
func CheckFeatures[T vec.Float](x Features[T]) (n, d int, err error) {
	if isNil(x) {
		return 0, 0, fmt.Errorf("solvers: no examples: Features are nil")
	}
	if x, ok := x.(interface{ CheckSizes() error }); ok {
		if err := x.CheckSizes(); err != nil {
			return 0, 0, fmt.Errorf("solvers: %w", err)
		}
	}
	n, d = x.Dims()
	return n, d, nil
}

// CheckScores returns the error of a call m.Scores(dst, x, rows), nil where all sizes fit and rows are rows of x: for
// those who write a Scorer. O(len(rows)).
func CheckScores[T vec.Float](dst vec.Matrix[T], m Scorer[T], x Features[T], rows []int) error {
	n, err := checkScorer(m, x)
	if err != nil {
		return err
	}
	if err := dst.Validate(); err != nil {
		return fmt.Errorf("solvers: the matrix of the scores: %w", err)
	}
	for p, i := range rows {
		if i < 0 || i >= n {
			return fmt.Errorf("solvers: row %d at place %d, need one in 0..%d", i, p, n-1)
		}
	}
	if _, outputs := m.Dims(); dst.Rows != count(rows, n) || dst.Cols != outputs {
		return fmt.Errorf("solvers: a %d-by-%d matrix for the scores of %d examples for %d outputs",
			dst.Rows, dst.Cols, count(rows, n), outputs)
	}
	return nil
}

// checkScorer returns the number of examples of x, or an error where m cannot take them.
func checkScorer[T vec.Float](m Scorer[T], x Features[T]) (int, error) {
	if isNil(m) {
		return 0, fmt.Errorf("solvers: no model: the Scorer is nil")
	}
	n, d, err := CheckFeatures(x)
	if err != nil {
		return 0, err
	}
	if features, _ := m.Dims(); d != features {
		return 0, fmt.Errorf("solvers: examples of %d features for a model of %d", d, features)
	}
	return n, nil
}

// isNil reports whether v is nil or a nil pointer, whose methods could not run.
func isNil(v any) bool {
	if v == nil {
		return true
	}
	p := reflect.ValueOf(v)
	return p.Kind() == reflect.Pointer && p.IsNil()
}
