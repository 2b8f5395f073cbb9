package dataset

import (
	"bufio"
	"fmt"
	"strings"
)

// columns learns from the first record which column is the label, and reports whether the record is a header.
func (p *csvParser[T]) columns(record []string) (named bool, err error) {
	p.fields = len(record)
	n := p.fields
	if p.o.Cols > 0 && n == p.o.Cols && p.o.Label == 0 && p.o.LabelName == "" {
		p.o.NoLabel = true
	}
	if d := p.o.Cols; d > 0 && p.o.NoLabel && n != d {
		return false, p.expected(n-1, fmt.Sprintf("%d columns", n), fmt.Sprintf("%d, one for each feature", d))
	} else if d > 0 && !p.o.NoLabel && n != d+1 {
		return false, p.expected(n-1, fmt.Sprintf("%d columns", n), fmt.Sprintf("%d, for %d features and the label", d+1, d))
	}
	switch at := p.o.Label; {
	case p.o.NoLabel:
		p.label = -1
	case p.o.LabelName != "":
		if p.label = find(record, p.o.LabelName); p.label < 0 {
			return false, p.expected(0, quote(strings.Join(record, string(p.r.Comma))),
				fmt.Sprintf("a header with the column %q", p.o.LabelName))
		}
		named = true
	case at == 0:
		p.label = n - 1
	case at < -n || at > n:
		return false, p.expected(n-1, fmt.Sprintf("%d columns", n), fmt.Sprintf("a label in column %d", at))
	case at < 0:
		p.label = n + at
	default:
		p.label = at - 1
	}
	if !p.o.NoLabel && n < 2 {
		return false, p.expected(0, fmt.Sprintf("one column and no %q", p.r.Comma), "a label and at least one feature")
	}
	switch {
	case named, p.o.Header == HeaderAbsent:
		return named, nil
	case p.o.Header == HeaderPresent:
		return true, nil
	}
	for j, s := range record {
		if _, ok := parseNumber[float64](strings.TrimSpace(s)); j != p.label && ok != notNumber {
			return false, nil
		}
	}
	return true, nil
}

// features returns the names in a header, that of the label apart.
func (p *csvParser[T]) features(header []string) []string {
	names := make([]string, 0, len(header))
	for j, s := range header {
		if j != p.label {
			names = append(names, strings.TrimSpace(s))
		}
	}
	return names
}

func find(names []string, name string) int {
	for j, s := range names {
		if strings.TrimSpace(s) == name {
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
