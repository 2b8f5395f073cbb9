// Package ascent is block dual coordinate ascent: the engine of the families whose dual variables come in one block for
// each example.
//
// With losses phi_i of the scores s_i of example i, weights r_i, and the coupling R of the outputs (the identity as a
// rule), it minimises over W, d features by m outputs, here without R,
//
//	P(W) = lambda (sum_i r_i phi_i(Wᵀx_i) + 1/2 |W|²)
//
// by maximising its dual over A, n-by-m, whose rows a_i are the blocks,
//
//	D(A) = lambda (sum_i -r_i phi_i*(-a_i/r_i) - 1/2 <A, K A R>),   K = X Xᵀ or a kernel matrix.
//
// The scores are S = K A R, so that W = Xᵀ A R. A visit of an example moves its block to the optimum with all others
// held: what it takes is the loss's (package loss), and the move of a coupled loss is told in terms of W and the
// scores: delta R.
package ascent

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// Problem is what a family brings.
type Problem[T vec.Float] struct {
	X        design.Matrix[T]  // n-by-d, or nil
	Constant T                 // value of one more feature of every example of X; 0: none
	Kernel   *kernel.Matrix[T] // n-by-n, where X is nil

	Labels  family.Labels
	Outputs int       // m
	Radius  []float64 // r_i >= 0, see family.Radii
	Lambda  float64
	Loss    loss.Loss[T]
	Exact   loss.Loss[float64] // the same, for certificates

	// Coupling is R, m-by-m, symmetric and positive semidefinite; empty for the identity. A loss that is coupled sets
	// the delta of a visit to its move times R, and adds the change of 1/2 <A, K A R> to Workspace.Quadratic.
	Coupling vec.Matrix[float64]

	// Factor is the coupling where it is held as R = QᵀQ; nil: there is none, or it is Coupling. U = Xᵀ A Qᵀ then has
	// the place of W, and scores and moves are U's, without a coupling: only the loss and the model see all outputs. A
	// loss that is coupled sets the delta of a visit to Q times its move.
	Factor      *loss.Factor[T]
	ExactFactor *loss.Factor[float64] // the same, for certificates

	// Prior is W0, which the penalty pulls W to, a row for the constant feature included: see prior.go. Empty for 0;
	// not with a Kernel or a Factor.
	Prior vec.Matrix[float64]

	// Offset says that the scores have an offset that the penalty leaves alone, and Sum is what the dual variables then
	// add up to, 0 unless there is a Kernel: see offset.go, and package oneclass for another sum on features. Of one
	// output whose loss is loss.Sloped or Curved; without Constant, Coupling, Factor and Prior. The model then has one
	// more row.
	Offset bool
	Sum    float64

	mean []T // what steps take from each example of X, which is not sparse; nil: nothing. See offset_centre.go
}

// Options are what a training obeys, and parameters of the method.
type Options struct {
	solvers.Options
	BlockSize  int // examples whose scores are computed together; 0: chosen from the sizes
	ActiveFrom int // examples of a kernel from which a training works on some of them at a time; 0: the default
	// least number of examples that each of several workers visits before they put their moves together; 0: chosen
	// from the sizes
	Round int
}

// Solver is a training under way.
type Solver[T vec.Float] interface {
	train.Method[T]

	// Start sets the dual variables to the multiple of the given ones that is feasible and has the largest dual
	// objective, and returns its certificate. To be called before the first epoch.
	Start(duals vec.Matrix[T]) (solvers.Certificate, error)

	// Objective returns P in float64 of a model, whatever its dual variables are: of W, d-by-m, or on a kernel of the
	// coefficients A R, n-by-m. known is false where R⁻¹, which the quadratic term takes, is too far off. To be called
	// after Start. It changes neither the training nor its certificate.
	Objective(model vec.Matrix[T]) (primal float64, known bool)

	// Duals returns A, which must not be changed.
	Duals() vec.Matrix[T]
}

// New returns a training of p that has taken no step yet, or an error where its numbers make no problem to solve.
// Errors name no package: the family puts its own before them.
func New[T vec.Float](p Problem[T], o Options) (Solver[T], error) {
	s, err := newSolver(p, o)
	if err != nil || p.Sum == 0 {
		return s, err
	}
	if d := s.Zero().Dual; d-d != 0 {
		return nil, fmt.Errorf("dual variables of the sum %v give a dual value beyond float64: scale the weights or "+
			"the features down", p.Sum)
	}
	return s, nil
}

func newSolver[T vec.Float](p Problem[T], o Options) (Solver[T], error) {
	if p.Kernel != nil {
		return newKernelSolver(p, o)
	}
	if p.Sum != 0 {
		return nil, fmt.Errorf("dual variables of the sum %v without a kernel, want 0", p.Sum)
	}
	p.X = design.Sparse(p.X) // leaves out zeros alone: what is not finite shows in its norms
	return onFeatures(p.withOffset(), o)
}

// size returns the number of examples and of features, the constant one included; 0 features for a kernel.
func (p *Problem[T]) size() (n, d int) {
	if p.Kernel != nil {
		return p.Kernel.Len(), 0
	}
	n, d = p.X.Dims()
	if p.Constant != 0 {
		d++
	}
	return n, d
}

// Zero returns the certificate of W = 0 and A = 0: to the bit what Certify returns there, since the better of the two
// is asked for.
func (p *Problem[T]) Zero() solvers.Certificate {
	losses, dual := p.zero(0, len(p.Radius))
	return solvers.Certificate{Primal: p.Lambda * losses, Dual: p.Lambda * dual}
}

// zero returns the sums of the losses and of the dual terms of some examples at 0.
func (p *Problem[T]) zero(from, to int) (losses, dual float64) {
	var work loss.Workspace[float64]
	zero, like := make([]float64, p.Outputs), likeness{on: loss.BinaryOf(p.Exact) != nil && p.Outputs == 1}
	weighted, term := 0.0, 0.0
	for i := from; i < to; i++ {
		if r := p.Radius[i]; r > 0 {
			if y := p.Labels.Of(i); !like.theLast(r, len(y)) {
				work.Example = i
				weighted = float64(r * p.Exact.Primal(zero, y, &work)) // not fused
				term = p.Exact.Dual(zero, y, r, &work)
			}
			losses += weighted
			dual += term
		}
	}
	return losses, dual
}

// likeness finds examples whose losses are the same function: of two classes the ones of equal weight and label.
type likeness struct {
	on     bool // there are two classes
	r      float64
	labels int
}

// theLast reports whether an example is like the last one.
func (l *likeness) theLast(r float64, labels int) bool {
	if l.on && r == l.r && labels == l.labels {
		return true
	}
	l.r, l.labels = r, labels
	return false
}

// Fingerprint returns a hash of the data, of the coupling and of the prior.
func (p *Problem[T]) Fingerprint() []byte {
	var prior [][]float64
	for i := range p.Coupling.Rows {
		prior = append(prior, p.Coupling.Row(i))
	}
	if factor, root := p.ExactFactor.Matrix(); factor.Rows > 0 {
		prior = append(prior, factor.Data, []float64{root})
	}
	prior = append(prior, family.Rows(p.Prior)...)
	data := family.Data[T]{X: p.X, Kernel: p.Kernel, Constant: p.Constant, Labels: p.Labels, Outputs: p.Outputs,
		Weights: p.Radius}
	return data.Fingerprint(prior...)
}

func (p *Problem[T]) coupled() bool { return p.Coupling.Rows > 0 }

// features returns X with the constant feature.
func (p *Problem[T]) features(x design.Matrix[T]) design.Matrix[T] {
	if p.Constant != 0 {
		return design.WithBias(x, p.Constant)
	}
	return x
}

// Norms returns the norms of the rows of x, with the constant feature, or more where their squares may underflow; or an
// error that names the first number of x that is not finite, or a row whose squared norm is not. O(n d).
func Norms[T vec.Float](x design.Matrix[T], constant T) ([]float64, error) {
	if constant != 0 {
		x = design.WithBias(x, constant)
	}
	n, d := x.Dims()
	squares, norms := make([]T, n), make([]float64, n)
	x.SquaredNorms(squares)
	least, _, _ := family.Limits[T]()
	for i, v := range squares {
		norms[i] = math.Sqrt(max(float64(v), least))
	}
	return norms, checkNorms(x, squares, d)
}

// checkFeatures returns an error where W would take more than a gigabyte, and all but a few of its rows would stay 0: a
// feature number that is a typo would cost all memory.
func checkFeatures(d, m, stored int) error {
	if d/16 > stored && d > 1<<27/m {
		return fmt.Errorf("%d features, of which the examples hold %d numbers: weights of %d outputs would take more "+
			"than a gigabyte", d, stored, m)
	}
	return nil
}

// checkNorms returns an error that names the first number of x that is not finite. A squared norm is finite only if all
// numbers of its row are.
func checkNorms[T vec.Float](x design.Matrix[T], norms []T, d int) error {
	for i, h := range norms {
		if h-h == 0 {
			continue
		}
		row := vec.NewMatrix[T](1, d)
		x.Gather(row, []int{i})
		for j, v := range row.Data {
			if v-v != 0 {
				return fmt.Errorf("row %d, column %d: value %v, want a finite number", i, j, v)
			}
		}
		return fmt.Errorf("the squared norm of row %d exceeds the largest %T: scale the features down", i, h)
	}
	return nil
}

// ErrNotFinite is the error of a certificate that is not finite.
func ErrNotFinite[T vec.Float](epoch int) error {
	return fmt.Errorf("numbers outgrew %T in epoch %d: scale the features down, raise the regularization, or use "+
		"float64", T(0), epoch)
}
