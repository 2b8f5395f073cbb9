package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/answer"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// Predict are the arguments and flags of "dualgap predict".
type Predict struct {
	Data   string `arg:"" help:"File with the examples, with labels or without; \"-\" for standard input."`
	Model  string `arg:"" help:"File of the model: one of dualgap, a text of LIBLINEAR or LIBSVM, ONNX or safetensors."`
	Output string `arg:"" optional:"" default:"-" help:"File that the predictions go to; \"-\" for standard output, where accuracy is left to the standard error."`

	data.Options
	Overwrite

	Best          int  `group:"output" name:"best" short:"k" placeholder:"K" help:"The K best classes of each example, best first."`
	Probabilities bool `group:"output" short:"b" help:"Probabilities of all classes behind the label, as liblinear-predict -b 1 prints them. For models of tracenorm, of topk with the softmax loss, of m3l, svm, l1 and LIBLINEAR with the logistic loss, and of those trained with --calibrate."`
	Scores        bool `group:"output" help:"Scores of all classes behind the label."`
	JSON          bool `group:"output" name:"json" help:"A JSON object in each line: label, labels, scores and probabilities by the name of the class."`
	CSV           bool `group:"output" name:"csv" help:"CSV with a header: a column for the label, one for each number."`
	Workers       int  `group:"output" default:"0" help:"Goroutines; 0: all cores."`
	Quiet         bool `group:"output" short:"q" help:"Do not print the accuracy."`
}

// Help is the end of the help.
func (*Predict) Help() string {
	return `One line an example: the name of its class as in the training file; labels with commas between them, an empty line for
none; of rankers (toprank) the class and the score, where the classes of a side have commas between them and !3,8 are all
but 3 and 8; of regression the number. Where the data have labels, the accuracy is printed, or the mean squared error. Features that the model does not know are left out of
LIBSVM data; labels that it does not know count as wrong.

Names that could be taken for others, as with a blank in them where blanks separate, are quoted as in JSON. --json and --csv
are for programs: they keep all names as they are, and take -k, -b and --scores together, numbers then being of the K best.
In CSV a label set is one field, names with commas between them, or a JSON array where a name has one.

Examples:

  dualgap predict test.svm model.dg predictions.txt
  dualgap predict -k 5 test.svm.gz model.dg
  dualgap predict --json -k 3 -b test.csv model.dg predictions.json
  zcat new.csv.gz | dualgap predict --format csv - model.dg`
}

// Validate is called by kong.
func (p *Predict) Validate(k *kong.Context) error {
	switch {
	case p.Best < 0:
		return usage("-k %d: want 1 at least", p.Best)
	case p.JSON && p.CSV:
		return usage("--json and --csv: want one of them")
	case !p.JSON && !p.CSV && (p.Best > 0 && (p.Probabilities || p.Scores) || p.Probabilities && p.Scores):
		return usage("-k, -b and --scores: want one of them, or --json or --csv, which can tell the numbers apart")
	}
	g := givenIn(k)
	return first(checkScoring(p.Data, p.Model, p.Workers), g.above0("best"), g.fit(p.Data, p.Format))
}

// Run predicts.
func (p *Predict) Run(ctx context.Context, out *output) error {
	m, err := openModel(p.Model)
	if err != nil {
		return err
	}
	if m.Bits() == 32 {
		return predict[float32](ctx, p, m, out)
	}
	return predict[float64](ctx, p, m, out)
}

func predict[T vec.Float](ctx context.Context, p *Predict, m *predictor.Predictor, out *output) error {
	header, line, err := p.lines(m)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Model, err)
	}
	plan := file.Plan{Force: p.Force}
	plan.Reads("the data", data.Files(p.Data, p.Options)...)
	plan.Reads("the model", p.Model)
	to := plan.Writes("the output", p.Output, predictions(m))
	if err := plan.Check(); err != nil {
		return err
	}
	var told tally
	write := func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<16)
		if header != "" {
			b.WriteString(header + "\n")
		}
		err := data.Each(p.Data, p.Options, knownTo(m), func(e *data.Examples[T]) error {
			truth := newTruth(m, e)
			told.remarks = append(told.remarks, e.Remarks(p.Data)...)
			told.labels, told.nonzeros = told.labels+e.UnseenLabels, told.nonzeros+e.UnseenNonzeros
			var text []byte
			err := m.Each(ctx, e.X, func(i int, q *predictor.Prediction) error {
				text = append(line(text[:0], q), '\n')
				told.count(truth, i, q)
				_, err := b.Write(text)
				return err
			}, p.Workers)
			if err != nil {
				return fmt.Errorf("%s: %w", p.Data, ofFile(err, e.Before))
			}
			return nil
		})
		if err != nil {
			return err
		}
		return b.Flush()
	}
	messages := out.out
	if p.Output == "-" {
		messages = out.err
		err = write(out.out)
	} else {
		err = to.Write(write)
	}
	if err == nil && !p.Quiet {
		told.print(messages, out.err, p.Data)
	}
	return err
}

// lines returns what writes a prediction, and the line before the first.
func (p *Predict) lines(m *predictor.Predictor) (header string, line answer.Line, err error) {
	if p.Best > 0 && m.CheckTopK(p.Best) != nil {
		return "", nil, usage("-k %d: the model has %d classes", p.Best, len(m.Classes()))
	}
	o := answer.Options{K: p.Best, Probabilities: p.Probabilities, Scores: p.Scores}
	switch {
	case p.JSON:
		line, err = answer.JSON(m, o)
		return "", line, err
	case p.CSV:
		return answer.CSV(m, o)
	}
	return answer.Text(m, o)
}
