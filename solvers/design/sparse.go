package design

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Sparse returns x for solvers that visit its examples many times: x itself where it is sparse already or too dense to
// gain by it, else a copy of its numbers that leaves out the zeros. Where less than about 2/5 of the numbers are not 0,
// products with sparse rows are the faster ones. A sample of the examples decides. It is x itself, too, where that or
// what it wraps has a method InFile() bool that says true: its numbers are in a file, perhaps since memory is too small
// for them.
func Sparse[T vec.Float](x Matrix[T]) Matrix[T] {
	n, d := x.Dims()
	if n == 0 || d == 0 || IsSparse(x) || inFile(x) {
		return x
	}
	const most = 0.4
	sample := min(n, 64, max(1, 1<<20/d))
	stored := 0
	gatherEach(x, sample, func(p int) int { return p * (n / sample) }, func(_ int, row []T) {
		stored += nonZeros(row)
	})
	if float64(stored) > most*float64(sample)*float64(d) {
		return x
	}
	return compress(x, int(1.1*float64(stored)/float64(sample)*float64(n)))
}

// IsSparse reports whether x, or what it wraps, keeps sparse rows: products with it cost by the numbers that are not 0.
func IsSparse[T vec.Float](x Matrix[T]) bool {
	switch x := x.(type) {
	case SparseRows[T]:
		return true
	case *biased[T]:
		return IsSparse(x.x)
	case *subset[T]:
		return IsSparse(x.x)
	case interface{ isSparse() bool }:
		return x.isSparse()
	}
	return false
}

// inFile reports whether the numbers of x, or of what it wraps, are in a file and should not be copied into memory.
func inFile(x any) bool {
	f, ok := x.(interface{ InFile() bool })
	return ok && f.InFile()
}

// compress copies x; about expected numbers of it are not 0.
func compress[T vec.Float](x Matrix[T], expected int) Matrix[T] {
	n, d := x.Dims()
	c := &compressed[T]{n: n, d: d, ptr: make([]int, 1, n+1)}
	columns, values := make([]int32, 0, expected+d), make([]T, 0, expected+d)
	gatherEach(x, n, func(p int) int { return p }, func(_ int, row []T) {
		used := len(values)
		if cap(values)-used < d {
			columns, values = append(make([]int32, 0, 2*used+d), columns...), append(make([]T, 0, 2*used+d), values...)
		}
		k := keepNonZero(row, values[used:used+d], columns[used:used+d])
		columns, values = columns[:used+k], values[:used+k]
		c.ptr = append(c.ptr, used+k)
	})
	c.columns, c.values = columns, values
	return &sparse[T, T]{x: c}
}

// keepNonZero writes the numbers of row that are not 0 and their columns, and returns how many.
func keepNonZero[T vec.Float](row, values []T, columns []int32) (k int) {
	if vec.Min(row) >= 0 {
		return vec.FilterAbove(values, columns, row, 0)
	}
	for j, v := range row {
		values[k], columns[k] = v, int32(j) // the next number overwrites a 0
		if v != 0 {
			k++
		}
	}
	return k
}

func nonZeros[T vec.Float](row []T) (count int) {
	for _, v := range row {
		if v != 0 {
			count++
		}
	}
	return count
}

// gatherEach calls do with the rows row(0), ..., row(count-1) of x, decoded.
func gatherEach[T vec.Float](x Matrix[T], count int, row func(p int) int, do func(p int, row []T)) {
	if x, ok := x.(DenseRows[T]); ok {
		for p := range count {
			do(p, x.Row(row(p)))
		}
		return
	}
	_, d := x.Dims()
	size := min(count, 64, max(1, 1<<16/d))
	block, rows := vec.NewMatrix[T](size, d), make([]int, size)
	for p := 0; p < count; p += size {
		rows := rows[:min(size, count-p)]
		for q := range rows {
			rows[q] = row(p + q)
		}
		x.Gather(block.Slice(0, len(rows), 0, d), rows)
		for q := range rows {
			do(p+q, block.Row(q))
		}
	}
}

// compressed is n sparse rows.
type compressed[T vec.Float] struct {
	n, d    int
	ptr     []int
	columns []int32
	values  []T
}

func (c *compressed[T]) Dims() (n, d int) { return c.n, c.d }

func (c *compressed[T]) Row(i int) ([]int32, []T) {
	if uint(i) >= uint(c.n) {
		outOfRange(i, c.n)
	}
	p, q := c.ptr[i], c.ptr[i+1]
	return c.columns[p:q:q], c.values[p:q:q]
}

// Packed returns the rows as they lie in memory.
func (c *compressed[T]) Packed() (ptr []int, columns []int32, values []T) {
	return c.ptr, c.columns, c.values
}

func outOfRange(i, n int) { panic(shape.Errorf("design: Row", "row %d of %d examples", i, n)) }
