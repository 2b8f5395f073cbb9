package gemm

import "unsafe"

// form is one of the ways to compute a product. It is chosen by the size of the whole product, before that is cut for
// several goroutines, since the bits of the result depend on it.
type form int

const (
	unknown form = iota
	byTiles      // the lanes of a vector are columns of C
	byDots       // the lanes are terms of a sum
	bySwap       // the lanes are rows of C: Cᵀ = Bᵀ Aᵀ is computed by tiles, then transposed
)

// few is the number of rows (or columns) from which a packed copy of the other operand is repaid.
const few = 12

// short times the size of an element is the most terms of a sum that is not worth another copy of C.
const short = 64

// shallow is the most terms at a time of long sums by bySwap, where rows of A are rows of vectors: so few that a block
// of them is wide, and is read along its rows from where the memory is far.
const shallow = 128

// choose returns the form. Tiles waste lanes when C has few columns, fewer than a vector or little more than a whole
// number of vectors; then lanes are taken along a side where numbers lie next to each other already.
func (p *Product[T]) choose(s *shape) form {
	vectors := (p.N + s.lanes - 1) >> s.log
	wasteful := 4*vectors*s.lanes >= 5*p.N && vectors <= 4
	long := p.K >= 8*s.lanes && s.cols > 0
	size := int(unsafe.Sizeof(*p.A))
	switch {
	case (p.ACol == 1 || p.M == 1) && (p.BRow == 1 || p.N == 1) && long && (wasteful || p.M <= few || p.N <= few):
		// a vector's stride does not matter
		return byDots
	case p.ACol == 1 && long && wasteful && (p.N <= s.lanes && p.M >= few || p.M >= 4*few && p.N <= s.lanes*5/4):
		// B is small
		return byDots
	case p.BRow == 1 && p.BCol != 1 && long && p.M <= few && p.N >= few: // A is small
		return byDots
	case p.ARow == 1 && p.ACol != 1 && p.BCol == 1 && wasteful && p.M >= 2*s.lanes && p.K >= 4*size:
		// so long a sum repays the copy of C
		return bySwap
	case p.ACol == 1 && p.M&(s.lanes-1) == 0 && p.N&(s.lanes-1) != 0 && p.K > short*size && min(p.M, p.N/2) <= 64 &&
		p.copyA(s):
		// A is copied in any case
		return bySwap
	}
	return byTiles
}

// runDots computes the product by inner products of rows, for which it copies an operand that does not lie so.
func (p *Product[T]) runDots(s *shape) {
	a, lda, b, ldb := p.A, p.ARow, p.B, p.BCol
	sizeA, sizeB, width := 0, 0, wholeGroups[T](p.K)
	if p.ACol != 1 {
		sizeA = p.M * width
	}
	if p.BRow != 1 {
		sizeB = p.N * width
	}
	if sizeA+sizeB > 0 {
		w := workspaces.Get().(*workspace)
		defer workspaces.Put(w)
		roomA, roomB := room[T](w, sizeA, sizeB)
		if sizeA > 0 {
			packColumns(p.K, p.M, p.A, p.ACol, roomA, width)
			a, lda = roomA, width
		}
		if sizeB > 0 {
			packColumns(p.K, p.N, p.B, p.BRow, roomB, width)
			b, ldb = roomB, width
		}
	}
	dots(p.M, p.N, p.K, p.Alpha, a, lda, b, ldb, evenly(p.N, s.cols), p.Beta, p.C, p.LDC)
}

// runSwapped computes Cᵀ, some columns of it at a time, and adds it to Beta C; where sums are long, it begins with
// that, as tiles do. Then the bits are theirs, and the choice between the two may depend on how operands lie.
func (p *Product[T]) runSwapped(s *shape) {
	size := int(unsafe.Sizeof(*p.A))
	cache := level2 / 4 // for what is computed before it is transposed
	if p.K <= s.kc {
		cache = level1 / 2
	}
	step := min(p.M, max(cache/(p.N*size)&^63, 64))
	loan := Borrow[T](step * p.N)
	defer loan.Return()
	for i := 0; i < p.M; i += step {
		q := Product[T]{M: p.N, N: min(step, p.M-i), K: p.K, Alpha: p.Alpha}
		if p.ACol != 1 && p.K > s.kc {
			q.kc, q.copy = shallow, scattered(p.A, p.ACol, p.M*p.K)
		}
		q.A, q.ARow, q.ACol = p.B, p.BCol, p.BRow
		q.B, q.BRow, q.BCol = at(p.A, i*p.ARow), p.ACol, p.ARow
		q.C, q.LDC = loan.p, q.N
		c, beta := at(p.C, i*p.LDC), p.Beta
		if beta != 0 && p.K > short*size {
			transpose(q.N, q.M, c, p.LDC, 0, q.C, q.LDC)
			q.Beta, beta = beta, 0
		}
		q.runTiles(s)
		transpose(q.M, q.N, q.C, q.LDC, beta, c, p.LDC)
	}
}
