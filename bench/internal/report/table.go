package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Table is a table that is printed row by row, as the rows come. Where a cell has the paper's number a line below has
// the paper's, and another one the differences. A row
// that the paper alone has is one line.
type Table struct {
	Name    string   // of its file
	Title   string   // text above it, of one line or several
	About   string   // what only the file says besides
	Rows    string   // what the rows are
	Columns []Column // in their order

	to   *Report
	rows []row
}

// Column is a column of numbers.
type Column struct {
	Name   string
	Digits int // behind the point
	Spread bool
}

type row struct {
	Name  string `json:"name"`
	Cells []Cell `json:"cells"`
}

// nameWidth is the width of the names of rows.
const nameWidth = 26

func (c Column) width() int {
	least := 8
	if c.Spread {
		least = 14
	}
	return max(least, utf8.RuneCountInString(c.Name)) + 2
}

// Begin prints the title and the head of a table.
func (r *Report) Begin(t Table) (*Table, error) {
	t.to = r
	head := pad(t.Rows)
	for _, c := range t.Columns {
		head += fmt.Sprintf("%*s", c.width(), c.Name)
	}
	return &t, r.Print("\n%s\n\n%s", t.Title, head)
}

// Row prints a row: its name, and the cells of the first columns.
func (t *Table) Row(name string, cells ...Cell) error {
	lines := [3]string{pad(name), pad("  the paper"), pad("  difference")}
	var show [3]bool
	for j, cell := range cells {
		ours, printed, difference := cell.text(t.Columns[j].Digits)
		for l, s := range []string{ours, printed, difference} {
			lines[l] += fmt.Sprintf("%*s", t.Columns[j].width(), s)
			show[l] = show[l] || s != ""
		}
	}
	if !show[0] { // the paper alone has this row
		show[1], lines[1] = true, pad(name)+lines[1][nameWidth:]
	}
	t.rows = append(t.rows, row{name, cells})
	for l, line := range lines {
		if !show[l] {
			continue
		}
		if err := t.to.Print("%s", strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

func pad(name string) string { return fmt.Sprintf("%-*s", nameWidth, name) }

// End prints what else is to say, a line each, and writes the file.
func (t *Table) End(notes ...string) error {
	for _, note := range notes {
		if err := t.to.Print("%s", note); err != nil {
			return err
		}
	}
	columns := make([]string, len(t.Columns))
	for j, c := range t.Columns {
		columns[j] = c.Name
	}
	return t.to.writeJSON(t.Name+".json", struct {
		Title   string   `json:"title"`
		About   string   `json:"about,omitempty"`
		Columns []string `json:"columns"`
		Rows    []row    `json:"rows"`
		Notes   []string `json:"notes,omitempty"`
	}{t.Title, t.About, columns, t.rows, notes})
}
