package l1

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// depth is how many sweeps an extrapolation looks back.
const depth = 5

// extrapolation is Anderson's, of sweeps over the same list: of the last iterates d^0, ..., d^K it takes sum_k c_k d^k
// for the c that sum to 1 and make sum_k c_k (d^k - d^(k-1)) least, if the objective is lower there.
type extrapolation[T vec.Float] struct {
	steps [depth + 1][]float64 // d^k on the list
	moved [depth + 1][]T       // X̃ d^k
	count int
	best  []float64 // the present ones, while another is tried
	own   []T
}

func (e *extrapolation[T]) begin(m *local[T]) {
	e.count = 0
	e.keep(m)
}

// keep stores the present iterate.
func (e *extrapolation[T]) keep(m *local[T]) {
	k := e.count
	e.steps[k], e.moved[k] = grown(e.steps[k], len(m.list)), grown(e.moved[k], len(m.moved))
	for p, q := range m.list {
		e.steps[k][p] = m.step[q]
	}
	copy(e.moved[k], m.moved)
	e.count++
}

// add follows a sweep.
func (e *extrapolation[T]) add(m *local[T]) {
	e.keep(m)
	if e.count <= depth {
		return
	}
	e.count = 0
	if c, ok := e.weights(); ok {
		e.try(m, c)
	}
	e.keep(m)
}

// weights returns c_1, ..., c_K.
func (e *extrapolation[T]) weights() (c [depth]float64, ok bool) {
	var gram [depth][depth]float64
	n := len(e.steps[0])
	for a := range depth {
		for b := range a + 1 {
			sum := 0.0
			for p := range n {
				sum += (e.steps[a+1][p] - e.steps[a][p]) * (e.steps[b+1][p] - e.steps[b][p])
			}
			gram[a][b], gram[b][a] = sum, sum
		}
	}
	trace := 0.0
	for a := range depth {
		trace += gram[a][a]
	}
	if !(trace > 0) {
		return c, false
	}
	for a := range depth {
		gram[a][a] += 1e-10 * trace
		c[a] = 1
	}
	for a := range depth { // Gauss, the matrix being positive definite
		for b := a + 1; b < depth; b++ {
			f := gram[b][a] / gram[a][a]
			for k := a; k < depth; k++ {
				gram[b][k] -= f * gram[a][k]
			}
			c[b] -= f * c[a]
		}
	}
	sum := 0.0
	for a := depth - 1; a >= 0; a-- {
		for b := a + 1; b < depth; b++ {
			c[a] -= gram[a][b] * c[b]
		}
		c[a] /= gram[a][a]
		sum += c[a]
	}
	for a := range c {
		c[a] /= sum
	}
	return c, !math.IsNaN(sum) && sum != 0
}

// try takes the extrapolated iterate if the objective is lower there.
func (e *extrapolation[T]) try(m *local[T], c [depth]float64) {
	before := m.value()
	e.best, e.own = grown(e.best, len(m.list)), grown(e.own, len(m.moved))
	for p, q := range m.list {
		e.best[p] = m.step[q]
		d := 0.0
		for k, c := range c {
			d += c * e.steps[k+1][p]
		}
		m.step[q] = d
	}
	copy(e.own, m.moved)
	clear(m.moved)
	for k, c := range c {
		vec.Axpy(T(c), e.moved[k+1], m.moved)
	}
	if m.value() < before {
		return
	}
	for p, q := range m.list {
		m.step[q] = e.best[p]
	}
	copy(m.moved, e.own)
}
