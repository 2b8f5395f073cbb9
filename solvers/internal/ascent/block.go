package ascent

import (
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// block is scratch memory for updates of examples whose scores come from one product.
type block[T vec.Float] struct {
	x      vec.Matrix[T] // the examples, size-by-d
	scores vec.Matrix[T] // size-by-m and columns up to a multiple of lanes
	delta  vec.Matrix[T] // their moves
	gram   vec.Matrix[T] // their inner products
	step   []T           // of one visit, as a row of scores
	passes int           // over the examples of a block

	count []int   // of each class's moves in a block
	place []int32 // which examples they are of, in room for size of them for each class
	value []T     // and how large
}

func newBlock[T vec.Float](d, m, size, passes int) block[T] {
	wide := padded[T](m)
	b := block[T]{scores: vec.NewMatrix[T](size, wide), step: make([]T, wide), passes: passes}
	if size > 1 {
		b.x, b.delta, b.gram = vec.NewMatrix[T](size, d), vec.NewMatrix[T](size, wide), vec.NewMatrix[T](size, size)
	}
	if byClass(size) {
		b.count, b.place, b.value = make([]int, m), make([]int32, m*size), make([]T, m*size)
	}
	return b
}

// byClass reports whether W is held by classes: see weights.
func byClass(size int) bool { return size >= 32 }

func (b *block[T]) size() int { return b.scores.Rows }

// update visits the given examples one after the other, as often as passes says, and tells which moved. The scores of
// all are of the W before the block; s_q grows by <x_p, x_q> delta_p when example p moves. The examples of next are
// those to come: what they need is on its way meanwhile.
func (w *worker[T]) update(rows, next []int, moved []bool) {
	clear(moved)
	if w.block.size() == 1 {
		if len(next) > 0 {
			w.ahead(next[0])
		}
		moved[0] = w.updateOne(rows[0])
		return
	}
	b, size := &w.block, len(rows)
	x, gram := rowsFrom(&b.x, 0, size), rowsFrom(&b.gram, 0, size)
	gram.Cols = size
	scores, delta := rowsFrom(&b.scores, 0, size), rowsFrom(&b.delta, 0, size)
	w.rows.x.Gather(x, rows)
	w.weights.scores(scores, x)
	clear(delta.Data)
	known := false
	for pass := range b.passes {
		again := false
		for p, i := range rows {
			if pass == 0 {
				w.keep(i)
				if p < len(next) {
					w.ahead(next[p])
				}
			}
			movedNow, gap := w.visit(i, scores.Row(p), b.step[:w.s.cols])
			if pass == 0 {
				w.note(i, gap)
			}
			if !movedNow {
				continue
			}
			again, moved[p] = true, true
			vec.Axpy(1, b.step, delta.Row(p))
			if !known {
				known = true
				vec.Gram(gram, x)
			}
			from := 0
			if pass == b.passes-1 {
				from = p + 1
			}
			if from < size {
				later := rowsFrom(&scores, from, size)
				w.rows.ger(&later, gram.Row(p)[from:], b.step)
			}
		}
		if !again {
			break
		}
	}
	switch {
	case known && w.weights.byClass:
		b.addByClass(w.weights.Matrix, x, moved)
	case known:
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, x, delta, 1, w.weights.Matrix)
	}
}

// rowsFrom is a.Slice of whole rows without its checks, for a's whose rows follow each other without gaps.
func rowsFrom[T vec.Float](a *vec.Matrix[T], i, i2 int) vec.Matrix[T] {
	return vec.Matrix[T]{Rows: i2 - i, Cols: a.Cols, Data: a.Data[i*a.Stride : i2*a.Stride], Stride: a.Stride}
}

// addByClass adds deltaᵀ X to W: for each class the rows of X with their moves, or the product where more than a
// quarter of delta is not 0, as with softmax.
func (b *block[T]) addByClass(w, x vec.Matrix[T], moved []bool) {
	size, m, total := b.size(), len(b.count), 0
	clear(b.count)
	for p, any := range moved[:x.Rows] {
		if !any {
			continue
		}
		for c, v := range b.delta.Row(p)[:m] {
			if v != 0 {
				k := c*size + b.count[c]
				b.place[k], b.value[k] = int32(p), v
				b.count[c]++
				total++
			}
		}
	}
	if total > m*x.Rows/4 {
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, b.delta.Slice(0, x.Rows, 0, m), x, 1, w)
		return
	}
	for c, n := range b.count {
		if n > 0 {
			k := c * size
			vec.SparseGemvT(1, x, b.place[k:k+n], b.value[k:k+n], 1, w.Row(c))
		}
	}
}

// updateOne visits one example and tells whether it moved.
func (w *worker[T]) updateOne(i int) bool {
	b := &w.block
	w.keep(i)
	w.rows.scores(b.scores.Data, i, &w.weights.Matrix)
	moved, gap := w.visit(i, b.scores.Data, b.step[:w.s.cols])
	w.note(i, gap)
	if moved {
		w.rows.add(&w.weights.Matrix, i, b.step)
	}
	return moved
}

// smallBlocks is the number of features below which blocks are small.
const smallBlocks = 256

// blockSize returns how many examples share a product, and how many passes there are over them. A block's products run
// at the speed of the machine; its inner products cost as much as size/2 more classes; passes after the first cost no
// features. So blocks pay where examples are dense and W is not tiny, and passes where features outnumber the block,
// one more where visits cost little.
func blockSize[T vec.Float](x design.Matrix[T], d, m int, fused bool) (size, passes int) {
	switch {
	case design.IsSparse(x) || d*m <= 2048:
		return 1, 1
	case m < 48 || d < smallBlocks:
		return 8, 1
	case !fused:
		return 64, 3
	}
	return 64, 4
}
