// Package topk repeats rows of Table 1 of Lapin, Hein and Schiele, "Top-k Multiclass SVM" (NIPS 2015), on
// Caltech-101 Silhouettes: 28 x 28 pixels, 0 or 1, as they are; where no folder is given, on the first images of
// Fashion-MNIST and on digits, which are embedded. Models are trained on the training part alone, without bias. C =
// 1/(lambda n) is the one with the largest top-1 accuracy on the validation part, each training from the dual variables
// of the smaller C before it; with that C training goes on to the gap of -tol. Two rows learn each class by itself, SVM
// and TopPush, and choose from C of their own. Figure 3 follows, cut short; with
// -projections it comes whole, and alone.
package topk

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers/topk"
)

// Run is the command.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return run(ctx, embedded, args, stdout, stderr)
}

// run takes the sets of small where there is no folder.
func run(ctx context.Context, small func() ([]*problem, error), args []string, stdout, stderr io.Writer) error {
	f := report.NewFlags("topk", "caltech101-silhouettes28-{train,val,test}.svm.gz; without it, the first images of "+
		"Fashion-MNIST and digits, which are embedded",
		"Table 1 of \"Top-k Multiclass SVM\" on Caltech-101 Silhouettes, beside the numbers of the paper, or "+
			"on small\n"+
			"embedded sets; and Figure 3, the time of projections.")
	list := f.String("c", "", "`numbers` to choose C of top-k SVMs from; default: 0.001,0.01,0.1, of embedded sets 1 and 10 too")
	tol := f.Float64("tol", 1e-5, "relative duality `gap` to train to: at 1e-3 and 1e-4 accuracies still move by "+
		"0.2 points")
	workers := f.Int("workers", 1, "goroutines of a training")
	figure := f.Bool("projections", false,
		"Figure 3 alone, the time of projections against their dimension, with all dimensions")
	quick := f.Bool("quick", false, "of -projections a tenth of the vectors, and no large dimensions")
	f.NoData = true
	r, err := f.Begin(args, stdout, stderr)
	if err != nil {
		return err
	}
	defer r.Bar.Clear()
	if *figure {
		return drawProjections(ctx, r, *quick)
	}
	if *list == "" {
		if *list = "0.001,0.01,0.1"; f.Data == "" {
			*list += ",1,10"
		}
	}
	cs, err := report.Positive("c", *list)
	if err != nil {
		return err
	}
	if !(*tol > 0) || math.IsInf(*tol, 1) {
		return fmt.Errorf("-tol %v: want a positive number", *tol)
	}
	problems, err := openAll(f.Data, small)
	if err != nil {
		return err
	}
	if f.Data == "" {
		if err := r.Print("No -data: smaller, embedded sets, which the paper does not have. All numbers are " +
			"ours."); err != nil {
			return err
		}
	}
	for _, p := range problems {
		p.config, p.bar = topk.Config{Tol: *tol, Workers: *workers, Classes: p.m, Epochs: 1 << 20}, r.Bar
		if err := p.table(ctx, r, cs); err != nil {
			return err
		}
	}
	return drawProjections(ctx, r, true)
}

// openAll returns the set of a folder, or the small ones where there is none.
func openAll(dir report.Folder, small func() ([]*problem, error)) ([]*problem, error) {
	if dir == "" {
		return small()
	}
	p, err := open(dir)
	return []*problem{p}, err
}
