package kernel

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
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

// edge is the most examples in a block, or half as many where they are very long: whole panels.
const edge = 128

func (m *Matrix[T]) edge() int {
	if m.d > 1<<13 {
		return edge / 2
	}
	return edge
}

// blockRows is a block I: where its examples are, and these, or their rows where all of them are in memory.
type blockRows[T vec.Float] struct {
	from, to int
	held     Lent[T]
	examples *batch[T]       // nil: all rows are held
	single   *batch[float32] // of Matrix.single
}

func (p *product[T, S]) byTiles() {
	bounds, own := p.bounds()
	count := len(bounds) - 1
	size := shape.Pieces(count, groups) // of a group
	rows := make([]blockRows[T], min(stripe, own))
	parts := make([]vec.Matrix[S], shape.Pieces(count, size))
	tiles := make([]tile[T, S], min(p.workers, len(parts)))
	if p.m.k != nil {
		p.m.prepare(p.workers)
	}
	for first := 0; first < own; first += stripe {
		some := rows[:min(stripe, own-first)]
		parallel.Do(p.workers, len(some), func(_, i int) { p.load(&some[i], bounds[first+i], bounds[first+i+1]) })
		start, end := bounds[first], bounds[first+len(some)]
		parallel.Do(p.workers, len(parts)-first/size, func(w, g int) {
			g += first / size
			if g*size < own && parts[g].Rows == 0 {
				parts[g] = vec.NewMatrix[S](end-start, p.a.Cols)
			}
			t := &tiles[w]
			for j := max(first, g*size); j < min((g+1)*size, count); j++ {
				p.column(t, some, parts[g], j == g*size, bounds[j], bounds[j+1])
			}
		})
		parallel.Do(p.workers, len(some), func(_, i int) {
			b := &some[i]
			for q := b.from; q < b.to; q++ {
				for g := (first + i) / size; g*size < own; g++ {
					vec.Axpy(1, parts[g].Row(q-start), p.sum.Row(q))
				}
			}
			p.m.Return(&b.held)
			if b.examples != nil {
				p.m.batches.Put(b.examples)
			}
			if b.single != nil {
				p.m.single.batches.Put(b.single)
			}
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
	b.from, b.to, b.examples, b.single = from, to, nil, nil
	p.m.lend(&b.held, p.examples[from:to], held, 1)
	if len(b.held.missing) > 0 {
		b.examples = p.m.batch(p.examples[from:to])
		if p.m.single != nil {
			b.single = p.m.single.batch(p.examples[from:to])
		}
	}
}

// column goes through the tiles of blocks I with the block J of the examples from, ..., to-1. J is the first of its
// group that a block I meets where it begins the group, and where it is I: that sets part_I, whatever it held.
func (p *product[T, S]) column(t *tile[T, S], some []blockRows[T], part vec.Matrix[S], begins bool, from, to int) {
	outputs := p.a.Cols
	t.take(p.examples[from:to])
	for i := range some {
		b := &some[i]
		if b.from > from {
			break
		}
		k := t.values(p.m, b)
		if from < p.count {
			own, beta := part.Slice(b.from-some[0].from, b.to-some[0].from, 0, outputs), S(1)
			if begins || b.from == from {
				beta = 0
			}
			vec.Gemm(vec.NoTrans, vec.NoTrans, 1, k, p.a.Slice(from, to, 0, outputs), beta, own)
		}
		if b.from < from {
			vec.Gemm(vec.Transposed, vec.NoTrans, 1, k, p.a.Slice(b.from, b.to, 0, outputs), 1,
				p.sum.Slice(from, to, 0, outputs))
		}
	}
}
