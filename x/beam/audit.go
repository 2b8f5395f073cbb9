package beam

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/dualgap/dualgap/solvers"
)

// Report is what an audit tells beside its certificate.
type Report struct {
	Rows  int64
	Check uint64 // checksum of the rows, their numbers and labels: two audits with the same have seen the same data
	Moved int64  // rows whose dual variables were outside their domain, and were moved into it
}

// Audit certifies weights on all rows in one pass: the optimum of p lies between Dual and Primal. The weights are the
// file of a linear model, or W as an NPY file, wherever they come from.
//
// Dual is the bound by the caller's dual variables, p.Duals, or by the ones that the scores of W name. Of a smooth loss
// these make the gap |gradient of P at W|²/(2 Lambda). Of a loss with kinks, as a hinge, they may be far from good:
// p.Named has a smooth one name them.
//
// Sums are computed in float64, and where ranges begin at multiples of 64 rows of their file they do not depend on the
// ranges, nor on the order in which a runner adds them. For other ranges they differ by about 1e-14 of P, and a
// relative gap below 1e-12 says no more than this. The audit must read the numbers that the training has read: pixels
// that were rounded to float32 first are others.
//
// It is an error if a row is missing or was counted twice.
func Audit(ctx context.Context, d Driver, p ProblemSpec, w Asset, rows []Rows) (solvers.Certificate, Report, error) {
	s, matrix, err := audit(ctx, d, p, w, rows)
	if err != nil {
		return solvers.Certificate{}, Report{}, err
	}
	return s.Certificate(p.Lambda, matrix.Matrix), Report{s.Rows, s.Check, s.Moved}, nil
}

func audit(ctx context.Context, d Driver, p ProblemSpec, w Asset, rows []Rows) (*Sums, weights, error) {
	if err := p.checkFiles(ctx, rows); err != nil {
		return nil, weights{}, err
	}
	matrix, err := load(ctx, w, parseWeights)
	if err == nil {
		err = matrix.fit(&p)
	}
	if err != nil {
		return nil, weights{}, err
	}
	s, err := sums(ctx, d, p, w, rows)
	return s, matrix, err
}

// sums runs a pass.
func sums(ctx context.Context, d Driver, p ProblemSpec, w Asset, rows []Rows) (*Sums, error) {
	b, err := d.result(ctx, func(s beam.Scope) beam.PCollection { return Terms(s, p, w, elements(s, rows)) })
	if err != nil {
		return nil, err
	}
	var s Sums
	if err := s.UnmarshalBinary(b); err != nil {
		return nil, err
	}
	s.settle()
	return &s, s.whole(p.N)
}

// whole returns an error unless the sums are of the rows 0 to n-1, each once.
func (s *Sums) whole(n int64) error {
	switch {
	case s.Rows != n:
		return fmt.Errorf("beam: %d rows were counted, want %d: some are missing, or were counted twice", s.Rows, n)
	case s.IDs != allIDs(n):
		return fmt.Errorf("beam: %d rows were counted, but not each of them once", n)
	}
	return nil
}
