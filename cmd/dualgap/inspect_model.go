package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/vec"
)

// inspectModel tells of a model in a file of the given format.
func inspectModel(w *facts, i *Inspect, format string) error {
	p, err := openModel(i.File)
	if err != nil {
		return err
	}
	from := map[string]string{
		predictor.LIBLINEAR: ", from the text of LIBLINEAR", predictor.LIBSVM: ", from the text of LIBSVM",
		predictor.ONNX: ", from ONNX", predictor.Safetensors: ", from safetensors",
	}[format]
	if single, double := p.Models(); single != nil {
		describe(w, p, single, from)
		err = describeCoefficients(w, i, p, single)
	} else {
		describe(w, p, double, from)
		err = describeCoefficients(w, i, p, double)
	}
	return err
}

// tells says what the model is for.
func tells(p *predictor.Predictor) string {
	if p.Task() == predictor.Top && p.Notes()[svm.NotePredicts] != "" {
		return "which examples are inside"
	}
	return map[string]string{
		predictor.Classes: "the class of an example",
		predictor.Sets:    "the set of labels of an example",
		predictor.Top:     "which examples come first",
		predictor.Queries: "which examples of a query come first",
		predictor.Numbers: "a number",
	}[p.Task()]
}

func describe[T vec.Float](w *facts, p *predictor.Predictor, m *model.Model[T], from string) {
	features, outputs := m.Dims()
	row(w, "file", "%s, float%d%s", whatIs(m), 8*unsafe.Sizeof(T(0)), from)
	row(w, "tells", "%s", tells(p))
	w.all = append(w.all, fact{"task", "", p.Task()})
	row(w, "features", "%d", features)
	row(w, "outputs", "%d", outputs)
	if p.Task() == predictor.Top {
		rowOf(w, "positive", p.Positive(), "%s, where the score is at least %v; else %s",
			strings.Join(p.Positive(), " or "), p.Threshold(), cmp.Or(p.Negative(), "all others"))
		w.all = append(w.all, fact{"negative", "", p.Negative()}, fact{"threshold", "", p.Threshold()})
	} else if p.Ranks() {
		rowOf(w, "positive", p.Positive(), "%s, to come first in each query", strings.Join(p.Positive(), " or "))
		w.all = append(w.all, fact{"negative", "", p.Negative()})
	} else if names := p.Classes(); len(names) == 2 && outputs == 1 {
		where := "above 0"
		if t := p.Thresholds(); t != nil {
			where = fmt.Sprintf("at least %v", t[0])
		}
		rowOf(w, "names", names, "%s, where the score is %s; else %s", names[1], where, names[0])
	} else if m.Names() != nil {
		rowOf(w, "names", m.Names(), "%s", list(m.Names()))
	}
	if names := p.Features(); names != nil {
		rowOf(w, "feature names", names, "%s", list(names))
	}
	if name := p.Notes()[predictor.NoteLabel]; name != "" {
		row(w, "label", "%s", name)
	}
	if s := p.Scaling(); s.Shift != nil || s.Factor != nil || s.UnitRows {
		rowOf(w, "scaling", scalingOfFeatures(s, featuresOf(p)), "%s", scalingIn(s))
	}
	describeNumbers(w, m)
	notes := m.Notes()
	for _, key := range []string{"solver", "settings", "outcome"} {
		if notes[key] != "" {
			row(w, key, "%s", notes[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(notes)) {
		if !slices.Contains(told, key) {
			row(w, key, "%s", short(notes[key]))
		}
	}
}

// told are notes that are not to be listed: others tell of them.
var told = []string{
	"solver", "settings", "outcome", "threshold", dataset.ScalingNote, predictor.NoteTask, predictor.NotePositive,
	predictor.NoteNegative, svm.NoteClasses, svm.NotePredicts,
	predictor.NoteKernels, predictor.NoteShares, predictor.NoteFeatures, predictor.NoteLabel, predictor.NoteLabelColumn,
}

func whatIs[T vec.Float](m *model.Model[T]) string {
	switch {
	case m.Kernels != nil:
		return "model of many kernels"
	case m.Kernel != nil:
		return "model of a kernel"
	case m.LowRank != nil:
		return "linear model of low rank"
	}
	return "linear model"
}

// describeNumbers tells of weights or support vectors.
func describeNumbers[T vec.Float](w *facts, m *model.Model[T]) {
	switch {
	case m.Kernels != nil:
		row(w, "support vectors", "%d of %d examples", len(m.Kernels.Support()), m.Kernels.Len())
		describeKernels(w, m.Kernels.Weights(), m.Notes())
	case m.Kernel != nil:
		row(w, "kernel", "%s", kernelText(m.Kernel.Kernel()))
		row(w, "support vectors", "%d of %d examples", len(m.Kernel.Support()), m.Kernel.Len())
	case m.LowRank != nil:
		u, v := m.LowRank.Factors()
		row(w, "rank", "%d: %d numbers in place of %d", m.LowRank.Rank(), len(u.Data)+len(v.Data), u.Rows*v.Rows)
	case m.Linear != nil:
		weights, nonzero := m.Linear.Weights(), 0
		for _, v := range weights.Data {
			if v != 0 {
				nonzero++
			}
		}
		row(w, "weights", "%d, %.4g%% of them are not 0", len(weights.Data), percent(nonzero, len(weights.Data)))
		if b := m.Linear.Constant(); b != 0 {
			row(w, "constant feature", "%v", b)
		}
	}
}

// describeKernels draws how much each kernel counts.
func describeKernels(w *facts, weights []float64, notes map[string]string) {
	what, names := "weight", strings.Split(notes[predictor.NoteKernels], "\n")
	shares := strings.Fields(notes[predictor.NoteShares])
	for j := range min(len(weights), len(shares)) {
		if v, err := strconv.ParseFloat(shares[j], 64); err == nil && len(shares) == len(weights) {
			weights[j], what = v, "share"
		}
	}
	most := slices.Max(append(weights, 0))
	for j, v := range weights {
		name := fmt.Sprintf("kernel %d", j+1)
		if len(names) == len(weights) && names[j] != "" {
			name += ", " + names[j]
		}
		length := 0
		if most > 0 {
			length = int(v/most*30 + .5)
		}
		rowOf(w, name, v, "%s %.4f %s", what, v, strings.Repeat("█", length))
	}
}

func kernelText(k kernel.Kernel) string {
	switch k := k.(type) {
	case nil:
		return "precomputed"
	case kernel.Linear:
		return "linear"
	case kernel.Gaussian:
		return fmt.Sprintf("Gaussian, gamma %v", k.Gamma)
	case kernel.Polynomial:
		scale := k.Scale
		if scale == 0 {
			scale = 1
		}
		return fmt.Sprintf("polynomial, (%v <x, z> + %v)^%d", scale, k.Offset, k.Degree)
	case kernel.Constant:
		return fmt.Sprintf("constant %v", k.Value)
	case kernel.Sum:
		var terms []string
		for _, t := range k {
			term := kernelText(t.Kernel)
			if t.Weight != 1 {
				term = fmt.Sprintf("%v (%s)", t.Weight, term)
			}
			terms = append(terms, term)
		}
		return short(strings.Join(terms, ", plus "))
	}
	return short(fmt.Sprintf("%+v", k))
}

// scalingOfFeatures is what JSON has of a scaling.
func scalingOfFeatures(s *dataset.Scaling, features []string) (o object) {
	if s.Shift != nil {
		o = append(o, member{"shift", byName(features, s.Shift)})
	}
	if s.Factor != nil {
		o = append(o, member{"factor", byName(features, s.Factor)})
	}
	return append(o, member{"unit_rows", s.UnitRows})
}

func scalingIn(s *dataset.Scaling) string {
	var parts []string
	if n := max(len(s.Shift), len(s.Factor)); n > 0 {
		parts = append(parts, fmt.Sprintf("%d features shifted and divided", n))
		if s.Shift == nil {
			parts[0] = fmt.Sprintf("%d features divided", n)
		}
	}
	if s.UnitRows {
		parts = append(parts, "each example to length 1")
	}
	return strings.Join(parts, ", then ")
}

// short is the beginning of a text, in one line.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > 200 {
		return string([]rune(text)[:200]) + " ..."
	}
	return text
}
