// Package optim has the quasi-Newton steps of solvers that minimise a smooth function.
package optim

import (
	"math"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

// LBFGS is the memory of the L-BFGS method: of the last steps s and of how the gradient changed along each, y.
type LBFGS[T vec.Float] struct {
	s, y  [][]T     // the oldest first
	rho   []float64 // 1/<s, y>
	room  int       // pairs that are kept at most
	alpha []float64
}

// NewLBFGS returns an empty memory for a number of pairs.
func NewLBFGS[T vec.Float](pairs int) *LBFGS[T] {
	return &LBFGS[T]{room: max(1, pairs), alpha: make([]float64, max(1, pairs))}
}

// Len returns the number of pairs that are kept.
func (l *LBFGS[T]) Len() int { return len(l.s) }

// Reset forgets all pairs.
func (l *LBFGS[T]) Reset() { l.s, l.y, l.rho = nil, nil, nil }

// Add keeps copies of a step and of the change of the gradient, in the place of the oldest where there is no room. It
// drops pairs without curvature: with them the matrix would not be positive definite.
func (l *LBFGS[T]) Add(s, y []T) {
	sy := Dot(s, y)
	if !(sy > 1e-10*math.Sqrt(Dot(s, s)*Dot(y, y))) {
		return
	}
	if len(l.s) < l.room {
		l.s, l.y, l.rho = append(l.s, make([]T, len(s))), append(l.y, make([]T, len(s))), append(l.rho, 0)
	} else {
		oldS, oldY := l.s[0], l.y[0]
		copy(l.s, l.s[1:])
		copy(l.y, l.y[1:])
		copy(l.rho, l.rho[1:])
		l.s[l.room-1], l.y[l.room-1] = oldS, oldY
	}
	last := len(l.s) - 1
	copy(l.s[last], s)
	copy(l.y[last], y)
	l.rho[last] = 1 / sy
}

// Direction sets dst = -H g, where H approximates the inverse of the Hessian from the pairs, the two-loop recursion; it
// is -g where there are none. O(pairs len(g)).
func (l *LBFGS[T]) Direction(dst, g []T) {
	copy(dst, g)
	for i := len(l.s) - 1; i >= 0; i-- {
		l.alpha[i] = l.rho[i] * Dot(l.s[i], dst)
		vec.Axpy(T(-l.alpha[i]), l.y[i], dst)
	}
	if last := len(l.s) - 1; last >= 0 {
		vec.Scale(T(1/(l.rho[last]*Dot(l.y[last], l.y[last]))), dst)
	}
	for i := range l.s {
		beta := l.rho[i] * Dot(l.y[i], dst)
		vec.Axpy(T(l.alpha[i]-beta), l.s[i], dst)
	}
	vec.Scale(-1, dst)
}

// Dot returns <a, b>, summed in float64 over pieces: the error does not grow with the length.
func Dot[T vec.Float](a, b []T) (sum float64) {
	const piece = 512
	for len(a) > piece {
		sum += float64(vec.Dot(a[:piece], b[:piece]))
		a, b = a[piece:], b[piece:]
	}
	return sum + float64(vec.Dot(a, b))
}

// Save writes the pairs, and Load reads pairs of vectors of a length.
func (l *LBFGS[T]) Save(w *container.Writer) {
	w.Ints("pair", len(l.s))
	container.Floats(w, "rho", l.rho)
	for i := range l.s {
		container.Floats(w, "s", l.s[i])
		container.Floats(w, "y", l.y[i])
	}
}

func (l *LBFGS[T]) Load(r *container.Reader, length int) {
	l.Reset()
	count := r.Ints("pair", 1)
	if r.Err() != nil {
		return
	}
	if count[0] < 0 || count[0] > l.room {
		r.Corrupt("%d pairs of steps, at most %d are kept", count[0], l.room)
		return
	}
	l.rho = container.ReadFloats[float64](r, "rho", count[0])
	for range count[0] {
		s, y := container.ReadFloats[T](r, "s", length), container.ReadFloats[T](r, "y", length)
		if r.Err() != nil {
			return
		}
		l.s, l.y = append(l.s, s), append(l.y, y)
	}
}
