package predictor

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// Examples are what a Predictor takes: *Rows, or a storage of examples that is a design.Matrix[float32] or
// design.Matrix[float64], as *dataset.Dense and *dataset.CSR are. Where the numbers are of another type than the
// model's they are rounded to it.
type Examples interface {
	Dims() (n, d int)
}

// Rows are raw examples, put together one by one, for the Predictor that made them. Reset empties them and keeps their
// memory. They are for one goroutine at a time. Rows whose first example is sparse are kept sparse.
//
// Numbers are rounded to the type that the model has. An example that is not as long as it has to be, or a number that
// is not finite, is an error that names the place, and adds nothing.
type Rows struct {
	p       *Predictor
	numbers numbers

	// An example on its way: columns, ascending, and values; columns are nil for all.
	columns []int32
	values  []float64
	entries []entry
}

// entry is a number of an example with its column.
type entry struct {
	column int32
	value  float64
}

// numbers are the examples in the type of the model.
type numbers interface {
	dims() (n, d int)
	reset()
	add(columns []int32, values []float64) (bad int)
}

// NewRows returns no examples, to be filled.
func (p *Predictor) NewRows() *Rows {
	features, _ := p.Dims()
	return &Rows{p: p, numbers: p.engine.newRows(features)}
}

// Dims returns the number of examples, and of the model's features.
func (r *Rows) Dims() (n, d int) { return r.numbers.dims() }

// Len returns the number of examples.
func (r *Rows) Len() int { n, _ := r.Dims(); return n }

// Reset makes r empty.
func (r *Rows) Reset() { r.numbers.reset() }

// Add adds an example, a number for each feature in their order.
func (r *Rows) Add(row []float64) error {
	if err := r.fits(len(row)); err != nil {
		return err
	}
	return r.put(nil, row)
}

// Add32 is Add of numbers of 32 bits.
func (r *Rows) Add32(row []float32) error {
	if err := r.fits(len(row)); err != nil {
		return err
	}
	r.values = r.values[:0]
	for _, v := range row {
		r.values = append(r.values, float64(v))
	}
	return r.put(nil, r.values)
}

func (r *Rows) fits(n int) error {
	if _, d := r.Dims(); n != d {
		return fmt.Errorf("an example of %d numbers, the model has %d features", n, d)
	}
	return nil
}

// AddSparse adds an example whose features at the indices, from 0, have the values, and whose others are 0. Indices may
// come in any order; one that comes twice is an error.
func (r *Rows) AddSparse(indices []int, values []float64) error {
	_, d := r.Dims()
	if len(indices) != len(values) {
		return fmt.Errorf("an example of %d indices and %d values", len(indices), len(values))
	}
	r.columns, r.values = r.columns[:0], append(r.values[:0], values...)
	ascending := true
	for k, j := range indices {
		if j < 0 || j >= d || j > math.MaxInt32 {
			return fmt.Errorf("index %d at place %d, want one in 0..%d", j, k, d-1)
		}
		ascending = ascending && (k == 0 || indices[k-1] < j)
		r.columns = append(r.columns, int32(j))
	}
	if !ascending {
		r.entries = r.entries[:0]
		for k, j := range r.columns {
			r.entries = append(r.entries, entry{j, values[k]})
		}
		slices.SortFunc(r.entries, func(a, b entry) int { return cmp.Compare(a.column, b.column) })
		for k, e := range r.entries {
			if k > 0 && e.column == r.columns[k-1] {
				return fmt.Errorf("index %d comes twice", e.column)
			}
			r.columns[k], r.values[k] = e.column, e.value
		}
	}
	if r.columns == nil {
		r.columns = []int32{} // nil would stand for all
	}
	return r.put(r.columns, r.values)
}

// AddNamed adds an example whose numbers are found by the names of the features. A feature that is missing, or one that
// the model does not know, is an error, and so is a model that knows no names, or the same one of two features.
func (r *Rows) AddNamed(row map[string]float64) error {
	if r.p.features == nil {
		_, d := r.Dims()
		return fmt.Errorf("an example by the names of features, which the model does not know: give %d numbers "+
			"in order", d)
	}
	if r.p.twice != nil {
		return r.p.twice
	}
	r.values = slices.Grow(r.values[:0], len(r.p.features))
	for _, name := range r.p.features {
		v, ok := row[name]
		if !ok {
			return fmt.Errorf("the feature %q is missing", name)
		}
		r.values = append(r.values, v)
	}
	if len(row) > len(r.p.features) {
		return fmt.Errorf("the feature %q is none of the model's", r.p.unknown(row))
	}
	return r.put(nil, r.values)
}

// unknown returns the first name, in the order of the alphabet, that is no feature's.
func (p *Predictor) unknown(row map[string]float64) string {
	var names []string
	for name := range row {
		if _, known := p.place[name]; !known {
			names = append(names, name)
		}
	}
	return slices.Min(names)
}

// put adds an example whose columns fit.
func (r *Rows) put(columns []int32, values []float64) error {
	bad := r.numbers.add(columns, values)
	if bad < 0 {
		return nil
	}
	column := bad
	if columns != nil {
		column = int(columns[bad])
	}
	name := ""
	if r.p.features != nil {
		name = fmt.Sprintf(" %q", r.p.features[column])
	}
	return fmt.Errorf("feature %d%s is %v, want a finite number of %d bits", column, name, values[bad], r.p.Bits())
}

// rows are examples of one type of numbers: dense, or sparse where ptr has something.
type rows[T vec.Float] struct {
	dense  dataset.Dense[T]
	sparse dataset.CSR[T]
	n      int
}

func (r *rows[T]) dims() (n, d int) { return r.n, r.dense.Cols }

func (r *rows[T]) reset() {
	r.n, r.dense.Rows, r.sparse.Rows = 0, 0, 0
	r.dense.Data, r.sparse.Ptr, r.sparse.Idx, r.sparse.Val = r.dense.Data[:0], r.sparse.Ptr[:0], r.sparse.Idx[:0],
		r.sparse.Val[:0]
}

// add adds an example, or returns the place of the first value that is not finite in T.
func (r *rows[T]) add(columns []int32, values []float64) int {
	for k, v := range values {
		if v := T(v); v-v != 0 {
			return k
		}
	}
	if r.n == 0 && columns != nil {
		r.sparse.Ptr = append(r.sparse.Ptr, 0)
	}
	r.n++
	if len(r.sparse.Ptr) == 0 {
		r.addDense(columns, values)
		return -1
	}
	for k, v := range values {
		if v != 0 {
			j := int32(k)
			if columns != nil {
				j = columns[k]
			}
			r.sparse.Idx, r.sparse.Val = append(r.sparse.Idx, j), append(r.sparse.Val, T(v))
		}
	}
	r.sparse.Rows++
	r.sparse.Ptr = append(r.sparse.Ptr, len(r.sparse.Val))
	return -1
}

func (r *rows[T]) addDense(columns []int32, values []float64) {
	from, d := len(r.dense.Data), r.dense.Cols
	r.dense.Data = slices.Grow(r.dense.Data, d)[:from+d]
	row := r.dense.Data[from:]
	r.dense.Rows++
	if columns == nil {
		for j, v := range values {
			row[j] = T(v)
		}
		return
	}
	clear(row)
	for k, j := range columns {
		row[j] = T(values[k])
	}
}
