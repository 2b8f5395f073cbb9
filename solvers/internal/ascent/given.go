package ascent

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// Given is the result of another training, or of the same one, to start from.
type Given[T vec.Float] struct {
	Duals vec.Matrix[T]

	// The model and its certificate, if there are any. Nothing that the certificate says is believed: it tells alone
	// whether a look at the model is worth its time.
	Model       *model.Model[T]
	Certificate solvers.Certificate
}

// start begins with the given dual variables. Of the problem that they are the result of, the given model may be better
// than theirs, Xᵀ A R: the best model and the best dual variables of a training may be of different epochs.
func (t *Training[T]) start() (from train.Beginning[T], err error) {
	duals, err := t.begun()
	if err != nil {
		return from, err
	}
	from.Certificate, err = t.solver.Start(duals)
	if err != nil || !t.Start.promises(from.Certificate, t.Options.Tol) {
		return from, err
	}
	w, ok := t.given()
	if !ok {
		return from, nil
	}
	if primal, ok := t.solver.Objective(w); ok {
		v := variables(w)
		from.Model, from.Primal = &v, primal
	}
	return from, nil
}

// promises reports whether the given model may have a gap within tol where the dual variables' own, of this
// certificate, has not: as it has if P and D are what they were. Of another problem they are not, as a rule, and a look
// at the model would take half of a certificate for nothing.
func (g *Given[T]) promises(own solvers.Certificate, tol float64) bool {
	if g.Model == nil || own.RelativeGap() <= tol {
		return false
	}
	gap := solvers.Certificate{Primal: g.Certificate.Primal, Dual: own.Dual}.RelativeGap()
	return -tol <= gap && gap <= 2*tol
}

// given returns the given model's weights, with the constant feature's, or its coefficients; ok is false where
// it is no model of this problem.
func (t *Training[T]) given() (w vec.Matrix[T], ok bool) {
	p, from, outputs := &t.Problem, t.Start.Model, t.outputs()
	n, d := p.size()
	switch {
	case p.Kernel != nil && from.Kernel != nil:
		own := from.Kernel.Coefficients()
		if from.Kernel.Len() != n || own.Cols != outputs || !p.Offset && from.Kernel.Bias() != nil {
			return w, false
		}
		rows := n
		if p.Offset {
			rows++
		}
		w = vec.NewMatrix[T](rows, outputs)
		if bias := from.Kernel.Bias(); bias != nil {
			w.Row(n)[0] = bias[0]
		}
		for q, i := range from.Kernel.Support() {
			copy(w.Row(i), own.Row(q))
		}
	case p.Kernel == nil && from.Linear != nil:
		own, bias := from.Linear.Weights(), from.Linear.Bias()
		if p.Constant == 0 && !p.Offset && from.Linear.Constant() != 0 || own.Cols != outputs {
			return w, false
		}
		if p.Offset {
			d++
		}
		w = vec.NewMatrix[T](d, outputs)
		if p.Offset {
			d--
			if bias != nil {
				w.Row(d)[0] = bias[0]
			}
		} else if p.Constant != 0 {
			d--
			for c, b := range bias {
				w.Row(d)[c] = b / p.Constant
			}
		}
		if own.Rows != d {
			return w, false
		}
		for j := range d {
			copy(w.Row(j), own.Row(j))
		}
	default:
		return w, false
	}
	if t.Mirrored {
		w = halved(w)
	}
	return w, true
}

// mostCondition is the condition number of R up to which Objective makes use of R⁻¹: its roundings are 1e-11 of the
// quadratic term.
const mostCondition = 0x1p16

// inverse returns R⁻¹, empty where R is the identity. known is false where R is ill-conditioned, or has more numbers
// than there are weights and dual variables.
func (p *Problem[T]) inverse() (inverse vec.Matrix[float64], known bool) {
	factor, root := p.ExactFactor.Matrix()
	r, m := p.Coupling, p.Outputs
	switch {
	case p.ExactFactor == nil && !p.coupled():
		return inverse, true
	case p.ExactFactor != nil:
		if n, d := p.size(); root == 0 || m > n+d {
			return inverse, false
		}
		r = vec.NewMatrix[float64](m, m)
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, factor, factor, 0, r)
		for l := range m {
			r.Row(l)[l] += root * root
		}
	}
	return inverseOf(r, mostCondition)
}

// Objective: see Solver. It is not known where it may be rounding, as for Certify.
func (s *linearSolver[T]) Objective(model vec.Matrix[T]) (primal float64, known bool) {
	inverse, known := s.p.inverse()
	if !known || model.Rows != s.d || model.Cols != s.m {
		return 0, false
	}
	e := s.exact
	w, row, off, z := e.parts[0].room(), make([]float64, s.m), make([]float64, s.m), make([]float64, s.m)
	quadratic := 0.0
	clear(w.Data)
	for j := range s.d {
		vec.Convert(row, model.Row(j))
		if inverse.Rows > 0 {
			copy(off, row)
			if s.p.hasPrior() {
				vec.Axpy(-1, s.p.Prior.Row(j), off)
			}
			vec.Gemv(1, inverse, off, 0, z)
			quadratic += vec.Dot(off, z) / 2
		}
		if s.p.ExactFactor != nil { // U = W R⁻¹ Qᵀ, without a prior
			s.p.ExactFactor.Move(w.Row(j)[:s.cols], z)
		} else {
			copy(w.Row(j), row)
		}
	}
	switch {
	case s.offset.on:
		last := w.Row(s.d - 1)
		b := last[0]
		last[0] = 0
		quadratic = vec.SquaredNorm(w.Data) / 2
		last[0] = b / float64(s.p.Constant)
	case inverse.Rows == 0:
		s.hold(w)
		quadratic = s.p.distance(w) / 2
	}
	e.w = w
	losses := e.each(func(_, q int) { e.losses(s, e.parts[q], addLoss) })
	primal = s.p.Lambda * (losses + quadratic)
	c := solvers.Certificate{Primal: primal, Dual: s.certificate.Dual}
	if gap := c.Gap(); gap-gap != 0 {
		return 0, false
	}
	rounded := s.p.Lambda * s.lossesOff(c, losses, math.Sqrt(vec.SquaredNorm(w.Data)), 0)
	return primal, rounded <= train.Room(c, s.o.Tol)
}

// Objective: see Solver. It is the sum of the groups'.
func (s *groupSolver[T]) Objective(model vec.Matrix[T]) (primal float64, known bool) {
	if model.Rows != s.d || model.Cols != s.m {
		return 0, false
	}
	for q, g := range s.groups {
		part := vec.NewMatrix[T](s.d, g.m)
		for p, c := range s.classes[q] {
			for j := range s.d {
				part.Row(j)[p] = model.Row(j)[c]
			}
		}
		s.lend(g, 0)
		own, known := g.Objective(part)
		if !known {
			return 0, false
		}
		primal += own
	}
	return primal, true
}

// Objective: see Solver. Of a model with other weights than W0's, or 0, of features that occur in no example it is not
// known.
func (s *occupied[T]) Objective(model vec.Matrix[T]) (primal float64, known bool) {
	if model.Rows != s.d || model.Cols != s.m {
		return 0, false
	}
	narrow, last := vec.NewMatrix[T](s.rows, s.m), s.d
	if s.rows > len(s.features) {
		last--
		copy(narrow.Row(s.rows-1), model.Row(last))
	}
	q := 0
	for j := range last {
		switch {
		case q < len(s.features) && int(s.features[q]) == j:
			copy(narrow.Row(q), model.Row(j))
			q++
		case s.others.Rows > 0 && !slices.Equal(model.Row(j), s.others.Row(j)),
			s.others.Rows == 0 && !isZero(model.Row(j)):
			return 0, false
		}
	}
	primal, known = s.Solver.Objective(narrow)
	return primal + s.off, known
}

// Objective: see Solver. It is not known where it may be rounding, as for Certify.
func (s *kernelSolver[T]) Objective(model vec.Matrix[T]) (primal float64, known bool) {
	inverse, known := s.p.inverse()
	b, rows := 0.0, s.n
	if s.offset.on {
		rows++
	}
	if !known || model.Rows != rows || model.Cols != s.m {
		return 0, false
	}
	if s.offset.on {
		b = float64(model.Row(s.n)[0])
	}
	e, rounding, m := &s.exact, s.exact.rounding, s.m
	for i := range s.n {
		clear(e.a.Row(i))
		vec.Convert(e.a.Row(i)[:m], model.Row(i))
	}
	e.multiply(e.f, e.a, e.workers)
	losses, norm, z := 0.0, 0.0, make([]float64, m)
	for i := range s.n {
		a, f := e.a.Row(i)[:m], e.f.Row(i)[:m]
		if inverse.Rows > 0 {
			vec.Gemv(1, inverse, a, 0, z)
			a = z
		}
		norm += vec.Dot(a, f)
		rounding.Add(e.diagonal[i], sizeOf(a, e.sizes))
		if ex := &s.ex[i]; ex.r > 0 {
			e.work.Example = i
			y := s.p.Labels.Of(i)
			if s.offset.on {
				f[0] += b
			}
			phi := s.p.Exact.Primal(f, y, &e.work)
			rounding.AddLoss(ex.r, phi, s.p.Exact.Primal(e.zero, y, &e.work), vec.AbsSum(f))
			losses += float64(ex.r * phi) // not fused: see Zero
		}
	}
	primal = s.p.Lambda * (losses + max(0, norm)/2 + s.p.Sum*b)
	c := solvers.Certificate{Primal: primal, Dual: s.certificate.Dual}
	rounding.AddOff(e.losses.Sum(rounding.Slack(e.steep, b), losses, Enough(c, s.p.Lambda, s.o.Tol), e.norm,
		func(i int) []float64 { return e.f.Row(i)[:m] }, &e.shaken))
	if gap := c.Gap(); gap-gap != 0 || rounding.Check(new(train.Trust), c, s.p.Lambda, s.o.Tol, norm) != nil {
		return 0, false
	}
	return primal, true
}
