package dataset

import (
	"math"
	"slices"
	"strings"
)

// indexState says what becomes of a first column without a name.
type indexState int

const (
	noIndex   indexState = iota
	mayIndex             // a feature, unless it numbers the examples
	needIndex            // no feature; to number the examples is all that it can do
)

const notIndex = "a first column without a name that numbers the examples"

// takeIndex takes the first field of an example, which may be its number.
func (p *csvParser[T]) takeIndex(s string) error {
	v, ok := parseNumber[float64](strings.TrimSpace(s))
	switch {
	case ok == finite && v >= 0 && v == math.Trunc(v):
		p.counted = append(p.counted, v)
	case p.index == needIndex:
		return p.expected(0, quote(s), notIndex)
	default:
		p.index, p.counted = noIndex, nil
	}
	return nil
}

// endIndex leaves out a first column whose numbers are all different. They need not ascend: of data that have been
// split each part has some of the numbers, in any order.
func (p *csvParser[T]) endIndex() error {
	if p.index == noIndex {
		return nil
	}
	slices.Sort(p.counted)
	if n := len(p.counted); len(slices.Compact(p.counted)) < n {
		if p.index == mayIndex {
			return nil
		}
		return &ParseError{File: p.file, Line: 1, Column: 1, Found: "the same number twice in column 1", Want: notIndex}
	}
	p.about.Index = true
	if p.index == needIndex {
		return nil
	}
	to := p.data[:0]
	for i := range p.rows {
		to = append(to, p.data[i*p.cols+1:(i+1)*p.cols]...)
	}
	p.data, p.cols, p.names = to, p.cols-1, p.names[1:]
	if p.about.Label > 0 {
		p.about.Label--
	}
	return nil
}
