package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// coefficients has the weights of a linear model, with the names of its features and outputs.
type coefficients[T vec.Float] struct {
	features, outputs []string
	bias              []T
	weights           func(dst []T, c int) // sets dst to the weights of output c
}

// coefficient is the weight of a feature.
type coefficient[T vec.Float] struct {
	Feature     string     `json:"feature"`
	Coefficient numeral[T] `json:"coefficient"`
}

// numeral is a number that is null in JSON where it is not finite: products of factors may be beyond T.
type numeral[T vec.Float] struct{ v T }

func (n numeral[T]) MarshalJSON() ([]byte, error) {
	if n.v-n.v != 0 {
		return []byte("null"), nil
	}
	return json.Marshal(n.v)
}

// describeCoefficients tells of the coefficients of a linear model, by the names of the features and classes: as text
// the greatest of each class, or a table of all.
func describeCoefficients[T vec.Float](w *facts, i *Inspect, p *predictor.Predictor, m *model.Model[T]) error {
	k, linear := coefficientsOf(p, m)
	switch {
	case !linear && i.Coefficients:
		return usage("--coefficients: %s is a %s, which has support vectors and no coefficients", i.File, whatIs(m))
	case !linear:
		return nil
	}
	s, of := p.Scaling(), "features"
	if s.Shift != nil || s.Factor != nil || s.UnitRows {
		of = "scaled features"
	}
	switch {
	case i.JSON:
		w.all = append(w.all, fact{"coefficients of", "", of}, fact{"coefficients", "", k.all(i.Top)})
	case i.Coefficients:
		w.all = append(w.all, fact{"coefficients", "all, of " + of, nil})
		w.table = func(w io.Writer) error { return k.table(w, s) }
	case i.Top > 0:
		text := fmt.Sprintf("the %d greatest of each class, of %s", min(i.Top, len(k.features)), of)
		w.all = append(append(w.all, fact{"coefficients", text, nil}), k.greatest(i.Top)...)
	}
	return nil
}

// coefficientsOf returns the coefficients, and whether the model has any.
func coefficientsOf[T vec.Float](p *predictor.Predictor, m *model.Model[T]) (k coefficients[T], linear bool) {
	switch {
	case m.Linear != nil:
		w := m.Linear.Weights()
		k.bias = m.Linear.Bias()
		k.weights = func(dst []T, c int) {
			for j := range dst {
				dst[j] = w.Row(j)[c]
			}
		}
	case m.LowRank != nil:
		u, v := m.LowRank.Factors()
		k.bias = m.LowRank.Bias()
		k.weights = func(dst []T, c int) { vec.Gemv(1, u, v.Row(c), 0, dst) }
	default:
		return k, false
	}
	k.features, k.outputs = featuresOf(p), p.Classes()
	switch {
	case p.Ranks():
		k.outputs = []string{strings.Join(p.Positive(), " or ")}
	case p.Task() == predictor.Numbers:
		k.outputs = []string{"the number"}
	case len(k.outputs) == 2 && m.Names() != nil && len(m.Names()) == 1: // two classes by one score
		k.outputs = k.outputs[1:]
	}
	if k.bias == nil {
		k.bias = make([]T, len(k.outputs))
	}
	return k, true
}

// featuresOf returns the names of the features, their numbers from 1 where there are none.
func featuresOf(p *predictor.Predictor) []string {
	if names := p.Features(); names != nil {
		return names
	}
	d, _ := p.Dims()
	numbers := make([]string, d)
	for j := range numbers {
		numbers[j] = strconv.Itoa(j + 1)
	}
	return numbers
}

// top returns the n greatest by size, the greatest first, without zeros. size is scratch of as many numbers.
func (k *coefficients[T]) top(n int, weights, size []T) []coefficient[T] {
	for j, v := range weights {
		size[j] = T(math.Abs(float64(v)))
		if v != v { // infinite products of both signs in a sum
			size[j] = T(math.Inf(1))
		}
	}
	best := make([]int, min(n, len(weights)))
	solvers.Rank(best, size)
	top := make([]coefficient[T], 0, len(best))
	for _, j := range best {
		if weights[j] != 0 {
			top = append(top, coefficient[T]{k.features[j], numeral[T]{weights[j]}})
		}
	}
	return top
}

// greatest returns a line for each class, as far as anybody would read them.
func (k *coefficients[T]) greatest(n int) (lines []fact) {
	const most = 50
	weights, size := make([]T, len(k.features)), make([]T, len(k.features))
	for c, name := range k.outputs {
		if c == most {
			return append(lines, fact{"", fmt.Sprintf("and %d classes more: --coefficients, --json",
				len(k.outputs)-most), nil})
		}
		k.weights(weights, c)
		var b strings.Builder
		for _, f := range k.top(n, weights, size) {
			fmt.Fprintf(&b, "%s: %.4g, ", shown(f.Feature), f.Coefficient.v)
		}
		fmt.Fprintf(&b, "bias: %.4g", k.bias[c])
		lines = append(lines, fact{"  " + name, b.String(), nil})
	}
	return lines
}

// shown is a name as it can stand in a list.
func shown(name string) string {
	if name == "" || strings.ContainsAny(name, ",:\"\t\n") || name != strings.TrimSpace(name) {
		return strconv.Quote(name)
	}
	return name
}

// all returns what JSON has of each class.
func (k *coefficients[T]) all(top int) []object {
	size := make([]T, len(k.features))
	classes := make([]object, len(k.outputs))
	for c, name := range k.outputs {
		weights := make([]T, len(k.features))
		k.weights(weights, c)
		classes[c] = object{
			{"class", name}, {"bias", k.bias[c]},
			{"greatest", k.top(top, weights, size)}, {"coefficients", byName(k.features, numerals(weights))},
		}
	}
	return classes
}

func numerals[T vec.Float](v []T) []numeral[T] {
	all := make([]numeral[T], len(v))
	for j := range v {
		all[j].v = v[j]
	}
	return all
}

// table writes a line for each feature, with how it is scaled, and one for the bias.
func (k *coefficients[T]) table(to io.Writer, s *dataset.Scaling) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	line := func(name string, scaling []string, of func(c int) any) {
		fmt.Fprintf(w, "%s", name)
		for _, text := range scaling {
			fmt.Fprintf(w, "\t%s", text)
		}
		for c := range k.outputs {
			fmt.Fprintf(w, "\t%v", of(c))
		}
		fmt.Fprintln(w)
	}
	var names []string
	var scaling [][]float64
	if s.Shift != nil {
		names, scaling = append(names, "shift"), append(scaling, s.Shift)
	}
	if s.Factor != nil {
		names, scaling = append(names, "factor"), append(scaling, s.Factor)
	}
	columns := make([][]T, len(k.outputs))
	for c := range columns {
		columns[c] = make([]T, len(k.features))
		k.weights(columns[c], c)
	}
	fmt.Fprintln(to)
	line("feature", names, func(c int) any { return shown(k.outputs[c]) })
	own := make([]string, len(scaling))
	for j, name := range k.features {
		for i := range own {
			own[i] = short6(scaling[i][j])
		}
		line(shown(name), own, func(c int) any { return short6(float64(columns[c][j])) })
	}
	line("(bias)", make([]string, len(scaling)), func(c int) any { return short6(float64(k.bias[c])) })
	return w.Flush()
}

// short6 is a number of six digits.
func short6(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
