package oneclass

import (
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// memory estimates from above what a training takes besides the examples: see ascent.Problem.Memory.
func memory[T vec.Float](p ascent.Problem[T], _ ascent.Options, saves bool) (parts solvers.Memory) {
	n, d := p.X.Dims()
	number, state := int(unsafe.Sizeof(T(0))), 0.0
	if saves {
		state = 1
	}
	sparse := family.SparseCopy(p.X)
	if sparse.Bytes > 0 {
		parts = append(parts, sparse)
	}
	if n*d <= copied && number == 4 && sparse.Bytes == 0 && !design.IsSparse(p.X) {
		parts = append(parts, family.Numbers("examples in float64", 1, 8, n, "examples", d, "features"))
	}
	return append(parts,
		family.Numbers("dual variables, scores and norms, what is sorted, the examples that matter", 10+2*state, 8, n,
			"examples", 1, ""),
		family.Numbers("weights, and rows that are read", 3+state, 8, d, "features", 1, ""),
		family.Numbers("dual variables, of the last certificate and the best ones", 2+state, number, n, "examples", 1,
			""),
		family.Numbers("weights of models", family.Copies+state, number, d, "features", 1, ""))
}
