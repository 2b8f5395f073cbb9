package beam

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn2x1[context.Context, []byte, error](&writeFn{})
}

// Runner runs a pipeline to its end: beamx.Run does, by the runner that the flags name.
type Runner func(ctx context.Context, p *beam.Pipeline) error

// Driver is what runs the pipelines of a program.
type Driver struct {
	Run      Runner
	Dir      string // folder for what a pipeline tells its driver, which both can reach; it is left empty
	Attempts int    // how often a pipeline that fails is run; default: 3
}

// run builds a pipeline and runs it until it succeeds, at most Attempts times: Prism retries nothing itself. A context
// that has ended is not an attempt more. The error is a [*RunError], unless the context has ended.
func (d Driver) run(ctx context.Context, build func(s beam.Scope)) error {
	attempts := d.Attempts
	if attempts < 1 {
		attempts = 3
	}
	if d.Run == nil {
		return errors.New("beam: a Driver without Run")
	}
	said := new(RunError)
	for range attempts {
		if ctx.Err() != nil {
			return fmt.Errorf("beam: stopped: %w", context.Cause(ctx))
		}
		p, s := beam.NewPipelineWithRoot()
		build(s)
		err := d.Run(ctx, p)
		if err == nil {
			return nil
		}
		said.Attempts = append(said.Attempts, err)
	}
	return said
}

// result runs a pipeline that ends with one element of bytes, and returns these: by a file, as the driver may be
// another process than the workers.
func (d Driver) result(ctx context.Context, build func(s beam.Scope) beam.PCollection) (b []byte, err error) {
	path := join(d.Dir, "result-"+random())
	defer func() {
		if ctx.Err() != nil {
			halt(path)
		}
		err = errors.Join(err, removeFiles(context.WithoutCancel(ctx), path+"*"))
	}()
	err = d.run(ctx, func(s beam.Scope) { beam.ParDo0(s, &writeFn{Path: path}, build(s)) })
	if err != nil {
		return nil, err
	}
	return readFile(ctx, path)
}

// elements returns rows as a collection whose elements a cluster spreads over its workers. Only the ranges travel.
func elements(s beam.Scope, rows []Rows) beam.PCollection {
	return beam.Reshuffle(s, beam.CreateList(s, rows))
}

// writeFn writes the one element of a collection to a file.
type writeFn struct{ Path string }

// ProcessElement writes b.
func (f *writeFn) ProcessElement(ctx context.Context, b []byte) error {
	return writeFile(ctx, f.Path, b)
}
