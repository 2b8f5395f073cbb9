package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/answer"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/exchange"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// convertModel writes a model in another format.
func convertModel[T vec.Float](c *Convert, p *predictor.Predictor, m *model.Model[T], format string, to *file.Output,
	out *output) error {
	var write func(io.Writer) error
	var err error
	switch format {
	case "dualgap":
		write = func(w io.Writer) error { _, err := m.WriteTo(w); return err }
	case "liblinear":
		write, err = toLIBLINEAR(c, p, m, out)
	case "libsvm":
		write, err = toLIBSVMModel(c, p, m, out)
	case "onnx", "safetensors":
		if c.Class != "" {
			return usage("--class: %s has all classes of a model", format)
		}
		write = func(w io.Writer) error { return exchange.WriteSafetensors(w, m) }
		if format == "onnx" {
			write = p.WriteONNX
		}
	default:
		return usage("--to %s: %s is a model, which liblinear, libsvm, onnx, safetensors and dualgap are for", format,
			c.In)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.In, err)
	}
	if fitted := p.Calibration() != nil || p.Thresholds() != nil; fitted && format != "dualgap" &&
		format != "safetensors" {
		told := "are metadata of ONNX, its graph does not apply them"
		if format != "onnx" {
			told = "are left out, texts of models have none"
		}
		fmt.Fprintf(out.err, "%s: the calibration and the thresholds %s\n", c.In, told)
	}
	if format == "onnx" && p.Bits() == 64 {
		fmt.Fprintf(out.err, "%s: numbers of 64 bits are rounded to 32, which ONNX's operators have\n", c.In)
	}
	if names := p.Features(); names != nil && (format == "liblinear" || format == "libsvm") {
		fmt.Fprintf(out.err, "%s: the names of %d features are left out, texts of models have none\n", c.In, len(names))
	}
	return to.Write(write)
}

func toLIBSVMModel[T vec.Float](c *Convert, p *predictor.Predictor, m *model.Model[T],
	out *output) (func(io.Writer) error, error) {
	s := p.Scaling()
	switch {
	case m.Kernel == nil && m.Kernels == nil:
		return nil, fmt.Errorf("a linear model: --to liblinear")
	case m.Kernel == nil:
		return nil, fmt.Errorf("a model of many kernels, LIBSVM has models of one")
	case s.Shift != nil || s.Factor != nil || s.UnitRows:
		return nil, fmt.Errorf("the model scales examples, which LIBSVM's text cannot say: train on data scaled by " +
			"\"dualgap convert --scale\"")
	}
	own, err := m.Kernel, error(nil)
	if p.Task() == predictor.Top {
		bias := make([]T, 1)
		copy(bias, own.Bias())
		bias[0] = aboveZero(bias[0], p.Threshold())
		if own, err = own.WithBias(bias); err != nil {
			return nil, err
		}
	}
	if tellsInside(p) {
		if c.Class != "" {
			return nil, usage("--class: a model of one class has one output")
		}
		return func(w io.Writer) error { return own.WriteLIBSVMOneClass(w, 0) }, nil
	}
	if p.Task() == predictor.Numbers {
		return func(w io.Writer) error { return m.Kernel.WriteLIBSVMRegression(w, 0, -p.Offset()) }, nil
	}
	output, labels, err := oneOutput(c, p, out)
	if err != nil {
		return nil, err
	}
	return func(w io.Writer) error { return own.WriteLIBSVM(w, output, labels) }, nil
}

// oneOutput returns the output that tells a class from all others, and the labels of both: the output of --class, or
// the output of a ranker, or the second of two classes, whose score is above 0 where it is the larger one.
func oneOutput(c *Convert, p *predictor.Predictor, out *output) (int, [2]int, error) {
	if p.Ranks() {
		if c.Class != "" {
			return 0, [2]int{}, usage("--class: a ranker has one output")
		}
		positive, negative := answer.Sides(p)
		return 0, [2]int(numbers([]string{positive, negative}, out)), nil
	}
	names := p.Classes()
	if _, outputs := p.Dims(); p.Task() == predictor.Classes && outputs == 1 && len(names) == 2 {
		if c.Class != "" {
			return 0, [2]int{}, usage("--class: the model has one output, which tells its two classes apart")
		}
		all := numbers(names, out)
		return 0, [2]int{all[1], all[0]}, nil
	}
	at := slices.Index(names, c.Class)
	switch {
	case at >= 0:
	case c.Class != "":
		return 0, [2]int{}, usage("--class %s: the model knows %s", c.Class, list(names))
	case p.Task() == predictor.Classes && len(names) == 2:
		at = 1
	default:
		return 0, [2]int{}, usage("%s: say by --class which of %d classes is to be told from all others", c.In,
			len(names))
	}
	all := numbers(names, out)
	if len(names) == 2 {
		return at, [2]int{all[at], all[1-at]}, nil
	}
	rest := 0
	for slices.Contains(all, rest) {
		rest--
	}
	return at, [2]int{all[at], rest}, nil
}

// numbers returns the labels of classes in texts that have integers alone: their names, or their numbers, which are
// told.
func numbers(names []string, out *output) []int {
	labels := make([]int, len(names))
	for k, name := range names {
		v, err := strconv.ParseInt(name, 10, 32)
		if err != nil || v == math.MinInt32 {
			for k, name := range names {
				labels[k] = k
				fmt.Fprintf(out.err, "label %d is %q\n", k, name)
			}
			return labels
		}
		labels[k] = int(v)
	}
	return labels
}
