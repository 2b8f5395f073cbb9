package beam

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// block is the rows of an element in memory. One of dense and sparse is nil.
type block[T vec.Float] struct {
	dense  *dataset.Dense[T]
	sparse *dataset.CSR[T]
	labels dataset.Labels // of LIBSVM text
}

// matrix returns the rows as solvers see them.
func (b *block[T]) matrix() design.Matrix[T] {
	if b.dense != nil {
		return b.dense
	}
	return b.sparse
}

// scaled returns the rows scaled as the training data were; nil: as they are.
func (b *block[T]) scaled(s *dataset.Scaling) (_ design.Matrix[T], err error) {
	switch {
	case s == nil:
		return b.matrix(), nil
	case b.dense != nil:
		return b.dense.Scaled(s)
	}
	return b.sparse.Scaled(s)
}

// reader reads elements into memory of its own: a block is good until the next is read. One goroutine uses it.
type reader[T vec.Float] struct {
	names   []string // of the classes in LIBSVM text; nil: labels do not matter
	bytes   []byte
	numbers []T
}

// read reads the rows of an element. Numbers that are not finite, and rows of another number, are errors.
func (r *reader[T]) read(ctx context.Context, e Rows) (*block[T], error) {
	if err := e.Format.check(); err != nil {
		return nil, err
	}
	r.bytes = slices.Grow(r.bytes[:0], int(e.Bytes))[:e.Bytes]
	if err := readRange(ctx, r.bytes, e.Path, e.Offset); err != nil {
		return nil, err
	}
	b, err := r.parse(e)
	if err != nil {
		return nil, fmt.Errorf("beam: %v: %w", e, err)
	}
	return b, nil
}

func (r *reader[T]) parse(e Rows) (*block[T], error) {
	if e.Format.Kind == LIBSVM {
		return r.text(e)
	}
	d := e.Format.Cols
	if want := e.Count * d * e.Format.size(); len(r.bytes) != want {
		return nil, fmt.Errorf("%d bytes, want %d for %d rows of %d columns", len(r.bytes), want, e.Count, d)
	}
	r.numbers = slices.Grow(r.numbers[:0], e.Count*d)[:e.Count*d]
	if e.Format.Type == "f4" {
		for i := range r.numbers {
			r.numbers[i] = T(math.Float32frombits(binary.LittleEndian.Uint32(r.bytes[4*i:])))
		}
	} else {
		for i := range r.numbers {
			r.numbers[i] = T(math.Float64frombits(binary.LittleEndian.Uint64(r.bytes[8*i:])))
		}
	}
	x, err := dataset.NewDense(vec.MatrixOf(e.Count, d, r.numbers))
	return &block[T]{dense: x}, err
}

func (r *reader[T]) text(e Rows) (*block[T], error) {
	l, err := dataset.ReadLIBSVM[T](bytes.NewReader(r.bytes), e.Path, dataset.LIBSVMOptions{
		ZeroBased: e.Format.ZeroBased, Cols: e.Format.Cols, Classes: r.names, Sets: e.Format.Sets,
	})
	if err != nil {
		return nil, err
	}
	if l.X.Rows != e.Count {
		return nil, fmt.Errorf("%d examples, want %d: the file has changed", l.X.Rows, e.Count)
	}
	return &block[T]{sparse: l.X, labels: l.Labels}, nil
}
