package optim

import (
	"math"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

// Descent is L-BFGS with a line search on a smooth function.
type Descent[T vec.Float] struct {
	Z, Gradient []T // where it is; they change with every step
	Value       float64

	memory             *LBFGS[T]
	next, nextGradient []T
	direction          []T
	epsilon            float64
}

// NewDescent returns a descent of functions of size variables, at 0. epsilon is the distance from 1 to the next T.
func NewDescent[T vec.Float](size, pairs int, epsilon float64) *Descent[T] {
	d := &Descent[T]{memory: NewLBFGS[T](pairs), epsilon: epsilon}
	for _, v := range []*[]T{&d.Z, &d.Gradient, &d.next, &d.nextGradient, &d.direction} {
		*v = make([]T, size)
	}
	return d
}

// Function sets gradient to that at z and returns the value there.
type Function[T vec.Float] func(gradient, z []T) float64

// Begin evaluates f at Z. What is remembered of steps stays: f may be another function that is much like the last one.
func (d *Descent[T]) Begin(f Function[T]) { d.Value = f(d.Gradient, d.Z) }

// Step takes a step and returns by how much the value fell. After it f was evaluated last at Z. Where no shorter step
// along the direction is good enough either, ok is false, and what was remembered is forgotten; stuck says that it was
// nothing.
func (d *Descent[T]) Step(f Function[T]) (fall float64, ok, stuck bool) {
	slope := d.descent()
	length := 1.0
	if d.memory.Len() == 0 { // half of what would undo Z, and 1 at 0
		if z := Dot(d.Z, d.Z); z > 0 {
			length = 0.5 * math.Sqrt(z/max(-slope, math.SmallestNonzeroFloat64))
		}
	}
	value, ok := d.search(f, slope, length)
	if !ok {
		stuck = d.memory.Len() == 0
		d.Begin(f)
		d.memory.Reset() // last: while f works, all is as it was before the step
		return 0, false, stuck
	}
	s, y := d.direction, d.Gradient // their room serves for the differences
	for i, v := range d.next {
		s[i] = v - d.Z[i]
	}
	for i, v := range d.nextGradient {
		y[i] = v - y[i]
	}
	d.memory.Add(s, y)
	fall = d.Value - value
	d.Z, d.next, d.Gradient, d.nextGradient, d.Value = d.next, d.Z, d.nextGradient, d.Gradient, value
	return fall, true, false
}

// descent sets direction and returns the slope along it, below 0 unless the gradient is 0 or not finite.
func (d *Descent[T]) descent() float64 {
	d.memory.Direction(d.direction, d.Gradient)
	slope := Dot(d.Gradient, d.direction)
	if !(slope < 0) {
		d.memory.Reset()
		d.memory.Direction(d.direction, d.Gradient)
		slope = Dot(d.Gradient, d.direction)
	}
	return slope
}

// search looks along direction for a point with Armijo's decrease, by quadratic interpolation, and leaves it in next.
func (d *Descent[T]) search(f Function[T], slope, length float64) (value float64, ok bool) {
	const armijo = 1e-4
	for try := range 12 {
		copy(d.next, d.Z)
		vec.Axpy(T(length), d.direction, d.next)
		value = f(d.nextGradient, d.next)
		rounding := 2 * d.epsilon * math.Abs(d.Value)
		if value <= d.Value+armijo*length*slope || try > 1 && math.Abs(value-d.Value) <= rounding {
			return value, true
		}
		best := -slope * length * length / (2 * (value - d.Value - length*slope))
		if !(best >= 0.1*length) {
			best = 0.1 * length
		}
		length = min(best, 0.6*length)
	}
	return value, false
}

// Save writes all that the next step depends on, and Load reads it.
func (d *Descent[T]) Save(w *container.Writer) {
	container.Floats(w, "at", []float64{d.Value})
	container.Floats(w, "z", d.Z)
	container.Floats(w, "grad", d.Gradient)
	d.memory.Save(w)
}

func (d *Descent[T]) Load(r *container.Reader) {
	value := container.ReadFloats[float64](r, "at", 1)
	z, gradient := container.ReadFloats[T](r, "z", len(d.Z)), container.ReadFloats[T](r, "grad", len(d.Z))
	d.memory.Load(r, len(d.Z))
	if r.Err() == nil {
		d.Value, d.Z, d.Gradient = value[0], z, gradient
	}
}
