package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/internal/page"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// page returns the report as a page, of the model and the data of these names.
func (r *report) page(model, data string, m *predictor.Predictor) page.Page {
	p := page.Page{Title: model + " on " + data,
		About: "What the model answers to these examples, by dualgap evaluate."}
	facts := page.Table{Title: "Of all examples", Head: []string{"", ""}}
	r.facts(func(name, format string, values ...any) {
		facts.Rows = append(facts.Rows, []string{name, fmt.Sprintf(format, values...)})
	})
	p.Sections = append(p.Sections, page.Section{ID: "measures", Title: "Measures", Tables: []page.Table{facts}})
	for _, add := range []func(*predictor.Predictor) (page.Section,
		bool){r.confusionSection, r.labelsSection, r.curvesSection, r.reliabilitySection} {
		if s, ok := add(m); ok {
			p.Sections = append(p.Sections, s)
		}
	}
	return p
}

// mostClasses is of how many classes a confusion is drawn at most: of more the rest are one.
const mostClasses = 20

func (r *report) confusionSection(m *predictor.Predictor) (s page.Section, ok bool) {
	if r.Confusion == nil {
		return s, false
	}
	picture := chart.Matrix{Title: "Confusion of the classes", X: "predicted", Y: "true"}
	picture.Names, picture.Counts = fewer(m.Classes(), r.Confusion)
	caption := "How many examples of the class at the left are predicted as the one below; the larger a part of the " +
		"class, the darker."
	if len(picture.Names) < len(m.Classes()) {
		caption += fmt.Sprintf(" Of %d classes those with the most errors; the last row and column are all the others.",
			len(m.Classes()))
	}
	s = page.Section{ID: "confusion", Title: "Classes", Tables: []page.Table{r.classTable("class")}}
	s.Figures = []page.Figure{{Title: picture.Title, SVG: picture.SVG(), Caption: caption}}
	if t := r.errorTable(m.Classes()); t.Rows != nil {
		s.Tables = append(s.Tables, t)
	}
	return s, true
}

// fewer returns the names and counts of the classes that are drawn.
func fewer(names []string, counts [][]int) ([]string, [][]int) {
	if len(names) <= mostClasses {
		return names, counts
	}
	wrong, order := make([]int, len(names)), make([]int, len(names))
	for i, row := range counts {
		order[i] = i
		for j, v := range row {
			if i != j {
				wrong[i], wrong[j] = wrong[i]+v, wrong[j]+v
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return wrong[b] - wrong[a] })
	kept := order[:mostClasses-1]
	slices.Sort(kept)
	place := make([]int, len(names))
	for i := range place {
		place[i] = len(kept)
	}
	var few []string
	for at, i := range kept {
		place[i], few = at, append(few, names[i])
	}
	sums := make([][]int, mostClasses)
	for i := range sums {
		sums[i] = make([]int, mostClasses)
	}
	for i, row := range counts {
		for j, v := range row {
			sums[place[i]][place[j]] += v
		}
	}
	return append(few, "all others"), sums
}

// classTable is what is measured of each class or label.
func (r *report) classTable(of string) page.Table {
	t := page.Table{Title: "Each " + of, Head: []string{of, "examples", "predicted", "correct", "precision", "recall",
		"F1"}}
	for _, c := range r.Classes {
		t.Rows = append(t.Rows, []string{c.Name, fmt.Sprint(c.Count), fmt.Sprint(c.Predicted), fmt.Sprint(c.Correct),
			fmt.Sprintf("%.4f", c.Precision), fmt.Sprintf("%.4f", c.Recall), fmt.Sprintf("%.4f", c.F1)})
	}
	return t
}

// errorTable has the most frequent errors, most of them first.
func (r *report) errorTable(names []string) page.Table {
	type fault struct{ i, j, n int }
	var all []fault
	for i, row := range r.Confusion {
		for j, v := range row {
			if i != j && v > 0 {
				all = append(all, fault{i, j, v})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b fault) int { return b.n - a.n })
	t := page.Table{Title: "Most frequent errors", Head: []string{"true", "predicted", "examples", "of the class"}}
	for _, f := range all[:min(20, len(all))] {
		t.Rows = append(t.Rows, []string{names[f.i], names[f.j], fmt.Sprint(f.n),
			fmt.Sprintf("%.1f%%", percent(f.n, r.Classes[f.i].Count))})
	}
	return t
}

// labelsSection is of models that predict sets.
func (r *report) labelsSection(m *predictor.Predictor) (s page.Section, ok bool) {
	if r.Confusion != nil || r.Classes == nil {
		return s, false
	}
	picture := chart.Bars{Title: "F1 of the labels", X: "F1", Series: []chart.Series{{}}}
	caption := "How well each label is found: the harmonic mean of precision and recall."
	lines := slices.Clone(r.Classes)
	if len(lines) > mostClasses {
		slices.SortStableFunc(lines, func(a, b classLine) int { return b.Count - a.Count })
		lines = lines[:mostClasses]
		caption += fmt.Sprintf(" The most frequent of %d labels.", len(r.Classes))
	}
	for _, l := range lines {
		picture.Rows = append(picture.Rows, l.Name)
		picture.Series[0].Values = append(picture.Series[0].Values, l.F1)
	}
	return page.Section{
		ID: "labels", Title: "Labels", Tables: []page.Table{r.classTable("label")},
		Figures: []page.Figure{{Title: picture.Title, SVG: picture.SVG(), Caption: caption}},
	}, true
}

func (r *report) curvesSection(*predictor.Predictor) (s page.Section, ok bool) {
	if r.curves == nil {
		return s, false
	}
	pr := chart.Chart{Title: "Precision and recall", X: "recall", Y: "precision", LinearX: true, LinearY: true,
		Unit: true}
	roc := chart.Chart{Title: "Receiver operating characteristic", X: "false positive rate", Y: "recall", LinearX: true,
		LinearY: true, Unit: true}
	for _, c := range r.curves {
		x, y := thin(c.pr.Recall, c.pr.Precision)
		pr.Lines = append(pr.Lines, chart.Line{Name: c.of, X: x, Y: y, Bare: true})
		if c.roc != nil {
			x, y := thin(c.roc.FalseRate, c.roc.TrueRate)
			roc.Lines = append(roc.Lines, chart.Line{Name: c.of, X: append([]float64{0}, x...),
				Y: append([]float64{0}, y...), Bare: true})
		}
	}
	s = page.Section{ID: "curves", Title: "Curves", Figures: []page.Figure{{Title: pr.Title, SVG: pr.SVG(),
		Caption: "Of the examples with the largest scores: what part is positive, against what part of the positive " +
			"ones they hold."}}}
	if len(roc.Lines) > 0 {
		roc.Lines = append(roc.Lines, chart.Line{Name: "by chance", X: []float64{0, 1}, Y: []float64{0, 1}, Bare: true,
			Like: 7})
		s.Figures = append(s.Figures, page.Figure{Title: roc.Title, SVG: roc.SVG(),
			Caption: "The part of the positive examples above each score, against the part of all others that is " +
				"above it too."})
	}
	if len(r.curves) > 1 {
		s.About = "Each class against all others, by its score."
	}
	return s, true
}

// thin returns the points of a curve that can be told apart in a picture.
func thin(x, y []float64) (a, b []float64) {
	const apart = 1. / 400
	for k := range x {
		if last := len(a) - 1; last < 0 || k == len(x)-1 || math.Abs(x[k]-a[last]) >= apart ||
			math.Abs(y[k]-b[last]) >= apart {
			a, b = append(a, x[k]), append(b, y[k])
		}
	}
	return a, b
}
