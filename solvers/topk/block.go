package topk

import (
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// block is scratch memory for updates of examples whose scores come from one product.
type block[T vec.Float] struct {
	scores vec.Matrix[T] // size-by-m, as W padded
	delta  vec.Matrix[T] // the moves of the examples that moved
	step   []T           // of one visit
	moved  []int         // these examples
	place  []int         // of each example of the block in moved, or -1
	gram   vec.Matrix[T] // inner products of the block's examples; of row p once known[p]
	known  []bool
	passes int // over the examples of a block
}

func newBlock[T vec.Float](x solvers.Features[T], m, size int) block[T] {
	n, _ := x.Dims()
	passes := 1
	if size == 0 {
		size, passes = blockSize(x, m)
	}
	size = min(size, n)
	return block[T]{
		scores: vec.NewMatrix[T](size, m), delta: vec.NewMatrix[T](size, m), step: make([]T, m),
		moved: make([]int, 0, size), place: make([]int, size),
		gram: vec.NewMatrix[T](size, size), known: make([]bool, size), passes: passes,
	}
}

func (b *block[T]) size() int { return b.scores.Rows }

// update visits the given examples one after the other. The scores of all are of the W before the block; s_q grows by
// <x_p, x_q> delta_p when example p moves.
func (s *solver[T]) update(rows []int) {
	b := &s.block
	if len(rows) == 1 {
		s.updateOne(rows)
		return
	}
	scores := b.scores.Slice(0, len(rows), 0, b.scores.Cols)
	s.x.Scores(rows, s.w, scores)
	b.moved = b.moved[:0]
	clear(b.known)
	for p := range rows {
		b.place[p] = -1
	}
	for pass := range b.passes {
		last, any := pass == b.passes-1, false
		for p, i := range rows {
			moved, gap := s.visit(i, scores.Row(p), b.step[:s.m])
			if pass == 0 {
				s.gap[i] = gap
			}
			if !moved {
				continue
			}
			any = true
			if b.place[p] < 0 {
				b.place[p] = len(b.moved)
				b.moved = append(b.moved, i)
				copy(b.delta.Row(b.place[p]), b.step)
			} else {
				vec.Axpy(1, b.step, b.delta.Row(b.place[p]))
			}
			from := 0
			if last {
				from = p + 1
			}
			if from == len(rows) {
				continue
			}
			gram := b.gram.Row(p)[:len(rows)]
			if !b.known[p] {
				s.x.Gram(rows[p:p+1], rows[from:], vec.MatrixOf(1, len(rows)-from, gram[from:]))
				b.known[p] = !last
			}
			vec.Ger(1, gram[from:], b.step, scores.Slice(from, len(rows), 0, scores.Cols))
		}
		if !any {
			break
		}
	}
	for p, i := range rows {
		if b.place[p] < 0 {
			s.rested(i, s.epochs)
		} else {
			s.moved(i, s.epochs)
		}
	}
	if n := len(b.moved); n > 0 {
		s.x.Accumulate(b.moved, b.delta.Slice(0, n, 0, b.delta.Cols), s.w)
	}
}

// updateOne visits one example.
func (s *solver[T]) updateOne(rows []int) {
	b, i := &s.block, rows[0]
	scores := vec.Matrix[T]{Rows: 1, Cols: s.w.Cols, Stride: s.w.Cols, Data: b.scores.Data}
	s.x.Scores(rows, s.w, scores)
	moved, gap := s.visit(i, scores.Data, b.step[:s.m])
	s.gap[i] = gap
	if !moved {
		s.rested(i, s.epochs)
		return
	}
	s.moved(i, s.epochs)
	scores.Data = b.step
	s.x.Accumulate(rows, scores, s.w)
}

// blockSize returns how many examples pay for the Gram rows that they cost, and how many passes over them. Blocks read and
// write W once for all their examples: that pays where W exceeds a second-level cache, and not where examples are sparse
// and touch little of it.
func blockSize[T vec.Float](x solvers.Features[T], m int) (size, passes int) {
	const cache = 1 << 20
	_, d := x.Dims()
	if d*m*int(unsafe.Sizeof(T(0))) <= cache {
		return 1, 1
	}
	return 8, 1
}
