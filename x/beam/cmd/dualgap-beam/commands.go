package main

import (
	"bytes"
	"context"
	"fmt"
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
	rows, model, err := c.open(ctx, c.Model)
	if err != nil {
		return err
	}
	err = dualgap.ScoreFiles(ctx, dualgap.Driver{Run: o.run}, model, dualgap.ScoreOptions{K: c.K, Workers: c.Workers},
		rows, c.Dir)
	if err == nil {
		fmt.Fprintf(o.out, "%d ranges in %s\n", len(rows), c.Dir)
	}
	return err
}

// open returns the elements and an asset.
func (r *Rows) open(ctx context.Context, path string) ([]dualgap.Rows, dualgap.Asset, error) {
	rows, err := r.split(ctx)
	if err != nil {
		return nil, dualgap.Asset{}, err
	}
	a, err := dualgap.AssetOf(ctx, path)
	return rows, a, err
}

// Encode encodes rows.
type Encode struct {
	Rows
	Book string `arg:"" help:"File of a codebook."`
	Dir  string `arg:"" help:"Folder of the codes."`
}

// Run is called by kong.
func (c *Encode) Run(ctx context.Context, o *output) error {
	rows, book, err := c.open(ctx, c.Book)
	if err != nil {
		return err
	}
	err = dualgap.EncodeFiles(ctx, dualgap.Driver{Run: o.run}, book, dualgap.EncodeOptions{Workers: c.Workers}, rows,
		c.Dir)
	if err == nil {
		fmt.Fprintf(o.out, "%d ranges in %s\n", len(rows), c.Dir)
	}
	return err
}

// Audit certifies a model.
type Audit struct {
	Problem
	Model string `arg:"" help:"File of a linear model, or W, d by m, as an NPY file."`
	Duals string `help:"File of the dual variables, n by m numbers of 8 bytes, the low byte first. By default the ones that the scores name."`
}

// Run is called by kong.
func (c *Audit) Run(ctx context.Context, o *output) error {
	rows, w, err := c.open(ctx, c.Model)
	if err != nil {
		return err
	}
	p := c.spec(rows)
	p.Duals = c.Duals
	d, done, err := c.driver(o)
	if err != nil {
		return err
	}
	defer done()
	certificate, report, err := dualgap.Audit(ctx, d, p, w, rows)
	if err == nil {
		fmt.Fprintf(o.out, "%v\n%d rows, checksum %016x, %d rows of dual variables moved into their domain\n",
			certificate, report.Rows, report.Check, report.Moved)
	}
	return err
}

// Train trains a model.
type Train struct {
	Problem
	Model  string  `arg:"" help:"File of the model that is written."`
	Sample int     `help:"Rows that this command holds and solves. By default 10000."`
	Tol    float64 `default:"1e-3" help:"Relative duality gap to stop at."`
	Passes int     `default:"50" help:"Most passes over all rows."`
	Seed   uint64  `help:"Of the sample and of the order of its rows."`
}

// Run is called by kong.
func (c *Train) Run(ctx context.Context, o *output) error {
	rows, err := c.split(ctx)
	if err != nil {
		return err
	}
	d, done, err := c.driver(o)
	if err != nil {
		return err
	}
	defer done()
	m, out, err := dualgap.Train(ctx, d, c.spec(rows), dualgap.TrainOptions{Sample: c.Sample, Tol: c.Tol,
		Passes: c.Passes, Seed: c.Seed, Progress: func(p dualgap.TrainProgress) {
			fmt.Fprintf(o.err, "pass %d: %v\n", p.Pass, p.Certificate)
		}}, rows)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		return err
	}
	fmt.Fprintln(o.out, out)
	return dualgap.WriteFile(ctx, c.Model, b.Bytes())
}

// Labels trains a model of many labels.
type Labels struct {
	Problem
	Model  string  `arg:"" help:"File of the model that is written."`
	Groups int     `default:"1" help:"Groups of labels, a step each."`
	Tol    float64 `default:"1e-3" help:"Relative duality gap to stop at."`
	Seed   uint64  `help:"Of the order of the rows."`
}

// Run is called by kong.
func (c *Labels) Run(ctx context.Context, o *output) error {
	rows, err := c.split(ctx)
	if err != nil {
		return err
	}
	d, done, err := c.driver(o)
	if err != nil {
		return err
	}
	defer done()
	m, certificate, err := dualgap.TrainLabels(ctx, d, dualgap.LabelsSpec{C: c.Cost, Groups: c.Groups, Tol: c.Tol,
		Seed: c.Seed}, c.spec(rows), rows)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		return err
	}
	fmt.Fprintln(o.out, certificate)
	return dualgap.WriteFile(ctx, c.Model, b.Bytes())
}

// Grid searches costs.
type Grid struct {
	Problem
	Models string    `arg:"" help:"Folder of the models of all rows: model-0 and on, from the most regularized."`
	GridC  []float64 `name:"grid-c" help:"Costs to try. By default .001, .01, .1, 1, 10, 100."`
	CV     int       `name:"cv" default:"5" help:"Parts of the rows."`
	Tol    float64   `default:"1e-3" help:"Relative duality gap to stop at."`
	Seed   uint64    `help:"Of the parts and of the order of the rows."`
}

// Run is called by kong.
func (c *Grid) Run(ctx context.Context, o *output) error {
	rows, err := c.split(ctx)
	if err != nil {
		return err
	}
	d, done, err := c.driver(o)
	if err != nil {
		return err
	}
	defer done()
	p := c.spec(rows)
	g := dualgap.GridSpec{Folds: c.CV, Tol: c.Tol, Seed: c.Seed, Models: c.Models}
	for _, cost := range c.GridC {
		g.Lambdas = append(g.Lambdas, 1/(cost*float64(p.N)))
	}
	points, err := dualgap.Grid(ctx, d, g, p, rows)
	if err != nil {
		return err
	}
	for k, point := range points {
		var measures []string
		for _, m := range point.Measures {
			measures = append(measures, fmt.Sprintf("%s %.4f", m.Name, m.Mean))
		}
		fmt.Fprintf(o.out, "model-%d: c %g, lambda %g, %s, %v\n", k, 1/(point.Lambda*float64(p.N)), point.Lambda,
			strings.Join(measures, ", "), point.Outcome)
	}
	fmt.Fprintf(o.out, "best: model-%d\n", solvers.Best(points, 0))
	return nil
}
