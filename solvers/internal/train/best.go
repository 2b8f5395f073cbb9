package train

import (
	"math"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// best is the best that some certificates found: the model of the least primal value, and the dual variables of the
// largest dual value. All of them 0 are where it begins.
type best[T vec.Float] struct {
	known        bool // that where it begins is known
	primal, dual side[T]
}

// side is one of them.
type side[T vec.Float] struct {
	value float64
	off   float64 // how far rounding may take its certificate; states do not hold it: 0 after a resumption
	epoch int
	zero  bool // all are 0
	own   bool // a copy, and not the method's own numbers
	vars  Variables[T]
}

// begin makes it what is known without an epoch.
func (b *best[T]) begin(zero solvers.Certificate) {
	if !b.known {
		*b = best[T]{true, side[T]{value: zero.Primal, zero: true}, side[T]{value: zero.Dual, zero: true}}
	}
}

// certificate has both values.
func (b *best[T]) certificate() solvers.Certificate {
	return solvers.Certificate{Primal: b.primal.value, Dual: b.dual.value}
}

// add takes up what is better in a certificate that the method has just computed, and reports whether anything is. The
// variables are the method's own until keep is called.
func (b *best[T]) add(now solvers.Certificate, epoch int, m Certified[T], tol float64) (better bool, err error) {
	was := *b
	if better, err = b.take(now, m.Off(), epoch, m); err != nil || m.DualVariables() == nil {
		return better, err
	}
	for range 2 { // sides
		if !b.doubtful(tol) {
			break
		}
		own := best[T]{primal: side[T]{value: math.Inf(1)}, dual: side[T]{value: math.Inf(-1)}}
		if _, err := own.take(now, m.Off(), epoch, m); err != nil {
			return false, err
		}
		if b.dual.off > b.primal.off {
			b.dual = other(b.dual, was.dual, own.dual)
		} else {
			b.primal = other(b.primal, was.primal, own.primal)
		}
	}
	return better, nil
}

// other returns the one of two sides that s is not.
func other[T vec.Float](s, was, own side[T]) side[T] {
	if s.value == own.value {
		return was
	}
	return own
}

// take is add, whatever is doubtful then.
func (b *best[T]) take(now solvers.Certificate, off float64, epoch int, m Certified[T]) (better bool, err error) {
	if now.Primal < b.primal.value {
		vars, err := m.PrimalVariables()
		if err != nil {
			return false, err
		}
		better, b.primal = true, side[T]{value: now.Primal, off: off, epoch: epoch, vars: vars}
	}
	if dual := m.DualVariables(); dual == nil { // the last ones are the best
		b.dual = side[T]{value: now.Dual, off: off, epoch: epoch}
	} else if now.Dual > b.dual.value {
		better, b.dual = true, side[T]{value: now.Dual, off: off, epoch: epoch, vars: *dual}
	}
	return better, nil
}

// doubtful reports whether the two values agree within tol where rounding may take one by more. Each was believed for
// the gap of its own certificate: where the values are of two, the gap between them is smaller than the gap of each.
// Then add has the other certificate's in place of the one that rounding may take farther.
func (b *best[T]) doubtful(tol float64) bool {
	c := b.certificate()
	return c.RelativeGap() <= tol && max(b.primal.off, b.dual.off) > tol*magnitude(c)
}

// keep copies what is still the method's own, before that goes on.
func (b *best[T]) keep() {
	for _, s := range []*side[T]{&b.primal, &b.dual} {
		if !s.own {
			s.vars, s.own = s.vars.clone(), true
		}
	}
}

// or returns the better of each side.
func (b best[T]) or(other best[T]) best[T] {
	if other.primal.value < b.primal.value {
		b.primal = other.primal
	}
	if other.dual.value > b.dual.value {
		b.dual = other.dual
	}
	return b
}

// end returns the best where a training ends.
func (b *best[T]) end(o solvers.Outcome) Ended[T] {
	o.Certificate, o.ModelEpoch, o.ZeroModel = b.certificate(), b.primal.epoch, b.primal.zero
	return Ended[T]{o, b.primal.vars, b.dual.vars}
}

func (b *best[T]) save(w *container.Writer) {
	b.fields(w.Fields)
	b.primal.vars.save(w)
	b.dual.vars.save(w)
}

func (b *best[T]) load(r *container.Reader, m Certified[T]) {
	b.fields(r.Fields)
	b.primal.vars.load(r)
	b.dual.vars.load(r)
	if r.Err() != nil {
		return
	}
	b.known, b.primal.own, b.dual.own, b.primal.zero = true, true, true, b.primal.vars.None()
	if gap := b.certificate().Gap(); gap-gap != 0 || !m.Fits(b.primal.vars, b.dual.vars) {
		r.Corrupt("a best model of epoch %d with %v, of another size, or not of finite numbers", b.primal.epoch,
			b.certificate())
	}
}

// fields are what a state holds besides the variables: do writes or reads them.
func (b *best[T]) fields(do func(tag string, of ...any)) {
	do("best", &b.primal.epoch)
	do("best", &b.primal.value, &b.dual.value)
}
