package loss

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/vec"
)

// losses are all losses of this package. Each has its parameters by With.
func losses[T vec.Float]() []Loss[T] {
	return []Loss[T]{TopKHinge[T]{}, TopKUsunier[T]{}, TopKEntropy[T]{}, MultilabelHinge[T]{}, MultilabelSoftmax[T]{},
		SquaredHinge[T]{}, LabelHinge[T]{}, Logistic[T]{}, EpsilonInsensitive[T]{}, SquaredEpsilonInsensitive[T]{},
		OneClass[T]{}}
}

// Names returns the names of all losses of this package, as [Traits] and the settings in a model's notes have them.
func Names() (names []string) {
	for _, l := range losses[float64]() {
		names = append(names, l.Traits().Name)
	}
	return names
}

// Named returns the loss of that name, such as "top-k hinge", with k guesses that count and the given smoothing: K = 1
// and 0 fit every loss. Losses of labels are without costs, margins and coupling. An unknown name is
// an error that lists the names; parameters that the loss does not have are the error of Loss.With.
func Named[T vec.Float](name string, k int, smoothing float64) (Loss[T], error) {
	all := losses[T]()
	at := slices.IndexFunc(all, func(l Loss[T]) bool { return l.Traits().Name == name })
	if at < 0 {
		return nil, fmt.Errorf("loss: no loss %q, want one of: %s", name, strings.Join(Names(), ", "))
	}
	return all[at].With(k, smoothing)
}
