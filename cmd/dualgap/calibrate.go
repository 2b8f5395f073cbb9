package main

import (
	"context"
	"fmt"
	"io"
	"maps"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// Fit are the arguments and flags of "dualgap calibrate".
type Fit struct {
	Data   string `arg:"" help:"File with labelled examples that the model has not seen; \"-\" for standard input."`
	Model  string `arg:"" help:"File of the model: one of dualgap, a text of LIBLINEAR or LIBSVM, ONNX or safetensors."`
	Output string `arg:"" help:"File that the model goes to with what is fitted; \"-\" for standard output."`

	data.Options
	Overwrite
	Fitting

	Workers int  `group:"output" default:"0" help:"Goroutines; 0: all cores."`
	Quiet   bool `group:"output" short:"q" help:"Print errors only."`
}

// Help is the end of the help.
func (*Fit) Help() string {
	return `Probabilities and thresholds by scores of examples that the training has not seen. Without them train does the same by
cross-validation: "dualgap train ... --calibrate temperature". A temperature takes one number from the examples, and changes
no decision; Platt's sigmoids take two from each class, and may fit better. Without flags it is a temperature of several
scores, and Platt's sigmoid where the model has one.

Examples:

  dualgap calibrate held-out.svm model.dg sure.dg
  dualgap predict -b new.csv sure.dg
  dualgap calibrate --threshold spam:recall=.95 held-out.csv model.dg found.dg`
}

// Validate is called by kong.
func (f *Fit) Validate(k *kong.Context) error {
	return first(checkScoring(f.Data, f.Model, f.Workers), f.Fitting.validate(0), givenIn(k).fit(f.Data, f.Format))
}

// Run fits.
func (f *Fit) Run(ctx context.Context, out *output) error {
	p, err := openModel(f.Model)
	if err != nil {
		return err
	}
	if single, double := p.Models(); single != nil {
		return calibrate(ctx, f, p, single, out)
	} else {
		return calibrate(ctx, f, p, double, out)
	}
}

func calibrate[T vec.Float](ctx context.Context, f *Fit, p *predictor.Predictor, m *model.Model[T], out *output) error {
	out = out.quiet(f.Quiet, f.Output == "-")
	plan := file.Plan{Force: f.Force}
	plan.Reads("the data", data.Files(f.Data, f.Options)...)
	to := plan.Writes("the model", f.Output, modelKind)
	if err := plan.Check(); err != nil {
		return err
	}
	e, err := data.Open[T](f.Data, f.Options, knownTo(p))
	if err != nil {
		return err
	}
	out.remark(e.Remarks(f.Data))
	if err := e.NeedLabels(f.Data); err != nil {
		return err
	}
	_, outputs := p.Dims()
	f.Fitting.byOutputs(outputs)
	if err := f.Fitting.fits(p.Task(), &e.Labels, f.Data); err != nil {
		return err
	}
	if e.UnseenLabels > 0 && e.Sets == nil && p.Task() != predictor.Top {
		return fmt.Errorf("%s: %d labels are none that the model knows: leave their examples out", f.Data,
			e.UnseenLabels)
	}
	if err := memory.Need("the scores take", 8*float64(e.Len())*float64(outputs)); err != nil {
		return err
	}
	scores := vec.NewMatrix[float64](e.Len(), outputs)
	err = p.Each(ctx, e.X, func(i int, q *predictor.Prediction) error {
		copy(scores.Row(i), p.Own(q))
		return nil
	}, f.Workers)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Data, ofFile(err, 0))
	}
	fitted, told, err := f.Fitting.fit(p, scores, newTruth(p, e))
	if err != nil {
		return fmt.Errorf("%s: %w", f.Data, err)
	}
	for _, line := range told {
		out.note("%s", line)
	}
	notes := map[string]string{}
	maps.Copy(notes, p.Notes())
	maps.Copy(notes, fitted)
	return to.Write(func(w io.Writer) error {
		own := *m
		_, err := own.WithNotes(notes).WriteTo(w)
		return err
	})
}
