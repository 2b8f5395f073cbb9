package beam

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/solvers/topk"
)

// ProblemSpec is a problem of topk on rows that are in files: minimise over W, d features by m classes,
//
//	P(W) = 1/n sum_i loss(Wᵀx_i, y_i) + Lambda/2 |W|²
//
// It is text for runners: all that a step does depends on it, on W and on the element.
type ProblemSpec struct {
	Loss      string // its name, one of [Losses]: as the command dualgap has it
	K         int    // guesses that count; default: 1
	Smoothing float64
	Lambda    float64 // > 0

	N        int64    // rows n of all files
	Features int      // d, a constant feature not counted
	Classes  int      // m
	Names    []string // of the classes, class 0 first: in LIBSVM text their numbers
	Bias     float64  // value of a constant feature of every row; 0: none

	// Labels is a file of n integers of 4 bytes, the low byte first, the class of each row in 0..m-1. LIBSVM text and
	// blocks of CSR have the labels themselves.
	Labels string
	// Duals is a file of n-by-m numbers of float64, the low byte first, row by row: the dual variables of topk.Result.
	// Default: the dual variables that the scores of W name.
	Duals string
	// Named is the smoothing of the loss whose dual variables the scores name: a plain hinge names some that bound
	// the optimum badly. Default: Smoothing.
	Named float64

	Workers int // goroutines of a step: 0, all cores, is right for Prism, 1 for workers with a process for each core
}

// losses are what the names stand for.
var losses = []struct {
	loss loss.Loss[float64]
	topk topk.Loss
}{
	{loss.TopKHinge[float64]{}, topk.TopKHinge}, {loss.TopKUsunier[float64]{}, topk.TopKUsunier},
	{loss.TopKEntropy[float64]{}, topk.TopKEntropy}, {loss.MultilabelHinge[float64]{}, topk.MultilabelHinge},
	{loss.MultilabelSoftmax[float64]{}, topk.MultilabelSoftmax}, {loss.SquaredHinge[float64]{}, topk.SquaredHinge},
}

// Losses returns the names of the losses: topk-entropy with K = 1 is the softmax loss.
func Losses() (names []string) {
	for _, l := range losses {
		names = append(names, lossName(l.loss))
	}
	return names
}

// lossName returns topk-hinge of a loss that is called top-k hinge.
func lossName(l loss.Loss[float64]) string {
	name := strings.ToLower(strings.ReplaceAll(l.Traits().Name, "top-k", "topk"))
	return strings.ReplaceAll(name, " ", "-")
}

// loss returns the loss that p names.
func (p *ProblemSpec) loss() (loss.Loss[float64], error) {
	for _, l := range losses {
		if lossName(l.loss) == p.Loss {
			return l.loss.With(max(p.K, 1), p.Smoothing)
		}
	}
	return nil, fmt.Errorf("beam: no loss has the name %q, want one of %q", p.Loss, Losses())
}

// topkLoss returns the name that package topk has for the loss.
func (p *ProblemSpec) topkLoss() (topk.Loss, error) {
	_, err := p.loss()
	for _, l := range losses {
		if lossName(l.loss) == p.Loss {
			return l.topk, err
		}
	}
	return 0, err
}

// radius returns r = 1/(Lambda n).
func (p *ProblemSpec) radius() float64 { return 1 / (p.Lambda * float64(p.N)) }

// inputs returns the number of rows of W.
func (p *ProblemSpec) inputs() int {
	if p.Bias != 0 {
		return p.Features + 1
	}
	return p.Features
}

// checkFiles is check, and returns what is wrong with the sizes of the files of labels and dual variables.
func (p *ProblemSpec) checkFiles(ctx context.Context, rows []Rows) error {
	if err := p.check(rows); err != nil {
		return err
	}
	return p.sizes(ctx, rows)
}

// sizes returns an error unless the files of labels and dual variables have the numbers of N rows.
func (p *ProblemSpec) sizes(ctx context.Context, rows []Rows) error {
	if p.Labels != "" && slices.ContainsFunc(rows, func(r Rows) bool { return r.Format.dense() }) {
		if err := sized(ctx, "labels", p.Labels, p.N, 4); err != nil {
			return err
		}
	}
	if p.Duals == "" {
		return nil
	}
	return sized(ctx, "dual variables", p.Duals, p.N, 8*int64(p.Classes))
}

// sized returns an error unless a file is of n rows of some bytes.
func sized(ctx context.Context, what, path string, n, row int64) error {
	size, err := fileSize(ctx, path)
	switch {
	case err != nil:
		return fmt.Errorf("beam: %s: %w", what, err)
	case size != n*row:
		return fmt.Errorf("beam: %s: %s has %d bytes, want %d, %d for each of %d rows", what, path, size, n*row, row, n)
	}
	return nil
}

// check returns what is wrong with the problem, or with the rows that it is of.
func (p *ProblemSpec) check(rows []Rows) error {
	l, err := p.loss()
	if err != nil {
		return err
	}
	switch {
	case !(p.Lambda > 0) || math.IsInf(p.Lambda, 0) || p.Bias-p.Bias != 0:
		return fmt.Errorf("beam: Lambda %v and Bias %v, want finite numbers and Lambda > 0", p.Lambda, p.Bias)
	case p.Features < 1 || p.Classes < 2:
		return fmt.Errorf("beam: %d features and %d classes, want 1 and 2 at least", p.Features, p.Classes)
	case p.inputs() > math.MaxInt/16/p.Classes:
		return fmt.Errorf("beam: weights of %d by %d, want fewer", p.inputs(), p.Classes)
	case max(p.K, 1) >= p.Classes:
		return fmt.Errorf("beam: K = %d of %d classes, want fewer", p.K, p.Classes)
	case total(rows) != p.N || p.N < 1:
		return fmt.Errorf("beam: elements of %d rows in all, want N = %d", total(rows), p.N)
	case len(p.Names) > 0 && len(p.Names) != p.Classes:
		return fmt.Errorf("beam: %d names of %d classes", len(p.Names), p.Classes)
	}
	for _, r := range rows {
		if err := r.check(); err != nil {
			return err
		}
		switch {
		case r.Format.Cols != p.Features:
			return fmt.Errorf("beam: %v: %d columns, want %d", r, r.Format.Cols, p.Features)
		case r.Format.dense() && p.Labels == "":
			return fmt.Errorf("beam: %v: want a file of labels", r)
		case r.Format.Kind == LIBSVM && len(p.Names) == 0:
			return fmt.Errorf("beam: %v: want the names of the classes", r)
		case l.Traits().Sets != r.Format.Sets:
			return fmt.Errorf("beam: %v: the loss %q is for sets of labels: %v, the rows have sets: %v", r, p.Loss,
				l.Traits().Sets, r.Format.Sets)
		}
	}
	return nil
}
