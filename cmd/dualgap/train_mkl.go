package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// TrainMKL trains on many kernels.
type TrainMKL struct {
	Kernels []string `group:"kernel" default:"gaussians" placeholder:"KERNEL,..." help:"Kernels of each group of features: gaussians, gaussian:GAMMA, linear or poly:DEGREE:GAMMA:COEF0. gaussians are three, whose gamma fits the median distance of all examples, of nearest neighbours, and between these. Numbers left out are the defaults of -d, -g and -r of other families."`
	Groups  []string `group:"kernel" placeholder:"FROM-TO,..." help:"Groups of features by their numbers from 1, such as 1-10,11-20. By default one of all features."`
	Plain   bool     `group:"kernel" help:"Take kernels as they are. By default each is divided by the mean of its values k(x, x), so that none counts for more by its units."`
	Cache   float64  `group:"kernel" short:"m" default:"1000" placeholder:"MB" help:"Memory for rows of kernel matrices, in megabytes."`

	P     float64 `group:"model" short:"p" default:"1.25" help:"The norm over the kernels, above 1 and at most 2: the nearer to 1, the fewer kernels have a part."`
	Cost  float64 `group:"model" short:"c" default:"1" help:"Cost of the losses, as svm-train's -c."`
	Loss  string  `group:"model" enum:"topk-hinge,topk-usunier" default:"topk-hinge" help:"${enum}."`
	K     int     `group:"model" short:"k" default:"1" help:"Guesses that count: an example is right where its class is among the k best."`
	Prune float64 `group:"model" default:"0" placeholder:"SHARE" help:"In the end drop kernels that have a smaller share than this, such as .01."`

	GridC []float64 `group:"choose" name:"grid-c" placeholder:"C,..." help:"Costs to try with -cv. By default 1, 10, 100, 1000."`
	GridP []float64 `group:"choose" name:"grid-p" placeholder:"P,..." help:"Norms to try with -cv. By default p."`

	Given
	Intercept
	Weights
	Training
}

// Help is what the help says besides.
func (*TrainMKL) Help() string {
	return `Example: two cues, each with three kernels; which of the six matter?

  dualgap train mkl --groups 1-64,65-128 --kernels linear,gaussian:.1,gaussian:1 train.csv model.dg
  dualgap inspect model.dg`
}

// Validate is called by kong.
func (t *TrainMKL) Validate(k *kong.Context) error {
	g := givenIn(k)
	if err := t.Training.Validate(k); err != nil {
		return err
	}
	if err := first(
		t.validateGrids(g, map[string][]float64{"grid-c": t.GridC, "grid-p": t.GridP}),
		g.apart(rule{"cv", "cost", ownCosts}, rule{"p", "grid-p", "-cv tries the values of --grid-p; leave out -p"}),
	); err != nil {
		return err
	}
	switch {
	case !(t.Cost > 0):
		return usage("-c %v: want a cost above 0", t.Cost)
	case !(t.P > 1 && t.P <= 2):
		return usage("-p %v: want a number above 1, at most 2", t.P)
	case t.K < 1:
		return usage("-k %d: want 1 guess at least", t.K)
	case !(t.Prune >= 0 && t.Prune < 1):
		return usage("--prune %v: want a share of at least 0 and less than 1", t.Prune)
	case t.Prune > 0 && t.Fitting.any():
		return usage("--prune %v with --calibrate or --threshold: these are fitted before it drops kernels; want "+
			"dualgap calibrate on other examples", t.Prune)
	case !(t.Cache >= 0 && t.Cache < 1e12):
		return usage("-m %v: want a number of megabytes of at least 0", t.Cache)
	}
	t.features = g["kernels"] != nil || g["groups"] != nil
	own := t.features || !t.Given.any()
	if err := first(g.need(own, "kernels of features: matrices have none", "bias"),
		g.need(own, "kernels of features: matrices are taken as they are", "plain")); err != nil {
		return err
	}
	_, err := kernelsOf(t.Kernels, 1)
	return err
}

// Run is the command.
func (t *TrainMKL) Run(ctx context.Context, out *output) error {
	return train(ctx, out, &t.Training, prepareMKL[float32](t), prepareMKL[float64](t),
		append(t.Given.files(), t.Weights.Weights)...)
}

func prepareMKL[T vec.Float](t *TrainMKL) preparing[T] {
	return func(e *data.Examples[T]) (j job[T], err error) {
		p, c, names, err := problemMKL(t, e)
		if err != nil {
			return j, err
		}
		f := runs[T, mkl.Config, mkl.Result[T]]{p, shared.mkl,
			func(c mkl.Config, r *mkl.Result[T], err error) (*trained[T], error) {
				if t.Prune > 0 && err == nil {
					if r, err = p.Prune(r, c, t.Prune); err != nil {
						return nil, err
					}
				}
				notes := map[string]string{
					predictor.NoteTask: predictor.Classes, predictor.NoteKernels: strings.Join(names, "\n"),
					predictor.NoteShares: decimals(r.Shares),
				}
				return &trained[T]{r.Outcome, r.Model, notes, shares(names, r.Shares)}, err
			}}
		j.fit, j.memory, j.metrics = f.fit(c), f.memory(c), classMetrics(p.Y, len(e.Classes), t.K, false)
		j.search = func(ctx context.Context, s shared, found *search[T], grid bool) error {
			found.parameters = []string{"p", "c"}
			path := mkl.PathConfig{Ps: t.GridP, Cs: t.GridC}
			if !grid {
				path.Cs = []float64{t.Cost}
			}
			return walk(found, s, func(s shared) ([]mkl.Point[T], error) {
				path.CrossValidation = s.cv
				return p.Path(ctx, s.mkl(c), path)
			}, func(at mkl.Point[T]) ([]float64, solvers.Validation, fitting[T]) {
				c := c
				c.P, c.C = at.P, at.C
				return []float64{at.P, at.C}, at.Validation, f.fit(c)
			})
		}
		return j, nil
	}
}

// problemMKL returns the problem that the flags make of the examples, and the names of its kernels.
func problemMKL[T vec.Float](t *TrainMKL, e *data.Examples[T]) (p mkl.Problem[T], c mkl.Config, names []string,
	err error) {
	p, c = mkl.Problem[T]{Y: e.Y, Names: e.Classes}, mkl.Config{P: t.P, C: t.Cost, K: t.K}
	if t.Loss == "topk-usunier" {
		c.Loss = mkl.TopKUsunier
	}
	if err = oneClass(&t.Training, e); err != nil {
		return p, c, nil, err
	}
	if err = enoughClasses(t.K, e.Classes); err != nil {
		return p, c, nil, err
	}
	if p.Weights, err = weightsOf(&t.Weights, &t.Training, e); err != nil {
		return p, c, nil, err
	}
	p.Bundle, names, err = bundleOf(t, e.X)
	if t.Given.any() { // examples to predict have other columns
		e.FeatureNames, e.CSV.LabelName, e.CSV.Label = nil, "", 0
	}
	return p, c, names, err
}

func (s shared) mkl(c mkl.Config) mkl.Config {
	c.Tol, c.Epochs, c.Seed, c.Workers, c.Progress, c.Checkpoint = s.tol, s.epochs, s.seed, s.workers, s.progress,
		s.checkpoint
	return c
}

// decimals returns numbers with blanks between them.
func decimals(v []float64) string {
	words := make([]string, len(v))
	for j, x := range v {
		words[j] = strconv.FormatFloat(x, 'g', 4, 64)
	}
	return strings.Join(words, " ")
}
