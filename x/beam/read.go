package beam

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// block is the rows of an element in memory. One of dense and sparse is nil.
type block[T vec.Float] struct {
	dense  *dataset.Dense[T]
	sparse *dataset.CSR[T]
	y      []int   // the class of each sparse row, or
	sets   [][]int // its classes
}

// matrix returns the rows as solvers see them.
func (b *block[T]) matrix() design.Matrix[T] {
	if b.dense != nil {
		return b.dense
	}
	return b.sparse
}

// scaled returns the rows scaled as the training data were, dense ones in their place; nil: as they are.
func (b *block[T]) scaled(s *dataset.Scaling) (design.Matrix[T], error) {
	if s == nil {
		return b.matrix(), nil
	}
	if b.dense == nil {
		return b.sparse.Scaled(s)
	}
	for i := range b.dense.Rows {
		row := b.dense.Row(i)
		if err := dataset.ScaleRow(row, s, row, nil); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	return b.dense, nil
}

// reader reads elements into memory of its own: a block is good until the next is read. One goroutine uses it.
type reader[T vec.Float] struct {
	names   []string // of the classes in LIBSVM text; nil: labels do not matter
	bytes   []byte
	numbers []T

	npy  *dataset.NPYRows[T] // of the file at path
	path string
	rows dataset.Dense[T]
	at   *at // of npy
}

// read reads the rows of an element. Numbers that are not finite, and rows of another number, are errors.
func (r *reader[T]) read(ctx context.Context, e Rows) (b *block[T], err error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	if e.Format.Kind == NPY {
		b, err = r.npyRows(ctx, e)
	} else {
		if err := there(ctx, e); err != nil {
			return nil, err
		}
		r.bytes = resize(r.bytes, int(e.Bytes))
		if err := readRange(ctx, r.bytes, e.Path, e.Offset); err != nil {
			return nil, err
		}
		b, err = r.parse(e)
	}
	if err != nil {
		return nil, fmt.Errorf("beam: %v: %w", e, err)
	}
	return b, nil
}

// many is the number of bytes of an element from which memory is taken only if the file has them.
const many = 1 << 26

// there returns an error if an element has many bytes and its file does not have them.
func there(ctx context.Context, e Rows) error {
	if e.Bytes < many {
		return nil
	}
	size, err := fileSize(ctx, e.Path)
	if err == nil && (size < e.Offset+e.Bytes || e.Bytes > math.MaxInt) {
		err = fmt.Errorf("beam: %v: %d bytes from byte %d of a file of %d", e, e.Bytes, e.Offset, size)
	}
	return err
}

func (r *reader[T]) parse(e Rows) (*block[T], error) {
	switch e.Format.Kind {
	case LIBSVM:
		return r.text(e)
	case CSR:
		return r.csr(e)
	}
	d := e.Format.Cols
	r.numbers = resize(r.numbers, e.Count*d)
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
	return &block[T]{sparse: l.X, y: l.Y, sets: l.Sets}, nil
}

// npyRows reads rows of an NPY file, whose header it reads when the file is another than before.
func (r *reader[T]) npyRows(ctx context.Context, e Rows) (*block[T], error) {
	if r.npy == nil || r.path != e.Path {
		f, err := openNPY[T](ctx, e)
		if err != nil {
			return nil, err
		}
		r.npy, r.path, r.at = f.NPYRows, e.Path, f.at
	}
	r.at.ctx = ctx
	err := r.npy.Read(&r.rows, int(e.Row), int(e.Row)+e.Count)
	return &block[T]{dense: &r.rows}, err
}

// at is a file as an io.ReaderAt, which each call opens.
type at struct {
	ctx  context.Context
	path string
}

func (f *at) ReadAt(b []byte, offset int64) (int, error) {
	if err := readRange(f.ctx, b, f.path, offset); err != nil {
		return 0, err
	}
	return len(b), nil
}

// npyFile is an NPY file of any file system.
type npyFile[T vec.Float] struct {
	*dataset.NPYRows[T]
	at *at
}

// openNPY reads the header of an element's file.
func openNPY[T vec.Float](ctx context.Context, e Rows) (*npyFile[T], error) {
	in := &at{ctx, e.Path}
	f, err := dataset.NewNPYRows[T](in, e.Bytes, e.Path, dataset.NPYOptions{Scale: e.Format.Scale,
		Offset: e.Format.Shift})
	if err != nil {
		return nil, err
	}
	if _, d := f.Dims(); d != e.Format.Cols {
		return nil, fmt.Errorf("%d columns, want %d", d, e.Format.Cols)
	}
	return &npyFile[T]{f, in}, nil
}

// csr reads a block of CSR, of either type of numbers.
func (r *reader[T]) csr(e Rows) (*block[T], error) {
	read := fromBlock[T, float32]
	if e.Format.Type == "f8" {
		read = fromBlock[T, float64]
	}
	b, err := read(r.bytes)
	if err == nil && (b.sparse.Rows != e.Count || b.sparse.Cols != e.Format.Cols) {
		err = fmt.Errorf("a block of %d by %d, want %d by %d: the file has changed", b.sparse.Rows, b.sparse.Cols,
			e.Count, e.Format.Cols)
	}
	return b, err
}

// fromBlock returns the rows of a block with numbers of type U as numbers of type T.
func fromBlock[T, U vec.Float](data []byte) (*block[T], error) {
	b, err := dataset.ReadCSRBlock[U](bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	x, same := any(b.X).(*dataset.CSR[T])
	if !same {
		x, err = dataset.ConvertCSR[T](b.X)
	}
	return &block[T]{sparse: x, y: b.Y, sets: b.Sets}, err
}

// blockSize is what [Split] asks of a block.
type blockSize struct {
	first, rows, cols int
	sets              bool
}

func readBlock[T vec.Float](from io.Reader) (s blockSize, err error) {
	b, err := dataset.ReadCSRBlock[T](from)
	if err != nil {
		return s, err
	}
	return blockSize{b.First, b.X.Rows, b.X.Cols, b.Sets != nil}, nil
}
