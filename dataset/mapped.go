package dataset

import (
	"bytes"
	"fmt"

	"github.com/dualgap/dualgap/internal/mapped"
	"github.com/dualgap/dualgap/vec"
)

// Mapped is examples that stay in their file, which the system maps into memory: it reads what is used, and takes
// memory for it that it may have back at any time. So the file may be larger than memory. [MapNPY] returns one.
//
// It is a design.Matrix, whose documentation tells what the methods from Dims to Gram do. They may be called from
// several goroutines, panic with a [vec.ShapeError] where sizes do not fit, and allocate nothing once warm. Solvers
// make no copy of the examples as sparse rows, as they do of a [Dense] with many zeros.
type Mapped[T vec.Float] interface {
	Storage // Dims, and what Standardize and MinMax ask for
	SquaredNorms(dst []T)
	Gather(dst vec.Matrix[T], rows []int)
	Scores(dst, w vec.Matrix[T], rows []int)
	Accumulate(w, a vec.Matrix[T], rows []int)
	Gram(dst vec.Matrix[T], rows, cols []int)

	// InFile says to solvers that no copy is wanted.
	InFile() bool

	// CheckSizes returns an error after Close. Solvers call it.
	CheckSizes() error

	// Validate returns an error where a number is not finite, with its row and column. It reads the whole file.
	Validate() error

	// Close ends the mapping. It must not be called while another method runs. After it there are no examples: a
	// solver returns the error of CheckSizes, and a call that names a row panics. Rows and windows of the examples that
	// a program has kept are gone from memory: it must not touch them.
	Close() error
}

// MapNPY maps the examples of an NPY file, which [ReadNPY] tells of, and reads no more than its header. Where the file
// has numbers of type T in the order of this machine's bytes, and there is neither Scale nor Offset, examples are used
// where they lie, as in a [Dense]. All others are turned into numbers where they are needed, a block at a time: pixels
// take a byte each.
//
// Numbers that are not finite are found by Validate, and by solvers. It is an error if the file is compressed, if it
// holds a matrix column by column, in Fortran's order, or if the header asks for more or fewer bytes than there are.
// Classes, MaxBytes and Type do not count.
//
// While it is mapped, the file must not become shorter: the system would end the program. What is written to it may be
// seen. On systems other than Linux, macOS and BSD the file is read into memory.
func MapNPY[T vec.Float](path string, o NPYOptions) (Mapped[T], error) {
	b, unmap, err := mapped.Open(path)
	if err != nil {
		return nil, err
	}
	m := &mapping{path, b, unmap}
	x, err := newMapped[T](m, o)
	if err != nil {
		m.Close()
		return nil, err
	}
	return x, nil
}

func newMapped[T vec.Float](m *mapping, o NPYOptions) (Mapped[T], error) {
	o.MaxBytes = 0
	p, err := openNPY(bytes.NewReader(m.bytes), m.file, o)
	if err != nil {
		return nil, err
	}
	if err := p.byRows(int64(len(m.bytes)), m.bytes); err != nil {
		return nil, err
	}
	_, d := p.dims()
	data, rows, c := m.bytes[p.off:], p.rows(o), newDecoder[T](p.element, o.Scale, o.Offset)
	if x, ok := view[T](data); ok && c.same {
		return &mappedRows[T]{mapping: m, Dense: Dense[T]{vec.MatrixOf(rows, d, x[:rows*d])}}, nil
	}
	return &mappedBytes[T]{mapping: m, n: rows, d: d, data: data, decoder: c}, nil
}

// mapping is a file in memory.
type mapping struct {
	file  string
	bytes []byte       // nil once it is closed
	unmap func() error // or nil
}

func (m *mapping) InFile() bool { return m.unmap != nil }

func (m *mapping) CheckSizes() error {
	if m.bytes == nil {
		return fmt.Errorf("dataset: the examples of %s are closed", m.file)
	}
	return nil
}

func (m *mapping) Close() error {
	if err := m.CheckSizes(); err != nil {
		return err
	}
	m.bytes = nil
	if m.unmap == nil {
		return nil
	}
	return m.unmap()
}

// mappedRows is examples that are used where they lie.
type mappedRows[T vec.Float] struct {
	*mapping
	Dense[T]
}

func (x *mappedRows[T]) CheckSizes() error { return x.mapping.CheckSizes() }

func (x *mappedRows[T]) Validate() error {
	if err := x.CheckSizes(); err != nil {
		return err
	}
	return x.Dense.Validate()
}

func (x *mappedRows[T]) Close() error {
	x.Matrix = vec.Matrix[T]{}
	return x.mapping.Close()
}
