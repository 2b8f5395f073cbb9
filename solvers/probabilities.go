package solvers

import (
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Probabilities returns the softmax of the scores of each example of x, n-by-outputs: exp(s_l)/sum exp(s). They are
// probabilities of the classes for models that were trained with the softmax loss: by solvers/tracenorm, and by
// solvers/topk with TopKEntropy and K = 1. A score that is NaN is an error that names its row and output. workers is
// the number of goroutines, 0 for all cores.
func Probabilities[T vec.Float](m Scorer[T], x design.Matrix[T], workers int) (vec.Matrix[T], error) {
	var p vec.Matrix[T]
	err := scoreEach(m, x, 1, workers, func(n int) {
		_, outputs := m.Dims()
		p = vec.NewMatrix[T](n, outputs)
	}, func(i int, scores []T) {
		vec.Softmax(p.Row(i), scores)
	})
	return p, err
}
