package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"

	dualgap "github.com/dualgap/dualgap/x/beam"
)

// Rows are the flags that say what the files of rows hold.
type Rows struct {
	Rows string `arg:"" help:"Files of rows, a pattern: all paths may be gs:// ones."`

	Format    string  `enum:"raw,npy,libsvm,csr" default:"npy" help:"raw: numbers row by row, the low byte first; npy; libsvm: text; csr: blocks of the library's."`
	Type      string  `enum:"f4,f8" default:"f4" help:"Numbers of raw and csr."`
	Cols      int     `required:"" help:"Features of a row."`
	Scale     float64 `default:"1" help:"Of npy: a number v stands for v SCALE + SHIFT."`
	Shift     float64 `help:"Of npy, see --scale."`
	ZeroBased bool    `help:"Of libsvm: the first column is 0."`
	Sets      bool    `help:"Of libsvm and csr: any number of labels a row."`
	Range     int     `default:"4096" help:"Rows of an element."`
	Workers   int     `help:"Goroutines of a step: 0 for all cores, which is right for Prism; 1 where a worker has one core."`
}

// split returns the elements.
func (r *Rows) split(ctx context.Context) ([]dualgap.Rows, error) {
	if r.Scale == 0 {
		return nil, errors.New("--scale 0, want another number")
	}
	if err := atLeast("--workers", r.Workers, 0); err != nil {
		return nil, err
	}
	f := dualgap.Format{Kind: r.Format, Type: r.Type, Cols: r.Cols, Scale: r.Scale, Shift: r.Shift,
		ZeroBased: r.ZeroBased, Sets: r.Sets}
	return dualgap.Split(ctx, r.Rows, f, r.Range)
}

// Examples are the flags of rows with labels.
type Examples struct {
	Rows

	Bias      float64  `help:"Value of a constant feature of every row."`
	Classes   int      `help:"Number of classes. By default the number of names."`
	Names     []string `help:"Of the classes, class 0 first: in libsvm text their numbers."`
	LabelFile string   `help:"Of raw and npy: the class of each row, integers of 4 bytes, the low byte first."`
	Scratch   string   `help:"Folder that workers and this command can reach. By default a temporary one here."`
}

// problem is what a command works with.
type problem struct {
	rows   []dualgap.Rows
	spec   dualgap.ProblemSpec
	driver dualgap.Driver
}

// open returns the rows, their problem without a loss, and what runs pipelines.
func (e *Examples) open(ctx context.Context, o *output) (p problem, err error) {
	dense := e.Format == dualgap.Raw || e.Format == dualgap.NPY
	switch names := len(e.Names); {
	case names == 0 && e.Classes == 0:
		return p, errors.New("want --classes, or --names of all classes")
	case names > 0 && e.Classes > 0 && names != e.Classes:
		return p, fmt.Errorf("--classes %d and %d --names, want as many", e.Classes, names)
	case dense && e.LabelFile == "":
		return p, fmt.Errorf("rows of --format %s, want a --label-file", e.Format)
	case !dense && e.LabelFile != "":
		return p, fmt.Errorf("--label-file %s and --format %s, whose rows have their labels", e.LabelFile, e.Format)
	}
	if p.rows, err = e.split(ctx); err != nil {
		return p, err
	}
	p.spec = dualgap.ProblemSpec{Features: e.Cols, Classes: cmp.Or(e.Classes, len(e.Names)), Names: e.Names,
		Bias: e.Bias, Labels: e.LabelFile, Workers: e.Workers}
	for _, r := range p.rows {
		p.spec.N += int64(r.Count)
	}
	// By default the process's own folder, which main removes.
	p.driver = dualgap.Driver{Run: o.run, Dir: cmp.Or(e.Scratch, os.TempDir())}
	return p, nil
}

// Losses are the flags of a loss of topk.
type Losses struct {
	Loss      string  `default:"topk-entropy" help:"topk-entropy (k = 1: softmax), topk-hinge, topk-usunier; for sets multilabel-hinge, multilabel-softmax, squared-hinge."`
	K         int     `short:"k" default:"1" help:"Guesses that count."`
	Smoothing float64 `help:"Of topk-hinge and topk-usunier: the larger, the smoother."`
}

// loss sets the loss of a problem.
func (l *Losses) loss(s *dualgap.ProblemSpec) error {
	s.Loss, s.K, s.Smoothing = l.Loss, l.K, l.Smoothing
	return atLeast("-k", l.K, 1)
}

// Problem are the flags of a problem of topk.
type Problem struct {
	Examples
	Losses
	Cost   *float64 `short:"c" xor:"weight" help:"Cost of the losses: Lambda = 1/(c n). By default 1."`
	Lambda *float64 `xor:"weight" help:"Weight of the regularization, in place of the cost."`
}

// open returns the rows and their problem.
func (c *Problem) open(ctx context.Context, o *output) (p problem, err error) {
	cost := 1.
	if c.Cost != nil {
		cost = *c.Cost
	}
	if err := positive("-c", cost); err != nil {
		return p, err
	}
	if p, err = c.Examples.open(ctx, o); err != nil {
		return p, err
	}
	p.spec.Lambda = 1 / (cost * float64(p.spec.N))
	if c.Lambda != nil {
		p.spec.Lambda = *c.Lambda
	}
	return p, c.loss(&p.spec)
}

// positive returns an error unless the number of a flag is finite and above 0.
func positive(flag string, v float64) error {
	if v > 0 && !math.IsInf(v, 0) {
		return nil
	}
	return fmt.Errorf("%s %v, want a finite number above 0", flag, v)
}

// atLeast returns an error if the number of a flag is below least.
func atLeast(flag string, v, least int) error {
	if v >= least {
		return nil
	}
	return fmt.Errorf("%s %d, want %d at least", flag, v, least)
}
