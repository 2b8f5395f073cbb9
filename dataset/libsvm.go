package dataset

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// LIBSVMOptions says how to read LIBSVM text. The zero value fits the files of the LIBSVM and LIBLINEAR pages.
type LIBSVMOptions struct {
	ZeroBased  bool     // the first column is 0; default: it is 1
	Cols       int      // number d of columns; default: the largest index found
	Classes    []string // labels that may occur, class 0 first; default: those found, ascending
	Sets       bool     // any number of labels an example, separated by commas; default: one number
	DropUnseen bool     // leave out, and count, what Cols and Classes do not know; default: it is an error
	MaxRows    int      // examples that are read, and no line behind them; default: all. Dropped ones do not count
	MaxBytes   int64    // most bytes of uncompressed text, an error beyond; default: no limit
}

// ReadLIBSVM reads text of the form
//
//	label qid:group index:value index:value ... # comment
//
// with one example a line: a label that is one finite number, a group if the file has groups, and finite decimal values
// under ascending indices. Empty lines are skipped, and zeros are not stored.
//
// Classes are the distinct labels in ascending order, unless o.Classes lists them. Labels that are equal as numbers are
// one class: 1, +1, 1.0. Groups are integers. Either all examples have one or none has.
//
// With o.Sets a line begins with the labels of a set, in any order: l1,l2,... without blanks, and a label named twice
// counts once. A line that begins with index:value, or with qid:group, behind blanks or not, has the empty set. Classes
// are as in [TextLabels]: labels are texts, without a colon, unless all in the file are numbers. [Labels] has the Sets.
//
// Without o.Cols the largest index is the number of columns d. It is an error if d is above both 2^25 and 16 times the
// number of nonzeros: such an index is a mistake rather than a feature, and a model of d numbers for each class would
// take all memory.
//
// With o.DropUnseen a test file may hold more than its training file did. Nonzeros in columns from o.Cols on are left
// out, and so are examples whose label is not in o.Classes; of a set only the labels that are not. [Labeled] has the
// counts.
//
// The name stands in errors, which are [*ParseError] for all that is wrong with the file. O(length); nothing is
// allocated per line but the result.
func ReadLIBSVM[T vec.Float](r io.Reader, name string, o LIBSVMOptions) (*Labeled[*CSR[T]], error) {
	p, err := newLIBSVMParser[T](r, name, o)
	if err != nil {
		return nil, err
	}
	if _, err := p.lines(); err != nil {
		return nil, err
	}
	return p.finish()
}

// OpenLIBSVM is [ReadLIBSVM] of a file.
func OpenLIBSVM[T vec.Float](path string, o LIBSVMOptions) (*Labeled[*CSR[T]], error) {
	return open(path, o, ReadLIBSVM[T])
}

type libsvmParser[T vec.Float] struct {
	*scanner
	o           LIBSVMOptions
	most        int            // examples, 0: all
	size        int            // of a block: examples and nonzeros, 0: no limit
	labels      *numericLabels // or nil
	sets        *setLabels     // in place of labels, with the option Sets
	x           *CSR[T]        // but for what follows
	ptr         pieces[int]
	idx         pieces[int32]
	val         pieces[T]
	groups      []int
	grouped     bool  // the first example has a group
	examples    int   // lines with an example, dropped ones too
	widestAt    place // of the largest index
	dropped     bool  // the example at hand is
	droppedRows int
	droppedSet  int // labels of sets
	droppedNNZ  int
}

func newLIBSVMParser[T vec.Float](r io.Reader, name string, o LIBSVMOptions) (*libsvmParser[T], error) {
	if o.Cols < 0 || o.Cols > math.MaxInt32 {
		return nil, fmt.Errorf("dataset: option Cols is %d, want 0..%d", o.Cols, math.MaxInt32)
	}
	if o.DropUnseen && o.Cols == 0 && o.Classes == nil {
		return nil, fmt.Errorf("dataset: option DropUnseen without Cols and Classes, which say what has been seen")
	}
	if err := checkMaxRows(o.MaxRows); err != nil {
		return nil, err
	}
	p := &libsvmParser[T]{o: o, most: o.MaxRows}
	if err := p.reset(); err != nil {
		return nil, err
	}
	in, err := unpackText(r, name, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	p.scanner = newScanner(in, name)
	return p, nil
}

// reset makes the parser ready for the first examples, or for those that a block begins with.
func (p *libsvmParser[T]) reset() (err error) {
	p.x, p.groups = &CSR[T]{Cols: p.o.Cols}, nil
	p.droppedRows, p.droppedSet, p.droppedNNZ = 0, 0, 0
	p.ptr.add(0)
	if p.o.Sets {
		p.sets, err = newSetLabels(p.o.Classes)
	} else {
		p.labels, err = newNumericLabels(p.o.Classes)
	}
	return err
}

// lines takes examples until the file ends, or there are as many as are to be read at once. It returns the end of the
// file or of the last line.
func (p *libsvmParser[T]) lines() (kind, error) {
	for {
		k := p.next()
		if k == word {
			var err error
			if k, err = p.example(); err != nil {
				return k, err
			}
		}
		switch {
		case k == broken:
			return k, p.fail(k, "")
		case k == end || k == newline && p.enough():
			return k, nil
		case k == newline:
			p.nextLine()
		}
	}
}

// enough reports whether there are as many examples as are to be read at once.
func (p *libsvmParser[T]) enough() bool {
	return p.most > 0 && p.x.Rows == p.most || p.size > 0 && p.x.Rows+p.val.len() >= p.size
}

// example takes the line whose first word is the token, and returns what ends it.
func (p *libsvmParser[T]) example() (kind, error) {
	k, err := p.label()
	if err != nil {
		return k, err
	}
	if k, err = p.group(k); err == nil && k == word {
		k, err = p.row()
	}
	p.examples++
	if p.dropped {
		p.droppedRows++
		return k, err
	}
	p.ptr.add(p.val.len())
	p.x.Rows++
	return k, err
}

// label takes the label or the label set of a line, whose first word is the token, and returns what comes then.
func (p *libsvmParser[T]) label() (kind, error) {
	if p.sets != nil {
		return p.labelSet()
	}
	if err := p.oneLabel(); err != nil {
		return word, err
	}
	return p.next(), nil
}

func (p *libsvmParser[T]) oneLabel() error {
	v, ok := parseNumber[float64](p.token)
	if ok == notNumber && bytes.IndexByte(p.token, ',') > 0 {
		return p.expected("one number as the label (a list of labels needs the option Sets)", 0)
	}
	if ok != finite {
		return p.expected(ok.want(8)+" as the label", 0)
	}
	p.dropped = !p.labels.add(v)
	if p.dropped && !p.o.DropUnseen {
		return p.expected("a label, "+oneOf(p.o.Classes), 0)
	}
	return nil
}

func (p *libsvmParser[T]) finish() (*Labeled[*CSR[T]], error) {
	if p.x.Rows == 0 && p.droppedRows > 0 {
		return nil, p.fail(end, "an example whose label is "+oneOf(p.o.Classes))
	}
	if p.x.Rows == 0 {
		return nil, p.fail(end, "an example")
	}
	if p.x.Cols == 0 {
		return nil, p.fail(end, "at least one feature in the file, or the option Cols")
	}
	if err := p.plausible(); err != nil {
		return nil, err
	}
	p.x.Ptr, p.x.Idx, p.x.Val = p.ptr.take(), p.idx.take(), p.val.take()
	d := &Labeled[*CSR[T]]{
		X: p.x, Groups: p.groups,
		DroppedRows: p.droppedRows, DroppedLabels: p.droppedSet, DroppedNonzeros: p.droppedNNZ,
	}
	if p.sets != nil {
		d.Labels = p.sets.take()
	} else {
		d.Labels = p.labels.labels()
	}
	return d, nil
}
