package design

import "github.com/dualgap/dualgap/vec"

// Occupied returns sparse examples without the features that are 0 in all of them, and which features are left, in
// ascending order: the weights of all others stay 0. Values are x's own, columns a copy. Where x does not keep sparse
// rows, or at least half of its features occur, it returns x and nil.
func Occupied[T vec.Float](x Matrix[T]) (narrow Matrix[T], features []int32) {
	rows, ok := x.(SparseRows[T])
	if !ok {
		return x, nil
	}
	n, d := x.Dims()
	place, total := make([]int32, d), 0 // 1 where a feature occurs
	for i := range n {
		columns, _ := rows.Row(i)
		for _, j := range columns {
			place[j] = 1
		}
		total += len(columns)
	}
	for j, yes := range place {
		if yes != 0 {
			place[j] = int32(len(features))
			features = append(features, int32(j))
		}
	}
	if len(features) == 0 || 2*len(features) > d {
		return x, nil
	}
	o := &occupied[T]{x: rows, d: len(features), ptr: make([]int, 1, n+1), columns: make([]int32, 0, total)}
	for i := range n {
		columns, _ := rows.Row(i)
		for _, j := range columns {
			o.columns = append(o.columns, place[j])
		}
		o.ptr = append(o.ptr, len(o.columns))
	}
	return &sparse[T, T]{x: o}, features
}

// occupied is the rows of x with other columns.
type occupied[T vec.Float] struct {
	x       SparseRows[T]
	d       int
	ptr     []int // where the columns of each row begin, and where the last one's end
	columns []int32
}

func (o *occupied[T]) Dims() (n, d int) { return len(o.ptr) - 1, o.d }

func (o *occupied[T]) Row(i int) ([]int32, []T) {
	_, values := o.x.Row(i)
	p, q := o.ptr[i], o.ptr[i+1]
	return o.columns[p:q:q], values
}

// Packed returns the rows as they lie in memory, if x's do. They are as long as x's.
func (o *occupied[T]) Packed() (ptr []int, columns []int32, values []T) {
	if own, _, values := Packed(o.x); own != nil && own[0] == 0 {
		return o.ptr, o.columns, values
	}
	return nil, nil, nil
}
