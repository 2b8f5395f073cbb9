package topk

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// exactly checks the certificate of a model by numbers of thousands of bits, of the dual variables a, with a radius for
// each example:
//
//	P(W)/lambda = Σ_i r_i phi(s_i) + |W - W0|²/2,  D(A)/lambda = Σ_i dual term(a_i) - <Xᵀ A, W0> - |Xᵀ A|²/2
func exactly[T vec.Float](t testing.TB, p Problem[T], c Config, r *Result[T], a vec.Matrix[float64],
	radius []float64, offPrimal, offDual float64) {
	t.Helper()
	few := len(radius) <= hostile.Most
	logs := c.Loss == TopKEntropy || c.Loss == MultilabelSoftmax
	if p.Loss != nil || !few && (p.X == nil || logs) {
		return
	}
	of := exactForms(p, c, r, a)
	primal, dual := of.primal, of.dual
	for i, y := range sortedSets(p) {
		if radius[i] == 0 {
			continue
		}
		s := make([]*big.Float, a.Cols)
		for j := range s {
			s[j] = of.scores[j][i]
		}
		phi := exactLoss(c, s, y)
		primal.Add(primal, phi.Mul(phi, hostile.Exact(radius[i])))
		dual.Add(dual, exactTerm(c, a.Row(i), y, radius[i]))
	}
	lambda, infeasible := hostile.Exact(c.Lambda), 0.0
	if c.Loss != SquaredHinge || of.given { // a true class has minus the sum of the others, but for rounding
		infeasible = offPrimal + offDual
	}
	hostile.Values{Primal: primal.Mul(primal, lambda), Dual: dual.Mul(dual, lambda), OffPrimal: offPrimal,
		OffDual: offDual, Infeasible: infeasible}.Confirm(t, r.Outcome)
}

// forms are the scores of a model, by class, and what weights add to P and D over lambda. given says that the kernel
// matrix is, which may be a little off from positive semi-definite.
type forms struct {
	scores       [][]*big.Float
	primal, dual *big.Float
	given        bool
}

func exactForms[T vec.Float](p Problem[T], c Config, r *Result[T], a vec.Matrix[float64]) (of forms) {
	of.primal, of.dual = hostile.Exact(0), hostile.Exact(0)
	half := hostile.Exact(.5)
	rows := make([][]float64, a.Rows)
	for i := range rows {
		rows[i] = a.Row(i)
	}
	if p.Kernel != nil {
		gram, model := hostile.GramOf(p.Kernel), vec.NewMatrix[float64](a.Rows, a.Cols)
		for q, i := range r.Kernel.Support() {
			vec.Convert(model.Row(i), r.Kernel.Coefficients().Row(q))
		}
		of.given = p.Kernel.Kernel() == nil
		for j := range a.Cols {
			w, duals := hostile.Column(rows, j), make([]float64, a.Rows)
			for i := range duals {
				duals[i] = model.Row(i)[j]
			}
			scores := gram.Times(duals)
			of.scores = append(of.scores, scores)
			hostile.Plus(of.primal, half, hostile.Dot(duals, scores))
			hostile.Plus(of.dual, hostile.Exact(-.5), hostile.Dot(w, gram.Times(w)))
		}
		return of
	}
	x, w := rowsOf(p.X), allWeights(r.Linear)
	if c.Bias != 0 {
		for i := range x {
			x[i] = append(x[i], float64(T(c.Bias)))
		}
	}
	of.dual.Neg(hostile.HalfSquares(x, rows))
	for j := range w.Cols {
		var column, prior []float64
		for q := range w.Rows {
			column = append(column, w.Row(q)[j])
			if p.Prior.Rows > 0 {
				prior = append(prior, p.Prior.Row(q)[j])
			}
		}
		square, scores := hostile.Inner(column, column), make([]*big.Float, len(x))
		for i := range x {
			scores[i] = hostile.Inner(x[i], column)
			if a := rows[i][j]; prior != nil && a != 0 {
				hostile.Plus(of.dual, hostile.Exact(-a), hostile.Inner(x[i], prior))
			}
		}
		if prior != nil {
			square.Add(square, hostile.Inner(prior, prior))
			hostile.Plus(square, hostile.Exact(-2), hostile.Inner(column, prior))
		}
		of.scores = append(of.scores, scores)
		hostile.Plus(of.primal, half, square)
	}
	return of
}

// exactLoss is the loss at scores s: see Loss.
func exactLoss(c Config, s []*big.Float, y []int) *big.Float {
	sum, one, isTrue := hostile.Exact(0), hostile.Exact(1), make([]bool, len(s))
	for _, j := range y {
		isTrue[j] = true
	}
	switch c.Loss {
	case SquaredHinge:
		for j, v := range s {
			v = new(big.Float).Set(v)
			if isTrue[j] {
				v.Neg(v)
			}
			if v.Add(v, one); v.Sign() > 0 {
				sum.Add(sum, v.Mul(v, v))
			}
		}
		return sum
	case MultilabelSoftmax:
		if len(y) == 0 {
			return sum
		}
		for _, j := range y {
			sum.Add(sum, s[j])
		}
		return sum.Sub(hostile.LogSum(s...), sum.Quo(sum, hostile.Exact(float64(len(y)))))
	case MultilabelHinge:
		for _, j := range y {
			for q, v := range s {
				if h := new(big.Float).Sub(v, s[j]); !isTrue[q] && h.Add(h, one).Cmp(sum) > 0 {
					sum = h
				}
			}
		}
		return sum
	}
	var h []*big.Float // s_j - s_y, descending
	for j, v := range s {
		if !isTrue[j] {
			h = append(h, new(big.Float).Sub(v, s[y[0]]))
		}
	}
	slices.SortFunc(h, func(a, b *big.Float) int { return b.Cmp(a) })
	if c.Loss == TopKEntropy {
		return exactEntropy(h, c.K)
	}
	if c.Smoothing != 0 {
		return exactSmoothed(c, h)
	}
	for _, v := range h[:c.K] {
		if v.Add(v, one); c.Loss != TopKUsunier || v.Sign() > 0 {
			sum.Add(sum, v)
		}
	}
	if sum.Sign() < 0 {
		return hostile.Exact(0)
	}
	return sum.Quo(sum, hostile.Exact(float64(c.K)))
}

// exactEntropy is the top-k entropy loss of the descending h: log(1 + exp V), where V is the largest <h, p> + H(p) of p
// with the sum 1 and p_j <= 1/k. The first q are at the cap, the others in proportion to exp h_j, for the least q for
// which none of these is above it.
func exactEntropy(h []*big.Float, k int) *big.Float {
	for q := 0; ; q++ {
		rest := hostile.Exact(float64(k - q))
		rest.Quo(rest, hostile.Exact(float64(k))) // the sum of the others
		logs := hostile.LogSum(h[q:]...)
		rate := hostile.Log(rest)
		rate.Sub(rate, logs) // p_j = exp(h_j + rate)
		most := new(big.Float).Add(h[q], rate)
		if most.Add(most, hostile.Log(hostile.Exact(float64(k)))); most.Sign() > 0 && q < k-1 {
			continue
		}
		v := hostile.Exact(0)
		for _, a := range h[:q] {
			v.Add(v, a)
		}
		v.Quo(v, hostile.Exact(float64(k)))
		if q > 0 {
			share := hostile.Exact(float64(q))
			hostile.Plus(v, share.Quo(share, hostile.Exact(float64(k))), hostile.Log(hostile.Exact(float64(k))))
		}
		v.Sub(v, rate.Mul(rate, rest))
		return hostile.LogSum(hostile.Exact(0), v)
	}
}

// exactSmoothed is the largest <z, u> - |u|²/2 times Smoothing, where z = (1 + h)/Smoothing, for the descending h. Of
// the solution the first a are at their cap, which is 1/K with TopKUsunier and p/K with TopKHinge, where p is the sum
// of all, at most 1; the next b are z_j - t; others are 0. Of all a and b the best is taken that is feasible.
func exactSmoothed(c Config, h []*big.Float) *big.Float {
	of, best := hostile.Exact(c.Smoothing), hostile.Exact(0)
	z := make([]*big.Float, len(h))
	for j, v := range h {
		z[j] = new(big.Float).Add(v, hostile.Exact(1))
		z[j].Quo(z[j], of)
	}
	for a := 0; a <= c.K; a++ {
		for b := 0; a+b <= len(z); b++ {
			if value := exactPart(c, z, a, b); value != nil && value.Cmp(best) > 0 {
				best = value
			}
		}
	}
	return best.Mul(best, of)
}

// exactPart returns the value of z with a numbers at their cap and b below, nil where that is not feasible. Where p is
// free, with c = 1 - a/K and sums A and B of the z, it is (A/K + c B/b)/(a/K² + c²/b), and t = (B - c p)/b.
func exactPart(c Config, z []*big.Float, a, b int) *big.Float {
	sums := [2]*big.Float{hostile.Exact(0), hostile.Exact(0)}
	for j, v := range z[:a+b] {
		if j < a {
			sums[0].Add(sums[0], v)
		} else {
			sums[1].Add(sums[1], v)
		}
	}
	quo := func(x *big.Float, n int) *big.Float { return new(big.Float).Quo(x, hostile.Exact(float64(n))) }
	one := hostile.Exact(1)
	rest := new(big.Float).Sub(one, quo(hostile.Exact(float64(a)), c.K))
	p, t, most := one, hostile.Exact(0), quo(one, c.K)
	if c.Loss != TopKUsunier {
		over, under := quo(sums[0], c.K), quo(quo(hostile.Exact(float64(a)), c.K), c.K)
		if b > 0 {
			hostile.Plus(over, rest, quo(sums[1], b))
			hostile.Plus(under, rest, quo(rest, b))
		}
		if under.Sign() == 0 || b == 0 && a < c.K {
			return nil
		}
		if p = over.Quo(over, under); p.Cmp(one) > 0 {
			p = one
		}
		most = quo(p, c.K)
	}
	if b > 0 {
		t.Sub(sums[1], new(big.Float).Mul(rest, p))
		if t = quo(t, b); c.Loss == TopKUsunier && t.Sign() < 0 {
			t.SetInt64(0)
		}
	}
	value, slack, total := hostile.Exact(0), new(big.Float).Mul(most, hostile.Exact(0x1p-1000)), hostile.Exact(0)
	for j, v := range z[:a+b] {
		u := most
		if j >= a {
			u = new(big.Float).Sub(v, t)
			if new(big.Float).Add(u, slack).Sign() < 0 || u.Cmp(new(big.Float).Add(most, slack)) > 0 {
				return nil
			}
		}
		total.Add(total, u)
		hostile.Plus(value, u, new(big.Float).Sub(v, quo(u, 2)))
	}
	if p.Sign() < 0 || total.Cmp(new(big.Float).Add(one, slack)) > 0 {
		return nil
	}
	return value
}

// exactTerm is the dual term of the dual variables a of an example: see conjugate.
func exactTerm(c Config, a []float64, y []int, r float64) *big.Float {
	sum := hostile.Exact(0)
	switch c.Loss {
	case SquaredHinge:
		for j, v := range a { // |v| - v²/(4 r)
			size, square := hostile.Exact(v), hostile.Inner([]float64{v}, []float64{v})
			if !slices.Contains(y, j) {
				size.Neg(size)
			}
			if v != 0 {
				sum.Add(sum, size.Sub(size, square.Quo(square, hostile.Exact(4*r))))
			}
		}
		return sum
	case TopKEntropy, MultilabelSoftmax: // r H(p), a = r (q - p), with q uniform on the true classes
		if len(y) == 0 {
			return sum
		}
		for j, v := range a {
			p := hostile.Exact(-v)
			p.Quo(p, hostile.Exact(r))
			if slices.Contains(y, j) {
				q := hostile.Exact(1)
				p.Add(p, q.Quo(q, hostile.Exact(float64(len(y)))))
			}
			sum.Add(sum, hostile.Entropy(p))
		}
		return sum.Mul(sum, hostile.Exact(r))
	}
	for _, j := range y {
		sum.Add(sum, hostile.Exact(a[j]))
	}
	if c.Smoothing != 0 { // Smoothing/(2r) |x|²
		of := hostile.Exact(c.Smoothing)
		of.Quo(of, hostile.Exact(-2*r))
		for j, v := range a {
			if j != y[0] {
				hostile.Plus(sum, of, hostile.Inner([]float64{v}, []float64{v}))
			}
		}
	}
	return sum
}

// TestExactly: values that are off by little are refused, whatever the loss is, on features, with a prior, and on each
// kernel.
func TestExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := vec.NewMatrix[float64](12, 3), make([]int, 12)
	for i := range y {
		y[i] = i % 4
		for j := range x.Cols {
			x.Row(i)[j] = rng.NormFloat64()
		}
	}
	prior := vec.NewMatrix[float64](3, 4)
	for k := range prior.Data {
		prior.Data[k] = rng.NormFloat64()
	}
	features := &dataset.Dense[float64]{Matrix: x}
	problems := []Problem[float64]{{X: features}, {X: features, Prior: prior}}
	for _, of := range []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: .3},
		kernel.Polynomial{Degree: 2, Offset: 1}} {
		k, err := kernel.New[float64](features, of, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		problems = append(problems, Problem[float64]{Kernel: k})
	}
	for _, p := range problems {
		for loss := TopKHinge; int(loss) <= len(losses); loss++ {
			for k := 1; k < 4 && (k == 1 || loss <= TopKEntropy); k++ {
				for _, smoothing := range []float64{0, .3, 20} {
					p, c := p, Config{Lambda: .1, Loss: loss, K: k, Tol: 1e-8, Smoothing: smoothing}
					if smoothing > 0 && loss > TopKUsunier {
						break
					}
					if p.Y = y; loss > TopKEntropy {
						p.Y, p.Sets = nil, singles(y)
						p.Sets[1], p.Sets[2] = []int{0, 2}, nil
					}
					r := solve(t, p, c)
					hostile.Refuses(t, &r.Certificate, func(t testing.TB) { recompute(t, p, c, r) })
				}
			}
		}
	}
}
