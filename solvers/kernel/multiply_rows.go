package kernel

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// byRows goes through whole rows of K, as sparse examples are multiplied fastest.
func (p *product[T, S]) byRows() {
	m, n := p.m, len(p.examples)
	values, l := vec.NewMatrix[S](batchRows, n), m.lent()
	defer m.lents.Put(l)
	for from := 0; from < p.count; from += batchRows {
		rows := p.examples[from:min(from+batchRows, p.count)]
		m.lend(l, rows, aside, p.workers)
		parallel.Do(p.workers, len(rows), func(_, q int) {
			for c, j := range p.examples {
				values.Row(q)[c] = S(l.Rows[q][j])
			}
		})
		m.Return(l)
		vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, values.Slice(0, len(rows), 0, n),
			p.a.Slice(from, from+len(rows), 0, p.a.Cols), 1, p.sum, p.workers)
	}
}
