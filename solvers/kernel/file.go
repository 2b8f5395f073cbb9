package kernel

import (
	"fmt"
	"io"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// ErrCorrupt is wrapped by the errors of readers that meet something other than what was written.
var ErrCorrupt = container.ErrCorrupt

const (
	kind    = "kernel"
	version = 1
)

// How a file has the support vectors.
const (
	formNone   = iota // the kernel is precomputed
	formDense         // a matrix
	formSparse        // sparse rows
)

// WriteTo writes the model: kernel, support vectors, coefficients, names and notes. docs/files.md has the layout.
// ReadExpansion gives the same bits back, on every machine.
func (m *Expansion[T]) WriteTo(w io.Writer) (int64, error) {
	if m.a.Cols == 0 {
		return 0, errZero
	}
	codes, numbers, err := encode(m.k)
	if err != nil {
		return 0, err
	}
	form := formNone
	switch m.vectors.(type) {
	case denseVectors[T]:
		form = formDense
	case *sparseVectors[T]:
		form = formSparse
	}
	c := container.NewWriter(w, kind, version)
	c.Ints("size", m.n, m.d, len(m.support), m.a.Cols, form)
	c.Strings("name", m.names)
	c.Map("note", m.notes)
	c.Ints("kern", codes...)
	container.Floats(c, "para", numbers)
	c.Ints("supp", m.support...)
	container.WriteMatrix(c, "a", m.a)
	writeVectors(c, m.vectors)
	n, err := c.Close()
	if err != nil {
		return n, fmt.Errorf("kernel: writing a model: %w", err)
	}
	return n, nil
}

// ReadExpansion reads what WriteTo wrote, and no byte behind it. An error about the bytes wraps ErrCorrupt; a model of
// the other type of numbers is an error that says so. Memory is taken as bytes come, not as they promise.
func ReadExpansion[T vec.Float](r io.Reader) (*Expansion[T], error) {
	m, err := read[T](r)
	if err != nil {
		return nil, fmt.Errorf("kernel: reading a model: %w", err)
	}
	return m, nil
}

func read[T vec.Float](r io.Reader) (*Expansion[T], error) {
	c, err := container.Open(r)
	if err != nil {
		return nil, err
	}
	c.Expect(kind, version)
	size := c.Ints("size", 5)
	m := &Expansion[T]{names: c.Strings("name", -1), notes: c.Map("note")}
	codes := c.Ints("kern", -1)
	numbers := container.ReadFloats[float64](c, "para", -1)
	m.support = c.Ints("supp", -1)
	m.a = container.ReadMatrix[T](c, "a")
	if c.Err() != nil {
		return nil, c.Err()
	}
	m.n, m.d = size[0], size[1]
	s, outputs, form := size[2], size[3], size[4]
	m.k, err = decode(codes, numbers)
	switch {
	case err != nil:
	case m.n < 1 || m.d < 1 || outputs < 1 || s != len(m.support) || s != m.a.Rows || outputs != m.a.Cols:
		err = fmt.Errorf("%d-by-%d coefficients of %d support vectors, but sizes %v",
			m.a.Rows, m.a.Cols, len(m.support), size)
	case form < formNone || form > formSparse || (form == formNone) != (m.k == nil) || m.k == nil && m.d != m.n:
		err = fmt.Errorf("a kernel %v of %d features with support vectors in form %d", m.k, m.d, form)
	default:
		err = solvers.CheckNames(m.names, outputs)
	}
	if err == nil {
		err = checkSupport(m.n, m.support, m.a)
	}
	if err != nil {
		c.Corrupt("%v", err)
		return nil, c.Err()
	}
	switch form {
	case formDense:
		m.vectors, err = readDense[T](c, m.k, s, m.d)
	case formSparse:
		m.vectors, err = readSparse[T](c, s, m.d)
	}
	if err != nil {
		c.Corrupt("%v", err)
	}
	if err := c.Close(); err != nil {
		return nil, err
	}
	return m, nil
}

// checkSupport returns an error unless support vectors are examples, ascending, and coefficients finite.
func checkSupport[T vec.Float](n int, support []int, a vec.Matrix[T]) error {
	for p, i := range support {
		if i < 0 || i >= n || p > 0 && i <= support[p-1] {
			return fmt.Errorf("support vector %d is example %d of %d", p, i, n)
		}
		if err := checkFinite("coefficient", p, a.Row(p)); err != nil {
			return err
		}
	}
	return nil
}

func checkFinite[T vec.Float](what string, p int, row []T) error {
	for c, v := range row {
		if v-v != 0 {
			return fmt.Errorf("%s %d of support vector %d is %v", what, c, p, v)
		}
	}
	return nil
}

func readDense[T vec.Float](c *container.Reader, k Kernel, s, d int) (vectors[T], error) {
	x := container.ReadMatrix[T](c, "x")
	if c.Err() != nil {
		return nil, c.Err()
	}
	if x.Rows != s || x.Cols != d {
		return nil, fmt.Errorf("a %d-by-%d matrix of %d support vectors of %d features", x.Rows, x.Cols, s, d)
	}
	for p := range x.Rows {
		if err := checkFinite("number", p, x.Row(p)); err != nil {
			return nil, err
		}
	}
	return newDenseVectors(k, x), nil
}

func readSparse[T vec.Float](c *container.Reader, s, d int) (vectors[T], error) {
	x := &sparseRows[T]{ptr: c.Ints("ptr", s+1), columns: c.Int32s("col", -1)}
	x.values = container.ReadFloats[T](c, "val", len(x.columns))
	if c.Err() != nil {
		return nil, c.Err()
	}
	if err := x.check(s, d); err != nil {
		return nil, err
	}
	return newSparseVectors(x, d)
}

// MarshalBinary returns what WriteTo writes: for encoding/gob.
func (m Expansion[T]) MarshalBinary() ([]byte, error) { return container.Marshal(&m) }

// UnmarshalBinary makes m the model that MarshalBinary wrote: for encoding/gob. No one else may use m meanwhile.
func (m *Expansion[T]) UnmarshalBinary(b []byte) error {
	return container.Unmarshal(m, b, "kernel", ReadExpansion[T])
}

type onlyFiles = container.OnlyFiles
