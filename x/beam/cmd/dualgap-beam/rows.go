package main

import (
	"context"
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
	Range     int     `default:"4096" help:"Rows of an element, a multiple of 64."`
	Workers   int     `help:"Goroutines of a step: 0 for all cores, which is right for Prism; 1 where a worker has one core."`
}

// split returns the elements.
func (r *Rows) split(ctx context.Context) ([]dualgap.Rows, error) {
	f := dualgap.Format{Kind: r.Format, Type: r.Type, Cols: r.Cols, Scale: r.Scale, Shift: r.Shift,
		ZeroBased: r.ZeroBased, Sets: r.Sets}
	return dualgap.Split(ctx, r.Rows, f, r.Range)
}

// Problem are the flags of a problem of topk.
type Problem struct {
	Rows

	Loss      string   `default:"topk-entropy" help:"topk-entropy (k = 1: softmax), topk-hinge, topk-usunier; for sets multilabel-hinge, multilabel-softmax, squared-hinge."`
	K         int      `short:"k" default:"1" help:"Guesses that count."`
	Smoothing float64  `help:"Of topk-hinge and topk-usunier: the larger, the smoother."`
	Cost      float64  `short:"c" default:"1" help:"Cost of the losses: Lambda = 1/(c n)."`
	Lambda    float64  `help:"Weight of the regularization, in place of the cost."`
	Bias      float64  `help:"Value of a constant feature of every row."`
	Classes   int      `help:"Number of classes. By default the number of names."`
	Names     []string `help:"Of the classes in libsvm text, class 0 first."`
	LabelFile string   `help:"Of raw and npy: the class of each row, integers of 4 bytes, the low byte first."`
	Scratch   string   `help:"Folder that workers and this command can reach. By default a temporary one here."`
}

// spec returns the problem of the rows.
func (p *Problem) spec(rows []dualgap.Rows) dualgap.ProblemSpec {
	s := dualgap.ProblemSpec{Loss: p.Loss, K: p.K, Smoothing: p.Smoothing, Lambda: p.Lambda, Features: p.Cols,
		Classes: p.Classes, Names: p.Names, Bias: p.Bias, Labels: p.LabelFile, Workers: p.Workers}
	for _, r := range rows {
		s.N += int64(r.Count)
	}
	if s.Classes == 0 {
		s.Classes = len(p.Names)
	}
	if s.Lambda == 0 {
		s.Lambda = 1 / (p.Cost * float64(s.N))
	}
	return s
}

// driver returns what runs pipelines, and what removes its folder.
func (p *Problem) driver(o *output) (d dualgap.Driver, done func(), err error) {
	if p.Scratch != "" {
		return dualgap.Driver{Run: o.run, Dir: p.Scratch}, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "dualgap-beam-")
	return dualgap.Driver{Run: o.run, Dir: dir}, func() { os.RemoveAll(dir) }, err
}
