// Package columns transposes sparse rows: for each feature it lists the rows that have it and their values (compressed
// sparse columns). A product of all rows with a sparse vector then costs what the lists of that vector's features hold,
// instead of a look at every row.
package columns

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/dualgap/dualgap/asm/sparse"
	"github.com/dualgap/dualgap/internal/shape"
)

type float interface{ float32 | float64 }

// Columns is the transposed copy of n rows. Features that no row has are in no list, so that memory does not grow with
// d: 4 bytes and a value for each number that the rows hold, and 20 bytes at most for each feature that one of them
// has. It does not change and is safe for concurrent use.
type Columns[T float] struct {
	n        int
	features []int32 // that rows have, ascending
	start    []int   // the numbers of feature features[f] lie at start[f] to start[f+1] of:
	rows     []int32 // ascending
	values   []T

	// The features from b << shift to (b+1) << shift - 1 lie at first[b] to first[b+1] of features: about one.
	first []int32
	shift int
}

// New returns the transposed copy of n rows of d features: row(i) returns the features, none of them twice, and the
// values of row i. It calls row several times with every i. A feature that is not in [0, d) is an error, and so are
// more than 2^31-1 rows or features. O(n + d + nnz), and O(nnz log nnz) where d > 8 nnz.
func New[T float](n, d int, row func(i int) (features []int32, values []T)) (*Columns[T], error) {
	if n > math.MaxInt32 || d > math.MaxInt32 {
		return nil, fmt.Errorf("%d sparse rows of %d features, want at most %d of each", n, d, math.MaxInt32)
	}
	stored := 0
	for i := range n {
		features, values := row(i)
		if len(features) != len(values) {
			return nil, fmt.Errorf("row %d has %d features and %d values", i, len(features), len(values))
		}
		stored += len(features)
	}
	c := &Columns[T]{n: n, rows: make([]int32, stored), values: make([]T, stored)}
	fill := c.byTable
	if d/8 > stored { // a table of all features would take more memory than the numbers
		fill = c.bySearch
	}
	if err := fill(d, row); err != nil {
		return nil, err
	}
	return c, nil
}

// featureError is the error of a feature that is not in [0, d).
func featureError(i, k int, j int32, d int) error {
	return fmt.Errorf("row %d has feature %d at place %d, of %d features", i, j, k, d)
}

// byTable fills c where d is not much larger than the number of numbers. It may be an error of a feature.
func (c *Columns[T]) byTable(d int, row func(i int) ([]int32, []T)) error {
	next, some := make([]int, d), 0 // how many numbers a feature has, then where the next of them goes
	for i := range c.n {
		features, _ := row(i)
		for k, j := range features {
			if uint(j) >= uint(len(next)) {
				return featureError(i, k, j, d)
			}
			next[j]++
		}
	}
	for _, count := range next {
		if count > 0 {
			some++
		}
	}
	c.features, c.start = make([]int32, 0, some), make([]int, 1, some+1)
	for j, count := range next {
		if count > 0 {
			next[j] = c.start[len(c.features)]
			c.features, c.start = append(c.features, int32(j)), append(c.start, next[j]+count)
		}
	}
	c.index(d)
	for i := range c.n {
		features, values := row(i)
		values = values[:len(features)]
		for k, j := range features {
			at := next[j]
			next[j] = at + 1
			c.rows[at], c.values[at] = int32(i), values[k]
		}
	}
	return nil
}

// bySearch fills c where most features have no number, likewise.
func (c *Columns[T]) bySearch(d int, row func(i int) ([]int32, []T)) error {
	features := make([]int32, 0, len(c.rows))
	for i := range c.n {
		some, _ := row(i)
		for k, j := range some {
			if uint(j) >= uint(d) {
				return featureError(i, k, j, d)
			}
		}
		features = append(features, some...)
	}
	slices.Sort(features)
	c.features = slices.Clone(slices.Compact(features))
	c.index(d)
	c.start = make([]int, len(c.features)+1)
	for i := range c.n {
		features, _ := row(i)
		for _, j := range features {
			f, _ := c.find(j)
			c.start[f+1]++
		}
	}
	for f := range c.features {
		c.start[f+1] += c.start[f]
	}
	next := slices.Clone(c.start)
	for i := range c.n {
		features, values := row(i)
		for k, j := range features {
			f, _ := c.find(j)
			c.rows[next[f]], c.values[next[f]] = int32(i), values[k]
			next[f]++
		}
	}
	return nil
}

// index fills first.
func (c *Columns[T]) index(d int) {
	for d>>c.shift > 2*len(c.features) {
		c.shift++
	}
	c.first = make([]int32, d>>c.shift+2)
	for _, j := range c.features {
		c.first[j>>c.shift+1]++
	}
	for b := range len(c.first) - 1 {
		c.first[b+1] += c.first[b]
	}
}

// Float64 returns c with its values in float64. The two share everything else.
func Float64[T float](c *Columns[T]) *Columns[float64] {
	values := make([]float64, len(c.values))
	for k, v := range c.values {
		values[k] = float64(v)
	}
	return &Columns[float64]{c.n, c.features, c.start, c.rows, values, c.first, c.shift}
}

// find returns the place of feature j in features, and whether it is there.
func (c *Columns[T]) find(j int32) (f int, found bool) {
	b := int(j) >> c.shift
	if uint(b) >= uint(len(c.first)-1) {
		return 0, false
	}
	from := int(c.first[b])
	f, found = slices.BinarySearch(c.features[from:c.first[b+1]], j)
	return from + f, found
}

// Len returns the number of features that rows have.
func (c *Columns[T]) Len() int { return len(c.features) }

// From returns how many of these are below feature j.
func (c *Columns[T]) From(j int) int {
	f, _ := slices.BinarySearchFunc(c.features, j,
		func(feature int32, j int) int { return cmp.Compare(int(feature), j) })
	return f
}

// At returns the f-th of these features, ascending, the rows that have it, ascending, and their values, which must not
// be changed.
func (c *Columns[T]) At(f int) (feature int32, rows []int32, values []T) {
	p, q := c.start[f], c.start[f+1]
	return c.features[f], c.rows[p:q:q], c.values[p:q:q]
}

// AddProducts adds to dst[i] the inner product of row i with the sparse vector (features, values), for all n rows.
// Features that no row has count for nothing. The sum of a row goes through the vector in its order and rounds after
// each term, fused with its product or not, as sparse.AxpyF32 does. It panics where lengths do not fit. O(the numbers
// that rows hold of these features).
func (c *Columns[T]) AddProducts(dst []T, features []int32, values []T) {
	if len(dst) != c.n || len(features) != len(values) {
		panic(shape.Errorf("columns: AddProducts", "%d sums of %d rows, %d features and %d values",
			len(dst), c.n, len(features), len(values)))
	}
	for k, j := range features {
		if f, found := c.find(j); found {
			p, q := c.start[f], c.start[f+1]
			axpy(values[k], c.rows[p:q], c.values[p:q], dst)
		}
	}
}

// Accumulate adds rows from, ..., to-1 of Xᵀ A to the same rows of W. A has n rows of m numbers, row i at
// a[i*aStride:], and W a row for each feature. Other rows of W are not touched. It panics where A or W is too short.
// O(m) for each number that the rows hold of these features.
func (c *Columns[T]) Accumulate(w []T, wStride int, a []T, aStride, m, from, to int) {
	if m == 0 || c.n == 0 {
		return
	}
	if m < 0 || aStride < m || wStride < m || len(a) < (c.n-1)*aStride+m {
		panic(shape.Errorf("columns: Accumulate", "A of %d numbers for %d rows of %d, %d apart, rows of W %d apart",
			len(a), c.n, m, aStride, wStride))
	}
	for f, end := c.From(from), c.From(to); f < end; f++ {
		p, q := c.start[f], c.start[f+1]
		first := int(c.features[f]) * wStride
		gemvT(a, aStride, c.rows[p:q], c.values[p:q], w[first:first+m])
	}
}

// gemvT adds Aᵀ x to y for the sparse vector x = (idx, val).
func gemvT[T float](a []T, stride int, idx []int32, val, y []T) {
	from, at, to := unsafe.Pointer(unsafe.SliceData(a)), unsafe.Pointer(unsafe.SliceData(val)),
		unsafe.Pointer(unsafe.SliceData(y))
	if unsafe.Sizeof(y[0]) == 4 {
		sparse.GemvTF32(len(y), 1, (*float32)(from), stride, unsafe.SliceData(idx), (*float32)(at), len(idx), 1,
			(*float32)(to))
	} else {
		sparse.GemvTF64(len(y), 1, (*float64)(from), stride, unsafe.SliceData(idx), (*float64)(at), len(idx), 1,
			(*float64)(to))
	}
}

// axpy adds alpha times a sparse vector to y.
func axpy[T float](alpha T, idx []int32, val, y []T) {
	at, to := unsafe.Pointer(unsafe.SliceData(val)), unsafe.Pointer(unsafe.SliceData(y))
	if unsafe.Sizeof(alpha) == 4 {
		sparse.AxpyF32(float32(alpha), unsafe.SliceData(idx), (*float32)(at), len(idx), (*float32)(to))
	} else {
		sparse.AxpyF64(float64(alpha), unsafe.SliceData(idx), (*float64)(at), len(idx), (*float64)(to))
	}
}
