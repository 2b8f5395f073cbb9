package tracenorm

import (
	"unsafe"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
)

// Memory estimates from above what Fit takes besides the examples, or returns an error of the sizes. Where the Config
// has a Checkpoint that saves, a state held in memory counts as well. O(n).
//
// It is at most a quarter more than what is alive at a time. Its leading terms are, in numbers of T, 2 n m + (4 +
// Workers) d m, and 128 (d + m) Rank for the steps that L-BFGS remembers; n m + (1 + Workers) d m of float64 for
// certificates.
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
	wide := shape.Padded(c.Classes, 16)
	sums := min(p.o.Workers, design.Summers(p.X)) - 1 // of gradients, besides the first
	copies := family.ColumnCopies(p.X)
	if len(copies) == 0 && number == 4 { // see risk.New
		window := min(n, max(64, 400<<10/(8*max(1, d))/16*16))
		copies = solvers.Memory{family.Numbers("examples in float64", float64(sums+1), 8, window, "examples", d,
			"features")}
	}
	if len(copies) > 1 { // sums are by columns
		sums = 0
	}
	if p.w0.Rows > 0 {
		copies = append(copies, family.Numbers("the prior, in numbers of T, and the model of it", 1, number+8, d,
			"features", c.Classes, "classes"))
	}
	return append(copies,
		family.Numbers("dual variables", 1+state, number, n, "examples", c.Classes, "classes"),
		family.Numbers("probabilities, and in float64", 1, number+8, n, "examples", wide, "classes"),
		family.Numbers("what is known of the examples", 1, 40, n, "examples", 1, ""),
		family.Numbers("weights and gradients", float64(5+sums)+state, number, d, "features", wide, "classes"),
		family.Numbers("certificates", float64(2+sums), 8, d, "features", wide, "classes"),
		family.Numbers("products of weights", 1, 8, least, "rows", 256+2*least+140, "columns"),
		family.Numbers("models, the best ones", family.Copies, number, d+c.Classes, "features and classes", c.Rank,
			"ranks"),
		family.Numbers("the steps that L-BFGS remembers", (1+state)*(2*float64(remembered(d, c.Classes, c.Rank))+8),
			number, d+c.Classes, "features and classes", c.Rank, "ranks"),
	)
}
