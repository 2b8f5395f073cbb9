package interior

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/cholesky"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// Dense is a K in memory, with its decomposition: 2 n² numbers.
type Dense struct {
	k, l    vec.Matrix[float64]
	workers int
}

// NewDense returns the System of k, n-by-n and symmetric, whose memory it keeps. workers is the number of goroutines, 0
// for all cores; the bits do not depend on it.
func NewDense(k vec.Matrix[float64], workers int) (*Dense, error) {
	workers, err := parallel.Cores(workers, k.Rows)
	if err != nil {
		return nil, fmt.Errorf("interior: %w", err)
	}
	if err := k.Validate(); err != nil {
		return nil, fmt.Errorf("interior: %w", err)
	}
	if k.Rows != k.Cols {
		return nil, fmt.Errorf("interior: a %d-by-%d matrix K, want a square one", k.Rows, k.Cols)
	}
	return &Dense{k: k, l: vec.NewMatrix[float64](k.Rows, k.Rows), workers: workers}, nil
}

// Len returns n.
func (s *Dense) Len() int { return s.k.Rows }

// Multiply sets dst = K c.
func (s *Dense) Multiply(dst, c []float64) {
	const rows = 64 // that a goroutine takes at a time
	n := len(c)
	parallel.Chunks(s.workers, n, rows, func(_, from, to int) {
		vec.Gemv(1, s.k.Slice(from, to, 0, n), c, 0, dst[from:to])
	})
}

// Factor decomposes K + diag(d). Rounding leaves K itself positive semidefinite up to about n u |K| only, so that a d
// below that may leave a pivot that is not positive: the least d that is added is that.
func (s *Dense) Factor(d []float64) error {
	n, most := s.k.Rows, 0.0
	for i := range n {
		most = max(most, s.k.Row(i)[i])
	}
	least := math.Ldexp(float64(n)*most, -53)
	for i, v := range d {
		row := s.l.Row(i)
		copy(row[:i+1], s.k.Row(i))
		row[i] += max(v, least)
	}
	return cholesky.Factor(s.l, s.workers)
}

// Solve sets B = (K + diag(d))⁻¹ B.
func (s *Dense) Solve(b vec.Matrix[float64]) { cholesky.Solve(s.l, b, s.workers) }
