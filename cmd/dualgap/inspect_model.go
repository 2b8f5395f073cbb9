package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/models"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// inspectModel tells of a model of the given kind; "" is the text of another program.
func inspectModel(w io.Writer, path, kind string) error {
	m, err := models.Open(path)
	if err != nil {
		return err
	}
	from := ""
	if kind == "" {
		from = ", from the text of LIBLINEAR or LIBSVM"
	}
	if m.Single != nil {
		describe(w, m.Single, from)
	} else {
		describe(w, m.Double, from)
	}
	return nil
}

func describe[T vec.Float](w io.Writer, m *models.Model[T], from string) {
	features, outputs := m.Dims()
	row(w, "file", "%s, float%d%s", whatIs(m), 8*unsafe.Sizeof(T(0)), from)
	row(w, "tells", "%s", map[string]string{
		models.Classes: "the class of an example",
		models.Sets:    "the set of labels of an example",
		models.Top:     "which examples come first",
	}[m.Task])
	row(w, "features", "%d", features)
	row(w, "outputs", "%d", outputs)
	if m.Task == models.Top {
		row(w, "positive", "%s, where the score is at least %v; else %s", strings.Join(m.Positive, " or "), m.Threshold, m.Negative)
	} else if m.Names() != nil {
		row(w, "names", "%s", list(m.Names()))
	}
	if s := m.Scaling; s.Shift != nil || s.Factor != nil || s.UnitRows {
		row(w, "scaling", "%s", scalingIn(s))
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
	"solver", "settings", "outcome", "threshold", dataset.ScalingNote, models.NoteTask, models.NotePositive, models.NoteNegative,
	models.NoteKernels, models.NoteShares,
}

func whatIs[T vec.Float](m *models.Model[T]) string {
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
func describeNumbers[T vec.Float](w io.Writer, m *models.Model[T]) {
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
func describeKernels(w io.Writer, weights []float64, notes map[string]string) {
	what, names := "weight", strings.Split(notes[models.NoteKernels], "\n")
	shares := strings.Fields(notes[models.NoteShares])
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
		row(w, name, "%s %.4f %s", what, v, strings.Repeat("█", length))
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
	}
	return short(fmt.Sprintf("%+v", k))
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
