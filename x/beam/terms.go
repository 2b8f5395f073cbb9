package beam

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn3x1[context.Context, Rows, func([]byte), error](&termsFn{})
	register.Emitter1[[]byte]()
	register.Combiner1[[]byte](&addFn{})
}

// Terms returns one element, the [Sums] of p, w and all rows as bytes. A step reads its range, computes its scores, its
// losses and its dual variables, and adds them to the sums of its bundle: one fused pass, O(nonzeros m).
func Terms(s beam.Scope, p ProblemSpec, w Asset, rows beam.PCollection) beam.PCollection {
	s = s.Scope("dualgap.Terms")
	return beam.Combine(s, &addFn{}, beam.ParDo(s, &termsFn{Problem: p, W: w}, rows))
}

// termsFn sums up the rows of a bundle.
type termsFn struct {
	Problem ProblemSpec
	W       Asset

	pass *pass
}

// Setup loads W.
func (f *termsFn) Setup(ctx context.Context) error {
	w, err := load(ctx, f.W, parseWeights)
	if err != nil {
		return err
	}
	f.pass, err = newPass(&f.Problem, w)
	return err
}

// StartBundle forgets the bundle before, which may have failed.
func (f *termsFn) StartBundle(func([]byte)) { f.pass.take() }

// ProcessElement adds the rows of an element.
func (f *termsFn) ProcessElement(ctx context.Context, e Rows, _ func([]byte)) error {
	return f.pass.add(ctx, e)
}

// FinishBundle hands the sums on.
func (f *termsFn) FinishBundle(emit func([]byte)) error {
	s := f.pass.take()
	if s == nil {
		return nil
	}
	b, err := s.MarshalBinary()
	if err == nil {
		emit(b)
	}
	return err
}

// addFn adds sums of bundles.
type addFn struct{}

// CreateAccumulator returns sums of nothing, of no size.
func (*addFn) CreateAccumulator() []byte { return nil }

// AddInput adds a bundle's sums.
func (f *addFn) AddInput(sum, b []byte) ([]byte, error) { return f.MergeAccumulators(sum, b) }

// MergeAccumulators adds sums.
func (*addFn) MergeAccumulators(a, b []byte) ([]byte, error) {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...), nil
	}
	var s, other Sums
	if err := s.UnmarshalBinary(a); err != nil {
		return nil, err
	}
	if err := other.UnmarshalBinary(b); err != nil {
		return nil, err
	}
	if err := s.Add(&other); err != nil {
		return nil, fmt.Errorf("in a combine: %w", err)
	}
	return s.MarshalBinary()
}
