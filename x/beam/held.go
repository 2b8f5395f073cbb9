package beam

import (
	"context"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// hold returns all rows of a problem, for steps that train on all of them. A process reads them once for a run, which
// has a name of its own: files may have changed before the next.
func hold(ctx context.Context, run string, p ProblemSpec, rows []Rows) (*sample, error) {
	return cached(run, func() (*sample, error) { return p.draw(ctx, rows, int(p.N), 0) })
}

// release forgets what this process holds for a run.
func release(run string) { forget(func(l *loading) bool { return l.digest == run }) }

// gather runs a pipeline of a step on each of the numbers 0 to n-1, and returns what the steps have written to the
// files that file names. It removes them.
func (d Driver) gather(ctx context.Context, n int, file func(number int) string,
	build func(s beam.Scope, numbers beam.PCollection),
) (all [][]byte, err error) {
	defer func() {
		for k := range n {
			if ctx.Err() != nil {
				halt(file(k))
			}
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
