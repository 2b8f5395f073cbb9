package main

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
)

// Train are the families.
type Train struct {
	TopK      TrainTopK      `cmd:"" name:"topk" help:"One class an example, right among the first k guesses: top-k support vector machines."`
	M3L       TrainM3L       `cmd:"" name:"m3l" help:"Any number of labels an example, with what is known of how labels go together; or one class against all others."`
	SVM       TrainSVM       `cmd:"" name:"svm" help:"One of two classes an example: support vector machines with one weight vector."`
	Regress   TrainRegress   `cmd:"" name:"regress" help:"A number to predict of each example: support vector regression."`
	OneClass  TrainOneClass  `cmd:"" name:"oneclass" help:"What is like the examples, and what is not: support vector machines of one class."`
	TopRank   TrainTopRank   `cmd:"" name:"toprank" help:"A ranking that is right at the top: positive examples above all but few negative ones."`
	TraceNorm TrainTraceNorm `cmd:"" name:"tracenorm" help:"Probabilities of many classes, by weights of low rank: multinomial logistic regression with the trace norm."`
	L1        TrainL1        `cmd:"" name:"l1" help:"Few features that matter: linear models with L1 regularization, two classes or one against all others."`
	MKL       TrainMKL       `cmd:"" name:"mkl" help:"Many kernels, or groups of features, and how much each of them counts: multi-kernel learning."`
}

// Training are the arguments and flags that all families share.
type Training struct {
	Train string `arg:"" name:"train" help:"File with the examples to learn from, \"-\" for standard input."`
	Model string `arg:"" name:"model" optional:"" help:"File that the model goes to, \"-\" for standard output."`

	Reading
	Scale   string `group:"data" enum:"none,standard,minmax,unit" default:"none" help:"Scale each feature to mean 0 and variance 1 (standard) or to 0..1 (minmax), or each example to length 1 (unit). Sparse data are not shifted. The model knows, and predict does the same."`
	Float64 bool   `group:"data" name:"float64" help:"Train with numbers of 64 bits. By default 32, and 64 where topk and m3l have features so large that rounding shows: for gaps below 1e-5 take 64."`
	Float32 bool   `group:"data" name:"float32" help:"Train with numbers of 32 bits, though rounding shows."`

	Choosing
	Fitting

	Tolerance float64 `group:"stop" short:"e" default:"0.001" help:"Relative duality gap to stop at."`
	Epochs    int     `group:"stop" default:"10000" help:"Most passes over the data. What is trained by then is saved, with exit code 3."`
	Seed      uint64  `group:"stop" default:"0" help:"Of the random order. The same seed and workers give the same model."`
	Workers   int     `group:"stop" default:"0" help:"Goroutines; 0: all cores."`

	Checkpoint string        `group:"state" placeholder:"FILE" help:"File that the state goes to where training stops early, and before as --every says. By default MODEL.state."`
	Every      time.Duration `group:"state" placeholder:"TIME" help:"Save the state that often, such as 5m."`
	Resume     bool          `group:"state" help:"Go on from the state in the checkpoint: the model has the same bits as if training had never stopped."`

	Overwrite

	Test  string `group:"output" placeholder:"FILE" help:"Examples to test the model on in the end."`
	Quiet bool   `group:"output" short:"q" help:"Print errors only, and what was asked for by -v, -cv or --test."`
}

// Choosing are the flags of cross-validation.
type Choosing struct {
	Folds int `group:"choose" name:"validate" short:"v" placeholder:"N" help:"Cross-validation in N parts with the parameters as given. Prints how good it is, and writes no model."`
	CV    int `group:"choose" name:"cv" placeholder:"N" help:"Choose parameters from a grid by cross-validation in N parts, then write the model of the best."`

	Metric string `group:"choose" placeholder:"METRIC" help:"What -v and -cv measure on the examples left out. Of classes: accuracy (the default; of -k guesses), mean-recall, macro-f1, and log-loss where there are probabilities. Of sets of labels: hamming (the default), micro-f1, macro-f1, exact; precision (the default of topk, at -k) and ranking-loss. Of toprank: precision (the default, at --recall), average-precision, ndcg, both by group. Of numbers: mse (the default), mae, r2. Of one class: outside."`
	OneSE  bool   `group:"choose" name:"one-se" help:"With -cv: choose the most regularized parameters that are as good as the best within one standard error."`
}

// Reading is how the examples are read, and kept.
type Reading struct {
	data.Options

	known   *data.Known // of a model whose features and classes the examples have, or nil
	codes   pq.Config   // that they are compressed to, in the families that have the flag
	bare    bool        // labels are not asked for
	numbers bool        // labels are numbers to predict
}

// Validate is called by kong. Numbers that only the data can tell to be wrong are checked by the solvers.
func (t *Training) Validate(k *kong.Context) error {
	g := givenIn(k)
	switch {
	case g["validate"] != nil && t.Folds < 2:
		return usage("-v %d: want 2 parts at least", t.Folds)
	case g["cv"] != nil && t.CV < 2:
		return usage("-cv %d: want 2 parts at least", t.CV)
	case t.Folds > 0 && t.CV > 0:
		return usage("-v and -cv: -v tells how good the parameters are, -cv chooses them; want one of them")
	case t.Folds > 0 && t.Model != "":
		return usage("-v %d and the model %s: -v writes no model; leave out one of them", t.Folds, t.Model)
	case t.Train == "":
		return usage("want a file with the examples to learn from")
	case t.Folds == 0 && t.Model == "":
		return usage("want a file for the model behind %s", t.Train)
	case t.Folds > 0 && t.Test != "":
		return usage("-v and --test: there is no model to test; leave out one of them")
	case t.Model == "-" && t.Test != "":
		return usage("--test with a model to standard output: give the model a file")
	case !(t.Tolerance > 0):
		return usage("-e %v: want a tolerance above 0", t.Tolerance)
	case t.Epochs < 1:
		return usage("--epochs %d: want 1 at least", t.Epochs)
	case t.Workers < 0:
		return usage("--workers %d: want 1 at least, or 0 for all cores", t.Workers)
	}
	return first(
		g.above0("features", "max-rows", "every"),
		g.need(t.Folds > 0 || t.CV > 0, "-v or -cv, which measure it: add -cv 5", "metric"),
		g.need(t.CV > 0, "-cv: it is how -cv chooses", "one-se"),
		g.apart(rule{"float32", "float64", "want one of them"}),
		g.fit(t.Train, t.Format),
		t.validateState(),
		t.Fitting.validate(t.Folds),
	)
}

// validateGrids returns an error unless the values to try are above 0, and asked for.
func (t *Training) validateGrids(g given, grids map[string][]float64) error {
	for _, name := range slices.Sorted(maps.Keys(grids)) {
		switch {
		case g[name] != nil && t.Folds > 0:
			return usage("-v %d and %s: -v measures the parameters as given; -cv %d tries others", t.Folds,
				g.said(name), t.Folds)
		case g[name] != nil && t.CV == 0:
			return usage("%s without -cv, which tries these values: add -cv 5", g.said(name))
		}
		for _, v := range grids[name] {
			if !(v > 0) {
				return usage("--%s %v: want numbers above 0", name, v)
			}
		}
	}
	return nil
}

// enoughClasses returns an error unless k guesses may be wrong.
func enoughClasses(k int, classes []string) error {
	switch m := len(classes); {
	case m < 2:
		return fmt.Errorf("all examples have the class %s: there is nothing to learn", list(classes))
	case k >= m:
		return usage("-k %d with %d classes, want fewer: with as many guesses as classes every answer is right", k, m)
	}
	return nil
}

func (t *Training) validateState() error {
	switch {
	case t.Every < 0:
		return usage("--every %v: want a time above 0", t.Every)
	case t.Model == "-" && t.Checkpoint == "" && (t.Resume || t.Every > 0):
		return usage("a model to standard output: say by --checkpoint where the state is")
	case t.Model == "" && t.Checkpoint == "" && (t.Resume || t.Every > 0):
		return usage("-v writes no model: say by --checkpoint where the state is")
	}
	return nil
}

// state returns the file of the state, "" for none.
func (t *Training) state() string {
	switch {
	case t.Checkpoint != "":
		return t.Checkpoint
	case t.Model == "-" || t.Model == "":
		return ""
	}
	return t.Model + ".state"
}

// shared are the fields that the Configs of all families have.
type shared struct {
	tol        float64
	epochs     int
	seed       uint64
	workers    int
	progress   func(solvers.Progress)
	checkpoint solvers.Checkpoint
	cv         solvers.CrossValidation // of a path
}

// scalingOf returns the scaling that a flag names, fitted on x; nil for none.
func scalingOf(name string, x dataset.Storage) (*dataset.Scaling, error) {
	if name == "standard" || name == "minmax" {
		const each = 4 * 8 // two numbers that are kept, and two sums
		if _, d := x.Dims(); memory.Need("", each*float64(d)) != nil {
			return nil, memory.Need(fmt.Sprintf("the scaling of %d features takes", d), each*float64(d))
		}
	}
	switch name {
	case "standard":
		return dataset.Standardize(x)
	case "minmax":
		return dataset.MinMax(x)
	case "unit":
		return &dataset.Scaling{UnitRows: true}, nil
	}
	return nil, nil
}
