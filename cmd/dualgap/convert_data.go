package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// data converts examples. Texts are written with all digits of float64.
func (c *Convert) data(plan *file.Plan, out *output) (err error) {
	to := c.To
	if to == "auto" {
		if to, err = data.FormatToWrite(c.Out); err != nil {
			return usage("%w, or say it by --to", err)
		}
	}
	if err := first(
		c.given.fit(c.In, c.Format),
		c.given.need(to == "npy", "NPY to write, whose labels go to a file of their own", "labels-to"),
		c.given.need(to == "npy", "NPY to write: texts have all digits", "float64"),
	); err != nil {
		return err
	}
	switch {
	case slices.Contains([]string{"liblinear", "onnx", "safetensors", "dualgap"}, to):
		return usage("%s is no model, which --to %s is for", c.In, to)
	case c.Class != "":
		return usage("%s is no model, which --class is for", c.In)
	case to == "npy" && !c.Float64:
		return convertData[float32](c, to, plan, out)
	}
	return convertData[float64](c, to, plan, out)
}

func convertData[T vec.Float](c *Convert, format string, plan *file.Plan, out *output) error {
	to := plan.Writes("the output", c.Out, dataKind)
	if err := plan.Check(); err != nil {
		return err
	}
	e, err := data.Open[T](c.In, c.Options, nil)
	if err != nil {
		return err
	}
	out.remark(e.Remarks(c.In))
	if e.FeatureNames != nil && format != "csv" {
		fmt.Fprintf(out.err, "%s: the names of %d features are left out, which CSV would keep\n", c.In,
			len(e.FeatureNames))
	}
	if e.Groups != nil && (format == "csv" || format == "npy") {
		fmt.Fprintf(out.err, "%s: the groups of %d examples are left out, which LIBSVM text would keep\n", c.In,
			e.Len())
	}
	if scaling, err := scalingOf(c.Scale, e.X); err != nil {
		return err
	} else if scaling != nil {
		if err := e.Scale(scaling); err != nil {
			return err
		}
	}
	var write func(io.Writer) error
	switch format {
	case "csv":
		write, err = toCSV(e)
	case "npy":
		write, err = toNPY(c, e, plan)
	default:
		write, err = toLIBSVM(e, out)
	}
	if err == nil {
		err = to.Write(write)
	}
	if err != nil {
		return fmt.Errorf("%s to %s: %w", c.In, c.Out, err)
	}
	return nil
}

func toLIBSVM[T vec.Float](e *data.Examples[T], out *output) (func(io.Writer) error, error) {
	x, err := e.Sparse()
	if err != nil {
		return nil, err
	}
	d := &dataset.Labeled[*dataset.CSR[T]]{X: x, Labels: e.Labels, Groups: e.Groups}
	switch {
	case d.Y == nil && d.Sets == nil:
		d.Sets = make([][]int, x.Rows) // a line without labels
	case d.Sets == nil && d.Values == nil:
		for k, name := range d.Classes {
			fmt.Fprintf(out.err, "label %d is %q\n", k, name)
		}
	}
	return func(w io.Writer) error { return dataset.WriteLIBSVM(w, d, dataset.LIBSVMOptions{}) }, nil
}

func toCSV[T vec.Float](e *data.Examples[T]) (func(io.Writer) error, error) {
	x, err := e.Dense()
	if err != nil {
		return nil, err
	}
	d := &dataset.Labeled[*dataset.Dense[T]]{X: x, Labels: e.Labels, FeatureNames: e.FeatureNames, CSV: e.CSV}
	return func(w io.Writer) error { return dataset.WriteCSV(w, d) }, nil
}

// toNPY writes the labels, too.
func toNPY[T vec.Float](c *Convert, e *data.Examples[T], plan *file.Plan) (func(io.Writer) error, error) {
	x, err := e.Dense()
	switch {
	case err != nil:
		return nil, err
	case e.Sets != nil:
		return nil, fmt.Errorf("%d label sets, an NPY file has one label an example", len(e.Sets))
	case e.Y != nil && e.Values == nil:
		return nil, fmt.Errorf("the labels %s are no numbers, want numbers for an NPY file", list(e.Classes))
	}
	if e.Y != nil {
		name := c.LabelsTo
		stem, isNPY := strings.CutSuffix(strings.TrimSuffix(c.Out, ".gz"), ".npy")
		switch {
		case name == "" && !isNPY:
			return nil, usage("say by --labels-to where the labels are to go")
		case name == "":
			name = stem + "-labels.npy"
		}
		to := plan.Writes("the labels", name, dataKind)
		if err := plan.Check(); err != nil {
			return nil, err
		}
		if err := to.Write(func(w io.Writer) error { return writeLabels(w, e.Values) }); err != nil {
			return nil, err
		}
	}
	return func(w io.Writer) error { return dataset.WriteNPY(w, x, dataset.NPYOptions{}) }, nil
}

// writeLabels writes integers as such.
func writeLabels(w io.Writer, values []float64) error {
	o := dataset.NPYOptions{Type: "i4"}
	for _, v := range values {
		if v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
			o.Type = "f8"
		}
	}
	return dataset.WriteNPY(w, &dataset.Dense[float64]{Matrix: vec.MatrixOf(len(values), 1, values)}, o)
}
