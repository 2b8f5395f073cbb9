package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// Convert are the arguments and flags of "dualgap convert".
type Convert struct {
	In  string `arg:"" help:"File of data or a model; \"-\" for standard input."`
	Out string `arg:"" help:"File to write; \"-\" for standard output. Packed where its name ends in .gz."`

	data.Options
	Overwrite

	To       string `group:"output" enum:"auto,libsvm,csv,npy,liblinear,onnx,safetensors,dualgap" default:"auto" help:"Format to write: ${enum}. auto goes by the name: .csv, .npy, else libsvm for data; of models .onnx, .safetensors, .txt for the text of LIBLINEAR or LIBSVM, whichever has such models, else dualgap."`
	Scale    string `group:"output" enum:"none,standard,minmax,unit" default:"none" help:"Data: scale each feature to mean 0 and variance 1 (standard) or to 0..1 (minmax), or each example to length 1 (unit). Other files of the same problem need the same scaling: rather let train do it."`
	LabelsTo string `group:"output" placeholder:"FILE" help:"Data to NPY: file for the labels. By default NAME-labels.npy for NAME.npy."`
	Float64  bool   `group:"output" name:"float64" help:"Data to NPY: write numbers of 64 bits. By default 32."`
	Class    string `group:"output" placeholder:"NAME" help:"Models: write this class against all others."`

	given given `kong:"-"`
}

// Validate is called by kong.
func (c *Convert) Validate(k *kong.Context) error {
	c.given = givenIn(k)
	return nil
}

// Help is the end of the help.
func (*Convert) Help() string {
	return `Data go between LIBSVM text, CSV and NPY, and from IDX to these. Linear models become LIBLINEAR's text, which takes raw
examples even where the model was trained on scaled ones; models of one kernel become LIBSVM's text, of two classes or of one
class against all others (--class). Both kinds become ONNX, whose numbers have 32 bits, or safetensors, with names, scaling and
certificate. All of these become models of dualgap.

Examples:

  dualgap convert train.csv train.svm.gz
  dualgap convert --multiply .00392157 train-images-idx3-ubyte.gz train.npy
  dualgap convert model.dg liblinear.txt
  dualgap convert model.dg model.onnx
  dualgap convert scikit-learn.onnx model.dg`
}

// Run converts.
func (c *Convert) Run(ctx context.Context, out *output) error {
	from, err := modelFormat(c.In)
	if err != nil {
		return err
	}
	plan := file.Plan{Force: c.Force}
	plan.Reads("the input", data.Files(c.In, c.Options)...)
	if from == "" {
		return c.data(&plan, out)
	}
	if err := c.given.noData(c.In, "scale", "labels-to", "float64"); err != nil {
		return err
	}
	to := plan.Writes("the output", c.Out, modelKind)
	if err := plan.Check(); err != nil {
		return err
	}
	p, err := openModel(c.In)
	if err != nil {
		return err
	}
	format, err := c.modelFormat(from, p)
	if err != nil {
		return err
	}
	single, double := p.Models()
	if single != nil {
		return convertModel(c, p, single, format, to, out)
	}
	return convertModel(c, p, double, format, to, out)
}

// modelFormat returns the format of a model to write, from one of another.
func (c *Convert) modelFormat(from string, p *predictor.Predictor) (string, error) {
	single, double := p.Models()
	end := filepath.Ext(strings.TrimSuffix(c.Out, ".gz"))
	switch {
	case c.To != "auto":
		return c.To, nil
	case end == ".onnx" || end == ".safetensors":
		return end[1:], nil
	case end != ".dg" && data.IsOther(end):
		return "", usage("%s: the name says a format that models are not written in: end it in .dg, .txt, .onnx "+
			"or .safetensors, or say it by --to", c.Out)
	case from != predictor.Dualgap:
		return "dualgap", nil
	case end != ".txt":
		return "", usage("%s: a model of dualgap: say by --to what %s is to be, liblinear or libsvm", c.In, c.Out)
	case single != nil && single.Kernel != nil || double != nil && double.Kernel != nil:
		return "libsvm", nil
	}
	return "liblinear", nil
}
