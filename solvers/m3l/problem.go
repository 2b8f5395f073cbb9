package m3l

import (
	"context"
	"io"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// name is what the family is called in files and errors.
const name = "m3l"

// Problem is what a model is learned from: examples by their features or by a kernel, with any number of labels each,
// or with one class. What a combination lacks is an error that says so.
type Problem[T vec.Float] struct {
	X design.Matrix[T] // n examples by d features, or
	// n-by-n, their inner products: the model is then sum_i phi(x_i) a_iᵀ R, and Z is never formed
	Kernel *kernel.Matrix[T]

	Sets [][]int // the labels of each example, any number of them, in 0..L-1, or
	Y    []int   // its class, the only label that it has

	R     vec.Matrix[float64] // the prior, L-by-L, symmetric and positive semidefinite; empty: the identity, or
	P     vec.Matrix[float64] // r-by-L, for R = PᵀP + Ridge I, which is never formed: for many labels and a low rank r
	Ridge float64             // see P, >= 0

	// Z0, which the penalty pulls Z to, 1/2 sum_lk (R⁻¹)_lk <z_l - z0_l, z_k - z0_k>: d-by-L, and with Config.Bias one
	// more row, the constant feature's. As a rule it is the model of a related problem: linear.Model.Prior. Where R has
	// no inverse the columns of Z - Z0 are the combinations that R allows. Not with a Kernel or P. default: 0
	Prior vec.Matrix[float64]

	// Margins makes the loss of label l of example i max(Δ+, Δ- - 2 y s), by setting plus[l] to Δ+ = Δ_l(y_i, y_il) and
	// minus[l] to Δ- = Δ_l(y_i, -y_il): the terms of a loss Δ that is a sum over labels, for a right and a wrong
	// answer, 0 or 1e-290 at least in size. They are not stored. It must give the same numbers each time, and is called
	// by several goroutines. Config.Loss is then Hamming, for which they are 0 and 2. [RelatedLoss] makes one.
	Margins func(i int, plus, minus []float64)

	Names   []string   // of the L labels; default: none
	Weights []float64  // of the losses of the examples, >= 0; default: 1 each
	Start   *Result[T] // of the same examples, whatever C, R, P or weights it had; default: from 0
}

// Result is what Fit returns: a model, how its training ended, and the dual variables that prove it. Keep only Model to
// let the rest go.
type Result[T vec.Float] struct {
	*model.Model[T]
	solvers.Outcome

	// Duals is A, n-by-L, where a_il = 2 y_il alpha_il in the paper's terms, each in [0, 2 C] times y_il up to
	// rounding, and in [0, C] for Hinge and Logistic; without a bound for SquaredHinge. With weights and costs C is
	// multiplied by these.
	Duals vec.Matrix[T]
}

// Fit trains a model of the labels of the n examples of x: the short form of Problem.Fit.
func Fit[T vec.Float](ctx context.Context, x design.Matrix[T], sets [][]int, c Config) (*Result[T], error) {
	return Problem[T]{X: x, Sets: sets}.Fit(ctx, c)
}

// OneVsAll trains a support vector machine for each class y against all others, with no prior. Where c has no other
// loss than the default that is Hinge. solvers.Predict finds the class of the largest score. One for each label is Fit,
// where Hamming has twice the cost of Hinge; one for two classes is Fit with sets of label 0 or none, and Labels: 1.
func OneVsAll[T vec.Float](ctx context.Context, x design.Matrix[T], y []int, c Config) (*Result[T], error) {
	if c.Loss == Hamming {
		c.Loss = Hinge
	}
	return Problem[T]{X: x, Y: y}.Fit(ctx, c)
}

// Fit trains a model. It returns an error that names the value and its place where p and c make no problem to solve:
// labels out of range, numbers that are not finite, an R that is not L-by-L, symmetric and positive semidefinite, a P
// that has not L columns. A label that all examples have, or none, and an example without labels are no errors. Running
// out of passes before Tol is reached is no error but a Status.
//
// Which model it returns, also when ctx ends, [solvers.Outcome] says.
//
// With features an epoch that visits all examples costs O(n d L), or O(nonzeros L) for sparse examples, and with R up
// to O(n L²) besides; so does a certificate, in float64. With a kernel an epoch costs rows of K, and O(n L) for each of
// them. With P weights and scores have r columns in place of L while training lasts, rounded up to 16, and L more with
// a Ridge; a visit costs O(r L) besides. See topk.Problem.Fit for memory, active examples and Workers, which are the
// same; with R on wide sparse features, such as the 47236 of RCV1, one works: a copy of W costs more than the visits.
func (p Problem[T]) Fit(ctx context.Context, c Config) (*Result[T], error) {
	return family.Fit(ctx, name, p.prepare, c, c.options())
}

// Resume continues the training of p and c whose state Config.Checkpoint saved: see [solvers.Checkpoint].
func (p Problem[T]) Resume(ctx context.Context, state io.Reader, c Config) (*Result[T], error) {
	return family.Resume(ctx, name, state, p.prepare, c, c.options())
}

// Memory estimates from above what Fit takes besides the examples, or returns the error of the Problem or the Config.
// Where the Config has a Checkpoint that saves, a state held in memory counts as well. O(n), and what Fit takes to
// check R.
//
// It is at most a quarter more than what is alive at a time. Its leading terms are, with features, 2 n m + (4 + w) d m
// numbers of T and c d m of float64, where w of the Workers move copies of the weights, none where there is one, and c
// of them certify; where groups of labels are trained apart 3 n m + 4 d m numbers of T; with a kernel 6 n m numbers of
// T, (8 n + 2^11 min(64, n/128)) m + 3072 d of float64, and the rows of K that are kept. Where the examples that are
// active change, there may be 32 MB of such rows twice for a moment: that is counted always.
func (p Problem[T]) Memory(c Config) (solvers.Memory, error) {
	return family.Memory(name, p.prepare, c, c.options())
}
