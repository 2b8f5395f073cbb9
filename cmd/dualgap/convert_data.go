package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// data converts examples. Texts are written with all digits of float64.
func (c *Convert) data(out *output) error {
	to := c.To
	if to == "auto" {
		if to = data.FormatOf(c.Out, ""); to == "idx" {
			to = "libsvm"
		}
	}
	switch {
	case to == "liblinear" || to == "dualgap":
		return usage("%s is no model, which --to %s is for", c.In, to)
	case c.Class != "":
		return usage("%s is no model, which --class is for", c.In)
	case to == "npy" && !c.Float64:
		return convertData[float32](c, to, out)
	}
	return convertData[float64](c, to, out)
}

func convertData[T vec.Float](c *Convert, to string, out *output) error {
	e, err := data.Open[T](c.In, c.Options, nil)
	if err == nil {
		err = scaleAs(c.Scale, e)
	}
	if err != nil {
		return err
	}
	var write func(io.Writer) error
	switch to {
	case "csv":
		write, err = toCSV(e)
	case "npy":
		write, err = toNPY(c, e)
	default:
		write, err = toLIBSVM(e, out)
	}
	if err == nil {
		err = file.Write(c.Out, write)
	}
	if err != nil {
		return fmt.Errorf("%s to %s: %w", c.In, c.Out, err)
	}
	return nil
}

func scaleAs[T vec.Float](how string, e *data.Examples[T]) (err error) {
	s := &dataset.Scaling{UnitRows: how == "unit"}
	switch how {
	case "standard":
		s, err = dataset.Standardize(e.X)
	case "minmax":
		s, err = dataset.MinMax(e.X)
	}
	if err != nil {
		return err
	}
	return e.Scale(s)
}

func toLIBSVM[T vec.Float](e *data.Examples[T], out *output) (func(io.Writer) error, error) {
	x, err := e.Sparse()
	if err != nil {
		return nil, err
	}
	d := &dataset.Labeled[*dataset.CSR[T]]{X: x, Labels: e.Labels}
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
	d := &dataset.Labeled[*dataset.Dense[T]]{X: x, Labels: e.Labels, FeatureNames: e.FeatureNames}
	return func(w io.Writer) error { return dataset.WriteCSV(w, d) }, nil
}

// toNPY writes the labels, too.
func toNPY[T vec.Float](c *Convert, e *data.Examples[T]) (func(io.Writer) error, error) {
	x, err := e.Dense()
	switch {
	case err != nil:
		return nil, err
	case e.Sets != nil:
		return nil, fmt.Errorf("%d label sets, an NPY file has one label an example", len(e.Sets))
	case e.Y != nil && e.Values == nil:
		return nil, fmt.Errorf("the labels %s are no numbers, which those of an NPY file are", list(e.Classes))
	}
	if e.Y != nil {
		to := c.LabelsTo
		stem, isNPY := strings.CutSuffix(strings.TrimSuffix(c.Out, ".gz"), ".npy")
		switch {
		case to == "" && !isNPY:
			return nil, usage("say by --labels-to where the labels are to go")
		case to == "":
			to = stem + "-labels.npy"
		}
		if err := file.Write(to, func(w io.Writer) error { return writeLabels(w, e.Values) }); err != nil {
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
