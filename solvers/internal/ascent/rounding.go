package ascent

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// Rounding tells how far rounding takes <A, K A>, as certificates compute it in float64 for dual variables A with the
// rows a_i. All of them go by it: it is in one place. With b_i = |a_i| sqrt(K_ii), by Cauchy and Schwarz |K_ij <a_i,
// a_j>| is at most b_i b_j. Numbers of K are off by a part e of sqrt(K_ii K_jj), sums of t terms by t u of the terms'
// sizes, where u is the roundoff (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1). So the form, a
// sum of sums, is off by less than
//
//	(2t u + e) (sum_i b_i)²
//
// Where roundings are independent of each other with mean 0 (Higham and Mary, A new approach to probabilistic rounding
// error analysis, 2019), its standard deviation is far less. Each K_ij adds e b_i b_j, twice since K is symmetric:
// together sqrt(2) e sum_i b_i². A score, whose partial sums are at most sqrt(K_ii) sum_j b_j, is off by sqrt(t) u of
// that, and the form by sqrt(t) u sum_j b_j (sum_i b_i²)^{1/2}.
//
// A product that underflows is off by the least number η at most, whatever its size. Where products of features do,
// K_ij is off by a part e of η/u: b_i has K_ii + η/u in place of K_ii. The products with dual variables, t² at most,
// add t² η to the form; where these are independent, t η.
type Rounding struct {
	worst, typical float64 // e, at worst and as a rule: see kernel.Matrix.Rounding
	terms          float64 // t
	sum, squares   float64 // of the b_i
	losses         float64 // sizes of what losses are differences of
	dual           float64 // sizes of what dual terms are sums of
	others         float64 // how far losses may be off: see Losses
}

// NewRounding is the rounding at A = 0, whose K has numbers that are off by a part of worst, and typical as a rule.
// Scores are sums over n examples, forms over as many, and over other terms, such as outputs.
func NewRounding(worst, typical float64, n, terms int) (r Rounding) {
	r.Of(worst, typical, n, terms)
	return r
}

// Of sets what NewRounding is told.
func (r *Rounding) Of(worst, typical float64, n, terms int) {
	r.worst, r.typical, r.terms = worst, typical, float64(n+terms+3)
}

// Add adds an example with K_ii = diagonal and |a_i| = size.
func (r *Rounding) Add(diagonal, size float64) {
	r.AddNorm(Root(diagonal), size)
}

// AddNorm is Add by sqrt(K_ii).
func (r *Rounding) AddNorm(norm, size float64) {
	b := size * norm
	r.sum, r.squares = r.sum+b, r.squares+b*b
}

// Root is sqrt(K_ii), or more where that may underflow.
func Root(diagonal float64) float64 { return math.Sqrt(diagonal + least/roundoff) }

// AddLoss adds a loss of weight r, of scores of a size, which is atZero where these are 0: so large are the numbers
// that it is the difference of. Of one that goes with the square of such a difference the slope is about twice its
// root.
func (r *Rounding) AddLoss(weight, loss, atZero, size float64) {
	r.losses += weight * (atZero + size) * (1 + 2*math.Sqrt(loss))
}

// AddTerm adds a dual term that is a difference of numbers of a size.
func (r *Rounding) AddTerm(size float64) { r.dual += size }

// AddOff adds how far rounding takes the losses, three deviations: see Losses.
func (r *Rounding) AddOff(off float64) { r.others += off }

// Slack is how far the scores of outputs whose R_ll has at most the root steep may be off, for examples with the norms
// sqrt(K_ii), with an offset. Partial sums are taken to be about as large as the root of the squares of their terms.
func (r *Rounding) Slack(steep, offset float64) Slack {
	return Slack{deviations * steep * (math.Sqrt(r.terms)*roundoff + r.typical) * math.Sqrt(r.squares), offset}
}

// Weights is the standard deviation of w = Xᵀ A, whose partial sums are taken to be about as large as w.
func (r *Rounding) Weights() float64 { return math.Sqrt(r.terms*r.squares) * roundoff }

// Worst is what a form cannot be off by.
func (r *Rounding) Worst() float64 {
	return (2*r.terms*roundoff+r.worst)*r.sum*r.sum + r.terms*r.underflow()
}

// Deviation is the standard deviation of a form.
func (r *Rounding) Deviation() float64 {
	return math.Sqrt2*r.typical*r.squares + math.Sqrt(r.terms)*roundoff*r.sum*math.Sqrt(r.squares) +
		r.underflow()
}

// underflow is what t products that are below the normal numbers may be off by together; 0 where A is 0, whose products
// are.
func (r *Rounding) underflow() float64 {
	if r.sum == 0 {
		return 0
	}
	return r.terms * least
}

const (
	roundoff = 0x1p-53                     // roundoff u of float64
	least    = math.SmallestNonzeroFloat64 // its η
)

// Definite returns an error where one of the forms is negative by more than rounding, which makes K none.
func (r *Rounding) Definite(forms ...float64) error {
	for _, v := range forms {
		if worst := r.Worst(); v < -worst {
			return fmt.Errorf("the kernel matrix is not positive semi-definite: |W|² = %v, and rounding is at "+
				"most %.1g", v, worst)
		}
	}
	return nil
}

// Check returns why a certificate with P and D from forms times lambda/2 is not to be believed: the forms, or the gap,
// are negative by more than rounding; or rounding is most of it. Of any dual variables and scores, whatever these are,
//
//	sum_i loss_i(s_i) - dual term_i(a_i) >= -<A, S>   (Fenchel and Young)
//
// so that without rounding of the forms, which enter P, D and <A, S>, the gap is lambda/2 <A - A', K (A - A')> at
// least, A' being A rounded to T. Losses go with the scores by dual variables of their own, about as the forms do: the
// gap's standard deviation is about twice the form's, and three times as much is to be below the gap, or below what is
// asked for.
func (r *Rounding) Check(t *train.Trust, c solvers.Certificate, lambda, tol float64, forms ...float64) error {
	if err := r.Definite(forms...); err != nil {
		return err
	}
	size := math.Max(math.Abs(c.Primal), math.Abs(c.Dual))
	if worst := 2*lambda*r.Worst() + 2*r.terms*roundoff*(size+lambda*r.losses); c.Gap() < -worst {
		return fmt.Errorf("the kernel matrix is not positive semi-definite: %v, and rounding is at most %.1g", c, worst)
	}
	return t.Judge(c, r.Off(lambda), tol)
}

// Off is what is allowed for rounding of a certificate whose forms are times lambda/2: three deviations of the gap.
func (r *Rounding) Off(lambda float64) float64 { return r.off(lambda, r.Deviation()) }

// OffWeights is Off for features, where the form is |w|² of w = Xᵀ A, whose partial sums are taken to be about as large
// as w.
func (r *Rounding) OffWeights(lambda, form float64) float64 {
	off := r.Weights() + r.underflow()
	return r.off(lambda, (2*math.Sqrt(max(0, form))+off)*off+r.underflow())
}

// off is three deviations of the gap, which is twice a form's, with losses and dual terms. The products of losses may
// underflow whatever lambda is.
func (r *Rounding) off(lambda, deviation float64) float64 {
	terms := deviations * math.Sqrt(r.terms) * roundoff * r.dual
	return 2*deviations*(lambda*deviation+r.underflow()) + lambda*(terms+r.others)
}

// CheckWeights is Check for features: nothing that is not positive semi-definite can be found.
func (r *Rounding) CheckWeights(t *train.Trust, c solvers.Certificate, lambda, tol, form float64) error {
	return t.Judge(c, r.OffWeights(lambda, form), tol)
}

// Enough is how far losses may be off that are times lambda in a certificate, without a closer look: see Losses.Sum.
func Enough(c solvers.Certificate, lambda, tol float64) float64 {
	return train.Room(c, tol) / 4 / lambda
}

// Underflow returns an error where values are so small that what products below the normal numbers lose, each the least
// number at most, is above what is asked for.
func Underflow(c solvers.Certificate, tol, products float64) error {
	size, off := math.Max(math.Abs(c.Primal), math.Abs(c.Dual)), products*least
	if size > 0 && off > max(c.Gap(), tol*size) {
		return fmt.Errorf("%w: %v, of which %.1g may be rounding", train.ErrRounding, c, off)
	}
	return nil
}

// sizes returns the roots of the diagonal of R, which the magnitudes of dual variables are weighed by; nil for none.
func (p *Problem[T]) sizes() []float64 {
	q, root := p.ExactFactor.Matrix()
	if !p.coupled() && q.Rows == 0 && root == 0 {
		return nil
	}
	sizes := make([]float64, p.Outputs)
	for l := range sizes {
		if p.coupled() {
			sizes[l] = math.Sqrt(p.Coupling.Row(l)[l])
			continue
		}
		square := root * root
		for j := range q.Rows {
			square += q.Row(j)[l] * q.Row(j)[l]
		}
		sizes[l] = math.Sqrt(square)
	}
	return sizes
}

// steepest returns the largest size of an output.
func steepest(sizes []float64) float64 {
	if sizes == nil {
		return 1
	}
	return vec.Max(sizes)
}

// sizeOf returns |a|, or, where there are sizes, sum_l |a_l| sizes_l, which is no less than sqrt(aᵀRa).
func sizeOf(a, sizes []float64) (size float64) {
	switch {
	case sizes != nil:
	case len(a) == 1:
		return math.Abs(a[0])
	default:
		return math.Sqrt(vec.SquaredNorm(a))
	}
	for l, v := range a {
		size += math.Abs(v) * sizes[l]
	}
	return size
}
