// Package families trains models of every family on data that come with the library, and records how: the objective's
// two sides over time, and what the models are worth on examples that they have not seen.
package families

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/dualgap/dualgap/bench/internal/fashion"
	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
)

// Options say what to train.
type Options struct {
	Data   string  // folder of the full Fashion-MNIST for topk; "": its first images, which are embedded
	Ks     []int   // of topk
	Lambda float64 // of topk; 0: 1/(C n) with DefaultC
	Tol    float64 // relative duality gap to train to
	Seed   uint64
	Quick  bool // on a tenth of the examples
}

// Family is a family of models.
type Family struct {
	Name  string // of its package
	train func(ctx context.Context, r *run) error
}

// All are the families, in the order in which they are trained.
var All = []Family{{"topk", topK}, {"m3l", zeroShot}, {"toprank", topRank}, {"tracenorm", traceNorm},
	{"mkl", manyKernels}}

// Train trains the families whose benchmark's name, Train/family=NAME, matches the filter, and adds to out what it
// measured; after each of them it calls done. When ctx ends it adds the model so far before it returns.
func Train(ctx context.Context, o Options, filter *regexp.Regexp, b *progress.Bar, out *results.Set,
	done func(family string) error) error {
	for _, f := range All {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !filter.MatchString("Train/family=" + f.Name) {
			continue
		}
		stopped := f.train(ctx, &run{Options: o, bar: b, out: out})
		b.Clear()
		if err := done(f.Name); err != nil {
			return err
		}
		if stopped != nil {
			return fmt.Errorf("%s: %w", f.Name, stopped)
		}
	}
	return nil
}

// run is one call of Train.
type run struct {
	Options
	bar *progress.Bar
	out *results.Set
}

// part returns the first tenth of d in a quick run, else d.
func (r *run) part(d fashion.Images) fashion.Images {
	n := d.X.Rows
	if r.Quick {
		n = (n + 9) / 10
	}
	some := *d
	some.X, some.Y = d.X.Window(0, n), d.Y[:n]
	return &some
}

// fashion returns the embedded images.
func (r *run) fashion() (train, test fashion.Images) {
	train, test = samples.FashionMNIST[float32]()
	return r.part(train), r.part(test)
}

// training is one model: what its benchmarks are called, and what was seen of its training.
type training struct {
	*run
	keys    []results.Pair
	name    string
	started time.Time
	seconds float64
	steps   []solvers.Progress
	outcome solvers.Outcome
}

// begin starts the clock of a training; parts are the parts of names besides the family and the model.
func (r *run) begin(family, model string, parts ...any) *training {
	keys := append(results.Parts("family", family), results.Parts(parts...)...)
	return &training{run: r, name: family + " " + model, keys: append(keys, results.Pair{Key: "model", Value: model}),
		started: time.Now()}
}

// progress is a solver's Progress.
func (t *training) progress(p solvers.Progress) {
	if !p.Partial { // what is of a sample, or of active examples, is no value of the problem
		t.steps = append(t.steps, p)
	}
	t.bar.Training(t.name, t.Tol)(p)
}

// stop stops the clock.
func (t *training) stop(o solvers.Outcome) {
	t.seconds, t.outcome = time.Since(t.started).Seconds(), o
}

// points is how many points a curve has at most.
const points = 60

// record adds the curve of the training, and its line with more values.
func (t *training) record(values ...results.Value) {
	o := t.outcome
	keys := t.keys
	if o.Status != solvers.Converged {
		keys = append(keys, results.Pair{Key: "status", Value: o.Status.String()})
	}
	t.out.Lines = append(t.out.Lines, results.Line{Base: "Train", Keys: keys, Values: append([]results.Value{
		{Number: t.seconds, Unit: results.Seconds}, {Number: float64(o.Epochs), Unit: "epochs"},
		{Number: o.Passes, Unit: "passes"},
		{Number: o.Certificate.Primal, Unit: "primal"}, {Number: o.Certificate.Dual, Unit: "dual"},
		{Number: o.Certificate.RelativeGap(), Unit: "gap"}, {Number: o.Tol, Unit: "tol"},
	}, values...)})
	shown := min(len(t.steps), points)
	for k := range shown {
		at := k
		if shown > 1 {
			at = k * (len(t.steps) - 1) / (shown - 1)
		}
		p := t.steps[at]
		t.point("Progress", "epoch", p.Epoch, results.Value{Number: p.Elapsed.Seconds(), Unit: results.Seconds},
			results.Value{Number: p.Primal, Unit: "primal"}, results.Value{Number: p.Dual, Unit: "dual"},
			results.Value{Number: p.RelativeGap(), Unit: "gap"})
	}
	t.point("Progress", "epoch", o.Epochs, results.Value{Number: t.seconds, Unit: results.Seconds},
		results.Value{Number: o.Certificate.Primal, Unit: "primal"}, results.Value{Number: o.Certificate.Dual,
			Unit: "dual"},
		results.Value{Number: o.Certificate.RelativeGap(), Unit: "gap"})
}

// point adds a point of a curve of the model.
func (t *training) point(curve, key string, at any, values ...results.Value) {
	keys := append(t.keys[:len(t.keys):len(t.keys)], results.Parts(key, at)...)
	t.out.Lines = append(t.out.Lines, results.Line{Base: curve, Keys: keys, Values: values})
}

// percent returns a fraction as a value in percent.
func percent(fraction float64, name string) results.Value {
	return results.Value{Number: 100 * fraction, Unit: name + "-%"}
}
