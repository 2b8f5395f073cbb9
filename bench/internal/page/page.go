// Package page writes the report: one HTML file that needs nothing else, neither a script nor the network.
package page

import (
	"bytes"
	_ "embed"
	"html/template"

	"github.com/dualgap/dualgap/bench/internal/chart"
	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/bench/internal/view"
)

//go:embed page.html
var text string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"picture": func(f view.Figure) template.HTML { return template.HTML(chart.Inline(f.SVG, f.Title)) },
}).Parse(text))

// HTML returns the report of the first set, beside which the others are shown.
func HTML(sets ...*results.Set) ([]byte, error) {
	s := sets[0]
	sections := []view.Section{view.Machine(s)}
	if k, ok := view.Kernels(s); ok {
		sections = append(sections, k)
	}
	sections = append(sections, view.Families(s)...)
	if o, ok := view.Others(sets); ok {
		sections = append(sections, o)
	}
	var b bytes.Buffer
	err := page.Execute(&b, struct {
		Title    string
		Sections []view.Section
	}{view.Title(s), sections})
	return b.Bytes(), err
}
