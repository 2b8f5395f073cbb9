package ascent

import (
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
)

// Memory estimates what a training of p takes, from above, with a state that is held in memory while it is saved where
// saves is true. It evaluates nothing but samples of the examples.
func (p Problem[T]) Memory(o Options, saves bool) solvers.Memory {
	state := 0.0
	if saves {
		state = 1
	}
	if p.Kernel != nil {
		return p.onKernel(o, state)
	}
	n, d := p.size()
	number, m := int(unsafe.Sizeof(T(0))), p.Outputs
	wide := p.Factor.Cols(m)
	parts, sparse := solvers.Memory{}, family.SparseCopy(p.X)
	if sparse.Bytes > 0 {
		parts = append(parts, sparse)
	}
	stored := int(sparse.Bytes) / (number + 4)
	if r := newRows(p.X, &p); r.sparse != nil {
		stored = r.stored(n)
	}
	if stored > 0 && d*m >= paying { // see design.Occupied
		parts = append(parts, family.Numbers("columns of the features that occur", 1, 4, stored+d, "numbers", 1, ""))
	}
	groups, size := 1, groupSize(&p, o)
	if size > 0 {
		groups = (m + size - 1) / size
		wide, m = groups*padded[T](size), groups*padded[T](size)
	}
	turns, certifiers := 1, min(o.Workers, (n+255)/256, design.Summers(p.X))
	shared := p.rounds(o, n, d, stored)
	share := shared.sharing(o.Workers, n) // see makeWorkers
	if share > 1 {
		turns += share
	}
	exact := family.Numbers("certificates", float64(certifiers), 8, d, "features", padded[float64](wide), "classes")
	switch {
	case size > 0:
		turns, certifiers = 1, 1
		exact = family.Numbers("certificates", float64(min(o.Workers, groups)), 8, d, "features",
			padded[float64](size), "classes of a group")
	case p.coupled():
		exact = family.Numbers("certificates", float64(certifiers+1), 8, d, "features", padded[float64](wide), "labels")
	}
	parts = append(parts, family.Numbers("dual variables", 1+state, number, n, "examples", m, "classes"),
		family.Numbers("weights that steps move", float64(turns)+state, number, d, "features", padded[T](wide),
			"classes"),
		family.Numbers("models, the best ones", family.Copies+2*state, number, d, "features", p.Outputs, "classes"),
		exact,
		family.Numbers("what is known of the examples", float64(groups), 80, n, "examples", 1, ""),
		family.Numbers("scores of certificates", float64(certifiers), 8, min(256, n), "examples", padded[float64](wide),
			"classes"))
	if turns > 1 {
		parts = append(parts, family.Numbers("dual variables of a round", float64(share), number, shared.most(share, n),
			"examples", m, "classes"))
	}
	parts = append(parts, family.Numbers("dual variables and weights of the last extrapolation", 1+state, number, n+d,
		"examples and features", padded[T](wide), "classes"))
	parts = append(parts, p.priors(d, m, turns)...)
	return append(parts, p.reading(o, sparse.Bytes > 0, turns, min(o.Workers, max(groups, certifiers)), wide)...)
}

// priors is what a prior of the weights takes besides the caller's, for the features that occur, of groups, and in
// numbers of T, and what the coupling does, with forms of each turn.
func (p *Problem[T]) priors(d, m, turns int) (parts solvers.Memory) {
	if p.hasPrior() {
		parts = append(parts, family.Numbers("the prior, parts of it", 2, 8, d, "features", p.Outputs, "classes"))
	}
	if p.coupled() {
		n, _ := p.size()
		copies := 5
		if m <= mostFormLabels {
			copies += turns
		}
		parts = append(parts,
			family.Numbers("the coupling, its inverses and products of weights", float64(copies), 8, m, "labels",
				padded[T](m), "labels"),
			family.Numbers("true labels as bits", 1, 8, n, "examples", (m+63)/64, "words"))
	}
	return parts
}

// reading is what holds examples while they are read: each turn of a step, and certifiers.
func (p *Problem[T]) reading(o Options, copied bool, turns, certifiers, wide int) (parts solvers.Memory) {
	n, d := p.size()
	number, sparse := int(unsafe.Sizeof(T(0))), copied || design.IsSparse(p.X)
	if number == 4 && !sparse { // see design.Float64
		rows := min(256, max(1, 1<<16/max(d, 1)))
		parts = append(parts, family.Numbers("examples in float64", float64(certifiers), 12, rows, "examples", d,
			"features"))
	}
	block := o.BlockSize
	if block == 0 {
		block = 64 // see blockSize
		if sparse {
			block = 1
		}
	}
	return append(parts, family.Numbers("blocks of examples", float64(turns), number, min(n, block), "examples",
		d+4*padded[T](wide)+64, "numbers"))
}

// onKernel is Memory of a training on a kernel, whose matrix there is.
func (p *Problem[T]) onKernel(o Options, state float64) solvers.Memory {
	n, m, number := p.Kernel.Len(), p.Outputs, int(unsafe.Sizeof(T(0)))
	wide := padded[T](p.Factor.Cols(m))
	block := o.BlockSize
	if block == 0 {
		block = 64
	}
	return append(family.KernelMemory(p.Kernel),
		// The steps' dual variables and scores, the scores of all examples, and the best of either kind; in a state two
		// of each.
		family.Numbers("dual variables, coefficients and scores", 3+2*family.Copies+6*state, number, n, "examples",
			wide, "classes"),
		family.Numbers("dual variables and scores of the last extrapolation", 2+2*state, number, n, "examples",
			max(wide, padded[T](m)), "classes"),
		family.Numbers("certificates", 4, 8, n, "examples", padded[float64](p.Factor.Cols(m)), "classes"),
		family.Numbers("what is known of the examples", 1, 100, n, "examples", 1, ""),
		family.Numbers("rows of K that are worked on", 1, number, n, "examples", min(n, block), "rows"),
	)
}
