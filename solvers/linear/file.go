package linear

import (
	"fmt"
	"io"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

// ErrCorrupt is wrapped by the errors of readers that meet something other than what was written.
var ErrCorrupt = container.ErrCorrupt

const (
	kind    = "linear"
	version = 1
)

// WriteTo writes the model: weights, names and notes. docs/files.md has the layout. Read gives the same bits back, on
// every machine.
func (m *Model[T]) WriteTo(w io.Writer) (int64, error) {
	if m.w.Cols == 0 {
		return 0, errZero
	}
	c := container.NewWriter(w, kind, version)
	c.Ints("size", m.d, m.w.Cols)
	c.Strings("name", m.names)
	c.Map("note", m.notes)
	container.Floats(c, "cons", []T{m.constant})
	container.WriteMatrix(c, "w", m.w)
	n, err := c.Close()
	if err != nil {
		return n, fmt.Errorf("linear: writing a model: %w", err)
	}
	return n, nil
}

// Read reads what WriteTo wrote, and no byte behind it. An error about the bytes wraps ErrCorrupt; a model of the other
// type of numbers is an error that says so. Memory is taken as bytes come, not as they promise.
func Read[T vec.Float](r io.Reader) (*Model[T], error) {
	m, err := read[T](r)
	if err != nil {
		return nil, fmt.Errorf("linear: reading a model: %w", err)
	}
	return m, nil
}

func read[T vec.Float](r io.Reader) (*Model[T], error) {
	c, err := container.Open(r)
	if err != nil {
		return nil, err
	}
	c.Expect(kind, version)
	size := c.Ints("size", 2)
	names, notes := c.Strings("name", container.Any), c.Map("note")
	constant := container.ReadFloats[T](c, "cons", 1)
	w := container.ReadMatrix[T](c, "w")
	if err := c.Close(); err != nil {
		return nil, err
	}
	m, err := WithConstant(w, constant[0], names)
	if err != nil {
		c.Corrupt("%v", err)
		return nil, c.Err()
	}
	if m.d != size[0] || m.w.Cols != size[1] {
		c.Corrupt("weights of %d features for %d outputs, but sizes %d and %d", m.d, m.w.Cols, size[0], size[1])
		return nil, c.Err()
	}
	m.notes = notes
	return m, nil
}

// MarshalBinary returns what WriteTo writes: for encoding/gob.
func (m Model[T]) MarshalBinary() ([]byte, error) { return container.Marshal(&m) }

// UnmarshalBinary makes m the model that MarshalBinary wrote: for encoding/gob. No one else may use m meanwhile.
func (m *Model[T]) UnmarshalBinary(b []byte) error {
	return container.Unmarshal(m, b, "linear", Read[T])
}

type onlyFiles = container.OnlyFiles
