package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/models"
	"github.com/dualgap/dualgap/internal/container"
)

// Inspect are the arguments and flags of "dualgap inspect".
type Inspect struct {
	File string `arg:"" help:"A model, a state of a training, a codebook or compressed examples, or data; \"-\" for data from standard input."`

	data.Options
}

// Help is the end of the help.
func (*Inspect) Help() string {
	return `Of a model it says what it is, what it was trained with and how that ended: the certificate; of data how large they are, what
classes they have and what numbers.

Examples:

  dualgap inspect model.dg
  dualgap inspect train.svm.gz`
}

// Run inspects.
func (i *Inspect) Run(ctx context.Context, out *output) error {
	kind, err := models.Sniff(i.File)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(out.out, 0, 0, 2, ' ', 0)
	own := ""
	if kind == models.Own {
		if own, err = kindOf(i.File); err != nil {
			return err
		}
	}
	switch {
	case kind == models.NoModel:
		err = inspectData(t, i)
	case own == "" || models.IsModel(own):
		err = inspectModel(t, i.File, own)
	default:
		err = inspectOther(t, i.File)
	}
	if err != nil {
		return err
	}
	return t.Flush()
}

// kindOf returns the kind of a file of the library.
func kindOf(path string) (kind string, err error) {
	err = contained(path, func(c *container.Reader) { kind = c.Kind() })
	return kind, err
}

// contained reads a file of the library from its beginning, as far as use does. Errors name the file.
func contained(path string, use func(c *container.Reader)) error {
	in, err := file.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	c, err := container.Open(in)
	if err == nil {
		use(c)
		err = c.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// row writes a line of two columns.
func row(w io.Writer, name, format string, args ...any) {
	fmt.Fprintf(w, name+"\t"+format+"\n", args...)
}
