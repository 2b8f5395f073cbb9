package ascent

import (
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// block is scratch memory for updates of examples whose scores come from one product.
type block[T vec.Float] struct {
	rows   []int         // the examples, in room for all of a block
	x      vec.Matrix[T] // of them: their features, size-by-d, or their rows of K
	scores vec.Matrix[T] // size-by-m and columns up to a multiple of lanes
	delta  vec.Matrix[T] // their moves
	gram   vec.Matrix[T] // their inner products
	step   []T           // of one visit, as a row of scores
	passes int           // over the examples of a block
	all    bool          // a move changes all outputs, not a few

	count []int   // of each class's moves in a block
	place []int32 // which examples they are of, in room for size of them for each class
	value []T     // and how large
}

// newBlock is a block without x.
func newBlock[T vec.Float](m, size, passes int, all bool) block[T] {
	wide := padded[T](m)
	return block[T]{
		rows: make([]int, 0, size), scores: vec.NewMatrix[T](size, wide), delta: vec.NewMatrix[T](size, wide),
		gram: vec.NewMatrix[T](size, size), step: make([]T, wide), passes: passes, all: all,
	}
}

// byClass reports whether W is held by classes: see weights.
func byClass(size int) bool { return size >= 32 }

func (b *block[T]) size() int { return b.scores.Rows }

// visitor is a training whose examples are visited by blocks.
type visitor[T vec.Float] interface {
	// visitOf visits the example at place p of a block by its scores, sets step to its move, and reports whether that
	// is not 0.
	visitOf(p int, first bool) (moved bool)

	// products sets gram to the inner products of the block's examples.
	products(gram vec.Matrix[T])
}

// visit visits the examples of b.rows one after the other, as often as passes says, and reports whether one moved. The
// scores of all are of the A before the block; they follow each move, and the sums of moves are in delta:
//
//	a_p <- a_p + step_p           its optimum at the scores s_p, Algorithm 1 of Lapin, Hein and Schiele, lines 7-9
//	s_q <- s_q + K_pq step_p      for each q of the block that is still to be visited
func (b *block[T]) visit(of visitor[T]) (moved bool) {
	size := len(b.rows)
	gram, scores, delta := rowsFrom(&b.gram, 0, size), rowsFrom(&b.scores, 0, size), rowsFrom(&b.delta, 0, size)
	gram.Cols = size
	clear(delta.Data)
	for pass := range b.passes {
		again := false
		for p := range size {
			if !of.visitOf(p, pass == 0) {
				continue
			}
			if !moved {
				of.products(gram)
			}
			again, moved = true, true
			vec.Axpy(1, b.step, delta.Row(p))
			from := 0
			if pass == b.passes-1 {
				from = p + 1
			}
			if from < size {
				later := rowsFrom(&scores, from, size)
				ger(&later, gram.Row(p)[from:], b.step, b.all)
			}
		}
		if !again {
			break
		}
	}
	return moved
}

// update visits the given examples by one block, and tells which moved. The examples of next are those to come: what
// they need is on its way meanwhile.
func (w *worker[T]) update(rows, next []int, moved []bool) {
	clear(moved)
	b, size := &w.block, len(rows)
	if b.size() == 1 {
		if len(next) > 0 {
			w.prefetch(next[0])
		}
		moved[0] = w.updateOne(rows[0])
		return
	}
	b.rows, w.next, w.moved = append(b.rows[:0], rows...), next, moved
	x, delta := rowsFrom(&b.x, 0, size), rowsFrom(&b.delta, 0, size)
	w.rows.x.Gather(x, b.rows)
	w.weights.scores(rowsFrom(&b.scores, 0, size), x)
	switch {
	case !b.visit(w):
	case w.weights.byClass:
		b.addByClass(w.weights.Matrix, x, moved)
	default: // W += Xᵀ delta
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, x, delta, 1, w.weights.Matrix)
	}
}

// visitOf: see visitor, as of the next one.
func (w *worker[T]) visitOf(p int, first bool) bool {
	b, i := &w.block, w.block.rows[p]
	if first {
		w.keep(i)
		if p < len(w.next) {
			w.prefetch(w.next[p])
		}
	}
	moved, gap := w.visit(i, b.scores.Row(p), b.step[:w.s.cols])
	if first {
		w.note(i, gap)
	}
	w.moved[p] = w.moved[p] || moved
	return moved
}

func (w *worker[T]) products(gram vec.Matrix[T]) { vec.Gram(gram, rowsFrom(&w.block.x, 0, gram.Rows)) }

// rowsFrom is a.Slice of whole rows without its checks, for a's whose rows follow each other without gaps.
func rowsFrom[T vec.Float](a *vec.Matrix[T], i, i2 int) vec.Matrix[T] {
	return vec.Matrix[T]{Rows: i2 - i, Cols: a.Cols, Data: a.Data[i*a.Stride : i2*a.Stride], Stride: a.Stride}
}

// addByClass adds deltaᵀ X to W: for each class the rows of X with their moves, or the product where more than a
// quarter of delta is not 0, as with softmax.
func (b *block[T]) addByClass(w, x vec.Matrix[T], moved []bool) {
	size, m, total := b.size(), len(b.count), 0
	clear(b.count)
	for p, yes := range moved[:x.Rows] {
		if !yes {
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

// blocks returns how many of n examples a block has, and how many passes a visit of it makes.
func (p *Problem[T]) blocks(o Options, n, d int) (size, passes int) {
	size, passes = o.BlockSize, 1
	if size == 0 {
		size, passes = blockSize(p.X, d, p.Factor.Cols(p.Outputs), p.Loss.Traits().Fused)
	}
	return min(size, n), passes
}

// blockSize returns how many examples share a product, and how many passes there are over them. A block's products run
// at the speed of the machine; its inner products cost as much as size/2 more classes; passes after the first cost no
// features. So blocks pay where examples are dense and W is not tiny, and passes where features outnumber the block,
// one more where visits cost little.
func blockSize[T vec.Float](x design.Matrix[T], d, m int, fused bool) (size, passes int) {
	switch {
	case design.IsSparse(x) || d*m <= 2048:
		return 1, 1
	case m == 1: // a row of X is read once for the score and once, from the cache, for the move
		return 1, 1
	case m < 48 || d < smallBlocks:
		return 8, 1
	case !fused:
		return 64, 3
	}
	return 64, 4
}
