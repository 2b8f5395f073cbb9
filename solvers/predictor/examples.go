package predictor

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

var errNoExamples = errors.New("predictor: no examples: they are nil")

func isNil(x Examples) bool {
	if x == nil {
		return true
	}
	v := reflect.ValueOf(x)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// source is examples in the type of the model.
type source[T vec.Float] struct {
	n, d  int
	whole bool                                         // cut copies nothing
	cut   func(from, to int) (design.Matrix[T], error) // examples from, ..., to-1
}

// examplesOf returns the examples in numbers of type T.
func examplesOf[T vec.Float](x Examples) (s source[T], err error) {
	if isNil(x) {
		return s, errNoExamples
	}
	if r, ok := x.(*Rows); ok {
		own, ok := r.numbers.(*rows[T])
		if !ok {
			return s, fmt.Errorf("predictor: rows of a Predictor whose numbers have %d bits", r.p.Bits())
		}
		x = &own.dense
		if len(own.sparse.Ptr) > 0 {
			x = &own.sparse
		}
	}
	switch x := x.(type) {
	case *dataset.CSR[T]:
		if s.n, s.d, err = design.Check[T](x); err == nil {
			err = x.Validate()
		}
		s.whole, s.cut = true, func(from, to int) (design.Matrix[T], error) { return cutRows(x, from, to), nil }
	case design.Matrix[T]:
		s.n, s.d, err = design.Check(x)
		s.whole, s.cut = true, func(from, to int) (design.Matrix[T],
			error) {
			return design.Window(x, from, to), nil
		}
	case design.Matrix[float32]:
		return converted[T](x)
	case design.Matrix[float64]:
		return converted[T](x)
	default:
		err = fmt.Errorf("predictor: examples of type %T, want *Rows, or a design.Matrix[float32] or [float64]", x)
	}
	return s, err
}

// cutRows is x.Window, which is x where it is all.
func cutRows[T vec.Float](x *dataset.CSR[T], from, to int) *dataset.CSR[T] {
	if from == 0 && to == x.Rows {
		return x
	}
	return x.Window(from, to)
}

// converted returns examples of the other type of numbers.
func converted[T, U vec.Float](x design.Matrix[U]) (s source[T], err error) {
	if s.n, s.d, err = design.Check(x); err != nil {
		return s, err
	}
	s.cut = func(from, to int) (design.Matrix[T], error) {
		if x, ok := x.(*dataset.CSR[U]); ok {
			x, err := dataset.ConvertCSR[T](cutRows(x, from, to))
			return x, convertError(from, err)
		}
		raw := vec.NewMatrix[U](to-from, s.d)
		design.Window(x, from, to).Gather(raw, nil)
		dense, err := dataset.ConvertDense[T](&dataset.Dense[U]{Matrix: raw})
		return dense, convertError(from, err)
	}
	if x, ok := x.(*dataset.CSR[U]); ok {
		err = x.Validate()
	}
	return s, err
}

// convertError tells of rows that are counted from the first one of theirs.
func convertError(from int, err error) error {
	if err != nil {
		return fmt.Errorf("predictor: of the examples from row %d on: %w", from, err)
	}
	return nil
}
