// Package page writes the report of the command as one HTML file.
package page

import (
	"html/template"

	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/bench/internal/view"
	"github.com/dualgap/dualgap/internal/page"
)

const about = "What this library does on this machine: its kernels against plain Go and gonum, a training of every " +
	"family of models, each with a proof of how near its optimum it is, searches for the nearest images with " +
	"a proof, and what several workers gain."

const again = template.HTML(`<p>In a clone of github.com/dualgap/dualgap, with Go 1.26 or newer and nothing else:</p>
<pre>go run ./bench</pre>
<p>It measures, prints the tables, and writes this page and, in Go's benchmark format, the results behind it. Two such files are compared by</p>
<pre>go run ./bench compare old.txt new.txt</pre>
<p>Times of kernels are the least of many, with the implementations taking turns; other programs on the machine disturb them all the same. The figures of papers, beside the papers' own, come from <code>go run ./bench paper NAME</code>.</p>`)

// HTML returns the report of the first set, beside which the others are shown.
func HTML(sets ...*results.Set) ([]byte, error) {
	s := sets[0]
	sections := []view.Section{view.Machine(s)}
	if k, ok := view.Kernels(s); ok {
		sections = append(sections, k)
	}
	sections = append(sections, view.Families(s)...)
	if w, ok := view.Search(s); ok {
		sections = append(sections, w)
	}
	if w, ok := view.Workers(s); ok {
		sections = append(sections, w)
	}
	if o, ok := view.Others(sets); ok {
		sections = append(sections, o)
	}
	sections = append(sections, view.Section{ID: "again", Title: "How to reproduce", Text: again})
	return page.Page{Title: view.Title(s), Headline: view.Headline(s), About: about, Sections: sections}.HTML()
}
