package l1

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// hessian is H = sum_i h_i x_i x_iᵀ over the live columns, of which there are few: then steps cost nothing beside it.
// The h_i are the curvatures of the loss, or not far from them: where few have changed H changes by these alone.
type hessian[T vec.Float] struct {
	h     vec.Matrix[T]
	room  []T
	held  []float64 // h_i
	stale float64   // the share that a curvature may have changed by; smaller from step to step
	place []int32   // of each feature among the live columns, or -1
	live  []int32
	some  []int32 // examples
	by    []T     // what their curvatures change by

	block      []T
	places     []int32
	values     []T
	spare      []T // a row that nobody reads
	constant   int // the place of the constant feature among the live columns, or -1
	constantIs T
	sparse     design.SparseRows[T]
	columns    []column[T]
	density    float64     // of sparse rows
	first      *hessian[T] // at scores of 0, for all outputs, or nil
}

const (
	mostColumns = 1024 // of H
	blockRows   = 512
	staleness   = 0.2  // of a curvature, as a share, in the step after H was made anew
	unseen      = 0.05 // of the mean curvature: smaller changes wait
	denseFrom   = 0.2  // sparse rows with a larger share of numbers are taken as dense
)

// begin takes up columns.
func (g *hessian[T]) begin(t *training[T], live []int32) {
	p := len(live)
	g.sparse, g.live, g.first = t.rows, live, t.first
	if g == t.first {
		g.first = nil
	}
	g.columns = g.columns[:0]
	g.constant = -1
	if g.place == nil {
		g.place = make([]int32, t.d)
		g.held = make([]float64, t.n)
	}
	for j := range g.place {
		g.place[j] = -1
	}
	numbers := 0
	for q, f := range live {
		c := t.store.columns[f]
		g.columns = append(g.columns, c)
		numbers += len(c.values)
		if g.sparse != nil && c.rows == nil {
			g.constant, g.constantIs = q, c.values[0]
			continue
		}
		g.place[t.features[f]] = int32(q)
	}
	g.density = float64(numbers) / (float64(t.n)*float64(p) + 1)
	g.room = grown(g.room, p*p)
	g.h = vec.MatrixOf(p, p, g.room)
}

// set makes H the one of these curvatures, anew or by what has changed.
func (g *hessian[T]) set(curve []float64, anew bool) {
	mean, positive := 0.0, 0
	for _, h := range curve {
		mean += h
		if h > 0 {
			positive++
		}
	}
	mean /= float64(len(curve))
	if !anew {
		g.changes(curve, g.stale, unseen/staleness*g.stale*mean)
		anew = 2*len(g.some) > positive
		g.stale /= 2
	}
	if anew && g.first.has(g.live) && g.first.like(curve) {
		copy(g.room, g.first.room)
		copy(g.held, g.first.held)
		g.stale = staleness
		return
	}
	if anew {
		clear(g.room)
		clear(g.held)
		g.changes(curve, 0, 0)
		g.stale = staleness
	}
	if len(g.some) == 0 {
		return
	}
	if g.sparse != nil && g.density < denseFrom {
		g.addSparse()
	} else {
		g.addBlocks(1)
		g.addBlocks(-1)
	}
	for q := range g.live {
		row := g.h.Row(q)
		for p := range q {
			g.h.Row(p)[q] = row[p]
		}
	}
}

// changes lists the examples whose curvature has changed by more than a share and by more than little, and takes it as
// theirs.
func (g *hessian[T]) changes(curve []float64, share, little float64) {
	g.some, g.by = g.some[:0], g.by[:0]
	for i, h := range curve {
		was := g.held[i]
		if by := h - was; math.Abs(by) > share*max(h, was) && math.Abs(by) > little {
			g.some, g.by = append(g.some, int32(i)), append(g.by, T(by))
			g.held[i] = h
		}
	}
}

// has reports whether H is over these columns.
func (g *hessian[T]) has(columns []int32) bool { return g != nil && slices.Equal(g.live, columns) }

// like reports whether H has these curvatures.
func (g *hessian[T]) like(curve []float64) bool { return slices.Equal(g.held, curve) }

// addSparse adds by x_i x_iᵀ to H, example by example, four rows at a time: to all of the lower half, and to some of
// the upper one, which is set from the lower one later.
func (g *hessian[T]) addSparse() {
	places, values := grown(g.places, len(g.live)), grown(g.values, len(g.live))
	g.spare = grown(g.spare, len(g.live))
	clear(g.spare)
	var rows [4][]T
	var by [4]T
	for k, i := range g.some {
		count := g.pick(int(i), places, values)
		for a := 0; a < count; a += 4 {
			for r := range rows {
				rows[r], by[r] = g.spare, 0
				if a+r < count {
					rows[r], by[r] = g.h.Row(int(places[a+r])), g.by[k]*values[a+r]
				}
			}
			end := min(a+4, count)
			addRows(&rows, &by, places[:end], values[:end])
		}
	}
	g.places, g.values = places, values
}

// pick lists the live columns of an example, and its values there, and returns how many there are.
func (g *hessian[T]) pick(i int, places []int32, values []T) (count int) {
	features, all := g.sparse.Row(i)
	all = all[:len(features)]
	for p, j := range features {
		if q := g.place[j]; q >= 0 {
			places[count], values[count] = q, all[p]
			count++
		}
	}
	if g.constant >= 0 {
		places[count], values[count] = int32(g.constant), g.constantIs
		count++
	}
	return count
}

// addRows adds to each of four rows its number in by times v, at the given places, which are all in the rows.
func addRows[T vec.Float](rows *[4][]T, by *[4]T, places []int32, v []T) {
	a := rows[0]
	b, c, d := rows[1][:len(a)], rows[2][:len(a)], rows[3][:len(a)]
	toA, toB, toC, toD := by[0], by[1], by[2], by[3]
	v = v[:len(places)]
	for k, j := range places {
		if uint(j) >= uint(len(a)) {
			return
		}
		a[j] += toA * v[k]
		b[j] += toB * v[k]
		c[j] += toC * v[k]
		d[j] += toD * v[k]
	}
}

// addBlocks adds the same for all changes of one sign, in blocks of examples that are laid out dense.
func (g *hessian[T]) addBlocks(sign T) {
	g.block = grown(g.block, blockRows*len(g.live))
	var rows [blockRows]int32
	var roots [blockRows]T
	count := 0
	for k, i := range g.some {
		if by := sign * g.by[k]; by > 0 {
			rows[count], roots[count] = i, T(math.Sqrt(float64(by)))
			if count++; count == blockRows {
				g.addBlock(sign, rows[:], roots[:])
				count = 0
			}
		}
	}
	if count > 0 {
		g.addBlock(sign, rows[:count], roots[:count])
	}
}

// addBlock adds one block of examples, times the roots of what their curvatures change by.
func (g *hessian[T]) addBlock(sign T, rows []int32, roots []T) {
	p, count := len(g.live), len(rows)
	if g.sparse == nil {
		block := vec.MatrixOf(p, count, g.block[:p*count])
		for q, c := range g.columns {
			to := block.Row(q)
			for k, i := range rows {
				to[k] = c.values[i] * roots[k]
			}
		}
		vec.Syrk(vec.Lower, vec.NoTrans, sign, block, 1, g.h)
		return
	}
	block := vec.MatrixOf(count, p, g.block[:p*count])
	clear(block.Data)
	for k, i := range rows {
		features, values := g.sparse.Row(int(i))
		to, root := block.Row(k), roots[k]
		for a, j := range features {
			if q := g.place[j]; q >= 0 {
				to[q] = values[a] * root
			}
		}
		if g.constant >= 0 {
			to[g.constant] = g.constantIs * root
		}
	}
	vec.Syrk(vec.Lower, vec.Transposed, sign, block, 1, g.h)
}
