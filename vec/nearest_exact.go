package vec

import (
	"cmp"
	"math"
	"slices"
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

// compare returns rows in order of their distance to a query as float64 has it, of equals the lower row first, without
// those whose distance is NaN. ranks, if not nil, come back with the rows.
func (t *nearestTask[T]) compare(query int, rows []int32, ranks []T) []nearestRanked {
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
	room = grown(room, len(x))
	Convert(room, x)
	return room
}

// finish writes the nearest rows of one query.
func (t *nearestTask[T]) finish(query int, idx []int32, dist []T) {
	state, s := &t.states[query], t.s
	if state.hard {
		state.idx = grown(state.idx, s.x.Rows)
		for i := range state.idx {
			state.idx[i] = int32(i)
		}
	} else {
		t.drop(state)
		state.idx = append(state.idx, s.hard...)
	}
	best := t.compare(query, state.idx, nil)
	sign := -1.0
	if s.metric == L2 {
		sign = 1
	}
	for j := range idx {
		idx[j], dist[j] = -1, T(math.Inf(int(sign)))
		if j < len(best) {
			idx[j], dist[j] = best[j].row, T(sign*best[j].distance)
		}
	}
}
