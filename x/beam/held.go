package beam

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// hold returns all rows of a problem, for steps that train on all of them. A process reads them once.
func hold(ctx context.Context, p ProblemSpec, rows []Rows) (*sample, error) {
	key, err := json.Marshal([]any{p, rows})
	if err != nil {
		return nil, err
	}
	return cached(digest(key), func() (*sample, error) { return p.draw(ctx, rows, int(p.N), 0) })
}

// gather runs a pipeline of a step on each of the numbers 0 to n-1, and returns what the steps have written to the
// files that file names. It removes them.
func (d Driver) gather(ctx context.Context, n int, file func(number int) string,
	build func(s beam.Scope, numbers beam.PCollection),
) (all [][]byte, err error) {
	defer func() {
		for k := range n {
			removeFiles(context.WithoutCancel(ctx), file(k)+"*")
		}
	}()
	numbers := slices.Collect(func(yield func(int) bool) {
		for k := range n {
			if !yield(k) {
				return
			}
		}
	})
	err = d.run(ctx, func(s beam.Scope) { build(s, beam.Reshuffle(s, beam.CreateList(s, numbers))) })
	for k := 0; err == nil && k < n; k++ {
		var b []byte
		b, err = readFile(ctx, file(k))
		all = append(all, b)
	}
	return all, err
}
