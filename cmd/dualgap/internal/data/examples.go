package data

import (
	"fmt"
	"unsafe"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Storage is what solvers train on and a dataset.Scaling is fitted on: a *dataset.Dense or a *dataset.CSR.
type Storage[T vec.Float] interface {
	design.Matrix[T]
	dataset.Storage
}

// Examples are what a file holds.
type Examples[T vec.Float] struct {
	X Storage[T] // *dataset.CSR[T] of LIBSVM, else *dataset.Dense[T]

	// Labels of the examples: Y, or Sets where they have any number of them; both nil where the file has no labels.
	// Where a model's classes are Known, Classes are these, and Y is -1 for a label that is none of them; of Sets such
	// labels are left out.
	dataset.Labels

	Coded design.Matrix[T] // what is trained on in place of X, or nil

	Before int   // examples of the file before these, which are a block of it
	Groups []int // the group of each example, or nil
	Folds  []int // the part of each example for cross-validation, from 0, or nil

	Format       string   // libsvm, csv, npy, idx, fvecs, bvecs or ivecs
	FeatureNames []string // of a CSV header, or nil
	CSV          dataset.CSVColumns
	label        string // name of the column that a model expects the labels in, where there is a header

	UnseenLabels   int // labels that are none of the Known classes
	UnseenNonzeros int // nonzeros in columns beyond the Known features, which are left out
}

// Len returns the number of examples.
func (e *Examples[T]) Len() int { n, _ := e.X.Dims(); return n }

// Features returns what is trained on.
func (e *Examples[T]) Features() design.Matrix[T] {
	if e.Coded != nil {
		return e.Coded
	}
	return e.X
}

// Scale replaces X by a copy scaled by s, a dense one where s shifts columns.
func (e *Examples[T]) Scale(s *dataset.Scaling) error {
	if s.Shift == nil && s.Factor == nil && !s.UnitRows {
		return nil
	}
	if err := e.need("scaled examples take", e.sizeOf(s.Shift != nil)); err != nil {
		return err
	}
	var err error
	switch x := e.X.(type) {
	case *dataset.Dense[T]:
		e.X, err = nilOr[T](x.Scaled(s))
	case *dataset.CSR[T]:
		if s.Shift == nil {
			e.X, err = nilOr[T](x.Scaled(s))
			break
		}
		var d *dataset.Dense[T] // a shift makes nonzeros of zeros
		if d, err = e.Dense(); err == nil {
			e.X, err = nilOr[T](d.Scaled(s))
		}
	}
	return err
}

func nilOr[T vec.Float, S Storage[T]](x S, err error) (Storage[T], error) {
	if err != nil {
		return nil, err
	}
	return x, nil
}

// Sparse returns the examples as sparse rows.
func (e *Examples[T]) Sparse() (*dataset.CSR[T], error) {
	if x, ok := e.X.(*dataset.Dense[T]); ok {
		return x.CSR()
	}
	return e.X.(*dataset.CSR[T]), nil
}

// Dense returns the examples with all their zeros.
func (e *Examples[T]) Dense() (*dataset.Dense[T], error) {
	if x, ok := e.X.(*dataset.CSR[T]); ok {
		if err := e.need("the examples with their zeros take", e.sizeOf(true)); err != nil {
			return nil, err
		}
		return x.Dense()
	}
	return e.X.(*dataset.Dense[T]), nil
}

// sizeOf returns how many bytes the examples take, with their zeros or as they are.
func (e *Examples[T]) sizeOf(zeros bool) float64 {
	n, d := e.X.Dims()
	size := float64(unsafe.Sizeof(T(0)))
	if x, ok := e.X.(*dataset.CSR[T]); ok && !zeros {
		return float64(len(x.Val)) * (size + 4)
	}
	return float64(n) * float64(d) * size
}

// need returns an error where there is not so much memory.
func (e *Examples[T]) need(what string, bytes float64) error {
	n, d := e.X.Dims()
	return memory.Need(fmt.Sprintf("%d examples of %d features: %s", n, d, what), bytes)
}
