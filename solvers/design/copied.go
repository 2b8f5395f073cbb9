package design

import "github.com/dualgap/dualgap/vec"

// CopiedFloat64 returns x in float64 as [Float64] does, but converts DenseRows once, into a copy of 8 n d bytes: for
// solvers whose many passes over few examples would convert them each time. O(n d).
func CopiedFloat64[T vec.Float](x Matrix[T]) Matrix[float64] {
	own, dense := x.(DenseRows[T])
	if _, is := x.(Matrix[float64]); is || !dense {
		return Float64(x)
	}
	n, d := x.Dims()
	c := &copied{wide: Float64(x), Matrix: vec.NewMatrix[float64](n, d)}
	for i := range n {
		vec.Convert(c.Row(i), own.Row(i))
	}
	return c
}

// DenseFloat64 returns x in float64 as a copy of 8 n d bytes with all its zeros: for solvers whose many passes over few
// examples, not too sparse, would find the place of each number each time. O(n d).
func DenseFloat64[T vec.Float](x Matrix[T]) Matrix[float64] {
	n, d := x.Dims()
	c := &copied{wide: Float64(x), Matrix: vec.NewMatrix[float64](n, d)}
	c.wide.Gather(c.Matrix, nil)
	return c
}

// copied is the rows of wide in a matrix. Windows of it are windows of the matrix: see matrixRows.
type copied struct {
	vec.Matrix[float64]
	wide Matrix[float64]
}

func (f *copied) Dims() (n, d int) { return f.Rows, f.Cols }

func (f *copied) SquaredNorms(dst []float64) {
	mustHold(dst, f.Rows)
	for i := range dst {
		dst[i] = vec.SquaredNorm(f.Row(i))
	}
}

func (f *copied) Gather(dst vec.Matrix[float64], rows []int) {
	mustBe("Gather", "dst", &dst, count(rows, f.Rows), f.Cols)
	for _, i := range rows {
		if uint(i) >= uint(f.Rows) {
			f.wide.Gather(dst, rows) // says so
			return
		}
	}
	for p := range dst.Rows {
		copy(dst.Row(p), f.Row(at(rows, p)))
	}
}

func (f *copied) Scores(dst, w vec.Matrix[float64], rows []int) {
	if rows != nil || isColumn(w) && dst.Stride != 1 {
		f.wide.Scores(dst, w, rows)
		return
	}
	matrixScores(dst, w, f.Matrix)
}

func (f *copied) Accumulate(w, a vec.Matrix[float64], rows []int) {
	if rows != nil || isColumn(w) && a.Stride != 1 {
		f.wide.Accumulate(w, a, rows)
		return
	}
	matrixAccumulate(w, a, f.Matrix)
}

func (f *copied) Gram(dst vec.Matrix[float64], rows, cols []int) { f.wide.Gram(dst, rows, cols) }
