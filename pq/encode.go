package pq

import (
	"fmt"
	"sync"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Encode writes the codes of the rows of x to dst, one after the other: x is n-by-d and dst has n times CodeSize
// bytes. Part j of a code is the number of the centroid nearest to subspace j of the row; where several are equally
// near it is the lowest of their numbers. Distances are
//
//	d = Σ_t (x_t - c_t)²
//
// in float32, one term after the other, fused. So the same vectors have the same codes on every machine, unless there
// is a rotation: that is a matrix product, whose last bits depend on the CPU.
//
// Sizes that do not fit, and rows that hold NaN or an infinity or lie so far out that a distance overflows, are an
// error; then dst holds nothing of use. workers is the number of goroutines; 0 stands for one for each core. The cost
// is 2^NBits d operations a row.
func (q *Quantizer) Encode(dst []byte, x vec.Matrix[float32], workers int) error {
	if err := q.checkRows(x); err != nil {
		return err
	}
	size := q.CodeSize()
	if len(dst) != x.Rows*size {
		return fmt.Errorf("pq: %d bytes for the codes of %d rows, want %d of %d bytes each",
			len(dst), x.Rows, x.Rows*size, size)
	}
	workers, err := workersOf("workers", workers)
	if err != nil {
		return err
	}
	chunks := shape.Pieces(x.Rows, chunkRows)
	bad := make([]bool, chunks)
	parallel.Do(workers, chunks, func(_, i int) {
		from, to := i*chunkRows, min((i+1)*chunkRows, x.Rows)
		e := q.encoder()
		bad[i] = !e.encode(dst[from*size:to*size], x.Slice(from, to, 0, x.Cols))
		encoders.Put(e)
	})
	for i, b := range bad {
		if b {
			return q.badRow(x, i*chunkRows)
		}
	}
	return nil
}

// EncodeVector writes the code of x, a vector of d numbers, to dst, which has CodeSize bytes. It fails where Encode
// does, and allocates nothing once warm.
func (q *Quantizer) EncodeVector(dst []byte, x []float32) error {
	if len(x) != q.d {
		return fmt.Errorf("pq: a vector of %d dimensions, want d=%d", len(x), q.d)
	}
	if len(dst) != q.CodeSize() {
		return fmt.Errorf("pq: %d bytes for a code, want %d", len(dst), q.CodeSize())
	}
	e := q.encoder()
	defer encoders.Put(e)
	if !e.encodeOne(dst, x) {
		return q.badRow(vec.MatrixOf(1, q.d, x), 0)
	}
	return nil
}

func (q *Quantizer) checkRows(x vec.Matrix[float32]) error { return checkRows(x, q.d) }

func checkRows(x vec.Matrix[float32], d int) error {
	if err := x.Validate(); err != nil {
		return fmt.Errorf("pq: %w", err)
	}
	if x.Cols != d && x.Rows > 0 {
		return fmt.Errorf("pq: vectors of %d dimensions, want d=%d", x.Cols, d)
	}
	return nil
}

// badRow describes what is wrong with the first bad row from the given one on.
func (q *Quantizer) badRow(x vec.Matrix[float32], from int) error {
	if err := checkFinite(x, from); err != nil {
		return err
	}
	return fmt.Errorf("pq: a row between %d and %d is too far from every centroid: its squared distance overflows "+
		"float32",
		from, min(from+chunkRows, x.Rows)-1)
}

// checkFinite returns an error that names the first NaN or infinity in the rows from the given one on.
func checkFinite(x vec.Matrix[float32], from int) error {
	for i := from; i < x.Rows; i++ {
		for t, v := range x.Row(i) {
			if !finite(v) {
				return fmt.Errorf("pq: row %d, column %d is %v", i, t, v)
			}
		}
	}
	return nil
}

// chunkRows rows are encoded subspace by subspace: the packed points (of 16 dimensions 16 KB) stay in the first cache.
const chunkRows = 256

// encoder is the scratch memory of one goroutine.
type encoder struct {
	q       *Quantizer
	rotated []float32 // (chunkRows, d), with a rotation
	tail    []float32 // (Lanes, dsub): the last rows, which fill no block
	packed  []float32
	dist    [chunkRows]float32
	parts   []byte // (chunkRows, M)
	table   []float32
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func (q *Quantizer) encoder() *encoder {
	e := encoders.Get().(*encoder)
	e.q = q
	width := q.width(0)
	e.tail = atLeast(e.tail, kernel.Lanes*width)
	e.packed = atLeast(e.packed, chunkRows*width)
	e.parts = atLeast(e.parts, chunkRows*q.m)
	e.table = atLeast(e.table, q.ksub)
	if q.rotation != nil {
		e.rotated = atLeast(e.rotated, chunkRows*q.d)
	}
	return e
}

// atLeast returns s or, if it is shorter than n, a longer slice.
func atLeast[T any](s []T, n int) []T {
	if len(s) < n {
		return make([]T, n)
	}
	return s
}

const infinity = 0x7f800000 // as bits

// encode encodes at most chunkRows rows and reports whether all had a finite distance.
func (e *encoder) encode(codes []byte, x vec.Matrix[float32]) bool {
	q := e.q
	if x.Rows < oneByOne {
		for i := range x.Rows {
			if !e.encodeOne(codes[i*q.CodeSize():][:q.CodeSize()], x.Row(i)) {
				return false
			}
		}
		return true
	}
	if q.rotation != nil {
		x = q.rotate(e.rotated, x)
	}
	direct := q.nbits == 8 && x.Rows%kernel.Lanes == 0
	parts := e.parts
	if direct {
		parts = codes
	}
	var worst uint32
	for j := range q.m {
		dsub := q.width(j)
		blocks := e.pack(x, q.offset[j], dsub)
		columns := q.column(j)
		worst = max(worst, kernel.Assign(blocks, dsub, q.ksub, &e.packed[0], &columns[0], &parts[j], q.m, &e.dist[0]))
	}
	if !direct {
		for i, size := 0, q.CodeSize(); i < x.Rows; i++ {
			q.pack(codes[i*size:][:size], parts[i*q.m:][:q.m])
		}
	}
	return worst < infinity
}

// pack brings dsub columns of x into the order of Assign and returns the number of blocks. The last is filled up with
// copies of the last row.
func (e *encoder) pack(x vec.Matrix[float32], from, dsub int) (blocks int) {
	full, rest := x.Rows/kernel.Lanes, x.Rows%kernel.Lanes
	if full > 0 {
		kernel.Pack(full, dsub, &x.Data[from], x.Stride, &e.packed[0])
	}
	if rest == 0 {
		return full
	}
	for l := range kernel.Lanes {
		copy(e.tail[l*dsub:][:dsub], x.Data[min(full*kernel.Lanes+l, x.Rows-1)*x.Stride+from:][:dsub])
	}
	kernel.Pack(1, dsub, &e.tail[0], dsub, &e.packed[full*kernel.Lanes*dsub])
	return full + 1
}

// oneByOne is the number of rows from which on a block of 16 is cheaper than rows one by one.
const oneByOne = 6

// encodeOne encodes one row by way of its distance tables, whose numbers Assign has, too.
func (e *encoder) encodeOne(code []byte, x []float32) bool {
	q := e.q
	if q.rotation != nil {
		x = q.rotate(e.rotated, vec.MatrixOf(1, q.d, x)).Data
	}
	table := e.table[:q.ksub]
	for j := range q.m {
		kernel.TableL2(q.width(j), q.ksub, &x[q.offset[j]], &q.column(j)[0], &table[0])
		best := vec.ArgMin(table)
		if !finite(table[best]) {
			return false
		}
		e.parts[j] = byte(best)
	}
	q.pack(code, e.parts[:q.m])
	return true
}
