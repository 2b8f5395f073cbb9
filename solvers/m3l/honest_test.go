package m3l

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// terms is a sum of float64 numbers and the sum of their sizes, which bounds its rounding.
type terms struct{ sum, size float64 }

func (s *terms) add(v float64) { s.addSized(v, math.Abs(v)) }

func (s *terms) addSized(v, size float64) { s.sum, s.size = s.sum+v, s.size+size }

// loops is a problem as plain loops see it: y_il = ±1, the cost C_il and the losses' margins, all written out.
type loops[T vec.Float] struct {
	p     Problem[T]
	c     Config
	y     [][]float64
	cost  [][]float64
	plus  [][]float64 // Δ+, with Hinge half of the paper's
	minus [][]float64
	r     [][]float64
	rSize [][]float64 // sums of the sizes of what an element of R is the sum of
}

func loopsOf[T vec.Float](p Problem[T], c Config, n, m int) *loops[T] {
	o := &loops[T]{p: p, c: c}
	if o.c.C == 0 {
		o.c.C = 1
	}
	sets := p.Sets
	if sets == nil {
		sets = singles(p.Y)
	}
	for i := range n {
		y, cost, plus, minus := make([]float64, m), make([]float64, m), make([]float64, m), make([]float64, m)
		for l := range m {
			if y[l], minus[l], cost[l] = -1, 2, o.c.C; slices.Contains(sets[i], l) {
				y[l] = 1
			}
			if c.Costs != nil {
				cost[l] *= c.Costs[l]
			}
			if p.Weights != nil {
				cost[l] *= p.Weights[i]
			}
		}
		if p.Margins != nil {
			p.Margins(i, plus, minus)
		}
		o.y, o.cost, o.plus, o.minus = append(o.y, y), append(o.cost, cost), append(o.plus, plus),
			append(o.minus, minus)
	}
	for l := range m {
		row, size := make([]float64, m), make([]float64, m)
		for k := range m {
			var sum terms
			switch {
			case p.R.Rows > 0:
				sum.add(p.R.At(l, k))
			case p.P.Rows > 0:
				for j := range p.P.Rows {
					sum.add(p.P.At(j, l) * p.P.At(j, k))
				}
				if l == k {
					sum.add(p.Ridge)
				}
			case l == k:
				sum.add(1)
			}
			row[k], size[k] = sum.sum, sum.size
		}
		o.r, o.rSize = append(o.r, row), append(o.rSize, size)
	}
	return o
}

// loss is the loss of label l of example i at a score.
func (o *loops[T]) loss(i, l int, score float64) float64 {
	slack := 1 - o.y[i][l]*score
	switch o.c.Loss {
	case Hinge:
		return o.cost[i][l] * max(0, slack)
	case SquaredHinge:
		return o.cost[i][l] * max(0, slack) * max(0, slack)
	case Logistic:
		away := -o.y[i][l] * score
		return o.cost[i][l] * (max(0, away) + math.Log1p(math.Exp(-math.Abs(away))))
	}
	return o.cost[i][l] * max(o.plus[i][l], o.minus[i][l]-2*o.y[i][l]*score)
}

// addConjugate adds the dual term of a.
func (o *loops[T]) addConjugate(sum *terms, i, l int, a float64) {
	sum.addSized(0, (1+o.cost[i][l])*hostile.Denormal)
	switch o.c.Loss {
	case Hinge:
		sum.add(math.Abs(a))
	case SquaredHinge:
		if sum.add(math.Abs(a)); a != 0 {
			sum.add(-a * (a / o.cost[i][l]) / 4)
		}
	case Logistic: // 1 - p is off by as much as 1 is
		if p := math.Abs(a) / o.cost[i][l]; p > 0 && p < 1 {
			rest := -math.Log1p(-p)
			sum.addSized(o.cost[i][l]*(1-p)*rest, o.cost[i][l]*rest)
			sum.add(-o.cost[i][l] * p * math.Log(p))
		}
	default:
		sum.add(o.y[i][l] * a * o.minus[i][l] / 2)
		sum.add(-o.y[i][l] * a * o.plus[i][l] / 2)
		sum.add(o.cost[i][l] * o.plus[i][l])
	}
}

// feasible returns the dual variables, moved into their intervals, and how far outside any was, relative to the length
// of its interval, or to its cost where there is no end.
func (o *loops[T]) feasible(a vec.Matrix[T]) (exact [][]float64, outside float64) {
	for i := range a.Rows {
		row := make([]float64, a.Cols)
		for l, v := range a.Row(i) {
			x, most := o.y[i][l]*float64(v), math.Inf(1)
			switch o.c.Loss {
			case Hamming:
				most = 2 * o.cost[i][l]
			case Hinge, Logistic:
				most = o.cost[i][l]
			}
			inside := min(max(0, x), most)
			if row[l] = o.y[i][l] * inside; inside != x {
				length := most
				if math.IsInf(length, 1) {
					length = o.cost[i][l]
				}
				outside = max(outside, math.Abs(inside-x)/length)
			}
		}
		exact = append(exact, row)
	}
	return exact, outside
}

// recompute returns the primal value of the model of r and the dual value of its dual variables by plain loops in
// float64. With R or P on features the model is made of the dual variables, before its weights are rounded to T: not
// every matrix next to Z has a value where R is singular.
func recompute[T vec.Float](t *testing.T, p Problem[T], c Config, r *Result[T]) (primal, dual terms) {
	t.Helper()
	n, m := r.Duals.Rows, r.Duals.Cols
	o := loopsOf(p, c, n, m)
	exact, outside := o.feasible(r.Duals)
	// An end is C times a weight and the cost of a label, in any order: two products, each off by u, on both sides.
	if most := map[bool]float64{true: 0x1p-22, false: 0x1p-51}[T(1)+T(0x1p-40) == T(1)]; outside > most {
		t.Errorf("dual variables outside of their intervals by %g of their lengths", outside)
	}
	var losses, quadratic, model terms
	rounded := exact
	switch coupled := p.R.Rows > 0 || p.P.Rows > 0; {
	case r.ZeroModel:
		rounded = numbers(vec.NewMatrix[T](n, m))
	case p.Kernel != nil && coupled:
		rounded = numbers(r.Duals)
	case p.Kernel != nil:
		all := vec.NewMatrix[T](n, m)
		for q, i := range r.Kernel.Support() {
			copy(all.Row(i), r.Kernel.Coefficients().Row(q))
		}
		rounded = numbers(all)
	}
	pulled := o.prior() // scores of the prior
	gram, uncoupled := o.gram(), p.Kernel == nil && p.R.Rows == 0 && p.P.Rows == 0
	if uncoupled {
		w := weightsOf(r.Linear.Weights(), r.Linear.Bias(), r.Linear.Constant())
		for j, row := range w {
			for l, v := range row {
				if w0 := p.Prior; w0.Rows > 0 {
					model.addSized((v-w0.At(j, l))*(v-w0.At(j, l))/2, v*v+w0.At(j, l)*w0.At(j, l))
				} else {
					model.add(v * v / 2)
				}
			}
		}
		for i, x := range o.rows() {
			for l := range m {
				var score terms
				for j, v := range x {
					score.add(v * w[j][l])
				}
				o.addLoss(&losses, i, l, score)
			}
		}
	}
	for i := range n {
		sums, roundedSums := make([]terms, m), make([]terms, m) // K A
		for j := range n {
			size := max(math.Abs(gram[i][j]), math.Sqrt(gram[i][i])*math.Sqrt(gram[j][j]))
			for k := range m {
				sums[k].addSized(gram[i][j]*exact[j][k], size*math.Abs(exact[j][k]))
				roundedSums[k].addSized(gram[i][j]*rounded[j][k], size*math.Abs(rounded[j][k]))
			}
		}
		for l := range m {
			var score, roundedScore terms
			for k := range m {
				if o.rSize[k][l] == 0 { // whatever the sums are, which may be beyond float64
					continue
				}
				score.addSized(sums[k].sum*o.r[k][l], sums[k].size*o.rSize[k][l])
				roundedScore.addSized(roundedSums[k].sum*o.r[k][l], roundedSums[k].size*o.rSize[k][l])
			}
			o.addConjugate(&dual, i, l, exact[i][l])
			dual.addSized(-exact[i][l]*pulled[i][l].sum, math.Abs(exact[i][l])*pulled[i][l].size)
			quadratic.addSized(exact[i][l]*score.sum/2, math.Abs(exact[i][l])*score.size/2)
			if !uncoupled {
				model.addSized(rounded[i][l]*roundedScore.sum/2, math.Abs(rounded[i][l])*roundedScore.size/2)
				roundedScore.addSized(pulled[i][l].sum, pulled[i][l].size)
				o.addLoss(&losses, i, l, roundedScore)
			}
		}
	}
	dual.addSized(-quadratic.sum, quadratic.size)
	losses.addSized(model.sum, model.size)
	return losses, dual
}

// prior returns the scores of the prior, 0 where there is none.
func (o *loops[T]) prior() (scores [][]terms) {
	for range o.y {
		scores = append(scores, make([]terms, len(o.y[0])))
	}
	if o.p.Prior.Rows == 0 {
		return scores
	}
	for i, x := range o.rows() {
		for l := range scores[i] {
			for j, v := range x {
				scores[i][l].add(v * o.p.Prior.At(j, l))
			}
		}
	}
	return scores
}

// numbers returns a in float64.
func numbers[T vec.Float](a vec.Matrix[T]) (rows [][]float64) {
	for i := range a.Rows {
		row := make([]float64, a.Cols)
		vec.Convert(row, a.Row(i))
		rows = append(rows, row)
	}
	return rows
}

func (o *loops[T]) addLoss(sum *terms, i, l int, score terms) {
	size := hostile.Denormal + o.cost[i][l]*(1+math.Abs(o.plus[i][l])+math.Abs(o.minus[i][l])+2*score.size)
	if o.c.Loss == SquaredHinge {
		size = o.cost[i][l] * (1 + score.size) * (1 + score.size)
	}
	sum.addSized(o.loss(i, l, score.sum), size)
}

// rows are the examples, with the constant feature.
func (o *loops[T]) rows() [][]float64 {
	x := o.p.X
	if o.p.Kernel != nil {
		x = o.p.Kernel.Features()
	}
	n, d := x.Dims()
	all := vec.NewMatrix[T](n, d)
	x.Gather(all, nil)
	rows := make([][]float64, n)
	for i := range rows {
		for _, v := range all.Row(i) {
			rows[i] = append(rows[i], float64(v))
		}
		if o.c.Bias != 0 {
			rows[i] = append(rows[i], float64(T(o.c.Bias)))
		}
	}
	return rows
}

// weightsOf are the weights of a linear model, with the row of the constant feature if there is one.
func weightsOf[T vec.Float](w vec.Matrix[T], bias []T, constant T) [][]float64 {
	rows := make([][]float64, w.Rows, w.Rows+1)
	for j := range w.Rows {
		for _, v := range w.Row(j) {
			rows[j] = append(rows[j], float64(v))
		}
	}
	if bias != nil {
		row := []float64{}
		for _, v := range bias {
			row = append(row, float64(v)/float64(constant))
		}
		rows = append(rows, row)
	}
	return rows
}

// gram is K.
func (o *loops[T]) gram() [][]float64 {
	if o.p.Kernel != nil && o.p.Kernel.Kernel() == nil { // given
		n := o.p.Kernel.Len()
		given, all := vec.NewMatrix[T](n, n), make([]int, n)
		for i := range all {
			all[i] = i
		}
		o.p.Kernel.Rows(given, all, 1)
		some := loops[T]{p: Problem[T]{X: &dataset.Dense[T]{Matrix: given}}}
		return some.rows()
	}
	x := o.rows()
	all := make([][]float64, len(x))
	for i := range x {
		all[i] = make([]float64, len(x))
		for j := range x {
			product, distance := 0.0, 0.0
			for f, v := range x[i] {
				product += v * x[j][f]
				distance += (v - x[j][f]) * (v - x[j][f])
			}
			if all[i][j] = product; o.p.Kernel != nil {
				switch k := o.p.Kernel.Kernel().(type) {
				case kernel.Linear:
				case kernel.Polynomial:
					all[i][j] = math.Pow(cmp.Or(k.Scale, 1)*product+k.Offset, float64(k.Degree))
				case kernel.Gaussian:
					all[i][j] = math.Exp(-k.Gamma * distance)
				default:
					panic(k)
				}
			}
		}
	}
	return all
}

// honest checks the certificate of r. Both it and its recomputation are sums in float64 of products, by way of the sums
// K A, S = K A R and <A, S>, with at most n + d + m + n m additions in a row, and as many as P has rows in an element
// of R; so that each is off by less than as many units of the size of all terms together. An element of K is off by a
// part of sqrt(K_ii K_jj), which is its size here, and a squared loss by twice what the score is.
func honest[T vec.Float](t *testing.T, p Problem[T], c Config, r *Result[T]) {
	t.Helper()
	primal, dual := recompute(t, p, c, r)
	n, m := r.Duals.Rows, r.Duals.Cols
	d, worst := n, 0.0
	if p.Kernel != nil {
		wide, err := p.Kernel.Float64()
		if err != nil {
			t.Fatal(err)
		}
		worst, _ = wide.Rounding()
	} else {
		_, d = p.X.Dims()
	}
	unit := 2 * (hostile.Unit*float64(n+m+n*m+p.P.Rows+d+9) + worst)
	for name, v := range map[string]struct {
		got  float64
		want terms
	}{"primal": {r.Certificate.Primal, primal}, "dual": {r.Certificate.Dual, dual}} {
		bound, off := unit*v.want.size, math.Abs(v.got-v.want.sum)
		others := r.ModelEpoch != r.Epochs || r.Epochs == 0 && p.Start != nil && p.Start.Model != nil
		if name == "primal" && (p.R.Rows > 0 || p.P.Rows > 0) && !r.ZeroModel && others {
			off = v.got - v.want.sum // the dual variables of the model, which is better than theirs, are gone
			if r.Status != solvers.Converged {
				off = 0 // or, where rounding had the last certificate refused, may be worse
			}
		}
		if !(off <= bound) {
			t.Fatalf("%v, %s value %v, recomputed %v ± %g", r.Outcome, name, v.got, v.want.sum, bound)
		}
	}
	exactly(t, p, c, r, unit*primal.size, unit*dual.size)
	if gap, bound := r.Certificate.Gap(), unit*(primal.size+dual.size); !(gap >= -bound) {
		t.Fatalf("%v: gap %g, below 0 by more than %g", r.Outcome, gap, bound)
	}
}

// solve fits, fails the test unless that converged, and checks the certificate.
func solve[T vec.Float](t *testing.T, p Problem[T], c Config) *Result[T] {
	t.Helper()
	r, err := p.Fit(context.Background(), c)
	tol := c.Tol
	if tol == 0 {
		tol = 1e-3
	}
	if err != nil || r.Status != solvers.Converged || !(r.Certificate.RelativeGap() <= tol) {
		t.Fatalf("%s, %v", told(r), err)
	}
	honest(t, p, c, r)
	return r
}

var told, contains = familytest.Told, familytest.Contains
