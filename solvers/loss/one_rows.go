package loss

import (
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// RowsAtOnce is how many examples Rows visits at most, and RowsAhead how many behind them it has to know of.
const (
	RowsAtOnce = 64
	RowsAhead  = unchecked.BoxOneAhead
)

// Rows visits sparse examples with one output, several by one call of a kernel. Each visit is VisitOne's but for
// rounding.
type Rows[T vec.Float] struct {
	visits            [RowsAtOnce + RowsAhead]unchecked.BoxOne
	squared, logistic bool
	none              T // the weight of no constant feature
}

// RowsOf returns what visits examples with the loss l so, or nil where there is no kernel.
func RowsOf[T vec.Float](l Loss[T]) *Rows[T] {
	if !unchecked.VisitsOnes() {
		return nil
	}
	switch l := l.(type) {
	case LabelHinge[T]:
		if l.Ones() {
			return &Rows[T]{}
		}
	case SquaredHinge[T]:
		if l.Ones() {
			return &Rows[T]{squared: true}
		}
	case Logistic[T]:
		if l.Ones() {
			return &Rows[T]{logistic: true}
		}
	}
	return nil
}

var rowSides = [2]float64{-1, 1}

// Put makes an example visit number k: where its row begins, the row's length, its dual variable a, whether the label
// is true, h = |x|², the weight r of its loss and its dual term.
func (l *Rows[T]) Put(k, row, length int, a T, isTrue bool, h, r, term float64) {
	v := &l.visits[k]
	at := 0 // no branch: labels are as good as random
	if isTrue {
		at = 1
	}
	side := rowSides[at]
	v.Row, v.Len, v.X, v.Side = int64(row), int64(length), side*float64(a), side
	switch {
	case l.logistic:
		v.R, v.Inverse, v.Bend, v.Gap = r, float64(below[T](r)), h, term
	case l.squared:
		bend := 1 / (2 * r)
		v.R, v.Inverse, v.Bend = r, 1/(h+bend), bend
	default:
		v.R, v.Inverse, v.Bend = float64(below[T](r)), 1/h, 0
	}
}

// Next says where the row of an example begins that comes behind the last visit: k goes on for RowsAhead of these.
func (l *Rows[T]) Next(k, row int) { l.visits[k].Row = int64(row) }

// Visit visits the first n examples one after the other: what moves adds its step times its row of idx and val to w. A
// constant feature has a place in w, too.
func (l *Rows[T]) Visit(n int, idx []int32, val, w []T, constant T, place int, least float64) {
	bias := &l.none
	if constant != 0 {
		bias = &w[place]
	}
	v := l.visits[:n+RowsAhead]
	switch {
	case l.logistic:
		unchecked.BoxOneLogistic(v, idx, val, w, bias, constant, least)
	case l.squared:
		unchecked.BoxOneSquared(v, idx, val, w, bias, constant, least)
	default:
		unchecked.BoxOneHinge(v, idx, val, w, bias, constant, least)
	}
}

// Visited returns the dual variable that the example of visit k has after it, and its gap.
func (l *Rows[T]) Visited(k int) (to T, gap float64) {
	v := &l.visits[k]
	return T(v.Side * v.X), v.Gap
}

// Term returns the dual term of the example of visit k, which has moved.
func (l *Rows[T]) Term(k int) float64 {
	v := &l.visits[k]
	if l.logistic {
		return v.Bend
	}
	return v.X - v.Bend*v.X*v.X/2
}
