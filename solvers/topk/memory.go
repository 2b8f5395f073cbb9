package topk

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
)

// Memory estimates from above what Fit takes besides the examples, or returns the error of the Problem or the Config.
// Where the Config has a Checkpoint that saves, a state held in memory counts as well. O(n).
func (p Problem[T]) Memory(c Config) (solvers.Memory, error) {
	t, err := p.prepare(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t.Problem.Memory(t.Options, c.Checkpoint.Save != nil), nil
}
