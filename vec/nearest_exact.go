package vec

import (
	"cmp"
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/nearest"
)

// nearestPairs is the memory of comparisons in float64.
type nearestPairs struct {
	query, row []float64
	ranked     []nearestRanked
}

// nearestRanked is a row that has been compared with the query in float64.
type nearestRanked struct {
	distance float64 // negative for a product
	row      int32
	rank     float64 // by products
}

// Order compares in float64: see nearest.Source. Rows whose distance is NaN cannot be compared.
func (t *nearestTask[T]) Order(query int, val []T, idx []int32) int {
	best := t.compare(query, val, idx)
	for i, r := range best {
		val[i], idx[i] = T(r.rank), r.row
	}
	return len(best)
}

// compare returns rows in order of their distance to a query as float64 has it, of equals the lower row first, without
// those whose distance is NaN. ranks, if not nil, come back with the rows.
func (t *nearestTask[T]) compare(query int, ranks []T, rows []int32) []nearestRanked {
	p := &t.pairs
	p.query = widened(p.query, t.queries.Row(query))
	p.ranked = p.ranked[:0]
	for i, row := range rows {
		p.row = widened(p.row, t.s.x.Row(int(row)))
		r := nearestRanked{distance: -t.s.metric.of(p.query, p.row), row: row}
		if t.s.metric == L2 {
			r.distance = -r.distance
		}
		if ranks != nil {
			r.rank = float64(ranks[i])
		}
		if r.distance == r.distance {
			p.ranked = append(p.ranked, r)
		}
	}
	slices.SortFunc(p.ranked, func(a, b nearestRanked) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.row, b.row))
	})
	return p.ranked
}

// of returns the distance or product of two vectors.
func (m Metric) of(x, y []float64) float64 {
	switch m {
	case L2:
		return SquaredDistance64(x, y)
	case InnerProduct:
		return Dot64(x, y)
	}
	return Cosine(x, y)
}

// widened returns x as float64, in room.
func widened[T Float](room []float64, x []T) []float64 {
	room = nearest.Grown(room, len(x))
	Convert(room, x)
	return room
}

// Finish writes the nearest rows of one query: see nearest.Caller.
func (c *nearestCall[T]) Finish(task *nearest.Task[T], query int) {
	t, k := task.Source().(*nearestTask[T]), c.dist.Cols
	i, best := t.first+query, t.nearest(query)
	idx, dist := c.idx[i*k:][:k], c.dist.Row(i)
	sign := -1.0
	if c.s.metric == L2 {
		sign = 1
	}
	for j := range idx {
		idx[j], dist[j] = -1, T(math.Inf(int(sign)))
		if j < len(best) {
			idx[j], dist[j] = best[j].row, T(sign*best[j].distance)
		}
	}
}

// nearest compares what is left of a query, and the hard rows; all rows with a hard query.
func (t *nearestTask[T]) nearest(query int) []nearestRanked {
	if t.hard[query] {
		t.rows = t.rows[:0]
		for i := range t.s.x.Rows {
			t.rows = append(t.rows, int32(i))
		}
	} else {
		_, left := t.task.Left(query)
		t.rows = append(append(t.rows[:0], left...), t.s.hard...)
	}
	return t.compare(query, nil, t.rows)
}
