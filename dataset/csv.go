package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// Header says whether the first line of a CSV file holds names of columns.
type Header int

// HeaderAuto, the zero value, takes the first line for names unless one of its fields, the label apart, is a number.
const (
	HeaderAuto Header = iota
	HeaderPresent
	HeaderAbsent
)

// CSVOptions says how to read CSV. The zero value reads files whose last column is the label.
type CSVOptions struct {
	Comma      rune     // separates the fields; default: the one of , ; tab | that the first line has most, else a blank
	Header     Header   // default: detected
	Label      int      // column of the label, from 1; negative counts from the end; default: -1, the last
	LabelName  string   // the label's name in the header, in place of Label
	NoLabel    bool     // all columns are features, and Labels stays empty
	Cols       int      // number of features, any other being an error; a file of just so many columns has no labels
	Classes    []string // labels that may occur, class 0 first; default: those found
	DropUnseen bool     // leave out, and count, examples whose label is not in Classes; default: it is an error
	MaxRows    int      // examples that are read, and no record behind them; default: all. Dropped ones do not count
	MaxBytes   int64    // error beyond so many bytes of uncompressed text; default: no limit
}

// ReadCSV reads one example a record: the label and, in all other columns, finite decimal numbers. Blanks around a
// field are dropped, but none may follow a quoted one (RFC 4180). An empty field, NaN or an infinity is an error, as a
// label too. A header becomes FeatureNames.
//
// If all labels are numbers, the classes are the distinct ones in ascending order. If not, they are the distinct texts
// in the order of their first appearance. o.Classes, if given, lists them instead.
//
// The name stands in errors, which are [*ParseError] for all that is wrong with the file. O(length).
func ReadCSV[T vec.Float](r io.Reader, name string, o CSVOptions) (*Labeled[*Dense[T]], error) {
	if o.DropUnseen && (o.Classes == nil || o.NoLabel) {
		return nil, fmt.Errorf("dataset: option DropUnseen without Classes, which say what labels have been seen")
	}
	if o.Cols < 0 || o.Cols == math.MaxInt {
		return nil, fmt.Errorf("dataset: option Cols is %d, expected 0..%d", o.Cols, math.MaxInt-1)
	}
	if err := checkMaxRows(o.MaxRows); err != nil {
		return nil, err
	}
	labels, err := newTextLabels(o.Classes)
	if err != nil {
		return nil, err
	}
	if strings.ContainsRune("\"\r\n\ufffd", o.Comma) || o.Comma < 0 || o.Comma > 0 && !utf8.ValidRune(o.Comma) {
		return nil, fmt.Errorf("dataset: option Comma is %q, expected a character other than a quote or a line's end",
			o.Comma)
	}
	in, err := unpackText(r, name, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	c := csv.NewReader(in)
	c.ReuseRecord, c.FieldsPerRecord = true, -1
	if c.Comma = o.Comma; c.Comma == 0 {
		c.Comma = detectComma(in)
	}
	c.TrimLeadingSpace = c.Comma != '\t' // a tab is a blank: two of them enclose an empty field
	p := csvParser[T]{r: c, file: name, o: o, labels: labels}
	return p.parse()
}

// OpenCSV is [ReadCSV] of a file.
func OpenCSV[T vec.Float](path string, o CSVOptions) (*Labeled[*Dense[T]], error) {
	return open(path, o, ReadCSV[T])
}

type csvParser[T vec.Float] struct {
	r      *csv.Reader
	file   string
	o      CSVOptions
	labels *textLabels
	label  int // column of the label, from 0; -1: none
	fields int // per record
	names  []string
	line   int // the last one read
	data   []T

	rows, dropped int
}

func (p *csvParser[T]) parse() (*Labeled[*Dense[T]], error) {
	for p.o.MaxRows == 0 || p.rows < p.o.MaxRows {
		record, err := p.r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, p.broken(err)
		}
		p.line, _ = p.r.FieldPos(len(record) - 1)
		if p.fields == 0 {
			named, err := p.columns(record)
			if err != nil {
				return nil, err
			}
			if named {
				p.names = p.features(record)
				continue
			}
		}
		if err := p.row(record); err != nil {
			return nil, err
		}
	}
	if p.rows == 0 {
		want := "an example"
		if p.dropped > 0 {
			want = "an example whose label is " + oneOf(p.o.Classes)
		}
		return nil, &ParseError{File: p.file, Line: p.line + 1, Column: 1, Found: "the end of the file", Want: want}
	}
	cols := len(p.data) / p.rows
	x := &Dense[T]{vec.MatrixOf(p.rows, cols, p.data)}
	d := &Labeled[*Dense[T]]{X: x, FeatureNames: p.names, DroppedRows: p.dropped}
	if !p.o.NoLabel {
		d.Labels = p.labels.labels()
	}
	return d, nil
}

func (p *csvParser[T]) row(record []string) error {
	if len(record) != p.fields {
		return p.expected(len(record)-1, fmt.Sprintf("%d columns", len(record)),
			fmt.Sprintf("%d as in the first line", p.fields))
	}
	start, known := len(p.data), true
	for j, s := range record {
		s = strings.TrimSpace(s)
		if j == p.label {
			var err error
			if known, err = p.takeLabel(j, s); err != nil {
				return err
			}
			continue
		}
		v, ok := parseNumber[T](s)
		if ok != finite {
			return p.expected(j, quote(s), fmt.Sprintf("%s in column %d", ok.want(unsafe.Sizeof(v)), j+1))
		}
		p.data = append(p.data, v)
	}
	if !known {
		p.data = p.data[:start]
		p.dropped++
		return nil
	}
	p.rows++
	return nil
}

// takeLabel reports whether s is a label that may occur.
func (p *csvParser[T]) takeLabel(j int, s string) (known bool, err error) {
	if _, ok := parseNumber[float64](s); s == "" || ok == notFinite || ok == tooLarge {
		return false, p.expected(j, quote(s), "a label: a text or a finite number")
	}
	known = p.labels.add(s)
	if !known && !p.o.DropUnseen {
		return false, p.expected(j, quote(s), "a label, "+oneOf(p.o.Classes))
	}
	return known, nil
}

// expected returns the error for field j of the record just read.
func (p *csvParser[T]) expected(j int, found, want string) error {
	line, column := p.r.FieldPos(j)
	return &ParseError{File: p.file, Line: line, Column: column, Found: found, Want: want}
}

// broken returns the error for what encoding/csv refused or could not read.
func (p *csvParser[T]) broken(err error) error {
	var e *csv.ParseError
	if !errors.As(err, &e) {
		// The input failed somewhere behind the last record.
		return &ParseError{File: p.file, Line: p.line + 1, Column: 1, Err: err}
	}
	pe := &ParseError{File: p.file, Line: e.Line, Column: e.Column}
	switch e.Err {
	case csv.ErrBareQuote:
		pe.Found, pe.Want = `a '"' inside a field`, "it only around and, doubled, within quoted fields"
	case csv.ErrQuote:
		pe.Found, pe.Want = "a quoted field that does not end well", `'"' and then a delimiter or the end of the line`
	default:
		pe.Err = e.Err
	}
	return pe
}
