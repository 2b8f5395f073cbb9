package kernel

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// byRows goes through whole rows of K, as sparse examples are multiplied fastest.
func (p *product[T, S]) byRows() {
	m, n := p.m, len(p.examples)
	values, own := vec.NewMatrix[S](most, n), vec.NewMatrix[T](most, m.n)
	held := make([][]T, most)
	index, into := make([]int, 0, most), make([][]T, 0, most)
	for from := 0; from < p.count; from += most {
		rows := p.examples[from:min(from+most, p.count)]
		to := held[:len(rows)]
		m.cache.hold(rows, to)
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
		m.cache.drop(rows, to)
		vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, values.Slice(0, len(rows), 0, n),
			p.a.Slice(from, from+len(rows), 0, p.a.Cols), 1, p.sum, p.workers)
	}
}
