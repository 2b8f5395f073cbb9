package pq

import (
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/asm/lookup"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Matrix is a design matrix X of n examples by d features whose rows are held as codes: it needs M bytes for a row of
// 4d. Row i is the decoded code x̂_i. It satisfies design.Matrix[float32], so that every solver trains on it.
//
// Products with it never decode when they take many rows: with C_q the centroids of subspace q and c(i,q) the code,
//
//	X W:   (X W)_i = Σ_q T_q[c(i,q)],   T_q = C_q W_q      W_q the rows of W in subspace q
//	Xᵀ A:  (Xᵀ A)_q = C_qᵀ D_q,          D_q[c] = Σ_{i: c(i,q)=c} A_i
//
// so that a row costs M additions of m numbers in place of d multiplications. Tables cost 2^NBits d m operations a
// call: a call with few rows decodes them and uses a matrix product.
//
// A Matrix is immutable and safe for concurrent use. Results have the same bits for any number of workers. Rows are
// numbers from 0 to n-1, in any order and as often as you like; nil stands for all. As with every design.Matrix, sizes
// that do not fit and rows that are not there panic with a [vec.ShapeError] that names the numbers.
type Matrix struct {
	onlyFiles
	q      *Quantizer
	n      int
	blocks []byte // (blocks, M, 256): the code of row i in subspace q is at [i/256][q][i%256]
	norms  []float32
	o      MatrixOptions

	index     sync.Once
	lists     []lists // of all rows
	scratches scratches
}

// NewMatrix returns the matrix of n rows whose codes, n times CodeSize bytes as Encode gives them, follow one
// another. It copies them. Another number of bytes, a nil quantizer and options that mean nothing are errors.
func NewMatrix(q *Quantizer, n int, codes []byte, o MatrixOptions) (*Matrix, error) {
	if q == nil {
		return nil, errNoQuantizer
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if n < 0 || len(codes)/q.CodeSize() != n || len(codes)%q.CodeSize() != 0 {
		return nil, fmt.Errorf("pq: %d bytes for the codes of %d rows, want %d bytes a row",
			len(codes), n, q.CodeSize())
	}
	x := &Matrix{q: q, o: o, blocks: make([]byte, 0, shape.Pieces(n, lookup.Rows)*q.m*lookup.Rows)}
	for i := range n {
		x.add(codes[i*q.CodeSize() : (i+1)*q.CodeSize()])
	}
	x.setNorms()
	return x, nil
}

// add appends a row while the matrix is made.
func (x *Matrix) add(code []byte) {
	if x.n%lookup.Rows == 0 {
		x.blocks = append(x.blocks, make([]byte, x.q.m*lookup.Rows)...)
	}
	for j := range x.q.m {
		x.blocks[x.at(x.n, j)] = byte(x.q.codePart(code, j))
	}
	x.n++
}

// at is the place of row i's code in subspace j.
func (x *Matrix) at(i, j int) int {
	return (i/lookup.Rows*x.q.m+j)*lookup.Rows + i%lookup.Rows
}

// setNorms computes |x̂_i|² from the rows themselves, so that they agree with Gram: a Gaussian kernel is positive
// definite only then.
func (x *Matrix) setNorms() {
	x.norms = make([]float32, x.n)
	s := x.scratch()
	defer x.scratches.put(s)
	for from := 0; from < x.n; from += gatherRows {
		rows := s.rowsOf(from, min(from+gatherRows, x.n))
		dense := s.matrix(len(rows), x.q.d)
		x.Gather(dense, rows)
		for i, row := range rows {
			x.norms[row] = vec.SquaredNorm(dense.Row(i))
		}
	}
}

// Dims returns the number of rows n and of features d.
func (x *Matrix) Dims() (n, d int) { return x.n, x.q.d }

// Quantizer returns the quantizer of the codes.
func (x *Matrix) Quantizer() *Quantizer { return x.q }

// Bytes is the memory that the codes take, M bytes a row. The first Accumulate of all rows with more than 8 columns
// makes lists of rows by code, which take 2 M bytes a row more.
func (x *Matrix) Bytes() int { return len(x.blocks) }

// SquaredNorms sets dst[i] = |x̂_i|²; dst has n elements.
func (x *Matrix) SquaredNorms(dst []float32) {
	if len(dst) != x.n {
		panic(shape.Errorf("pq: Matrix.SquaredNorms", "%d squared norms for %d rows", len(dst), x.n))
	}
	copy(dst, x.norms)
}

// rowsWanted is the number of rows that a caller means, nil standing for all.
func (x *Matrix) rowsWanted(function string, rows []int) int {
	if rows == nil {
		return x.n
	}
	for _, i := range rows {
		if i < 0 || i >= x.n {
			panic(shape.Errorf("pq: "+function, "row %d of a matrix with %d rows", i, x.n))
		}
	}
	return len(rows)
}

// inPlace returns nil and the first of rows where they are neighbours from the beginning of a block on, whose codes lie
// as a product wants them: then none are copied. Of other rows it returns 0 and rows.
func (x *Matrix) inPlace(rows []int) (start int, _ []int) {
	if len(rows) == 0 || rows[0]%lookup.Rows != 0 {
		return 0, rows
	}
	for k, i := range rows {
		if i != rows[0]+k {
			return 0, rows
		}
	}
	return rows[0], nil
}

// checkSize panics unless a is rows-by-cols.
func checkSize[T vec.Float](function, name string, a vec.Matrix[T], rows, cols int) {
	a.Check()
	if a.Rows != rows || a.Cols != cols {
		panic(shape.Errorf("pq: "+function, "%s is %dx%d, want %dx%d", name, a.Rows, a.Cols, rows, cols))
	}
}
