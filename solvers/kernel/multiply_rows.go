package kernel

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// byRows goes through whole rows of K, as sparse examples are multiplied fastest.
func (p *product[T, S]) byRows() {
	m, n := p.m, len(p.examples)
	values, own := vec.NewMatrix[S](batchRows, n), vec.NewMatrix[T](batchRows, m.n)
	held := make([][]T, batchRows)
	index, into := make([]int, 0, batchRows), make([][]T, 0, batchRows)
	for from := 0; from < p.count; from += batchRows {
		rows := p.examples[from:min(from+batchRows, p.count)]
		to := held[:len(rows)]
		m.cache.pinHeld(rows, to)
		index, into = index[:0], into[:0]
		for q, i := range rows {
			if to[q] == nil {
				index, into = append(index, i), append(into, own.Row(q))
			}
		}
		m.compute(p.workers, index, nil, into)
		parallel.Do(p.workers, len(rows), func(_, q int) {
			row := to[q]
			if row == nil {
				row = own.Row(q)
			}
			for c, j := range p.examples {
				values.Row(q)[c] = S(row[j])
			}
		})
		m.cache.unpinHeld(rows, to)
		vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, values.Slice(0, len(rows), 0, n),
			p.a.Slice(from, from+len(rows), 0, p.a.Cols), 1, p.sum, p.workers)
	}
}
