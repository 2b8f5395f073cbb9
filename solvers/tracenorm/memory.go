package tracenorm

import (
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
)

// Memory estimates from above what Fit takes besides the examples, or returns an error of the sizes. Where the Config
// has a Checkpoint that saves, a state held in memory counts as well. O(n).
func (p Problem[T]) Memory(c Config) (solvers.Memory, error) {
	return family.Memory(name, p.prepare, c, c.options())
}

// Memory: see family.Memory.
func (p *prepared[T]) Memory() solvers.Memory {
	n, d, c := p.n, p.d, p.c
	number, least, state := int(unsafe.Sizeof(T(0))), min(d, c.Classes), 0.0
	if p.o.Checkpoint.Save != nil {
		state = 1
	}
	sums := min(p.o.Workers, design.Summers(p.X)) // of gradients
	var prior solvers.Memory
	if p.w0.Rows > 0 {
		prior = append(prior, family.Numbers("the prior, in numbers of T, and the model of it", 1, number+8, d,
			"features", c.Classes, "classes"))
	}
	return append(append(family.ColumnCopies(p.X), prior...),
		family.Numbers("dual variables and probabilities", 3+2*state, number, n, "examples", c.Classes, "classes"),
		family.Numbers("certificates of the examples", 1, 8, n, "examples", c.Classes+8, "numbers"),
		family.Numbers("weights, gradients and their factors", float64(8+family.Copies+sums)+3*state, number, d,
			"features", c.Classes+16, "classes"),
		family.Numbers("certificates", float64(4+sums), 8, d, "features", c.Classes+8, "classes"),
		family.Numbers("products of weights", 6, 8, least, "rows", least, "columns"),
		family.Numbers("the steps that L-BFGS remembers", 2*float64(remembered(d, c.Classes, c.Rank))+8, number,
			d+c.Classes, "features and classes", c.Rank, "ranks"),
	)
}
