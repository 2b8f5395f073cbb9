package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/models"
	"github.com/dualgap/dualgap/vec"
)

// Predict are the arguments and flags of "dualgap predict".
type Predict struct {
	Data   string `arg:"" help:"File with the examples, with labels or without; \"-\" for standard input."`
	Model  string `arg:"" help:"File of the model: one of dualgap, or a text of LIBLINEAR or LIBSVM."`
	Output string `arg:"" optional:"" default:"-" help:"File that the predictions go to; \"-\" for standard output, where accuracy is left to the standard error."`

	data.Options

	Best          int  `group:"output" name:"best" short:"k" placeholder:"K" help:"The K best classes of each example, best first, with blanks between them."`
	Probabilities bool `group:"output" short:"b" help:"Probabilities of all classes behind the label, as liblinear-predict -b 1 prints them. For models of tracenorm, and of topk with the softmax loss."`
	Scores        bool `group:"output" help:"Scores of all classes behind the label."`
	Workers       int  `group:"output" default:"0" help:"Goroutines; 0: all cores."`
	Quiet         bool `group:"output" short:"q" help:"Do not print the accuracy."`
}

// Help is the end of the help.
func (*Predict) Help() string {
	return `One line an example: the name of its class as in the training file; labels with commas between them, an empty line for
none; of rankers (toprank) the class and the score. Where the data have labels, the accuracy is printed. Features that the
model does not know are left out of LIBSVM data; labels that it does not know count as wrong.

Examples:

  dualgap predict test.svm model.dg predictions.txt
  dualgap predict -k 5 test.svm.gz model.dg
  zcat new.csv.gz | dualgap predict --format csv - model.dg`
}

// Validate is called by kong.
func (p *Predict) Validate() error {
	switch {
	case p.Best < 0:
		return usage("-k %d: need 1 at least", p.Best)
	case p.Best > 0 && (p.Probabilities || p.Scores) || p.Probabilities && p.Scores:
		return usage("-k, -b and --scores: need one of them")
	}
	return checkScoring(p.Data, p.Model, p.Workers)
}

// Run predicts.
func (p *Predict) Run(ctx context.Context, out *output) error {
	m, err := models.Open(p.Model)
	if err != nil {
		return err
	}
	if m.Single != nil {
		return predict(ctx, p, m.Single, out)
	}
	return predict(ctx, p, m.Double, out)
}

func predict[T vec.Float](ctx context.Context, p *Predict, m *models.Model[T], out *output) error {
	line, header, err := lines(p, m)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Model, err)
	}
	var told tally
	write := func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<16)
		b.WriteString(header)
		err := data.Each(p.Data, p.Options, m.Known(), func(e *data.Examples[T]) error {
			truth := newTruth(m, e)
			if err := e.Scale(m.Scaling); err != nil {
				return fmt.Errorf("%s: %w", p.Data, err)
			}
			told.labels, told.nonzeros = told.labels+e.UnseenLabels, told.nonzeros+e.UnseenNonzeros
			var text []byte
			return eachScores(ctx, m, e.X, p.Workers, func(i int, scores []T) error {
				text = append(line(text[:0], scores), '\n')
				count(&told, m, truth, i, scores)
				_, err := b.Write(text)
				return err
			})
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
		err = file.Write(p.Output, write)
	}
	if err == nil && !p.Quiet {
		told.print(messages, out.err, p.Data)
	}
	return err
}
