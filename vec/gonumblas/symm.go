package gonumblas

import (
	products "github.com/dualgap/dualgap/asm/gemm"
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
)

// tile is the size of blocks on the diagonal that are worked off as squares.
const tile = 32

// symm computes C = alpha A B + beta C or, on the right side, C = alpha B A + beta C with a symmetric A, or reports
// that it does not.
func symm[T vec.Float](side blas.Side, uplo blas.Uplo, m, n int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T,
	ldc int) bool {
	size := m
	if side == blas.Right {
		size = n
	}
	x, y, z := matrix(size, size, a, lda), matrix(m, n, b, ldb), matrix(m, n, c, ldc)
	if side != blas.Left && side != blas.Right || !isUplo(uplo) || alpha == 0 || !sound(x) || !sound(y) || !sound(z) {
		return false
	}
	symmetric[T]{side == blas.Left, uplo == blas.Lower}.product(alpha, x, y, beta, z)
	return true
}

// symmetric says on which side of a product a symmetric matrix stands, and which of its triangles is stored.
type symmetric[T vec.Float] struct{ left, lower bool }

// product halves A: the rectangle beside its diagonal serves twice, once transposed.
func (s symmetric[T]) product(alpha T, a, b vec.Matrix[T], beta T, c vec.Matrix[T]) {
	n := a.Rows
	if n <= tile {
		s.small(alpha, a, b, beta, c)
		return
	}
	k := half(n)
	b1, b2 := s.parts(b, k)
	c1, c2 := s.parts(c, k)
	s.product(alpha, a.Slice(0, k, 0, k), b1, beta, c1)
	s.product(alpha, a.Slice(k, n, k, n), b2, beta, c2)
	if s.lower {
		s.beside(alpha, a.Slice(k, n, 0, k), b1, b2, c1, c2)
	} else {
		s.beside(alpha, a.Slice(0, k, k, n), b2, b1, c2, c1)
	}
}

// beside adds what the block of a lower triangle contributes: from left C2 += R B1 and C1 += Rᵀ B2, from right C1 += B2
// R and C2 += B1 Rᵀ. An upper triangle exchanges 1 and 2.
func (s symmetric[T]) beside(alpha T, r, b1, b2, c1, c2 vec.Matrix[T]) {
	if s.left {
		product(false, false, alpha, r, b1, 1, c2)
		product(true, false, alpha, r, b2, 1, c1)
	} else {
		product(false, false, alpha, b2, r, 1, c1)
		product(false, true, alpha, b1, r, 1, c2)
	}
}

func (s symmetric[T]) parts(b vec.Matrix[T], k int) (first, last vec.Matrix[T]) {
	if s.left {
		return b.Slice(0, k, 0, b.Cols), b.Slice(k, b.Rows, 0, b.Cols)
	}
	return b.Slice(0, b.Rows, 0, k), b.Slice(0, b.Rows, k, b.Cols)
}

// small completes A to a square.
func (s symmetric[T]) small(alpha T, a, b vec.Matrix[T], beta T, c vec.Matrix[T]) {
	loan := products.Borrow[T](tile * tile)
	defer loan.Return()
	room, n := loan.Slice(), a.Rows
	full := matrix(n, n, room, tile)
	for i := range n {
		room[i*tile+i] = a.Data[i*a.Stride+i]
		row, lo := beside(a, s.lower, i)
		for j, v := range row {
			room[i*tile+lo+j], room[(lo+j)*tile+i] = v, v
		}
	}
	if s.left {
		vec.Gemm(vec.NoTrans, vec.NoTrans, alpha, full, b, beta, c)
	} else {
		vec.Gemm(vec.NoTrans, vec.NoTrans, alpha, b, full, beta, c)
	}
}
