package m3l

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// exactly checks the certificate of a model by numbers of thousands of bits, where
//
//	P = 1/2 <B, K B R> + sum_il phi_il(s_il),  D(A) = sum_il (dual term(a_il) - a_il s0_il) - 1/2 <A, K A R>
//
// are what they are but for nothing that counts: see hostile.Values. B are the model's coefficients, with the scores s
// = K B R + s0, s0 the prior's. Of features without R the model is its weights, with |W - W0|² in place of the form.
// Where the model has other dual variables than the result, which R needs, there is nothing to check.
func exactly[T vec.Float](t testing.TB, p Problem[T], c Config, r *Result[T], offPrimal, offDual float64) {
	t.Helper()
	coupled := p.R.Rows > 0 || p.P.Rows > 0
	others := r.ModelEpoch != r.Epochs || r.Epochs == 0 && p.Start != nil && p.Start.Model != nil
	if len(r.Duals.Data) == 0 || r.Duals.Rows > hostile.Most || coupled && !r.ZeroModel && others {
		return
	}
	o := loopsOf(p, c, r.Duals.Rows, r.Duals.Cols)
	a, _ := o.feasible(r.Duals)
	gram, factor, pulled := o.exactGram(), o.exactR(), o.exactPrior()
	form, half := hostile.Exact(0), hostile.Exact(.5)
	dual := hostile.Exact(0)
	for i, row := range o.times(gram, a, factor) {
		for l, s := range row {
			v := hostile.Exact(a[i][l])
			hostile.Plus(form, v, s)
			dual.Sub(dual, new(big.Float).Mul(v, pulled[i][l]))
			dual.Add(dual, o.exactTerm(i, l, a[i][l]))
		}
	}
	dual.Sub(dual, form.Mul(form, half))
	primal, scores := o.exactModel(r, gram, factor, coupled)
	primal.Mul(primal, half)
	for i, row := range scores {
		for l, s := range row {
			if p.Kernel != nil || coupled {
				s.Add(s, pulled[i][l])
			}
			primal.Add(primal, o.exactLoss(i, l, s))
		}
	}
	infeasible := 0.0
	if p.Kernel != nil && p.Kernel.Kernel() == nil || p.R.Rows > 0 { // given, and a little off from semi-definite
		infeasible = offPrimal + offDual
	}
	hostile.Values{Primal: primal, Dual: dual, OffPrimal: offPrimal, OffDual: offDual,
		Infeasible: infeasible}.Confirm(t, r.Outcome)
}

// exactModel returns twice the penalty of the model, and its scores, without the prior's where it has coefficients.
func (o *loops[T]) exactModel(r *Result[T], gram hostile.Gram, factor [][]*big.Float,
	coupled bool) (penalty *big.Float, scores [][]*big.Float) {
	penalty = hostile.Exact(0)
	n, m := r.Duals.Rows, r.Duals.Cols
	if o.p.Kernel == nil && !coupled {
		w := weightsOf(r.Linear.Weights(), r.Linear.Bias(), r.Linear.Constant())
		for j, row := range w {
			for l, v := range row {
				off := hostile.Exact(v)
				if w0 := o.p.Prior; w0.Rows > 0 {
					off.Sub(off, hostile.Exact(w0.At(j, l)))
				}
				hostile.Plus(penalty, off, off)
			}
		}
		for _, x := range o.rows() {
			row := make([]*big.Float, m)
			for l := range row {
				row[l] = hostile.Inner(x, hostile.Column(w, l))
			}
			scores = append(scores, row)
		}
		return penalty, scores
	}
	coefficients := vec.NewMatrix[T](n, m)
	switch {
	case r.ZeroModel:
	case coupled:
		coefficients = r.Duals
	default:
		for q, i := range r.Kernel.Support() {
			copy(coefficients.Row(i), r.Kernel.Coefficients().Row(q))
		}
	}
	b := numbers(coefficients)
	scores = o.times(gram, b, factor)
	for i, row := range scores {
		for l, s := range row {
			hostile.Plus(penalty, hostile.Exact(b[i][l]), s)
		}
	}
	return penalty, scores
}

// times returns K A R.
func (o *loops[T]) times(gram hostile.Gram, a [][]float64, r [][]*big.Float) [][]*big.Float {
	all := make([][]*big.Float, len(a))
	for i := range all {
		for range r {
			all[i] = append(all[i], hostile.Exact(0))
		}
	}
	for k := range r {
		for i, v := range gram.Times(hostile.Column(a, k)) {
			for l, f := range r[k] {
				if f.Sign() != 0 {
					hostile.Plus(all[i][l], v, f)
				}
			}
		}
	}
	return all
}

// exactGram is K.
func (o *loops[T]) exactGram() hostile.Gram {
	if o.p.Kernel != nil {
		return hostile.GramOf(o.p.Kernel)
	}
	return hostile.GramBy(kernel.Linear{}, o.rows())
}

// exactR is R, or PᵀP + ridge I.
func (o *loops[T]) exactR() (r [][]*big.Float) {
	p := o.p
	for l := range o.r {
		row := make([]*big.Float, len(o.r))
		for k := range row {
			switch row[k] = hostile.Exact(0); {
			case p.R.Rows > 0:
				row[k] = hostile.Exact(p.R.At(l, k))
			case p.P.Rows > 0:
				for j := range p.P.Rows {
					hostile.Plus(row[k], hostile.Exact(p.P.At(j, l)), hostile.Exact(p.P.At(j, k)))
				}
				if l == k {
					row[k].Add(row[k], hostile.Exact(p.Ridge))
				}
			case l == k:
				row[k] = hostile.Exact(1)
			}
		}
		r = append(r, row)
	}
	return r
}

// exactPrior returns the scores of the prior, 0 where there is none.
func (o *loops[T]) exactPrior() (scores [][]*big.Float) {
	var x [][]float64
	if o.p.Prior.Rows > 0 {
		x = o.rows()
	}
	for i := range o.y {
		row := make([]*big.Float, len(o.y[i]))
		for l := range row {
			if row[l] = hostile.Exact(0); x != nil {
				for j, v := range x[i] {
					hostile.Plus(row[l], hostile.Exact(v), hostile.Exact(o.p.Prior.At(j, l)))
				}
			}
		}
		scores = append(scores, row)
	}
	return scores
}

// exactLoss is the loss of label l of example i at a score: see loss.
func (o *loops[T]) exactLoss(i, l int, score *big.Float) *big.Float {
	y := hostile.Exact(-o.y[i][l])
	v := y.Mul(y, score) // -y s
	if o.c.Loss == Logistic {
		v = hostile.LogSum(hostile.Exact(0), v)
		return v.Mul(v, hostile.Exact(o.cost[i][l]))
	}
	if o.c.Loss == Hamming {
		v.Mul(v, hostile.Exact(2))
		if v.Add(v, hostile.Exact(o.minus[i][l])); v.Cmp(hostile.Exact(o.plus[i][l])) < 0 {
			v = hostile.Exact(o.plus[i][l])
		}
		return v.Mul(v, hostile.Exact(o.cost[i][l]))
	}
	if v.Add(v, hostile.Exact(1)); v.Sign() < 0 {
		return hostile.Exact(0)
	}
	if o.c.Loss == SquaredHinge {
		v.Mul(v, v)
	}
	return v.Mul(v, hostile.Exact(o.cost[i][l]))
}

// exactTerm is the dual term of a: see addConjugate.
func (o *loops[T]) exactTerm(i, l int, a float64) *big.Float {
	size := hostile.Exact(o.y[i][l] * a)
	switch o.c.Loss {
	case Logistic:
		return hostile.Coin(math.Abs(a), o.cost[i][l])
	case SquaredHinge: // |a| - a²/(4 cost)
		if a != 0 {
			square := new(big.Float).Mul(size, size)
			size.Sub(size, square.Quo(square, hostile.Exact(4*o.cost[i][l])))
		}
	case Hamming: // |a| (minus - plus)/2 + cost plus
		margin := new(big.Float).Sub(hostile.Exact(o.minus[i][l]/2), hostile.Exact(o.plus[i][l]/2))
		size.Mul(size, margin)
		rest := hostile.Exact(o.cost[i][l])
		size.Add(size, rest.Mul(rest, hostile.Exact(o.plus[i][l])))
	}
	return size
}

// TestExactly: values that are off by little are refused, with each loss, with R, its factor, a prior and margins, on
// features and on a kernel.
func TestExactly(t *testing.T) {
	const n, m = 12, 4
	rng := rand.New(rand.NewPCG(15, 16))
	x, sets := vec.NewMatrix[float64](n, 3), make([][]int, n)
	for i := range sets {
		sets[i] = rng.Perm(m)[:rng.IntN(m)]
		for j := range x.Cols {
			x.Row(i)[j] = rng.NormFloat64()
		}
	}
	features := &dataset.Dense[float64]{Matrix: x}
	k, q := kernelOf[float64](t, features, kernel.Gaussian{Gamma: .3}), factor(rng, m, 2)
	w0 := vec.NewMatrix[float64](3, m)
	for j := range w0.Data {
		w0.Data[j] = rng.NormFloat64()
	}
	margins := func(i int, plus, minus []float64) {
		for l := range plus {
			plus[l], minus[l] = float64(i+l)/9, float64(i*l)/7
		}
	}
	for _, loss := range []Loss{Hamming, Hinge, SquaredHinge, Logistic} {
		for _, p := range []Problem[float64]{
			{X: features}, {X: features, Prior: w0}, {X: features, R: formed(q, .5)}, {X: features, P: q, Ridge: .5},
			{Kernel: k}, {Kernel: k, R: formed(q, .5)}, {Kernel: k, P: q, Ridge: .5},
		} {
			if p.Sets = sets; loss == Hamming && p.Prior.Rows == 0 {
				p.Margins = margins
			}
			c := Config{C: .7, Loss: loss, Tol: 1e-8, Costs: []float64{1, 2, .5, 1}}
			r := solve(t, p, c)
			off := 1e-11 * r.Certificate.Primal
			hostile.Refuses(t, &r.Certificate, func(t testing.TB) { exactly(t, p, c, r, off, off) })
		}
	}
}
