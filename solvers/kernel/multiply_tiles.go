package kernel

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// The examples are cut into blocks of at most edge, first those with numbers of a, then the others, and the tiles K_IJ
// of two blocks I <= J are gone through stripe by stripe:
//
//	for each stripe of blocks I:
//		for each group of blocks J, on any goroutine:
//			sum_J += K_IJᵀ a_I for all I < J of the stripe, in order
//			part_I += K_IJ a_J for all J >= I of the group, in order
//		sum_I += part_I of all groups, in order
//
// Blocks and groups are the same for any number of goroutines, and so are the bits.
const (
	stripe = 8  // blocks I at a time
	groups = 64 // at most, into which the blocks J are cut
)

// blockRows is a block I: where its examples are, and these, or their rows where all of them are in memory.
type blockRows[T vec.Float] struct {
	from, to int
	held     [][]T
	ready    bool // all rows are held
	examples side[T]
}

func (p *product[T, S]) byTiles() {
	bounds, own := p.bounds()
	count := len(bounds) - 1
	size := (count + groups - 1) / groups // of a group
	rows := make([]blockRows[T], min(stripe, own))
	parts := make([]vec.Matrix[S], (count+size-1)/size)
	wide := make([]vec.Matrix[S], min(p.workers, len(parts)))
	for first := 0; first < own; first += stripe {
		some := rows[:min(stripe, own-first)]
		parallel.Do(p.workers, len(some), func(_, i int) { p.load(&some[i], bounds[first+i], bounds[first+i+1]) })
		start, end := bounds[first], bounds[first+len(some)]
		parallel.Do(p.workers, len(parts)-first/size, func(w, g int) {
			g += first / size
			if g*size < own {
				if parts[g].Rows == 0 {
					parts[g] = vec.NewMatrix[S](end-start, p.a.Cols)
				}
				clear(parts[g].Data)
			}
			t := p.m.tile()
			for j := max(first, g*size); j < min((g+1)*size, count); j++ {
				p.column(t, &wide[w], some, parts[g], bounds[j], bounds[j+1])
			}
			p.m.tiles.Put(t)
		})
		parallel.Do(p.workers, len(some), func(_, i int) {
			b := &some[i]
			for q := b.from; q < b.to; q++ {
				for g := first / size; g*size < own; g++ {
					vec.Axpy(1, parts[g].Row(q-start), p.sum.Row(q))
				}
			}
			p.m.cache.drop(p.examples[b.from:b.to], b.held)
		})
	}
}

// bounds returns where the blocks begin, and the end; own of them have numbers of a.
func (p *product[T, S]) bounds() (bounds []int, own int) {
	edge := p.m.edge()
	for from := 0; from < p.count; from += edge {
		bounds = append(bounds, from)
	}
	own = len(bounds)
	for from := p.count; from < len(p.examples); from += edge {
		bounds = append(bounds, from)
	}
	return append(bounds, len(p.examples)), own
}

// load makes b the block of the examples from, ..., to-1.
func (p *product[T, S]) load(b *blockRows[T], from, to int) {
	b.from, b.to = from, to
	if b.held == nil {
		b.held = make([][]T, p.m.edge())
	}
	b.held = b.held[:to-from]
	b.ready = p.m.cache.hold(p.examples[from:to], b.held) == 0
	if !b.ready {
		b.examples.take(p.m, p.examples[from:to])
	}
}

// column goes through the tiles of blocks I with the block J of the examples from, ..., to-1.
func (p *product[T, S]) column(t *tile[T], wide *vec.Matrix[S], some []blockRows[T], part vec.Matrix[S], from, to int) {
	m, outputs := p.m, p.a.Cols
	loaded := false
	for i := range some {
		b := &some[i]
		if b.from > from {
			break
		}
		values := t.values
		if b.ready {
			for q, row := range b.held {
				choose(values.Row(q)[:to-from], row, p.examples[from:to])
			}
		} else {
			if !loaded {
				t.cols.take(m, p.examples[from:to])
				loaded = true
			}
			values = m.between(&b.examples, &t.cols, t)
		}
		k := as(values.Slice(0, b.to-b.from, 0, to-from), wide)
		if from < p.count {
			own := part.Slice(b.from-some[0].from, b.to-some[0].from, 0, outputs)
			vec.Gemm(vec.NoTrans, vec.NoTrans, 1, k, p.a.Slice(from, to, 0, outputs), 1, own)
		}
		if b.from < from {
			vec.Gemm(vec.Transposed, vec.NoTrans, 1, k, p.a.Slice(b.from, b.to, 0, outputs), 1, p.sum.Slice(from, to, 0, outputs))
		}
	}
}

// as returns k in type S: as it is, or converted, in wide.
func as[T, S vec.Float](k vec.Matrix[T], wide *vec.Matrix[S]) vec.Matrix[S] {
	if same, ok := any(k).(vec.Matrix[S]); ok {
		return same
	}
	*wide = atLeast(*wide, k.Rows, k.Cols)
	w := wide.Slice(0, k.Rows, 0, k.Cols)
	for i := range k.Rows {
		vec.Convert(w.Row(i), k.Row(i))
	}
	return w
}

// byRows goes through whole rows of K, for which a thin Matrix has a way of its own.
func (p *product[T, S]) byRows() {
	m, n := p.m, len(p.examples)
	values, held := vec.NewMatrix[S](most, n), make([][]T, most)
	b := m.block()
	for from := 0; from < p.count; from += most {
		rows := p.examples[from:min(from+most, p.count)]
		to := held[:len(rows)]
		if m.cache.hold(rows, to) > 0 {
			b.index = b.index[:0]
			for q, i := range rows {
				if to[q] == nil {
					b.index = append(b.index, i)
				}
			}
			m.compute(p.workers, b)
		}
		computed := 0
		for q, row := range to {
			if row == nil {
				row = b.values.Row(computed)
				computed++
			}
			for c, j := range p.examples {
				values.Row(q)[c] = S(row[j])
			}
		}
		m.cache.drop(rows, to)
		vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, values.Slice(0, len(rows), 0, n),
			p.a.Slice(from, from+len(rows), 0, p.a.Cols), 1, p.sum, p.workers)
	}
	m.pool.Put(b)
}
