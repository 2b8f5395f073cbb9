package newton

import (
	"fmt"
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// Method returns Newton's method as trainings of package ascent take it.
func Method[T vec.Float]() *ascent.Method[T] {
	return &ascent.Method[T]{New: New[T], Memory: memory[T]}
}

// Pays reports whether Newton's method is likely to be quicker than dual coordinate ascent on n examples of d features,
// of which an example has about width that are not 0. Losses that are smooth take some 4 steps of about d²/30
// nanoseconds an example, in place of 30 passes. Losses with a kink take about as many steps as passes, where d is a
// small part of n; more, where it is not, since d examples or so stay at a kink. With an
// offset that is not regularized ascent takes twice the passes, or far more.
func Pays(n, d, width int, smooth, offset bool) bool {
	square, width64, ratio := float64(d)*float64(d), float64(width), float64(n)/float64(max(d, 1))
	if offset {
		square, ratio = square/2, 2*ratio
	}
	if smooth {
		return ratio >= 8 && 4*square/30 <= 30*(100+3*width64)
	}
	return (ratio >= 100 || ratio >= 32 && d <= 32) && square <= 100*(60+width64)
}

// CheckSize returns an error where there is no room for the second derivatives of d features, a d-by-d matrix.
func CheckSize(d int) error {
	if family.CheckSizes(0, d, d, 0) != nil {
		return fmt.Errorf("second derivatives of %d features by %d are beyond this machine's memory", d, d)
	}
	return nil
}

// memory estimates from above what a training takes besides the examples: see ascent.Problem.Memory.
func memory[T vec.Float](p ascent.Problem[T], o ascent.Options, saves bool) solvers.Memory {
	n, d := p.X.Dims()
	number, state := int(unsafe.Sizeof(T(0))), 0.0
	if saves {
		state = 1
	}
	all := solvers.Memory{}
	if float64(n)*float64(d) <= copied && number == 4 && !design.IsSparse(p.X) || fills(p.X) {
		all = append(all, family.Numbers("examples in float64", 1, 8, n, "examples", d, "features"))
	}
	if p.Constant != 0 || p.Offset {
		d++
	}
	blocks := float64(min(o.Workers, sums(n, d)))
	return append(all,
		family.Numbers("sums of second derivatives", float64(sums(n, d)), 8, d, "features", d, "features"),
		family.Numbers("rows of these", 2*blocks, 8, min(n, blockRows), "examples", d, "features"),
		family.Numbers("scores, dual variables and second derivatives", 12+state, 8, n, "examples", 1, ""),
		family.Numbers("weights and gradients", 8+state, 8, d, "features", 1, ""),
		family.Numbers("dual variables of certificates", family.Copies+1+state, number, n, "examples", 1, ""),
		family.Numbers("weights of models", family.Copies+state, number, d, "features", 1, ""))
}
