package kernel

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Parts are all numbers of an Expansion, for readers and writers of other formats. A model of s support vectors has
// them as the rows of Dense or, where that is empty, as sparse rows: row p has the numbers Values[Ptr[p]:Ptr[p+1]] in
// the Columns at the same places, which ascend. A precomputed kernel has neither.
type Parts[T vec.Float] struct {
	Kernel       Kernel // nil: precomputed
	Features     int    // d
	Examples     int    // n, the number of training examples
	Support      []int  // places of the support vectors among these, ascending
	Coefficients vec.Matrix[T]
	Names        []string // of the outputs, or nil
	Bias         []T      // their offsets, or nil

	Dense   vec.Matrix[T] // s-by-d
	Ptr     []int         // s+1 of them
	Columns []int32       // from 0
	Values  []T
}

// Parts returns the numbers of the model, which must not be changed.
func (m *Expansion[T]) Parts() Parts[T] {
	p := Parts[T]{Kernel: m.k, Features: m.d, Examples: m.c.N, Support: m.c.Support, Coefficients: m.c.A,
		Names: m.c.Names, Bias: m.bias}
	switch v := m.vectors.(type) {
	case denseVectors[T]:
		p.Dense = v.x
	case *sparseVectors[T]:
		p.Ptr, p.Columns, p.Values = v.x.ptr, v.x.columns, v.x.values
	}
	return p
}

// FromParts returns the model of these parts, which it keeps. It is an error if sizes do not fit, if the kernel is not
// valid, if places or columns do not ascend, if a number is not finite, or if two outputs have the same name. O(s (d +
// m)).
func FromParts[T vec.Float](p Parts[T]) (*Expansion[T], error) {
	s := len(p.Support)
	m := &Expansion[T]{k: p.Kernel, d: p.Features, c: core.Coefficients[T]{N: p.Examples,
		Support: slices.Clip(p.Support), A: p.Coefficients, Names: p.Names}, bias: p.Bias}
	sizes := []int{p.Examples, p.Features, s, p.Coefficients.Cols}
	if err := p.Coefficients.Validate(); err != nil {
		return nil, fmt.Errorf("kernel: coefficients: %w", err)
	}
	if err := m.c.Check(s, p.Coefficients.Cols, sizes); err != nil {
		return nil, fmt.Errorf("kernel: parts: %w", err)
	}
	if err := m.checkBias(p.Bias); err != nil {
		return nil, fmt.Errorf("kernel: parts: %w", err)
	}
	if m.d < 1 || m.k == nil && m.d != p.Examples {
		return nil, fmt.Errorf("kernel: parts of %d features and %d training examples", m.d, p.Examples)
	}
	if m.k == nil {
		if p.Dense.Rows > 0 || len(p.Ptr) > 0 {
			return nil, fmt.Errorf("kernel: parts of a precomputed kernel with %d support vectors, want their places",
				max(p.Dense.Rows, len(p.Ptr)-1))
		}
		return m, nil
	}
	if err := check(m.k); err != nil {
		return nil, err
	}
	var err error
	if m.vectors, err = p.vectors(s); err != nil {
		return nil, fmt.Errorf("kernel: parts: %w", err)
	}
	return m, nil
}

// vectors returns the support vectors.
func (p *Parts[T]) vectors(s int) (vectors[T], error) {
	if len(p.Ptr) > 0 {
		x := &sparseRows[T]{ptr: p.Ptr, columns: p.Columns, values: p.Values}
		if err := x.check(s, p.Features); err != nil {
			return nil, err
		}
		return newSparseVectors(x, p.Features)
	}
	x := p.Dense
	if err := x.Validate(); err != nil {
		return nil, err
	}
	if x.Rows != s || x.Cols != p.Features || s > math.MaxInt/8/x.Cols {
		return nil, fmt.Errorf("a %d-by-%d matrix of %d support vectors of %d features", x.Rows, x.Cols, s, p.Features)
	}
	for q := range x.Rows {
		if err := core.CheckFinite("number", q, x.Row(q)); err != nil {
			return nil, err
		}
	}
	return newDenseVectors(p.Kernel, x), nil
}
