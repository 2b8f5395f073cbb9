package kernel

import (
	"fmt"
	"io"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// ErrCorrupt is wrapped by the errors of readers that meet something other than what was written.
var ErrCorrupt = container.ErrCorrupt

const (
	kind    = "kernel"
	version = 1
	biased  = 2 // the version with offsets
)

// WriteTo writes the model: kernel, support vectors, coefficients, names and notes. docs/files.md has the layout.
// ReadExpansion gives the same bits back, on every machine.
func (m *Expansion[T]) WriteTo(w io.Writer) (int64, error) {
	if m.c.A.Cols == 0 {
		return 0, errZero
	}
	codes, numbers, err := encode(m.k)
	if err != nil {
		return 0, err
	}
	own := version
	if m.bias != nil {
		own = biased
	}
	c := container.NewWriter(w, kind, own)
	c.Ints("size", m.c.N, m.d, len(m.c.Support), m.c.A.Cols, formOf(m.vectors))
	c.Strings("name", m.c.Names)
	c.Map("note", m.c.Notes)
	c.Ints("kern", codes...)
	container.Floats(c, "para", numbers)
	c.Ints("supp", m.c.Support...)
	container.WriteMatrix(c, "a", m.c.A)
	if m.bias != nil {
		container.Floats(c, "bias", m.bias)
	}
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
	c.Expect(kind, biased)
	size := c.Ints("size", 5)
	m := &Expansion[T]{c: core.Coefficients[T]{Names: c.Strings("name", container.Any), Notes: c.Map("note")}}
	codes := c.Ints("kern", container.Any)
	numbers := container.ReadFloats[float64](c, "para", container.Any)
	m.c.Support = c.Ints("supp", container.Any)
	m.c.A = container.ReadMatrix[T](c, "a")
	if c.Err() == nil && c.Version() == biased {
		m.bias = container.ReadFloats[T](c, "bias", size[3])
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	m.c.N, m.d = size[0], size[1]
	s, outputs, form := size[2], size[3], size[4]
	m.k, err = decode(codes, numbers)
	if err == nil {
		err = m.c.Check(s, outputs, size)
	}
	if err == nil {
		err = m.checkBias(m.bias)
	}
	given := m.k == nil
	if err == nil && (m.d < 1 || form < core.FormNone || form > core.FormSparse || (form == core.FormNone) != given ||
		given && m.d != m.c.N) {
		err = fmt.Errorf("a kernel %v of %d features with support vectors in form %d", m.k, m.d, form)
	}
	if err != nil {
		c.Corrupt("%v", err)
		return nil, c.Err()
	}
	if m.vectors, err = readVectors[T](c, form, m.k, s, m.d); err != nil {
		c.Corrupt("%v", err)
	}
	if err := c.Close(); err != nil {
		return nil, err
	}
	return m, nil
}

// MarshalBinary returns what WriteTo writes: for encoding/gob.
func (m Expansion[T]) MarshalBinary() ([]byte, error) { return container.Marshal(&m) }

// UnmarshalBinary makes m the model that MarshalBinary wrote: for encoding/gob. No one else may use m meanwhile.
func (m *Expansion[T]) UnmarshalBinary(b []byte) error {
	return container.Unmarshal(m, b, "kernel", ReadExpansion[T])
}
