package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// Header says whether the first line of a CSV file holds names of columns.
type Header int

// HeaderAuto, the zero value, takes the first line for names where none of its fields is a number, the label apart. It
// does so, too, of numbers where the label occurs in no other line, and more speaks for names, as of the columns 0, 1,
// 2, ..., target that pandas writes: then [CSVColumns] says Guessed. In all other cases the first line is an example.
const (
	HeaderAuto Header = iota
	HeaderPresent
	HeaderAbsent
)

// CSVOptions says how to read CSV. The zero value reads files whose last column is the label.
type CSVOptions struct {
	Comma     rune   // separates the fields; default: the one of , ; tab | that the first line has most, else a blank
	Header    Header // default: detected
	Label     int    // column of the label, from 1; negative counts from the end; default: -1, the last
	LabelName string // the label's name in the header, in place of Label, which then is for a file without a header
	NoLabel   bool   // there is no label, and Labels stays empty
	Group     int    // column of the group, which is no feature, numbered as Label is; default: none
	GroupName string // the group's name in the header, in place of Group
	Fold      int    // column of the part for cross-validation, which is no feature, numbered likewise; default: none
	FoldName  string // the fold's name in the header, in place of Fold
	Cols      int    // number of features, any other being an error; a file without a column more has no labels

	// Columns are the names of the features: a header's, in whatever order it has them, make the columns of X in
	// this order. Other columns are left out, and told; a missing one is an error. A file without a header has them in
	// this order, as Cols has it. Default: all columns but the label.
	Columns []string

	// LabelOptional: where the header has no LabelName, or no column is left beside Cols features, the examples have no
	// labels. By default that is an error where Label or LabelName says where the label is. Label counts the label and
	// the features alone then, as CSVColumns.Label does.
	LabelOptional bool

	Classes    []string // labels that may occur, class 0 first; default: those found
	DropUnseen bool     // leave out, and count, examples whose label is not in Classes; default: it is an error
	MaxRows    int      // examples that are read, and no record behind them; default: all. Dropped ones do not count
	MaxBytes   int64    // most bytes of uncompressed text, an error beyond; default: no limit
}

// CSVColumns says what a CSV file has beside its features.
type CSVColumns struct {
	Label     int      // place of the label among the label and the features, from 1; 0: there is none
	LabelName string   // its name in the header
	Index     bool     // the first column, without a name, numbers the examples: it is no feature
	Extra     []string // names of the columns that are none of the option Columns
	Guessed   bool     // the header is one of numbers
}

// ReadCSV reads one example a record: the label and, in all other columns, finite decimal numbers. Blanks around a
// field are dropped, but none may follow a quoted one (RFC 4180). An empty field, NaN or an infinity is an error, as a
// label too.
//
// A header becomes FeatureNames; two columns of one name are an error. Where the first column has no name, "" or
// "Unnamed: 0", and its numbers are whole, not negative and all different, as in an index that pandas or R writes, it
// is left out. In names each byte that is not UTF-8 becomes U+FFFD. What else became of the columns is told in CSV.
//
// If all labels are numbers, the classes are the distinct ones in ascending order. If not, they are the distinct texts
// in the order of their first appearance. o.Classes, if given, lists them instead. Groups and folds are texts, numbered
// from 0 in the order of their first appearance.
//
// The name stands in errors, which are [*ParseError] for all that is wrong with the file. O(length).
func ReadCSV[T vec.Float](r io.Reader, name string, o CSVOptions) (*Labeled[*Dense[T]], error) {
	if o.DropUnseen && (o.Classes == nil || o.NoLabel) {
		return nil, fmt.Errorf("dataset: option DropUnseen without Classes, which say what labels have been seen")
	}
	if err := o.checkColumns(); err != nil {
		return nil, err
	}
	if err := checkMaxRows(o.MaxRows); err != nil {
		return nil, err
	}
	labels, err := newTextLabels(o.Classes)
	if err != nil {
		return nil, err
	}
	if strings.ContainsRune("\"\r\n\ufffd", o.Comma) || o.Comma < 0 || o.Comma > 0 && !utf8.ValidRune(o.Comma) {
		return nil, fmt.Errorf("dataset: option Comma is %q, want a character other than a quote or a line's end",
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
	csvLayout
	line int // the last one read
	data []T
	zero []T // an example to be

	rows, dropped int
	guess         *guess // of the first line, while it is open whether it is a header
}

func (p *csvParser[T]) parse() (*Labeled[*Dense[T]], error) {
	for {
		if full := p.o.MaxRows > 0 && p.rows >= p.o.MaxRows; full && p.guess == nil {
			break
		} else if full {
			if err := p.decide(); err != nil { // there may be room for one more
				return nil, err
			}
			continue
		}
		record, err := p.r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, p.broken(err)
		}
		p.line, _ = p.r.FieldPos(len(record) - 1)
		if p.fields == 0 {
			named, err := p.layout(record)
			if err != nil {
				return nil, err
			}
			p.zero = make([]T, p.cols)
			if named {
				continue
			}
		}
		if err := p.row(record); err != nil {
			return nil, err
		}
	}
	if err := p.decide(); err != nil {
		return nil, err
	}
	if p.rows == 0 {
		want := "an example"
		if p.dropped > 0 {
			want = "an example whose label is " + oneOf(p.o.Classes)
		}
		return nil, &ParseError{File: p.file, Line: p.line + 1, Column: 1, Found: "the end of the file", Want: want}
	}
	if err := p.endIndex(); err != nil {
		return nil, err
	}
	x := &Dense[T]{vec.MatrixOf(p.rows, p.cols, p.data)}
	d := &Labeled[*Dense[T]]{X: x, FeatureNames: p.names, DroppedRows: p.dropped, CSV: p.about}
	if p.label >= 0 {
		d.Labels = p.labels.labels()
	}
	d.Groups, d.Folds = p.group.of, p.fold.of
	return d, nil
}

func (p *csvParser[T]) row(record []string) error {
	if len(record) != p.fields {
		return p.expected(len(record)-1, fmt.Sprintf("%d columns", len(record)),
			fmt.Sprintf("%d as in the first line", p.fields))
	}
	start, known := len(p.data), true
	p.data = append(p.data, p.zero...)
	example := p.data[start:]
	for j, s := range record {
		to := p.place[j]
		if to == leftOut {
			continue
		}
		s = strings.TrimSpace(s)
		if to == isLabel {
			var err error
			if known, err = p.takeLabel(j, s); err != nil {
				return err
			}
			continue
		}
		if j == 0 && p.index != noIndex {
			if err := p.takeIndex(s); err != nil {
				return err
			}
		}
		if to == isBeside && s == "" {
			return p.expected(j, quote(s), fmt.Sprintf("a group or fold in column %d", j+1))
		}
		if to < 0 {
			continue
		}
		v, ok := parseNumber[T](s)
		if ok != finite {
			return p.expected(j, quote(s), ok.want(unsafe.Sizeof(v))+" in "+p.columnName(j))
		}
		example[to] = v
	}
	if !known {
		p.data = p.data[:start]
		p.dropped++
		return nil
	}
	p.group.add(record)
	p.fold.add(record)
	p.rows++
	return nil
}

// takeLabel reports whether s is a label that may occur.
func (p *csvParser[T]) takeLabel(j int, s string) (known bool, err error) {
	if _, ok := parseNumber[float64](s); s == "" || ok == notFinite || ok == tooLarge {
		return false, p.expected(j, quote(s), "a label: a text or a finite number")
	}
	known = p.labels.add(s)
	if !known {
		err = p.expected(j, quote(s), "a label, "+oneOf(p.o.Classes))
	}
	if p.guess != nil && p.guess.take(s, known, err) {
		return true, nil
	}
	if p.o.DropUnseen {
		err = nil
	}
	return known, err
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
