package kernel

import (
	"fmt"
	"io"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

const (
	kindMany    = "kernels"
	versionMany = 1
)

// WriteTo writes the model: groups with their kernels, weights and support vectors, coefficients, names and notes.
// docs/files.md has the layout. ReadCombination gives the same bits back, on every machine.
func (m *Combination[T]) WriteTo(w io.Writer) (int64, error) {
	if m.a.Cols == 0 {
		return 0, errNothing
	}
	c := container.NewWriter(w, kindMany, versionMany)
	c.Ints("size", m.n, len(m.support), m.a.Cols, len(m.parts))
	c.Strings("name", m.names)
	c.Map("note", m.notes)
	c.Ints("supp", m.support...)
	container.WriteMatrix(c, "a", m.a)
	for _, p := range m.parts {
		codes, numbers := []int{codeNone}, []float64(nil)
		if p.kernels != nil {
			codes = []int{}
			for _, k := range p.kernels {
				if err := encodeInto(&codes, &numbers, k, 0); err != nil {
					return 0, err
				}
			}
		}
		form := formNone
		switch p.vectors.(type) {
		case denseVectors[T]:
			form = formDense
		case *sparseVectors[T]:
			form = formSparse
		}
		c.Ints("part", p.d, form)
		c.Ints("kern", codes...)
		container.Floats(c, "para", numbers)
		container.Floats(c, "wght", p.weights)
		writeVectors(c, p.vectors)
	}
	n, err := c.Close()
	if err != nil {
		return n, fmt.Errorf("kernel: writing a model: %w", err)
	}
	return n, nil
}

// writeVectors writes the support vectors of a model.
func writeVectors[T vec.Float](c *container.Writer, v vectors[T]) {
	switch v := v.(type) {
	case denseVectors[T]:
		container.WriteMatrix(c, "x", v.x)
	case *sparseVectors[T]:
		c.Ints("ptr", v.x.ptr...)
		c.Int32s("col", v.x.columns)
		container.Floats(c, "val", v.x.values)
	}
}

// ReadCombination reads what WriteTo wrote, and no byte behind it. An error about the bytes wraps ErrCorrupt; a model
// of the other type of numbers is an error that says so. Memory is taken as bytes come, not as they promise.
func ReadCombination[T vec.Float](r io.Reader) (*Combination[T], error) {
	m, err := readMany[T](r)
	if err != nil {
		return nil, fmt.Errorf("kernel: reading a model: %w", err)
	}
	return m, nil
}

func readMany[T vec.Float](r io.Reader) (*Combination[T], error) {
	c, err := container.Open(r)
	if err != nil {
		return nil, err
	}
	c.Expect(kindMany, versionMany)
	size := c.Ints("size", 4)
	m := &Combination[T]{names: c.Strings("name", -1), notes: c.Map("note")}
	m.support = c.Ints("supp", -1)
	m.a = container.ReadMatrix[T](c, "a")
	if c.Err() != nil {
		return nil, c.Err()
	}
	m.n = size[0]
	s, outputs, groups := size[1], size[2], size[3]
	if m.n < 1 || outputs < 1 || groups < 1 || s != len(m.support) || s != m.a.Rows || outputs != m.a.Cols {
		c.Corrupt("%d-by-%d coefficients of %d support vectors, but sizes %v", m.a.Rows, m.a.Cols, len(m.support), size)
		return nil, c.Err()
	}
	if err = solvers.CheckNames(m.names, outputs); err == nil {
		err = checkSupport(m.n, m.support, m.a)
	}
	for d := 0; err == nil && len(m.parts) < groups; {
		var p part[T]
		if p, err = readPart[T](c, m.n, s); err == nil {
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
	size, codes := c.Ints("part", 2), c.Ints("kern", -1)
	numbers := container.ReadFloats[float64](c, "para", -1)
	p.weights = container.ReadFloats[float64](c, "wght", -1)
	if c.Err() != nil {
		return p, c.Err()
	}
	p.d = size[0]
	form, given := size[1], len(codes) == 1 && codes[0] == codeNone && len(numbers) == 0
	if !given {
		if p.kernels, err = decodeAll(codes, numbers); err != nil {
			return p, err
		}
	}
	if given && (len(p.weights) != 1 || p.d != n) || !given && len(p.weights) != len(p.kernels) {
		return p, fmt.Errorf("%d weights for %d kernels of %d features, with %d training examples", len(p.weights),
			len(p.kernels), p.d, n)
	}
	if err := p.check(); err != nil {
		return p, err
	}
	k := p.sum()
	switch {
	case p.d < 1 || form < formNone || form > formSparse || (form == formNone) != (len(k) == 0):
		return p, fmt.Errorf("%d kernels with a weight on %d features, with support vectors in form %d", len(k), p.d,
			form)
	case form == formDense:
		p.vectors, err = readDense[T](c, k, s, p.d)
	case form == formSparse:
		p.vectors, err = readSparse[T](c, s, p.d)
	}
	return p, err
}

// decodeAll returns kernels that were encoded one after the other, none of them a Sum.
func decodeAll(codes []int, numbers []float64) (all []Kernel, err error) {
	d := decoder{codes: codes, numbers: numbers}
	for len(d.codes) > 0 && !d.short {
		k := d.kernel(0)
		if _, sum := k.(Sum); sum || check(k) != nil {
			d.short = true
		}
		all = append(all, k)
	}
	if d.short || len(d.numbers) > 0 || len(all) == 0 {
		return nil, fmt.Errorf("no kernels in %d codes and %d parameters", len(codes), len(numbers))
	}
	return all, nil
}

// MarshalBinary returns what WriteTo writes: for encoding/gob.
func (m Combination[T]) MarshalBinary() ([]byte, error) { return container.Marshal(&m) }

// UnmarshalBinary makes m the model that MarshalBinary wrote: for encoding/gob. No one else may use m meanwhile.
func (m *Combination[T]) UnmarshalBinary(b []byte) error {
	return container.Unmarshal(m, b, "kernel", ReadCombination[T])
}
