package main

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// Inspect are the arguments and flags of "dualgap inspect".
type Inspect struct {
	File string `arg:"" help:"A model, a state of a training, an index, a codebook or compressed examples, or data; \"-\" for data from standard input."`

	data.Options

	Top          int  `group:"output" default:"10" placeholder:"N" help:"Linear models: the N greatest coefficients of each class."`
	Coefficients bool `group:"output" help:"Linear models: all coefficients, a line for each feature, in place of the greatest."`
	JSON         bool `group:"output" name:"json" help:"Print all there is to tell as one object of JSON, the coefficients too."`

	given given `kong:"-"`
}

// Validate is called by kong.
func (i *Inspect) Validate(k *kong.Context) error {
	i.given = givenIn(k)
	if i.Top < 0 {
		return usage("--top %d: want 0 at least", i.Top)
	}
	return nil
}

// Help is the end of the help.
func (*Inspect) Help() string {
	return `Of a model it says what it is, what it was trained with and how that ended: the certificate; of data how large they are, what
classes they have and what numbers. Coefficients of linear models have the names of the features where these were learned from
CSV with a header, else their numbers from 1.

Examples:

  dualgap inspect model.dg
  dualgap inspect --coefficients model.dg
  dualgap inspect --json model.dg | jq '.coefficients[0].greatest'
  dualgap inspect train.svm.gz`
}

// Run inspects.
func (i *Inspect) Run(ctx context.Context, out *output) error {
	format, err := modelFormat(i.File)
	if err != nil {
		return err
	}
	kind := ""
	if format == predictor.Dualgap {
		if kind, err = kindOf(i.File); err != nil {
			return err
		}
	}
	if format == "" {
		err = i.given.fit(i.File, i.Format)
	} else {
		err = i.given.noData(i.File)
	}
	if err != nil {
		return err
	}
	told := new(facts)
	switch {
	case format != "" && (kind == "" || isModel(kind)):
		err = inspectModel(told, i, format)
	case i.Coefficients:
		return usage("--coefficients: %s is no model", i.File)
	case i.given["top"] != nil:
		return usage("--top %d: %s is no model", i.Top, i.File)
	case format == "":
		err = inspectData(told, i, out)
	case kind == indexFile:
		err = inspectIndex(told, i.File, false)
	default:
		err = inspectOther(told, i.File)
	}
	switch {
	case err != nil:
		return err
	case i.JSON:
		return printJSON(out.out, told)
	}
	return told.print(out.out)
}

// isModel reports whether files of the library of this kind are models.
func isModel(kind string) bool {
	return kind == "linear" || kind == "lowrank" || kind == "kernel" || kind == "kernels"
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
