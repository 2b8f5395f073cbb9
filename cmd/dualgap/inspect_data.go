package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/dataset"
)

// inspectData tells of a file of examples.
func inspectData(w io.Writer, i *Inspect) error {
	e, err := data.Open[float64](i.File, i.Options, nil)
	if err != nil {
		return err
	}
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
		row(w, "names", "%s", list(e.FeatureNames))
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
		row(w, "classes", "%s", counted(e.Classes, counts))
	default:
		row(w, "labels", "none")
	}
	return nil
}

func describeValues(w io.Writer, values []float64, n, d int) {
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

func describeSets(w io.Writer, e *data.Examples[float64]) {
	counts, all, most, least := make([]int, len(e.Classes)), 0, 0, math.MaxInt
	for _, set := range e.Sets {
		for _, k := range set {
			counts[k]++
		}
		all, most, least = all+len(set), max(most, len(set)), min(least, len(set))
	}
	row(w, "labels an example", "%.4g, from %d to %d", float64(all)/float64(len(e.Sets)), least, most)
	row(w, "labels", "%s", counted(e.Classes, counts))
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
