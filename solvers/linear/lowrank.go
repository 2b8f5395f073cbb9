package linear

import (
	"fmt"
	"io"
	"maps"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// LowRank is a linear model whose weights are kept in factors: W = U Vᵀ, U d-by-r and V m-by-r, so that an example
// costs r (d + m) operations and the model as many numbers, in place of d m. It is immutable and safe for concurrent
// use. The zero LowRank has neither features nor outputs; its scores are an error.
type LowRank[T vec.Float] struct {
	onlyFiles
	u, v  vec.Matrix[T]
	bias  []T // nil: none
	names []string
	notes map[string]string
}

var _ solvers.Scorer[float32] = (*LowRank[float32])(nil)

// NewLowRank returns the model with the weights U Vᵀ, of one column at least, and the offsets bias, one for each
// output; nil stands for none. names are the outputs' names, nil if they have none. All are copied. It is an error if
// the sizes do not fit, a number is not finite, or two outputs have the same name.
func NewLowRank[T vec.Float](u, v vec.Matrix[T], bias []T, names []string) (*LowRank[T], error) {
	for _, f := range []struct {
		name string
		m    vec.Matrix[T]
	}{{"U", u}, {"V", v}} {
		if err := f.m.Validate(); err != nil {
			return nil, fmt.Errorf("linear: %s: %w", f.name, err)
		}
		for i := range f.m.Rows {
			for j, x := range f.m.Row(i) {
				if x-x != 0 {
					return nil, fmt.Errorf("linear: %s has %v in row %d, column %d, want a finite number", f.name, x, i,
						j)
				}
			}
		}
	}
	switch {
	case u.Rows < 1 || v.Rows < 1 || u.Cols < 1 || u.Cols != v.Cols:
		return nil, fmt.Errorf("linear: factors of %d by %d and %d by %d, want a feature, an output and a column at "+
			"least, and as many columns",
			u.Rows, u.Cols, v.Rows, v.Cols)
	case u.Cols > min(u.Rows+1, v.Rows): // the rank of W with the offsets as one more row
		return nil, fmt.Errorf("linear: factors of %d columns, weights of %d features and an offset for %d outputs "+
			"have at most %d",
			u.Cols, u.Rows, v.Rows, min(u.Rows+1, v.Rows))
	case bias != nil && len(bias) != v.Rows:
		return nil, fmt.Errorf("linear: %d offsets for %d outputs", len(bias), v.Rows)
	}
	for l, b := range bias {
		if b-b != 0 {
			return nil, fmt.Errorf("linear: offset %v of output %d, want a finite number", b, l)
		}
	}
	if err := solvers.CheckNames(names, v.Rows); err != nil {
		return nil, err
	}
	return &LowRank[T]{u: copied(u), v: copied(v), bias: append([]T(nil), bias...),
		names: append([]string(nil), names...)}, nil
}

func copied[T vec.Float](a vec.Matrix[T]) vec.Matrix[T] {
	own := vec.NewMatrix[T](a.Rows, a.Cols)
	for i := range a.Rows {
		copy(own.Row(i), a.Row(i))
	}
	return own
}

// Dims returns the number of features and of outputs.
func (m *LowRank[T]) Dims() (features, outputs int) { return m.u.Rows, m.v.Rows }

// Names returns the names of the outputs, nil if they have none. They must not be changed.
func (m *LowRank[T]) Names() []string { return m.names }

// Rank returns the number of columns of the factors that are not 0, which the rank of W cannot exceed: 0 where W is 0,
// though its factors have a column. O(r (d + m)).
func (m *LowRank[T]) Rank() (rank int) {
	for k := range m.u.Cols {
		if occupied(m.u, k) && occupied(m.v, k) {
			rank++
		}
	}
	return rank
}

// occupied reports whether a column of a has a number that is not 0.
func occupied[T vec.Float](a vec.Matrix[T], column int) bool {
	for i := range a.Rows {
		if a.Row(i)[column] != 0 {
			return true
		}
	}
	return false
}

// Factors returns U and V, which must not be changed.
func (m *LowRank[T]) Factors() (u, v vec.Matrix[T]) { return m.u, m.v }

// Bias returns a copy of the offsets of the outputs, nil if there are none.
func (m *LowRank[T]) Bias() []T { return append([]T(nil), m.bias...) }

// Notes returns a copy of what the model says of itself, such as the certificate and the settings of its training: nil
// if there is nothing.
func (m *LowRank[T]) Notes() map[string]string { return maps.Clone(m.notes) }

// WithNotes returns the same model with a copy of these notes in place of its own. They go into its file.
func (m *LowRank[T]) WithNotes(notes map[string]string) *LowRank[T] {
	other := *m
	other.notes = maps.Clone(notes)
	return &other
}

// Dense returns the model with W in place of its factors: for LIBLINEAR's text, and quicker where r (d + m) is more
// than d m.
func (m *LowRank[T]) Dense() (*Model[T], error) {
	if m.v.Rows == 0 {
		return nil, errZeroLowRank
	}
	w := vec.NewMatrix[T](m.u.Rows, m.v.Rows)
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, m.u, m.v, 0, w)
	dense, err := New(w, m.bias, m.names)
	if err != nil {
		return nil, err
	}
	return dense.WithNotes(m.notes), nil
}

var errZeroLowRank = fmt.Errorf("linear: the zero LowRank has no weights")

// Scores sets dst, len(rows)-by-m, to the scores of the examples rows of x, by all cores; nil stands for all. Sizes
// that do not fit are an error with the numbers that clash. Memory: len(rows) r numbers.
func (m *LowRank[T]) Scores(dst vec.Matrix[T], x design.Matrix[T], rows []int) error {
	return m.ScoresWorkers(dst, x, rows, 0)
}

// ScoresWorkers is Scores by workers goroutines, 0 for all cores. A negative number is an error.
func (m *LowRank[T]) ScoresWorkers(dst vec.Matrix[T], x design.Matrix[T], rows []int, workers int) error {
	if m != nil && m.v.Rows == 0 {
		return errZeroLowRank
	}
	if err := solvers.CheckScores(dst, m, x, rows); err != nil {
		return err
	}
	workers, err := parallel.Cores(workers, dst.Rows)
	if err != nil {
		return fmt.Errorf("linear: %w", err)
	}
	inner := vec.NewMatrix[T](dst.Rows, m.u.Cols)
	if rows == nil {
		design.ScoresAll(inner, m.u, x, workers)
	}
	const size = 1024 // rows that a goroutine takes at a time
	parallel.Chunks(workers, dst.Rows, size, func(_, from, to int) {
		some, s := inner.Slice(from, to, 0, m.u.Cols), dst.Slice(from, to, 0, dst.Cols)
		for i := range s.Rows {
			clear(s.Row(i))
			copy(s.Row(i), m.bias)
		}
		if rows != nil {
			x.Scores(some, m.u, rows[from:to])
		}
		vec.Gemm(vec.NoTrans, vec.Transposed, 1, some, m.v, 1, s)
	})
	return nil
}

const (
	lowRankKind    = "lowrank"
	lowRankVersion = 1
)

// WriteTo writes the model: factors, offsets, names and notes. docs/files.md has the layout. ReadLowRank gives the same
// bits back, on every machine.
func (m *LowRank[T]) WriteTo(w io.Writer) (int64, error) {
	if m.v.Rows == 0 {
		return 0, errZeroLowRank
	}
	c := container.NewWriter(w, lowRankKind, lowRankVersion)
	c.Strings("name", m.names)
	c.Map("note", m.notes)
	container.Floats(c, "bias", m.bias)
	container.WriteMatrix(c, "u", m.u)
	container.WriteMatrix(c, "v", m.v)
	n, err := c.Close()
	if err != nil {
		return n, fmt.Errorf("linear: writing a model: %w", err)
	}
	return n, nil
}

// ReadLowRank reads what LowRank.WriteTo wrote, and no byte behind it. An error about the bytes wraps ErrCorrupt; a
// model of the other type of numbers is an error that says so. Memory is taken as bytes come, not as they promise.
func ReadLowRank[T vec.Float](r io.Reader) (*LowRank[T], error) {
	m, err := readLowRank[T](r)
	if err != nil {
		return nil, fmt.Errorf("linear: reading a model: %w", err)
	}
	return m, nil
}

func readLowRank[T vec.Float](r io.Reader) (*LowRank[T], error) {
	c, err := container.Open(r)
	if err != nil {
		return nil, err
	}
	c.Expect(lowRankKind, lowRankVersion)
	names, notes := c.Strings("name", container.Any), c.Map("note")
	bias := container.ReadFloats[T](c, "bias", container.Any)
	u, v := container.ReadMatrix[T](c, "u"), container.ReadMatrix[T](c, "v")
	if err := c.Close(); err != nil {
		return nil, err
	}
	if len(bias) == 0 {
		bias = nil
	}
	m, err := NewLowRank(u, v, bias, names)
	if err != nil {
		c.Corrupt("%v", err)
		return nil, c.Err()
	}
	m.notes = notes
	return m, nil
}

// MarshalBinary returns what WriteTo writes: for encoding/gob.
func (m LowRank[T]) MarshalBinary() ([]byte, error) { return container.Marshal(&m) }

// UnmarshalBinary makes m the model that MarshalBinary wrote: for encoding/gob. No one else may use m meanwhile.
func (m *LowRank[T]) UnmarshalBinary(b []byte) error {
	return container.Unmarshal(m, b, "linear", ReadLowRank[T])
}
