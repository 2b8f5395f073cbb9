package gonumblas

import (
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/blas"
)

// symv computes y = alpha A x + beta y with a symmetric A of which one triangle is stored, or reports that it does not.
// Each block outside the diagonal serves twice, once transposed.
func symv[T vec.Float](uplo blas.Uplo, n int, alpha T, a []T, lda int, x []T, incX int, beta T, y []T, incY int) bool {
	if !isUplo(uplo) || alpha == 0 || !isMatrix(n, n, lda, len(a)) || !isVector(n, incX, len(x)) ||
		!isVector(n, incY, len(y)) {
		return false
	}
	xs, ys, mat := strided[T]{n, incX, x}, strided[T]{n, incY, y}, matrix(n, n, a, lda)
	ys.scale(beta)
	var xi, xj, yi, yj [chunk]T
	for i := 0; i < n; i += chunk {
		i2 := min(i+chunk, n)
		x1, y1 := xs.load(i, i2, &xi), ys.load(i, i2, &yi)
		symvDiagonal(uplo == blas.Lower, alpha, mat.Slice(i, i2, i, i2), x1, y1)
		for j := 0; j < i; j += chunk {
			x2, y2 := xs.load(j, j+chunk, &xj), ys.load(j, j+chunk, &yj)
			if uplo == blas.Lower {
				block := mat.Slice(i, i2, j, j+chunk)
				vec.Gemv(alpha, block, x2, 1, y1)
				vec.GemvT(alpha, block, x1, 1, y2)
			} else {
				block := mat.Slice(j, j+chunk, i, i2)
				vec.GemvT(alpha, block, x2, 1, y1)
				vec.Gemv(alpha, block, x1, 1, y2)
			}
			ys.store(j, y2)
		}
		ys.store(i, y1)
	}
	return true
}

func symvDiagonal[T vec.Float](lower bool, alpha T, a vec.Matrix[T], x, y []T) {
	for i, v := range x {
		row, lo := beside(a, lower, i)
		hi := lo + len(row)
		y[i] += alpha * (a.Data[i*a.Stride+i]*v + vec.Dot(row, x[lo:hi]))
		vec.Axpy(alpha*v, row, y[lo:hi])
	}
}

// syr adds alpha x xᵀ to one triangle of A, or reports that it does not.
func syr[T vec.Float](uplo blas.Uplo, n int, alpha T, x []T, incX int, a []T, lda int) bool {
	if !isUplo(uplo) || alpha == 0 || !isMatrix(n, n, lda, len(a)) || !isVector(n, incX, len(x)) {
		return false
	}
	xs := strided[T]{n, incX, x}
	rankOne(uplo == blas.Lower, alpha, xs, xs, matrix(n, n, a, lda))
	return true
}

// syr2 adds alpha (x yᵀ + y xᵀ) to one triangle of A, or reports that it does not.
func syr2[T vec.Float](uplo blas.Uplo, n int, alpha T, x []T, incX int, y []T, incY int, a []T, lda int) bool {
	if !isUplo(uplo) || alpha == 0 || !isMatrix(n, n, lda, len(a)) || !isVector(n, incX, len(x)) ||
		!isVector(n, incY, len(y)) {
		return false
	}
	xs, ys, mat := strided[T]{n, incX, x}, strided[T]{n, incY, y}, matrix(n, n, a, lda)
	rankOne(uplo == blas.Lower, alpha, xs, ys, mat)
	rankOne(uplo == blas.Lower, alpha, ys, xs, mat)
	return true
}

// rankOne adds alpha x yᵀ to the triangle, diagonal included, row by row.
func rankOne[T vec.Float](lower bool, alpha T, x, y strided[T], a vec.Matrix[T]) {
	var room [chunk]T
	for j := 0; j < y.n; j += y.step() {
		j2 := min(j+y.step(), y.n)
		ys := y.load(j, j2, &room)
		rows, end := 0, j2 // the rows of the triangle that meet columns [j, j2)
		if lower {
			rows, end = j, y.n
		}
		for i := rows; i < end; i++ {
			lo, hi := max(i, j), j2
			if lower {
				lo, hi = j, min(i+1, j2)
			}
			vec.Axpy(alpha*x.data[x.at(i)], ys[lo-j:hi-j], a.Data[i*a.Stride+lo:i*a.Stride+hi])
		}
	}
}
