package l1

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// local is the objective around the weights, in a step d of the working set:
//
//	gᵀd + 1/2 |X̃ d|² + sum_j |w_j + d_j|,   X̃ = diag(sqrt curve) X
//
// over the examples whose loss is curved there, in numbers of T: rounding makes a step less good, and no solution.
type local[T vec.Float] struct {
	place []int32 // of each example among those of X̃, or -1
	count int     // of these
	rows  []int32 // they
	root  []T     // sqrt curve of each of these
	rooms []T     // values of columns
	lists []int32 // rows of columns

	columns []column[T] // of X̃, of the working set
	slope   []float64   // g
	square  []float64   // squared norms of the columns
	from    []float64   // w
	step    []float64   // d
	moved   []T         // X̃ d
	list    []int       // of the working set: where d moves

	mixing extrapolation[T]
}

// set lays the objective out at the weights w of the working set.
func (m *local[T]) set(x *store[T], work []int32, w []float64, l *losses) {
	m.place, m.rows, m.root = grown(m.place, x.n), grown(m.rows, x.n), grown(m.root, x.n)
	m.count = 0
	for i, h := range l.curve {
		m.place[i] = -1
		if h > 0 {
			m.place[i], m.rows[m.count], m.root[m.count] = int32(m.count), int32(i), T(math.Sqrt(h))
			m.count++
		}
	}
	k := len(work)
	m.columns, m.slope, m.square = grown(m.columns, k), grown(m.slope, k), grown(m.square, k)
	m.from, m.step = grown(m.from, k), grown(m.step, k)
	m.moved = grown(m.moved, m.count)
	clear(m.moved)
	clear(m.step)
	numbers := 0
	for _, f := range work {
		numbers += len(x.columns[f].values)
	}
	m.rooms, m.lists = grown(m.rooms, numbers), grown(m.lists, numbers)
	at := 0
	for q, f := range work {
		m.from[q] = w[f]
		m.slope[q] = x.columns[f].dot(l.slope)
		size := m.take(q, x.columns[f], at)
		m.square[q] = float64(vec.SquaredNorm(m.columns[q].values))
		at += size
	}
}

// take makes column q of X̃ of a column of X, in the room from at on, and returns how much it takes.
func (m *local[T]) take(q int, c column[T], at int) int {
	values := m.rooms[at : at+len(c.values)]
	switch {
	case c.rows == nil && m.count == len(c.values):
		vec.Mul(values, c.values, m.root[:m.count])
		m.columns[q] = column[T]{nil, values}
	case c.rows == nil:
		values = values[:m.count]
		for k, i := range m.rows[:m.count] {
			values[k] = c.values[i] * m.root[k]
		}
		m.columns[q] = column[T]{nil, values}
	default:
		rows, k := m.lists[at:at+len(c.values)], 0
		for p, i := range c.rows {
			if to := m.place[i]; to >= 0 {
				rows[k], values[k] = to, c.values[p]*m.root[to]
				k++
			}
		}
		values = values[:k]
		m.columns[q] = column[T]{rows[:k], values}
	}
	return len(values)
}

// grown returns s with length n, in its own memory where that is enough; the elements are anything.
func grown[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n, n+n/4)
	}
	return s[:n]
}

// violation returns how far the optimality condition of a weight v is violated, with the slope g of the loss.
func violation(v, g float64) float64 {
	switch {
	case v > 0:
		return math.Abs(g + 1)
	case v < 0:
		return math.Abs(g - 1)
	}
	return max(0, math.Abs(g)-1)
}

// sweep moves each d_j of a list to its optimum, one after the other, and returns the largest violation that it meets.
func (m *local[T]) sweep(list []int) (most float64) {
	for _, q := range list {
		g := m.slope[q] + float64(m.columns[q].product(m.moved))
		v, h := m.from[q]+m.step[q], m.square[q]
		most = max(most, violation(v, g))
		to := 0.0
		if h > 0 {
			switch b := h*v - g; {
			case b > 1:
				to = (b - 1) / h
			case b < -1:
				to = (b + 1) / h
			}
		}
		if delta := T(to - v); delta != 0 {
			if to == 0 {
				m.step[q] = -m.from[q]
			} else {
				m.step[q] += float64(delta)
			}
			m.columns[q].move(delta, m.moved)
		}
	}
	return most
}

// solve lets sweeps go on until no violation is above tol, or most of them are over.
func (m *local[T]) solve(tol float64, most int) (sweeps int) {
	for sweeps < most {
		m.list = m.list[:0]
		for q := range m.columns {
			m.list = append(m.list, q)
		}
		sweeps++
		if m.sweep(m.list) <= tol {
			break
		}
		m.list = m.list[:0]
		for q, v := range m.from {
			if v+m.step[q] != 0 {
				m.list = append(m.list, q)
			}
		}
		m.mixing.begin(m)
		for sweeps < most {
			sweeps++
			if m.sweep(m.list) <= tol/2 {
				break
			}
			m.mixing.add(m)
		}
	}
	return sweeps
}

// value returns the objective at d.
func (m *local[T]) value() float64 {
	sum := float64(vec.SquaredNorm(m.moved)) / 2
	for q, d := range m.step {
		sum += m.slope[q]*d + math.Abs(m.from[q]+d)
	}
	return sum
}

// decrease returns gᵀd + |w + d|_1 - |w|_1, which is negative unless d is 0.
func (m *local[T]) decrease() (sum float64) {
	for q, d := range m.step {
		sum += m.slope[q]*d + (math.Abs(m.from[q]+d) - math.Abs(m.from[q]))
	}
	return sum
}
