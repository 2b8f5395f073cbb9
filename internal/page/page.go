// Package page writes reports: HTML files that need nothing else, neither a script nor the network, light or dark as
// the reader's system is. Tables are written as text too.
package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/dualgap/dualgap/internal/chart"
)

// Page is a report.
type Page struct {
	Title, Headline, About string
	Sections               []Section
}

// Section is a part of the report.
type Section struct {
	ID, Title, About string
	Figures          []Figure
	Tables           []Table
	Text             template.HTML // behind these
}

// Figure is a picture, as package chart draws it, and what to see in it.
type Figure struct {
	Title, Caption string
	SVG            []byte
}

// Table has names in its first column and numbers, or what stands for them, in the others.
type Table struct {
	Title, Note string
	Head        []string
	Rows        [][]string
}

// Print writes a table as text, under its title.
func (t Table) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n\n", t.Title)
	widths := t.widths()
	WriteRow(&b, t.Head, widths)
	for _, row := range t.Rows {
		WriteRow(&b, row, widths)
	}
	if t.Note != "" {
		fmt.Fprintf(&b, "%s\n", Wrap(t.Note, 100))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t Table) widths() []int {
	widths := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		for j, cell := range row {
			widths[j] = max(widths[j], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// WriteRow writes a row of a table as a line of text: the first cell to the left of its column, the others to the
// right.
func WriteRow(b *strings.Builder, row []string, widths []int) {
	var line strings.Builder
	for j, cell := range row {
		if j == 0 {
			fmt.Fprintf(&line, "%-*s", widths[0], cell)
		} else {
			fmt.Fprintf(&line, "  %*s", widths[j], cell)
		}
	}
	fmt.Fprintln(b, strings.TrimRight(line.String(), " "))
}

// Wrap breaks a text into lines of at most a number of columns.
func Wrap(text string, columns int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > columns {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}

// Mark is part of every report, near its beginning, and of hardly any other file.
const Mark = `<meta name="generator" content="dualgap"/>`

//go:embed page.html
var text string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"picture": func(f Figure) template.HTML { return template.HTML(chart.Inline(f.SVG, f.Title)) },
}).Parse(text))

// HTML returns the report as a file.
func (p Page) HTML() ([]byte, error) {
	var b bytes.Buffer
	err := page.Execute(&b, p)
	return b.Bytes(), err
}
