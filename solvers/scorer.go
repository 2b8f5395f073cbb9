package solvers

import (
	"fmt"
	"reflect"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Scorer turns examples into scores, one for each of its outputs: classes or labels. It is immutable and safe for
// concurrent use. What the scores stand for is found by functions of a Scorer: [Predict], [TopK], [LabelSets].
//
// A Scorer may offer besides
//
//	ScoresWorkers(dst vec.Matrix[T], x design.Matrix[T], rows []int, workers int) error
//
// which is Scores by workers goroutines. The functions of this package then keep to the workers that they are given.
type Scorer[T vec.Float] interface {
	// Dims returns the number of features that an example has, and of outputs.
	Dims() (features, outputs int)

	// Scores sets dst, len(rows)-by-outputs, to the scores of the examples rows of x; nil stands for all. It uses all
	// cores. Sizes that do not fit are an error with the numbers that clash.
	Scores(dst vec.Matrix[T], x design.Matrix[T], rows []int) error
}

// CheckScores returns the error of a call m.Scores(dst, x, rows), nil where all sizes fit and rows are rows of x: for
// those who write a Scorer. O(len(rows)).
func CheckScores[T vec.Float](dst vec.Matrix[T], m Scorer[T], x design.Matrix[T], rows []int) error {
	n, err := checkScorer(m, x)
	if err != nil {
		return err
	}
	if err := dst.Validate(); err != nil {
		return fmt.Errorf("solvers: the matrix of the scores: %w", err)
	}
	for p, i := range rows {
		if i < 0 || i >= n {
			return fmt.Errorf("solvers: row %d at place %d, want one in 0..%d", i, p, n-1)
		}
	}
	if rows != nil {
		n = len(rows)
	}
	if _, outputs := m.Dims(); dst.Rows != n || dst.Cols != outputs {
		return fmt.Errorf("solvers: a %d-by-%d matrix for the scores of %d examples for %d outputs",
			dst.Rows, dst.Cols, n, outputs)
	}
	return nil
}

// checkScorer returns the number of examples of x, or an error where m cannot take them.
func checkScorer[T vec.Float](m Scorer[T], x design.Matrix[T]) (int, error) {
	if v := reflect.ValueOf(m); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return 0, fmt.Errorf("solvers: no model: the Scorer is nil")
	}
	n, d, err := design.Check(x)
	if err != nil {
		return 0, err
	}
	if features, _ := m.Dims(); d != features {
		return 0, fmt.Errorf("solvers: examples of %d features for a model of %d", d, features)
	}
	return n, nil
}
