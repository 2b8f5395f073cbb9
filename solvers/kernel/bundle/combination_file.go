package bundle

import (
	"fmt"
	"io"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

const (
	kind    = "kernels"
	version = 1
)

// WriteTo writes the model: groups with their kernels, weights and support vectors, coefficients, names and notes.
// docs/files.md has the layout. ReadCombination gives the same bits back, on every machine.
func (m *Combination[T]) WriteTo(w io.Writer) (int64, error) {
	if m.c.A.Cols == 0 {
		return 0, errZero
	}
	c := container.NewWriter(w, kind, version)
	c.Ints("size", m.c.N, len(m.c.Support), m.c.A.Cols, len(m.parts))
	c.Strings("name", m.c.Names)
	c.Map("note", m.c.Notes)
	c.Ints("supp", m.c.Support...)
	container.WriteMatrix(c, "a", m.c.A)
	for _, p := range m.parts {
		codes, numbers, err := kernel.EncodeAll(p.kernels)
		if err != nil {
			return 0, err
		}
		form := core.FormNone
		if p.vectors != nil {
			form = p.vectors.Form()
		}
		c.Ints("part", p.d, form)
		c.Ints("kern", codes...)
		container.Floats(c, "para", numbers)
		container.Floats(c, "wght", p.weights)
		if p.vectors != nil {
			p.vectors.Write(c)
		}
	}
	n, err := c.Close()
	if err != nil {
		return n, fmt.Errorf("bundle: writing a model: %w", err)
	}
	return n, nil
}

// ReadCombination reads what WriteTo wrote, and no byte behind it. An error about the bytes wraps kernel.ErrCorrupt; a
// model of the other type of numbers is an error that says so. Memory is taken as bytes come, not as they promise.
func ReadCombination[T vec.Float](r io.Reader) (*Combination[T], error) {
	m, err := read[T](r)
	if err != nil {
		return nil, fmt.Errorf("bundle: reading a model: %w", err)
	}
	return m, nil
}

func read[T vec.Float](r io.Reader) (*Combination[T], error) {
	c, err := container.Open(r)
	if err != nil {
		return nil, err
	}
	c.Expect(kind, version)
	size := c.Ints("size", 4)
	m := &Combination[T]{c: core.Coefficients[T]{Names: c.Strings("name", container.Any), Notes: c.Map("note")}}
	m.c.Support = c.Ints("supp", container.Any)
	m.c.A = container.ReadMatrix[T](c, "a")
	if c.Err() != nil {
		return nil, c.Err()
	}
	m.c.N = size[0]
	s, outputs, groups := size[1], size[2], size[3]
	if err = m.c.Check(s, outputs, size); err == nil && groups < 1 {
		err = fmt.Errorf("%d groups", groups)
	}
	for d := 0; err == nil && len(m.parts) < groups; {
		var p part[T]
		if p, err = readPart[T](c, m.c.N, s); err == nil {
			m.parts = append(m.parts, p)
			if d += p.d; d < 0 {
				err = fmt.Errorf("more features than there are numbers")
			}
		}
	}
	if err != nil {
		c.Corrupt("%v", err)
	}
	if err := c.Close(); err != nil {
		return nil, err
	}
	return m, nil
}

// readPart reads a group of a model of n training examples and s support vectors. The error is about what was read: of
// the bytes themselves c knows.
func readPart[T vec.Float](c *container.Reader, n, s int) (p part[T], err error) {
	size, codes := c.Ints("part", 2), c.Ints("kern", container.Any)
	numbers := container.ReadFloats[float64](c, "para", container.Any)
	p.weights = container.ReadFloats[float64](c, "wght", container.Any)
	if c.Err() != nil {
		return p, c.Err()
	}
	p.d = size[0]
	form := size[1]
	if p.kernels, err = kernel.DecodeAll(codes, numbers); err != nil {
		return p, err
	}
	given := p.kernels == nil
	if given && (len(p.weights) != 1 || p.d != n) || !given && len(p.weights) != len(p.kernels) {
		return p, fmt.Errorf("%d weights for %d kernels of %d features, with %d training examples", len(p.weights),
			len(p.kernels), p.d, n)
	}
	if err := p.check(); err != nil {
		return p, err
	}
	none := given || !p.weighs()
	if p.d < 1 || form < core.FormNone || form > core.FormSparse || (form == core.FormNone) != none {
		return p, fmt.Errorf("weights %v of %d kernels on %d features, with support vectors in form %d", p.weights,
			len(p.kernels), p.d, form)
	}
	if !none {
		p.vectors, err = kernel.ReadVectors[T](c, form, p.kernels, p.weights, s, p.d)
	}
	return p, err
}

// MarshalBinary returns what WriteTo writes: for encoding/gob.
func (m Combination[T]) MarshalBinary() ([]byte, error) { return container.Marshal(&m) }

// UnmarshalBinary makes m the model that MarshalBinary wrote: for encoding/gob. No one else may use m meanwhile.
func (m *Combination[T]) UnmarshalBinary(b []byte) error {
	return container.Unmarshal(m, b, "bundle", ReadCombination[T])
}
