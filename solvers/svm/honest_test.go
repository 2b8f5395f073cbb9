package svm

import (
	"context"
	"math"
	"slices"
	"testing"

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

// plain is a problem as loops see it.
type plain struct {
	c       Config
	k       [][]float64 // K
	x       [][]float64 // the examples with their constant feature, nil with a kernel
	y, cost []float64   // the targets, or 1 and -1, or 0 of one class; C times the weights
	offset  bool
	sum     float64 // of the dual variables, where there is an offset
	one     bool    // one class

	gram hostile.Gram // of a kernel and few examples
}

func plainOf[T vec.Float](p Problem[T], c Config) *plain {
	o := &plain{c: c, offset: c.Offset || p.OneClass, one: p.OneClass}
	if o.c.C == 0 {
		o.c.C = 1
	}
	if o.c.Loss == Default {
		o.c.Loss = map[bool]Loss{true: Hinge, false: Insensitive}[p.Targets == nil]
	}
	o.y = p.Targets
	for _, y := range p.Y {
		o.y = append(o.y, float64(2*y-1))
	}
	if p.OneClass {
		n := 0
		if p.Kernel != nil {
			n = p.Kernel.Len()
		} else {
			n, _ = p.X.Dims()
		}
		o.y, o.c.Loss = make([]float64, n), Hinge
		if o.c.Nu == 0 {
			o.c.Nu = .5
		}
	}
	for i := range o.y {
		o.cost = append(o.cost, o.c.C)
		if p.Weights != nil {
			o.cost[i] *= p.Weights[i]
		}
		if o.one {
			o.sum += o.c.Nu * o.cost[i]
		}
	}
	x, n := p.X, len(o.y)
	if p.Kernel != nil {
		x = p.Kernel.Features()
	}
	_, d := x.Dims()
	all := vec.NewMatrix[T](n, d)
	x.Gather(all, nil)
	for i := range n {
		row := make([]float64, d)
		vec.Convert(row, all.Row(i))
		if c.Bias != 0 {
			row = append(row, float64(T(c.Bias)))
		}
		o.x = append(o.x, row)
	}
	for i := range n {
		row := make([]float64, n)
		for j := range row {
			product, distance := 0.0, 0.0
			for f, v := range o.x[i] {
				product += v * o.x[j][f]
				distance += (v - o.x[j][f]) * (v - o.x[j][f])
			}
			if row[j] = product; p.Kernel != nil {
				row[j] = math.Exp(-p.Kernel.Kernel().(kernel.Gaussian).Gamma * distance)
			}
		}
		o.k = append(o.k, row)
	}
	if p.Kernel != nil {
		if o.x = nil; n <= hostile.Most {
			o.gram = hostile.GramOf(p.Kernel)
		}
	}
	return o
}

// loss is the loss of example i at a score, times its cost, and its size.
func (o *plain) loss(i int, score terms) (v, size float64) {
	slack, scale := 0.0, score.size+math.Abs(o.y[i])+o.c.Epsilon+1
	switch {
	case o.one:
		slack = max(0, -score.sum)
	case o.c.Loss == Logistic:
		z := -o.y[i] * score.sum
		return o.cost[i] * (max(0, z) + math.Log1p(math.Exp(-math.Abs(z)))), o.cost[i] * scale
	case o.c.Loss == Hinge || o.c.Loss == SquaredHinge:
		slack = max(0, 1-o.y[i]*score.sum)
	default:
		slack = max(0, math.Abs(score.sum-o.y[i])-o.c.Epsilon)
	}
	if o.squared() {
		return o.cost[i] * slack * slack, o.cost[i] * scale * scale
	}
	return o.cost[i] * slack, o.cost[i] * scale
}

// feasible is a, moved into its domain.
func (o *plain) feasible(i int, a float64) float64 {
	switch {
	case o.one:
		return min(max(0, a), o.cost[i])
	}
	switch o.c.Loss {
	case Hinge, Logistic:
		return o.y[i] * min(max(0, o.y[i]*a), o.cost[i])
	case SquaredHinge:
		return o.y[i] * max(0, o.y[i]*a)
	case Insensitive:
		return min(max(-o.cost[i], a), o.cost[i])
	}
	return a
}

// addDual adds the dual term of a.
func (o *plain) addDual(sum *terms, i int, a float64) {
	if o.one {
		return
	}
	if o.c.Loss == Logistic { // its logarithms are of numbers near 1
		x, r := math.Abs(a), o.cost[i]
		if 0 < x && x < r {
			sum.addSized(-x*math.Log(x/r)-(r-x)*math.Log1p(-x/r), r)
		}
		return
	}
	sum.addSized(o.y[i]*a, math.Abs(o.y[i]*a)+(1+o.cost[i])*hostile.Denormal)
	if o.c.Loss.ofTargets() {
		sum.add(-o.c.Epsilon * math.Abs(a))
	}
	if o.squared() && a != 0 {
		sum.add(-a * (a / o.cost[i]) / 4)
	}
}

// honest checks the certificate of r: the primal value of the model and the dual value of the dual variables, by plain
// loops in float64. Both are sums of products with n + d additions in a row at most, and as many again for the terms of
// all examples, so that each is off by less than as many units of the sizes of all terms together. An element of K is
// off by a part of what is said of its kernel, and a squared loss by twice what the score is.
func honest[T vec.Float](t *testing.T, p Problem[T], c Config, r *Result[T]) {
	t.Helper()
	o := plainOf(p, c)
	n := len(o.y)
	var primal, dual terms
	exact, model := make([]float64, n), make([]float64, n)
	for i := range n {
		exact[i] = o.feasible(i, float64(r.Duals.Row(i)[0]))
		off, most := math.Abs(exact[i]-float64(r.Duals.Row(i)[0])), map[bool]float64{true: 0x1p-22, false: 0x1p-51}
		if !(off <= most[T(1)+T(0x1p-40) == T(1)]*o.cost[i]) {
			t.Errorf("dual variable %v of example %d, of cost %v, is outside by %g", r.Duals.Row(i)[0], i, o.cost[i],
				off)
		}
	}
	b := 0.0
	equal := o.one && slices.Max(r.Duals.Data) == 0 // no dual variables but a bound of the dual value of these
	if o.offset {
		if !(o.one && o.x != nil && math.Abs(sumOf(exact)-o.sum) <= 0x1p-50*o.sum) { // as package oneclass
			o.balance(exact)
		}
		for i, v := range o.cost {
			if equal {
				exact[i] = v * (o.sum / sumOf(o.cost))
			}
		}
		bias := []T(nil)
		if o.x == nil {
			bias = r.Kernel.Bias()
		} else {
			bias = r.Linear.Bias()
		}
		b = float64(bias[0])
		primal.add(o.sum * b)
	}
	var w []float64
	steepest := 0.0 // slope of the form
	if o.x == nil {
		for q, i := range r.Kernel.Support() {
			model[i] = float64(r.Kernel.Coefficients().Row(q)[0])
		}
	} else {
		weights, bias := r.Linear.Weights(), r.Linear.Bias()
		for j := range weights.Rows {
			w = append(w, float64(weights.Row(j)[0]))
		}
		if bias != nil && !o.offset {
			w = append(w, float64(bias[0])/float64(r.Linear.Constant()))
		}
		for _, v := range w {
			primal.add(v * v / 2)
		}
	}
	for i := range n {
		var along, score terms
		for j := range n {
			size := math.Sqrt(o.k[i][i]) * math.Sqrt(o.k[j][j])
			along.addSized(o.k[i][j]*exact[j], size*math.Abs(exact[j]))
			if o.x == nil {
				score.addSized(o.k[i][j]*model[j], size*math.Abs(model[j]))
			}
		}
		if o.x != nil {
			for j, v := range o.x[i] {
				score.add(v * w[j])
			}
		} else {
			primal.addSized(model[i]*score.sum/2, math.Abs(model[i])*score.size/2)
		}
		score.add(b)
		primal.addSized(o.loss(i, score))
		o.addDual(&dual, i, exact[i])
		dual.addSized(-exact[i]*along.sum/2, math.Abs(exact[i])*along.size/2)
		steepest = max(steepest, math.Abs(along.sum))
	}
	if o.offset { // what the sum lacks by rounding may be moved to any of them
		for _, v := range exact {
			dual.addSized(0, math.Abs(v)*steepest)
		}
	}
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
	if equal {
		if !(r.Certificate.Dual <= dual.sum) {
			t.Errorf("%v: the dual value %v of equal dual variables is %v", r.Outcome, r.Certificate.Dual, dual.sum)
		}
		dual.sum = r.Certificate.Dual
	}
	unit := 2 * (hostile.Unit*float64(2*n+d+9) + worst)
	for name, v := range map[string]struct {
		got  float64
		want terms
	}{"primal": {r.Certificate.Primal, primal}, "dual": {r.Certificate.Dual, dual}} {
		if bound := unit * v.want.size; !(math.Abs(v.got-v.want.sum) <= bound) {
			t.Fatalf("%v, %s value %v, recomputed %v ± %g", r.Outcome, name, v.got, v.want.sum, bound)
		}
	}
	if gap, bound := r.Certificate.Gap(), unit*(primal.size+dual.size); !(gap >= -bound) {
		t.Fatalf("%v: gap %g, below 0 by more than %g", r.Outcome, gap, bound)
	}
	if o.x == nil {
		w = model
	}
	if !equal && (o.x != nil || o.gram != nil) {
		o.exactly(t, r.Outcome, w, b, exact, unit*primal.size, unit*dual.size)
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
