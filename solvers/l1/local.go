package l1

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/dualgap/dualgap/vec"
)

// local is the objective around the weights, in a step d of the working set:
//
//	gᵀd + 1/2 |X̃ d|² + sum_j |w_j + d_j|,   X̃ = diag(sqrt curve) X
//
// over the examples whose loss is curved there, in numbers of T: rounding makes a step less good, and no solution.
type local[T vec.Float] struct {
	place []int32 // of each example in X̃, count where it has none
	count int     // of these
	rows  []int32 // they
	root  []T     // sqrt curve of each of these, and a 0
	rooms []T     // values of columns
	lists []int32 // rows of columns

	columns []column[T]   // of X̃, of the working set
	slope   []float64     // g
	square  []float64     // squared norms of the columns
	from    []float64     // w
	step    []float64     // d
	moved   []T           // X̃ d
	list    []int         // of the working set: where d moves
	gram    vec.Matrix[T] // X̃ᵀX̃, in place of the columns; moved is then X̃ᵀX̃ d

	mixing extrapolation[T]
	random rand.PCG
}

// set lays the objective out at the weights w of the working set.
func (m *local[T]) set(x *store[T], work []int32, w []float64, l *losses) {
	m.gram = vec.Matrix[T]{}
	m.curved(x.n, l.curve)
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
	m.rooms = grown(m.rooms, numbers)
	if x.rows != nil {
		m.lists = grown(m.lists, numbers)
	}
	at := 0
	for q, f := range work {
		m.from[q] = w[f]
		at += m.take(q, x.columns[f], l.slope, at)
	}
}

// curved lists the examples whose loss is curved.
func (m *local[T]) curved(n int, curve []float64) {
	m.place, m.rows, m.root = grown(m.place, n), grown(m.rows, n+1), grown(m.root, n+1)
	count := 0
	for i, h := range curve {
		m.rows[count], m.root[count] = int32(i), T(math.Sqrt(h))
		if h > 0 {
			count++
		}
	}
	m.count, m.root[count] = count, 0
	next := 0
	for i := range m.place {
		m.place[i] = int32(count)
		if next < count && m.rows[next] == int32(i) {
			m.place[i] = int32(next)
			next++
		}
	}
}

// setGram lays the objective out at the weights of the live columns, with their slopes and the second derivatives.
func (m *local[T]) setGram(live []int32, w, slopes []float64, h vec.Matrix[T]) {
	k := len(live)
	m.slope, m.square, m.from, m.step = append(m.slope[:0], slopes...), grown(m.square, k), grown(m.from, k),
		grown(m.step, k)
	m.moved, m.gram = grown(m.moved, k), h
	clear(m.moved)
	clear(m.step)
	for q, f := range live {
		m.from[q], m.square[q] = w[f], float64(h.Row(q)[q])
	}
}

// take makes column q of X̃ of a column of X, in the room from at on, with its slope and its squared norm, and returns
// how much room it takes.
func (m *local[T]) take(q int, c column[T], slope []float64, at int) int {
	values, rows := m.rooms[at:at+len(c.values)], c.rows
	switch {
	case c.rows == nil && m.count == len(c.values):
		vec.Mul(values, c.values, m.root[:m.count])
		m.slope[q] = c.dot(slope)
	case c.rows == nil:
		values = values[:m.count]
		for k, i := range m.rows[:m.count] {
			values[k] = c.values[i] * m.root[k]
		}
		m.slope[q] = c.dot(slope)
	case m.count == len(slope):
		m.slope[q] = m.scaled(values, c, slope)
	default:
		values, rows, m.slope[q] = m.picked(values, m.lists[at:at+len(c.values)], c, slope)
	}
	m.columns[q], m.square[q] = column[T]{rows, values}, float64(vec.SquaredNorm(values))
	return len(values)
}

// picked sets values and rows to a sparse column of X̃, where some examples are in it, and returns the slope. Which
// ones is hard to foretell, so that there are no branches.
func (m *local[T]) picked(values []T, rows []int32, c column[T], slope []float64) (_ []T, _ []int32, g float64) {
	numbers, root, count := c.values[:len(values)], m.root[:m.count+1], uint32(m.count)
	k, rows := 0, rows[:len(values)]
	for p, i := range c.rows[:len(values)] {
		to := uint32(m.place[i])
		rows[k], values[k] = int32(to), numbers[p]*root[to]
		g += float64(numbers[p]) * slope[i]
		k += int((to - count) >> 31)
	}
	return values[:k], rows[:k], g
}

// scaled sets values to a sparse column of X̃, where all examples are in it, and returns the slope.
func (m *local[T]) scaled(values []T, c column[T], slope []float64) (g float64) {
	numbers, root := c.values[:len(values)], m.root[:len(slope)]
	rows, other, k := c.rows[:len(values)], 0.0, 0
	for ; k+1 < len(rows); k += 2 {
		i, j, v, w := rows[k], rows[k+1], numbers[k], numbers[k+1]
		values[k], values[k+1] = v*root[i], w*root[j]
		g += float64(v) * slope[i]
		other += float64(w) * slope[j]
	}
	if k < len(rows) {
		values[k] = numbers[k] * root[rows[k]]
		g += float64(numbers[k]) * slope[rows[k]]
	}
	return g + other
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

// violated returns the largest violation at d = 0.
func (m *local[T]) violated() (most float64) {
	for q, g := range m.slope {
		most = max(most, violation(m.from[q], g))
	}
	return most
}

// sweep moves each d_j of a list to its optimum, one after the other, and returns the largest violation that it meets.
func (m *local[T]) sweep(list []int) (most, fall float64) {
	for _, q := range list {
		g := m.slope[q]
		if m.gram.Rows > 0 {
			g += float64(m.moved[q])
		} else {
			g += float64(m.columns[q].product(m.moved))
		}
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
			change := to - v
			fall -= (g+h*change/2)*change + math.Abs(to) - math.Abs(v)
			if to == 0 {
				m.step[q] = -m.from[q]
			} else {
				m.step[q] += float64(delta)
			}
			if m.gram.Rows > 0 {
				vec.Axpy(delta, m.gram.Row(q), m.moved)
			} else {
				m.columns[q].move(delta, m.moved)
			}
		}
	}
	return most, fall
}

// shuffle puts the list into random order: a first sweep in the order of features, where neighbours are alike, gains
// less. The sweeps that are extrapolated keep their order.
func (m *local[T]) shuffle() {
	for k := len(m.list) - 1; k > 0; k-- {
		at, _ := bits.Mul64(m.random.Uint64(), uint64(k+1))
		m.list[k], m.list[at] = m.list[at], m.list[k]
	}
}

// leastFall is the share of what all sweeps of a step have gained that a sweep gains at least, for others to follow.
const leastFall = 0.03

// solve lets sweeps go on until the largest violation, which is given, has fallen to a share.
func (m *local[T]) solve(violated float64) {
	tol, most := innerShare*violated, mostSweeps
	if m.gram.Rows > 0 {
		tol, most = gramShare*violated, mostCheap
	}
	total, sweeps := 0.0, 0
	for sweeps < most {
		m.list = m.list[:0]
		for q := range m.from {
			m.list = append(m.list, q)
		}
		m.shuffle()
		sweeps++
		violated, fall := m.sweep(m.list)
		total += fall
		if violated <= tol || sweeps > 1 && fall <= leastFall*total {
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
			violated, fall = m.sweep(m.list)
			total += fall
			if violated <= tol/2 || fall <= leastFall*total {
				break
			}
			m.mixing.add(m)
		}
	}
}

// value returns the objective at d.
func (m *local[T]) value() float64 {
	sum := 0.0
	if m.gram.Rows == 0 {
		sum = float64(vec.SquaredNorm(m.moved)) / 2
	}
	for q, d := range m.step {
		if m.gram.Rows > 0 {
			sum += d * float64(m.moved[q]) / 2
		}
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
