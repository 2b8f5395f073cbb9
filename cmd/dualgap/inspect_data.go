package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/dataset"
)

// inspectData tells of a file of examples.
func inspectData(w *facts, i *Inspect, out *output) error {
	e, err := data.Open[float64](i.File, i.Options, nil)
	if err != nil {
		return err
	}
	out.remark(e.Remarks(i.File))
	n, d := e.X.Dims()
	form := "dense"
	var values []float64
	switch x := e.X.(type) {
	case *dataset.CSR[float64]:
		form, values = "sparse", x.Val
	case *dataset.Dense[float64]:
		values = x.Data
	}
	row(w, "file", "data, %s, %s", e.Format, form)
	row(w, "examples", "%d", n)
	row(w, "features", "%d", d)
	if e.FeatureNames != nil {
		rowOf(w, "names", e.FeatureNames, "%s", list(e.FeatureNames))
	}
	if e.CSV.LabelName != "" {
		row(w, "label", "%s", e.CSV.LabelName)
	}
	describeValues(w, values, n, d)
	switch {
	case e.Sets != nil:
		describeSets(w, e)
	case e.Y != nil:
		counts := make([]int, len(e.Classes))
		for _, k := range e.Y {
			counts[k]++
		}
		rowOf(w, "classes", byName(e.Classes, counts), "%s", counted(e.Classes, counts))
	default:
		row(w, "labels", "none")
	}
	describeParts(w, "groups", e.Groups)
	describeParts(w, "folds", e.Folds)
	return nil
}

// describeParts tells how many groups or folds there are, and of how many examples; nothing where of is nil.
func describeParts(w *facts, what string, of []int) {
	if of == nil {
		return
	}
	sizes := map[int]int{}
	for _, g := range of {
		sizes[g]++
	}
	order := slices.Sorted(maps.Values(sizes))
	row(w, what, "%d, of %d to %d examples, the median %d", len(order), order[0], order[len(order)-1],
		order[len(order)/2])
}

func describeValues(w *facts, values []float64, n, d int) {
	nonzeros, low, high, whole := 0, math.Inf(1), math.Inf(-1), true
	for _, v := range values {
		low, high = min(low, v), max(high, v)
		whole = whole && v == math.Trunc(v)
		if v != 0 {
			nonzeros++
		}
	}
	if float64(len(values)) < float64(n)*float64(d) { // zeros that are not stored
		low, high = min(low, 0), max(high, 0)
	}
	kind := ""
	if whole {
		kind = ", all integers"
	}
	row(w, "nonzeros", "%d, %.4g%%", nonzeros, 100*float64(nonzeros)/(float64(n)*float64(d)))
	row(w, "values", "%v to %v%s", low, high, kind)
}

func describeSets(w *facts, e *data.Examples[float64]) {
	counts, all, most, least := make([]int, len(e.Classes)), 0, 0, math.MaxInt
	for _, set := range e.Sets {
		for _, k := range set {
			counts[k]++
		}
		all, most, least = all+len(set), max(most, len(set)), min(least, len(set))
	}
	row(w, "labels an example", "%.4g, from %d to %d", float64(all)/float64(len(e.Sets)), least, most)
	rowOf(w, "labels", byName(e.Classes, counts), "%s", counted(e.Classes, counts))
}

// counted lists classes with the number of their examples.
func counted(names []string, counts []int) string {
	var parts []string
	for k, name := range names {
		if k == 50 {
			parts = append(parts, fmt.Sprintf("and %d more", len(names)-k))
			break
		}
		parts = append(parts, fmt.Sprintf("%s: %d", name, counts[k]))
	}
	return fmt.Sprintf("%d (%s)", len(names), strings.Join(parts, ", "))
}
