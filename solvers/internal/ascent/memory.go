package ascent

import (
	"unsafe"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
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
	if p.Offset { // see withOffset
		p.Constant = 1
	}
	parts, sparse, stored := solvers.Memory{}, family.SparseCopy(p.X), 0
	number := int(unsafe.Sizeof(T(0)))
	if sparse.Bytes > 0 {
		parts = append(parts, sparse)
		stored = int(sparse.Bytes) / (number + 4)
	}
	n, d := p.size()
	if r := newRows(p.X, &p); r.sparse != nil {
		stored = r.stored(n)
	}
	if stored > 0 && d*p.Outputs >= paying { // see design.Occupied
		parts = append(parts, family.Numbers("columns of the features that occur", 1, 4, stored+d, "numbers", 1, ""))
		if p.hasPrior() {
			parts = append(parts, family.Numbers("the prior, of these and of all", 1, 8+number, d, "features",
				p.Outputs, "classes"))
		}
	}
	if size := groupSize(&p, o); size > 0 {
		parts = append(parts, p.inGroups(o, size, sparse.Bytes > 0, state)...)
	} else {
		parts = append(parts, p.together(o, sparse.Bytes > 0, stored, state)...)
	}
	return append(parts, p.offsets()...)
}

// later is 1 where epochs are extrapolated, which keeps dual variables, and weights or scores: see momentum.
func (o Options) later() float64 {
	if o.Epochs > earliest {
		return 1
	}
	return 0
}

// models are the best one, of a certificate that did not end the training, and the one at hand; of a training that goes
// on from a state there may be one of a stop as well.
func models(state float64) float64 { return 2 + state }

// stateOfExample is how many bytes Save writes of an example, besides its dual variables: two numbers, three bytes, and
// when it is due.
const stateOfExample = 16 + 3 + 3*4

// together is Memory where all outputs are trained together.
func (p *Problem[T]) together(o Options, copied bool, stored int, state float64) (parts solvers.Memory) {
	n, d := p.size()
	number, m, cols := int(unsafe.Sizeof(T(0))), p.Outputs, p.Factor.Cols(p.Outputs)
	size := p.blockOf(o, copied)
	certifiers := min(o.Workers, shape.Pieces(n, 256), design.Summers(p.X))
	shared := p.rounds(o, n, d, stored)
	turns, share := 1, shared.sharing(o.Workers, n) // see makeWorkers
	if share > 1 {
		turns += share
	}
	sums := certifiers
	if p.coupled() {
		sums++
	}
	kept := (1 + o.later()) * (1 + state)
	parts = solvers.Memory{
		family.Numbers("dual variables, the last extrapolation's too", kept, number, n, "examples", m,
			"classes"),
		family.Numbers("weights that steps move, and of the last extrapolation", float64(turns)+o.later()+
			state*(1+o.later()), number, d, "features", weightCols[T](cols, size), "classes"),
		family.Numbers("models, the best ones", models(state), number, d, "features", m, "classes"),
		family.Numbers("certificates", float64(sums), 8, d, "features", exactCols(cols), "classes"),
		family.Numbers("scores of certificates", float64(certifiers), 8, min(256, n), "examples", exactCols(cols),
			"classes"),
		family.Numbers("what is known of the examples", 1, 80, n, "examples", 1, ""),
	}
	if state > 0 {
		parts = append(parts, family.Numbers("the state of the examples", state, stateOfExample, n, "examples", 1, ""))
	}
	if p.Factor != nil {
		parts = append(parts, family.Numbers("weights of the factor", 1, number, d, "features", cols, "columns"))
	}
	if share > 1 {
		parts = append(parts, family.Numbers("dual variables of a round", float64(share), number, shared.most(share, n),
			"examples", m, "classes"))
	}
	parts = append(parts, p.couplings(turns)...)
	return append(parts, p.reading(copied, turns, certifiers, size, cols)...)
}

// inGroups is Memory where groups of outputs are trainings of their own.
func (p *Problem[T]) inGroups(o Options, size int, copied bool, state float64) (parts solvers.Memory) {
	n, d := p.size()
	number, m := int(unsafe.Sizeof(T(0))), p.Outputs
	groups := shape.Pieces(m, size)
	part := *p
	part.Outputs = size
	block := part.blockOf(o, copied)
	rows, wide := m, groups*weightCols[T](size, block)
	if l, ok := p.Loss.(loss.Grouped[T]); ok && l.Groups() && size <= loss.GroupSize && block == 1 {
		rows, wide = groups*loss.GroupSize, groups*loss.GroupSize
	}
	certifiers := min(o.Workers, groups)
	kept := (1 + o.later()) * (1 + state)
	parts = solvers.Memory{
		family.Numbers("dual variables, the last extrapolation's too", kept, number, n, "examples", rows,
			"classes"),
		family.Numbers("dual variables that are returned", 1, number, n, "examples", m, "classes"),
		family.Numbers("weights that steps move, and of the last extrapolation", kept, number, d, "features", wide,
			"classes"),
		family.Numbers("models, the best ones", models(state), number, d, "features", m, "classes"),
		family.Numbers("certificates", float64(certifiers), 8, d, "features", exactCols(size), "classes of a group"),
		family.Numbers("scores of certificates", float64(groups), 8, min(256, n), "examples", exactCols(size),
			"classes of a group"),
		family.Numbers("what is known of the examples", float64(groups), 64, n, "examples", 1, ""),
	}
	if state > 0 {
		parts = append(parts, family.Numbers("the state of the examples", state*float64(groups), stateOfExample, n,
			"examples", 1, ""))
	}
	if p.hasPrior() {
		parts = append(parts, family.Numbers("the prior of each group", 1, 8, d, "features", m, "classes"))
	}
	return append(parts, p.reading(copied, groups, certifiers, block, size)...)
}

// blockOf is the size of a block, of examples that are copied to sparse ones or are as they are.
func (p *Problem[T]) blockOf(o Options, copied bool) int {
	n, d := p.size()
	if copied && o.BlockSize == 0 {
		return 1
	}
	size, _ := p.blocks(o, n, d)
	return size
}

// weightCols is how many columns W has: see newWeights.
func weightCols[T vec.Float](cols, size int) int {
	if byClass(size) || cols == 1 && size == 1 {
		return cols
	}
	return padded[T](cols)
}

// couplings are what a coupling takes besides the caller's: R in T, R⁻¹ and WᵀW, and a form of each turn.
func (p *Problem[T]) couplings(turns int) (parts solvers.Memory) {
	if !p.coupled() {
		return nil
	}
	n, _ := p.size()
	m := p.Outputs
	copies := 4
	if m <= mostFormLabels {
		copies += turns
	}
	return solvers.Memory{
		family.Numbers("the coupling, its inverse and products of weights", float64(copies), 8, m, "labels", m,
			"labels"),
		family.Numbers("true labels as bits", 1, 8, n, "examples", shape.Pieces(m, 64), "words"),
	}
}

// reading is what holds examples while they are read: each turn of a step, and certifiers.
func (p *Problem[T]) reading(copied bool, turns, certifiers, size, cols int) (parts solvers.Memory) {
	n, d := p.size()
	number, sparse := int(unsafe.Sizeof(T(0))), copied || design.IsSparse(p.X)
	if number == 4 && !sparse { // see design.Float64: a goroutine that moves to another core leaves one behind
		rows, bytes := min(256, max(1, 1<<16/max(d, 1))), 8
		if _, own := p.features(p.X).(design.DenseRows[T]); !own {
			bytes += number
		}
		parts = append(parts, family.Numbers("examples in float64", float64(certifiers+1), bytes, rows, "examples", d,
			"features"))
	}
	width := 2*padded[T](cols) + size
	if size > 1 {
		width += d
	}
	if byClass(size) {
		width += cols * (1 + 4/number)
	}
	return append(parts, family.Numbers("blocks of examples", float64(turns), number, min(n, size), "examples", width,
		"numbers"))
}

// onKernel is Memory of a training on a kernel, whose matrix there is.
func (p *Problem[T]) onKernel(o Options, state float64) solvers.Memory {
	n, m, number := p.Kernel.Len(), p.Outputs, int(unsafe.Sizeof(T(0)))
	cols := p.Factor.Cols(m)
	size := o.BlockSize
	if size == 0 {
		size = 64
	}
	size = min(n, size)
	scores, copies := 1+o.later(), 2+2*state
	if p.byLevels(o, n) {
		scores++
	}
	if p.coupled() || p.Factor != nil {
		copies++
	}
	workers, _ := parallel.Cores(o.Workers, (n+partCols[T]()-1)/partCols[T]())
	parts := append(family.KernelMemory(p.Kernel, 2*padded[float64](cols), o.Workers, p.byLevels(o, n)),
		family.Numbers("dual variables, the last extrapolation's too", (1+o.later())*(1+state), number, n,
			"examples", m, "classes"),
		family.Numbers("scores, the last extrapolation's too", scores, number, n, "examples", padded[T](cols),
			"classes"),
		family.Numbers("dual variables and coefficients, the best ones", copies, number, n, "examples", m, "classes"),
		family.Numbers("certificates", 4, 8, n, "examples", padded[float64](cols), "classes"),
		family.Numbers("what is known of the examples", 1, 120, n, "examples", 1, ""),
		family.Numbers("parts of rows that are worked on", float64(workers), number, size, "rows", partCols[T]()+16,
			"numbers"),
		family.Numbers("blocks of examples", 1, number, size, "examples", 2*padded[T](cols)+size, "numbers"),
	)
	if state > 0 {
		parts = append(parts, family.Numbers("scores of the state", state*(1+o.later()), number, n, "examples", cols,
			"classes"), family.Numbers("the state of the examples", state, stateOfExample, n, "examples", 1, ""))
	}
	if p.Kernel.Room() < n {
		parts = append(parts, family.Numbers("rows of K that are worked on", 1, number, n, "examples", size, "rows"))
	}
	return append(append(parts, p.couplings(0)...), p.offsets()...)
}
