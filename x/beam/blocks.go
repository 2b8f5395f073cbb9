package beam

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// ScoreFiles scores rows into a folder, a file for each element: see [Score] and [Sink]. Blocks that are whole in the
// folder, for the same model, options and range, are not computed again, so that it goes on where a run was cut off. A
// file of rows whose bytes have changed under its name is not noticed.
//
// Blocks of other ranges in the folder are an error: they would be taken for answers of this run.
func ScoreFiles(ctx context.Context, d Driver, m Asset, o ScoreOptions, rows []Rows, dir string) error {
	model, err := load(ctx, m, parseModel) // what is wrong is told before a pipeline runs
	if err != nil {
		return err
	}
	if _, err := model.scorer(o); err != nil {
		return err
	}
	if err := columns(rows, model.features()); err != nil {
		return err
	}
	return d.blocks(ctx, scoreJob(m, o), rows, dir, func(s beam.Scope, rows beam.PCollection) beam.PCollection {
		return Score(s, m, o, rows)
	})
}

// EncodeFiles encodes rows into a folder: see [Encode] and [ScoreFiles].
func EncodeFiles(ctx context.Context, d Driver, book Asset, o EncodeOptions, rows []Rows, dir string) error {
	q, err := load(ctx, book, parseBook)
	if err != nil {
		return err
	}
	if err := columns(rows, q.D()); err != nil {
		return err
	}
	return d.blocks(ctx, encodeJob(book), rows, dir, func(s beam.Scope, rows beam.PCollection) beam.PCollection {
		return Encode(s, book, o, rows)
	})
}

// columns returns an error unless all rows have d columns.
func columns(rows []Rows, d int) error {
	for _, e := range rows {
		if e.Format.Cols != d {
			return fmt.Errorf("beam: %v: %d columns, want %d", e, e.Format.Cols, d)
		}
	}
	return nil
}

// blocks runs the pipeline that computes the missing blocks of a job and writes them: one fused stage.
func (d Driver) blocks(ctx context.Context, job string, rows []Rows, dir string,
	compute func(beam.Scope, beam.PCollection) beam.PCollection,
) (err error) {
	names := map[string]bool{}
	for _, e := range rows {
		names[blockName(e.First, e.Count)] = true
	}
	if len(names) != len(rows) || len(rows) == 0 {
		return fmt.Errorf("beam: %d elements of %d different ranges", len(rows), len(names))
	}
	if err := onlyBlocks(ctx, dir, names); err != nil {
		return err
	}
	if err := Writable(ctx, join(dir, blockName(rows[0].First, rows[0].Count))); err != nil {
		return err
	}
	blocks := join(dir, "rows-")
	resume(blocks)
	defer func() {
		if ctx.Err() != nil {
			halt(blocks)
		}
		err = errors.Join(err, removeFiles(context.WithoutCancel(ctx), join(dir, "rows-*"+temporary+"*")))
	}()
	return d.run(ctx, func(s beam.Scope) {
		Sink(s, dir, compute(s, missing(s, dir, job, elements(s, rows))))
	})
}

// onlyBlocks returns an error if a folder has blocks of other names.
func onlyBlocks(ctx context.Context, dir string, names map[string]bool) error {
	found, err := list(ctx, join(literal(dir), "rows-*"))
	for _, name := range found {
		block := strings.TrimSuffix(path.Base(strings.ReplaceAll(name, `\`, "/")), note)
		if !names[block] && !strings.Contains(block, temporary) {
			return fmt.Errorf("beam: %s is of other rows: want another folder, or an empty one", name)
		}
	}
	return err
}
