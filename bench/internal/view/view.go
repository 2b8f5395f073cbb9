// Package view turns results into what people read: sections of tables and pictures, for the terminal and for the page.
package view

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/dualgap/dualgap/bench/internal/results"
)

// Section is a part of the report.
type Section struct {
	ID, Title, About string
	Figures          []Figure
	Tables           []Table
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
	writeRow(&b, t.Head, widths)
	for _, row := range t.Rows {
		writeRow(&b, row, widths)
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

func writeRow(b *strings.Builder, row []string, widths []int) {
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

// Wrap breaks a text into lines of at most so many columns.
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

// number writes v with about so many significant digits, without an exponent where that is short; "-" for NaN.
func number(v float64, digits int) string {
	a := math.Abs(v)
	switch {
	case v != v:
		return "-"
	case a != 0 && (a < 1e-3 || a >= 1e7):
		return fmt.Sprintf("%.*e", max(digits-2, 0), v)
	case a == 0 || a >= math.Pow(10, float64(digits-1)):
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.*f", digits-1-int(math.Floor(math.Log10(a))), v)
}

// Duration writes seconds with a unit that suits them.
func Duration(seconds float64) string {
	switch {
	case seconds != seconds:
		return "-"
	case seconds < 1e-6:
		return number(seconds*1e9, 3) + " ns"
	case seconds < 1e-3:
		return number(seconds*1e6, 3) + " µs"
	case seconds < 1:
		return number(seconds*1e3, 3) + " ms"
	}
	return number(seconds, 3) + " s"
}

// least returns of some lines the one with the least time.
func least(lines []results.Line) (best results.Line) {
	for k, l := range lines {
		if k == 0 || l.Value(results.Seconds) < best.Value(results.Seconds) {
			best = l
		}
	}
	return best
}
