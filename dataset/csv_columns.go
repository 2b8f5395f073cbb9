package dataset

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// csvLayout is what the columns of a file are, as its first record tells.
type csvLayout struct {
	fields int // in each record
	cols   int // features
	label  int // column of the label, from 0; -1: none
	group  distinct
	fold   distinct
	place  []int    // of each column: the feature that it is, or what else
	header []string // the names of all columns, or nil
	names  []string // of the features, or nil
	about  CSVColumns

	index   indexState
	counted []float64 // the numbers of a column that may be an index
}

// What a column is that is no feature.
const (
	leftOut = -1 - iota
	isLabel
	isIndex
	isBeside
)

// checkColumns returns an error where options about columns make no sense.
func (o *CSVOptions) checkColumns() error {
	if o.Cols < 0 || o.Cols > math.MaxInt-2 {
		return fmt.Errorf("dataset: option Cols is %d, want 0..%d", o.Cols, math.MaxInt-2)
	}
	if n := len(o.Columns); n > 0 && o.Cols > 0 && n != o.Cols {
		return fmt.Errorf("dataset: option Cols is %d, but Columns has %d names", o.Cols, n)
	}
	if a, b := firstTwice(o.Columns); b > 0 {
		return fmt.Errorf("dataset: names %d and %d of the option Columns are both %q, want different ones",
			a, b, o.Columns[a])
	}
	return nil
}

// layout learns from the first record what the columns are, and reports whether the record is a header.
func (p *csvParser[T]) layout(record []string) (named bool, err error) {
	p.fields, p.place = len(record), make([]int, len(record))
	header := namesIn(record)
	if p.group, err = p.distinct(header, p.o.Group, p.o.GroupName, "group"); err != nil {
		return false, err
	}
	if p.fold, err = p.distinct(header, p.o.Fold, p.o.FoldName, "fold"); err != nil {
		return false, err
	}
	if p.label, err = p.labelByPlace(); err != nil {
		return false, err
	}
	named = p.isHeader(header)
	if name := p.o.LabelName; name != "" && !p.o.NoLabel {
		switch at := find(header, name); {
		case at >= 0 && (named || len(p.o.Columns) == 0):
			named, p.label = true, at
		case !p.o.LabelOptional:
			return false, p.noColumn(header, name)
		case named:
			p.label = -1
		}
	}
	if p.label >= 0 && p.beside(p.label) {
		return false, p.expected(p.label, fmt.Sprintf("the label in column %d", p.label+1),
			"it in another one than the group or the fold")
	}
	if named && len(p.o.Columns) > 0 {
		err = p.match(header)
	} else {
		err = p.count(named && isUnnamed(header[0]))
	}
	switch {
	case err != nil:
	case named:
		err = p.name(header)
	case isUnnamed(header[0]) && p.place[0] >= 0:
		err = p.expected(0, quote(header[0]), notNumber.want(0)+" in column 1")
	default:
		p.startGuess(header)
	}
	return named, err
}

// labelByPlace returns the column of the label as the option Label has it, -1 for none.
func (p *csvParser[T]) labelByPlace() (int, error) {
	if p.o.NoLabel {
		return -1, nil
	}
	var others []int // columns of the label and the features
	for j := range p.fields {
		if !p.beside(j) {
			others = append(others, j)
		}
	}
	switch n := len(others); {
	case p.optional() && n == p.features():
		return -1, nil
	case p.o.Label == 0 && n > 0:
		return others[n-1], nil
	case p.o.LabelOptional && p.o.Label > n:
		return -1, nil // of another file; count and match find out what is missing
	case p.o.LabelOptional && p.o.Label > 0:
		return others[p.o.Label-1], nil
	}
	return p.column(nil, p.o.Label, "", "label")
}

// features returns how many there have to be, 0 for any number.
func (p *csvParser[T]) features() int { return max(p.o.Cols, len(p.o.Columns)) }

// optional reports whether there may be no label.
func (p *csvParser[T]) optional() bool {
	return p.o.LabelOptional || p.o.Label == 0 && p.o.LabelName == ""
}

// count numbers the features as they come, behind a first column without a name, which may be an index.
func (p *csvParser[T]) count(unnamed bool) error {
	beside := 0 // columns that are neither features nor the label
	for j := range p.fields {
		if p.beside(j) {
			beside++
		}
	}
	n, d := p.fields-beside, p.features()
	behind := p.o.LabelOptional && p.o.LabelName == "" && p.o.Label > 0 // a place that does not count an index
	unnamed = unnamed && !p.beside(0) && (p.label != 0 || behind && n == d+2)
	found := fmt.Sprintf("%d columns", p.fields)
	switch {
	case d == 0 && unnamed && n > 2:
		p.index = mayIndex
	case d == 0:
	case p.label >= 0 && n == d+1 && !(p.optional() && unnamed), p.label < 0 && n == d:
	case p.optional() && n == d:
		p.label = -1
	case unnamed && n == d+1:
		p.label, p.index = -1, needIndex
	case unnamed && n == d+2 && p.label >= 0:
		p.index = needIndex
		if behind {
			p.label++
		}
	case p.o.NoLabel:
		return p.expected(p.fields-1, found, fmt.Sprintf("%d, one for each feature", d+beside))
	default:
		return p.expected(p.fields-1, found, fmt.Sprintf("%d, for %d features and the label", d+beside+1, d))
	}
	for j := range p.place {
		switch {
		case p.beside(j):
			p.place[j] = isBeside
		case j == p.label:
			p.place[j] = isLabel
			p.about.Label = p.cols + 1
		case j == 0 && p.index == needIndex:
			p.place[j] = isIndex
		default:
			p.place[j] = p.cols
			p.cols++
		}
	}
	switch {
	case p.cols > 0:
		return nil
	case beside > 0:
		return p.expected(p.fields-1, found, "a label and at least one feature beside group and fold")
	default:
		return p.expected(0, fmt.Sprintf("one column and no %q", p.r.Comma), "a label and at least one feature")
	}
}

// column returns the column, from 0, of the given number or name; -1 for neither.
func (p *csvParser[T]) column(header []string, at int, name, what string) (int, error) {
	n := p.fields
	switch {
	case name != "":
		j := find(header, name)
		if j < 0 {
			return -1, p.noColumn(header, name)
		}
		return j, nil
	case at < -n || at > n:
		return -1, p.expected(n-1, fmt.Sprintf("%d columns", n), fmt.Sprintf("a %s in column %d", what, at))
	case at < 0:
		return n + at, nil
	}
	return at - 1, nil
}

func (p *csvParser[T]) noColumn(header []string, name string) error {
	return p.expected(0, quote(strings.Join(header, string(p.r.Comma))), fmt.Sprintf("a header with the column %q",
		name))
}

// beside reports whether column j is the column of the group or of the fold.
func (p *csvParser[T]) beside(j int) bool { return j == p.group.column || j == p.fold.column }

// columnName says which column j is, for a message.
func (p *csvParser[T]) columnName(j int) string {
	column := "column " + strconv.Itoa(j+1)
	if p.header != nil {
		column += ", " + quote(p.header[j])
	}
	return column
}

// namesIn returns the fields of a header without the blanks around them.
func namesIn(record []string) []string {
	names := make([]string, len(record))
	for j, s := range record {
		names[j] = cleanName(s)
	}
	return names
}

// cleanName returns s without the blanks around it, and with U+FFFD for each byte that is not UTF-8, as JSON has it.
func cleanName(s string) string { return string([]rune(strings.TrimSpace(s))) }

func find(names []string, name string) int {
	name = cleanName(name)
	for j, s := range names {
		if s == name {
			return j
		}
	}
	return -1
}

// detectComma looks at the first line that is not empty, as far as one read shows it.
func detectComma(in *bufio.Reader) rune {
	head, _ := in.Peek(1 << 12)
	line := strings.TrimLeft(string(head), "\r\n")
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	counts := make(map[rune]int)
	quoted := false
	for _, c := range line {
		if c == '"' {
			quoted = !quoted
		}
		if !quoted {
			counts[c]++
		}
	}
	best := ','
	for _, c := range ";\t|" {
		if counts[c] > counts[best] {
			best = c
		}
	}
	if counts[best] == 0 && counts[' '] > 0 {
		best = ' '
	}
	return best
}
