package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// Weights are the flags that weigh the losses of examples.
type Weights struct {
	Weight  []string `group:"model" short:"w" sep:"none" placeholder:"CLASS=WEIGHT" help:"Multiply the losses of a class's examples, and so its cost; -w1 2 for class 1 as well. May be given several times. -w balanced: by n/(m n_c), for n examples, n_c of them in the class, one of m."`
	Weights string   `group:"model" placeholder:"FILE" help:"Multiply the loss of each example by its weight, of at least 0: a file with a number a line, or NPY."`
}

// balanced is the value of -w that makes all classes count alike.
const balanced = "balanced"

// ofClasses returns the weight of each class, nil where no flag says any. y has the class of each example, or is nil
// where they have sets of labels.
func (w *Weights) ofClasses(classes []string, y []int) ([]float64, error) {
	if len(w.Weight) == 0 {
		return nil, nil
	}
	weights, named := make([]float64, len(classes)), make([]bool, len(classes))
	for c := range weights {
		weights[c] = 1
	}
	for _, flag := range w.Weight {
		if flag == balanced {
			switch {
			case len(w.Weight) > 1:
				return nil, usage("-w balanced and other weights of classes: want one of them")
			case y == nil:
				return nil, usage("-w balanced with sets of labels: name weights by -w LABEL=WEIGHT")
			}
			return balance(len(classes), y), nil
		}
		at := strings.LastIndexByte(flag, '=')
		if at < 0 {
			return nil, usage("-w %s: want CLASS=WEIGHT or balanced", flag)
		}
		class, v := flag[:at], flag[at+1:]
		weight, err := strconv.ParseFloat(v, 64)
		if err != nil || !(weight >= 0) || math.IsInf(weight, 1) {
			return nil, usage("-w %s: weight %q, want a finite number of at least 0", flag, v)
		}
		c := place(classes, class)
		switch {
		case c < 0:
			return nil, usage("-w %s: no class %q in the data, there are %s", flag, class, list(classes))
		case named[c]:
			return nil, usage("-w %s: class %q has a weight already", flag, class)
		}
		weights[c], named[c] = weight, true
	}
	return weights, nil
}

// balance returns n/(m n_c) of each of m classes, y being the classes of the n examples: the mean weight of an example
// is 1, and all classes have the same sum.
func balance(m int, y []int) []float64 {
	weights := make([]float64, m)
	for _, c := range y {
		weights[c]++
	}
	for c, count := range weights {
		weights[c] = float64(len(y)) / (float64(m) * max(1, count))
	}
	return weights
}

// weightsOf returns the weight of each example by its class and by the file, nil where no flag says any.
func weightsOf[T vec.Float](w *Weights, t *Training, e *data.Examples[T]) ([]float64, error) {
	each, err := w.fromFile(t, e.Len())
	if err != nil {
		return nil, err
	}
	ofClass, err := w.ofClasses(e.Classes, e.Y)
	if ofClass == nil || err != nil {
		return each, err
	}
	if e.Y == nil {
		return nil, usage("-w %s: weights of classes with sets of labels; --weights FILE weighs examples", w.Weight[0])
	}
	if each == nil {
		each = make([]float64, len(e.Y))
		for i := range each {
			each[i] = 1
		}
	}
	for i, c := range e.Y {
		each[i] *= ofClass[c]
	}
	return each, nil
}

// fromFile reads the weights of n examples, nil where no flag names their file.
func (w *Weights) fromFile(t *Training, n int) ([]float64, error) {
	if w.Weights == "" {
		return nil, nil
	}
	format := "csv"
	if data.FormatOf(w.Weights, "auto") == "npy" {
		format = "npy"
	}
	e, err := data.Open[float64](w.Weights, data.Options{Format: format, Header: "auto", Multiply: 1, Unlabeled: true,
		MaxRows: t.MaxRows}, nil)
	if err != nil {
		return nil, err
	}
	x, ok := e.X.(*dataset.Dense[float64])
	switch {
	case !ok || x.Cols != 1:
		_, d := e.X.Dims()
		return nil, fmt.Errorf("%s: %d columns, want one weight a line", w.Weights, d)
	case x.Rows != n:
		return nil, fmt.Errorf("%s: %d weights, but %d examples in %s", w.Weights, x.Rows, n, t.Train)
	}
	weights := make([]float64, n)
	for i := range weights {
		if weights[i] = x.Row(i)[0]; !(weights[i] >= 0) || math.IsInf(weights[i], 1) {
			return nil, fmt.Errorf("%s: weight %v of example %d, want a finite number of at least 0", w.Weights,
				weights[i], i+1)
		}
	}
	return weights, nil
}

// placesOf returns the numbers of the classes that the values of --positive name, each a class or several with commas
// between them: a class that has a comma in its name stands alone, or with \ before the comma. there begins the list of
// them all in an error.
func placesOf(values, classes []string, there string) (of []int, err error) {
	for _, value := range values {
		names := []string{value}
		if place(classes, value) < 0 {
			names = kong.SplitEscaped(value, ',')
		}
		for _, name := range names {
			c := place(classes, name)
			if c < 0 {
				return nil, usage("--positive %s: %s %s", name, there, list(classes))
			}
			of = append(of, c)
		}
	}
	return of, nil
}

// place returns the number of a class, -1 for none. Names that are equal as numbers are one: 1, +1, 1.0.
func place(classes []string, name string) int {
	for c, class := range classes {
		if class == name {
			return c
		}
	}
	v, err := strconv.ParseFloat(name, 64)
	if err != nil {
		return -1
	}
	for c, class := range classes {
		if u, err := strconv.ParseFloat(class, 64); err == nil && u == v {
			return c
		}
	}
	return -1
}

// list names some classes, and says how many there are besides.
func list(classes []string) string {
	const most = 12
	if len(classes) <= most {
		return strings.Join(classes, ", ")
	}
	return strings.Join(classes[:most], ", ") + " and " + strconv.Itoa(len(classes)-most) + " more"
}
