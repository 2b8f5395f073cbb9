package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// Evaluate are the arguments and flags of "dualgap evaluate".
type Evaluate struct {
	Data  string `arg:"" help:"File with labelled examples; \"-\" for standard input."`
	Model string `arg:"" help:"File of the model: one of dualgap, a text of LIBLINEAR or LIBSVM, ONNX or safetensors."`

	data.Options
	Overwrite

	PerClass  bool     `group:"output" help:"A line for each class or label: how often it occurs and is predicted, precision, recall, F1."`
	Confusion bool     `group:"output" help:"How often each class is taken for each other."`
	Positive  []string `group:"output" sep:"none" placeholder:"CLASS,..." help:"Measure how the scores of this class, or of these, tell it from all others. Rankers know their own."`
	Curve     string   `group:"output" placeholder:"FILE" help:"Write the curves of precision and recall and of false positives, as CSV. For rankers, and with --positive."`
	HTML      string   `group:"output" name:"html" placeholder:"FILE" help:"Write a page that draws it: the confusion of the classes, curves of precision and recall and of false positives, how reliable probabilities are."`
	JSON      bool     `group:"output" name:"json" help:"Print all measures as JSON."`
	Workers   int      `group:"output" default:"0" help:"Goroutines; 0: all cores."`
}

// Help is the end of the help.
func (*Evaluate) Help() string {
	return `Classes: accuracy, how often the true class is among the first 1 to 10 guesses, the mean recall of the classes; how well
probabilities are calibrated where scores give some. Sets of labels: Hamming loss, sets without a fault, F1, ranking loss,
precision of the first guesses. Rankers: precisions at given recalls, areas below the curves. Rankers, and --positive, of
data with queries (qid:, --group-column): NDCG@10, mean average precision, recall@1 and @10 and mean reciprocal rank, over
the queries with a positive example. The NDCG takes labels for grades where they are more than two, from 0 to 30. Numbers
that are predicted: mean squared error, mean absolute error, R².

Examples:

  dualgap evaluate test.svm model.dg
  dualgap evaluate --per-class --confusion test.csv model.dg
  dualgap evaluate --html report.html test.csv model.dg
  dualgap evaluate --curve curve.csv test.svm ranker.dg`
}

// Validate is called by kong.
func (e *Evaluate) Validate(k *kong.Context) error {
	return first(checkScoring(e.Data, e.Model, e.Workers), givenIn(k).fit(e.Data, e.Format))
}

// Run evaluates.
func (e *Evaluate) Run(ctx context.Context, out *output) error {
	m, err := openModel(e.Model)
	if err != nil {
		return err
	}
	if m.Bits() == 32 {
		return evaluate[float32](ctx, e, m, out)
	}
	return evaluate[float64](ctx, e, m, out)
}

func evaluate[T vec.Float](ctx context.Context, e *Evaluate, m *predictor.Predictor, out *output) error {
	plan := file.Plan{Force: e.Force}
	plan.Reads("the data", data.Files(e.Data, e.Options)...)
	plan.Reads("the model", e.Model)
	curve := plan.Writes("--curve", e.Curve, curveKind)
	html := plan.Writes("--html", e.HTML, pageKind)
	if err := plan.Check(); err != nil {
		return err
	}
	examples, err := data.Open[T](e.Data, e.Options, knownTo(m))
	if err != nil {
		return err
	}
	out.remark(examples.Remarks(e.Data))
	if err := examples.NeedLabels(e.Data); err != nil {
		return err
	}
	r, err := measure(ctx, m, examples, e.Positive, e.HTML != "", e.Workers)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Data, ofFile(err, 0))
	}
	if e.Curve != "" {
		if r.curve == nil && m.Task() == predictor.Queries {
			return usage("--curve: the model ranks within queries, and scores of two queries make no curve")
		}
		if r.curve == nil {
			return usage("--curve: the model is no ranker: say by --positive which class is to be found")
		}
		if err := curve.Write(r.curve); err != nil {
			return err
		}
	}
	if e.HTML != "" {
		page, err := r.page(filepath.Base(e.Model), filepath.Base(e.Data), m).HTML()
		if err != nil {
			return err
		}
		if err := html.Write(func(w io.Writer) error { _, err := w.Write(page); return err }); err != nil {
			return err
		}
	}
	if !e.PerClass {
		r.Classes = nil
	}
	if !e.Confusion {
		r.Confusion = nil
	}
	if e.JSON {
		return printJSON(out.out, r)
	}
	return r.print(out.out, m.Classes())
}

func printJSON(w io.Writer, r any) error {
	j := json.NewEncoder(w)
	j.SetIndent("", "  ")
	return j.Encode(r)
}
