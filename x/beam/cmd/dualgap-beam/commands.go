package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	dualgap "github.com/dualgap/dualgap/x/beam"

	"github.com/dualgap/dualgap/solvers"
)

// Score scores rows.
type Score struct {
	Rows
	Model string `arg:"" help:"File of a model of any kind."`
	Dir   string `arg:"" help:"Folder of the answers."`
	K     int    `short:"k" help:"Outputs that an answer names, with their scores, the best first. By default the scores of all."`
}

// Run is called by kong.
func (c *Score) Run(ctx context.Context, o *output) error {
	return c.blocks(ctx, o, c.Model, c.Dir, func(d dualgap.Driver, model dualgap.Asset, rows []dualgap.Rows) error {
		return dualgap.ScoreFiles(ctx, d, model, dualgap.ScoreOptions{K: c.K, Workers: c.Workers}, rows, c.Dir)
	})
}

// blocks has write make a file for each range, by the asset at a path.
func (r *Rows) blocks(ctx context.Context, o *output, path, dir string,
	write func(dualgap.Driver, dualgap.Asset, []dualgap.Rows) error,
) error {
	a, err := dualgap.AssetOf(ctx, path)
	if err != nil {
		return err
	}
	rows, err := r.split(ctx)
	if err != nil {
		return err
	}
	if err := write(dualgap.Driver{Run: o.run}, a, rows); err != nil {
		return err
	}
	fmt.Fprintf(o.out, "%d ranges in %s\n", len(rows), dir)
	return nil
}

// Encode encodes rows.
type Encode struct {
	Rows
	Book string `arg:"" help:"File of a codebook."`
	Dir  string `arg:"" help:"Folder of the codes."`
}

// Run is called by kong.
func (c *Encode) Run(ctx context.Context, o *output) error {
	return c.blocks(ctx, o, c.Book, c.Dir, func(d dualgap.Driver, book dualgap.Asset, rows []dualgap.Rows) error {
		return dualgap.EncodeFiles(ctx, d, book, dualgap.EncodeOptions{Workers: c.Workers}, rows, c.Dir)
	})
}

// Audit certifies a model.
type Audit struct {
	Problem
	Model string `arg:"" help:"File of a linear model, or W, d by m, as an NPY file."`
	Duals string `help:"File of the dual variables, n by m numbers of 8 bytes, the low byte first. By default the ones that the scores name."`
}

// Run is called by kong.
func (c *Audit) Run(ctx context.Context, o *output) error {
	w, err := dualgap.AssetOf(ctx, c.Model)
	if err != nil {
		return err
	}
	p, err := c.open(ctx, o)
	if err != nil {
		return err
	}
	p.spec.Duals = c.Duals
	certificate, report, err := dualgap.Audit(ctx, p.driver, p.spec, w, p.rows)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.out, "%v\n%d rows, checksum %016x, %d rows of dual variables moved into their domain\n", certificate,
		report.Rows, report.Check, report.Moved)
	return nil
}

// Written is the file of a model that a command writes.
type Written struct {
	Model string `arg:"" help:"File of the model that is written."`
}

// train opens a problem, has fit train a model, prints what fit tells of it and writes it. That the model can be
// written is found out before.
func (w *Written) train(ctx context.Context, o *output, open func(context.Context, *output) (problem, error),
	fit func(problem) (io.WriterTo, fmt.Stringer, error),
) error {
	if err := dualgap.Writable(ctx, w.Model); err != nil {
		return err
	}
	p, err := open(ctx, o)
	if err != nil {
		return err
	}
	m, told, err := fit(p)
	if err != nil {
		return err
	}
	fmt.Fprintln(o.out, told)
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		return err
	}
	return dualgap.WriteFile(ctx, w.Model, b.Bytes())
}

// Steps are the flags of a training by passes over all rows.
type Steps struct {
	Sample *int    `help:"Rows that this command holds and solves. By default 10000, or all."`
	Tol    float64 `default:"1e-3" help:"Relative duality gap to stop at."`
	Passes int     `default:"50" help:"Most passes over all rows."`
	Seed   uint64  `help:"Of the sample and of the order of its rows."`
}

// options returns what the flags say.
func (s *Steps) options(o *output) (dualgap.TrainOptions, error) {
	options := dualgap.TrainOptions{Tol: s.Tol, Passes: s.Passes, Seed: s.Seed}
	options.Progress = func(p dualgap.TrainProgress) { fmt.Fprintf(o.err, "pass %d: %v\n", p.Pass, p.Certificate) }
	err := cmp.Or(positive("--tol", s.Tol), atLeast("--passes", s.Passes, 1))
	if s.Sample != nil {
		options.Sample = *s.Sample
		err = cmp.Or(err, atLeast("--sample", *s.Sample, 1))
	}
	return options, err
}

// Train trains a model.
type Train struct {
	Problem
	Written
	Steps
}

// Run is called by kong.
func (c *Train) Run(ctx context.Context, o *output) error {
	options, err := c.options(o)
	if err != nil {
		return err
	}
	return c.train(ctx, o, c.open, func(p problem) (io.WriterTo, fmt.Stringer, error) {
		return called(dualgap.Train(ctx, p.driver, p.spec, options, p.rows))
	})
}

// called returns results as train takes them.
func called[M io.WriterTo, S fmt.Stringer](m M, told S, err error) (io.WriterTo, fmt.Stringer, error) {
	return m, told, err
}

// Trace trains a model of a low rank.
type Trace struct {
	Examples
	Written
	Steps
	Lambda1 float64 `name:"lambda1" help:"Weight of the sum of the singular values. By default of both lambdas, they fit the data."`
	Lambda2 float64 `name:"lambda2" help:"Weight of the sum of their squares, above 0 where --lambda1 is."`
	Raw     bool    `help:"Take the rows as they are. By default their mean is taken away."`
}

// Run is called by kong.
func (c *Trace) Run(ctx context.Context, o *output) error {
	options, err := c.options(o)
	if err != nil {
		return err
	}
	s := dualgap.TraceSpec{Lambda1: c.Lambda1, Lambda2: c.Lambda2, Raw: c.Raw}
	return c.train(ctx, o, c.open, func(p problem) (io.WriterTo, fmt.Stringer, error) {
		return called(dualgap.TrainTrace(ctx, p.driver, s, p.spec, options, p.rows))
	})
}

// Labels trains a model of many labels.
type Labels struct {
	Examples
	Written
	Cost   float64 `short:"c" default:"1" help:"Cost of the losses."`
	Groups int     `default:"1" help:"Groups of labels, a step each."`
	Tol    float64 `default:"1e-3" help:"Relative duality gap to stop at."`
	Seed   uint64  `help:"Of the order of the rows."`
}

// Run is called by kong.
func (c *Labels) Run(ctx context.Context, o *output) error {
	err := cmp.Or(positive("-c", c.Cost), positive("--tol", c.Tol), atLeast("--groups", c.Groups, 1))
	if err != nil {
		return err
	}
	return c.train(ctx, o, c.open, func(p problem) (io.WriterTo, fmt.Stringer, error) {
		return called(dualgap.TrainLabels(ctx, p.driver, dualgap.LabelsSpec{C: c.Cost, Groups: c.Groups, Tol: c.Tol,
			Seed: c.Seed}, p.spec, p.rows))
	})
}

// Grid searches costs.
type Grid struct {
	Examples
	Losses
	Models string    `arg:"" help:"Folder of the models of all rows: model-0 and on, from the most regularized."`
	GridC  []float64 `name:"grid-c" help:"Costs to try. By default .001, .01, .1, 1, 10, 100."`
	CV     int       `name:"cv" default:"5" help:"Parts of the rows."`
	Tol    float64   `default:"1e-3" help:"Relative duality gap to stop at."`
	Seed   uint64    `help:"Of the parts and of the order of the rows."`
}

// Run is called by kong.
func (c *Grid) Run(ctx context.Context, o *output) error {
	err := positive("--tol", c.Tol)
	for _, cost := range c.GridC {
		err = cmp.Or(err, positive("--grid-c", cost))
	}
	if err != nil {
		return err
	}
	p, err := c.open(ctx, o)
	if err == nil {
		err = c.loss(&p.spec)
	}
	if err != nil {
		return err
	}
	n := float64(p.spec.N)
	g := dualgap.GridSpec{Folds: c.CV, Tol: c.Tol, Seed: c.Seed, Models: c.Models}
	for _, cost := range c.GridC {
		g.Lambdas = append(g.Lambdas, 1/(cost*n))
	}
	points, err := dualgap.Grid(ctx, p.driver, g, p.spec, p.rows)
	if err != nil {
		return err
	}
	for k, point := range points {
		var measures []string
		for _, m := range point.Measures {
			measures = append(measures, fmt.Sprintf("%s %.4f", m.Name, m.Mean))
		}
		fmt.Fprintf(o.out, "model-%d: c %.6g, lambda %.6g, %s, %v\n", k, 1/(point.Lambda*n), point.Lambda,
			strings.Join(measures, ", "), point.Outcome)
	}
	fmt.Fprintf(o.out, "best: model-%d\n", solvers.Best(points, 0))
	return nil
}
