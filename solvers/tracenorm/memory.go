package tracenorm

import (
	"fmt"
	"unsafe"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
)

// Memory estimates from above what Fit takes besides the examples, or returns an error of the sizes. Where the Config
// has a Checkpoint that saves, a state held in memory counts as well. O(n).
func (p Problem[T]) Memory(c Config) (solvers.Memory, error) {
	c, n, d, err := p.sizes(c)
	if err != nil {
		return nil, fmt.Errorf("tracenorm: %w", err)
	}
	number, least := int(unsafe.Sizeof(T(0))), min(d, c.Classes)
	rank, state := c.Rank, 0.0
	if rank == 0 || rank > least {
		rank = least
	}
	if c.Checkpoint.Save != nil {
		state = 1
	}
	sums := min(c.Workers, design.Summers(p.X)) // of gradients
	return append(ascent.ColumnCopies(p.X),
		ascent.Numbers("dual variables and probabilities", 3+2*state, number, n, "examples", c.Classes, "classes"),
		ascent.Numbers("certificates of the examples", 1, 8, n, "examples", c.Classes+8, "numbers"),
		ascent.Numbers("weights, gradients and their factors", float64(8+ascent.Copies+sums)+3*state, number, d,
			"features", c.Classes+16, "classes"),
		ascent.Numbers("certificates", float64(4+sums), 8, d, "features", c.Classes+8, "classes"),
		ascent.Numbers("products of weights", 6, 8, least, "rows", least, "columns"),
		ascent.Numbers("the steps that L-BFGS remembers", 2*float64(remembered(d, c.Classes, rank))+8, number,
			d+c.Classes, "features and classes", rank, "ranks"),
	), nil
}

// sizes returns c with its number of classes, and the sizes of the examples with the constant feature.
func (p Problem[T]) sizes(c Config) (_ Config, n, d int, err error) {
	if p.X == nil {
		return c, 0, 0, fmt.Errorf("no examples: need X")
	}
	if n, d = p.X.Dims(); c.Bias != 0 {
		d++
	}
	if c.Workers, err = parallel.Cores(c.Workers, n); err != nil {
		return c, n, d, err
	}
	if c.Classes == 0 {
		c.Classes = len(p.Names)
	}
	labels := ascent.Labels{One: p.Y}
	if c.Classes, err = labels.Classes(n, c.Classes); err != nil {
		return c, n, d, err
	}
	return c, n, d, ascent.CheckSizes(n, d, c.Classes, 0)
}
