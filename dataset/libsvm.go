package dataset

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// LIBSVMOptions says how to read LIBSVM text. The zero value fits the files of the LIBSVM and LIBLINEAR pages.
type LIBSVMOptions struct {
	ZeroBased bool     // the first column is 0; default: it is 1
	Cols      int      // number d of columns; default: the largest index found
	Classes   []string // labels that may occur, class 0 first; default: those found, ascending
	MaxBytes  int64    // error beyond so many bytes of (unpacked) text; default: no limit
}

// ReadLIBSVM reads text of the form
//
//	label index:value index:value ... # comment
//
// with one example a line: a label that is one finite number, indices that ascend within the line, finite values in decimal.
// Classes are the distinct labels in ascending order, unless o.Classes lists them; labels equal as numbers (1, +1, 1.0) are
// the same. Zeros are not stored. Empty lines and qid:number fields are skipped. The name stands in errors, which are
// [*ParseError] for all that is wrong with the file. O(length); nothing is allocated per line but the result.
func ReadLIBSVM[T vec.Float](r io.Reader, name string, o LIBSVMOptions) (*Labeled[*CSR[T]], error) {
	if o.Cols < 0 || o.Cols > math.MaxInt32 {
		return nil, fmt.Errorf("dataset: option Cols is %d, expected 0..%d", o.Cols, math.MaxInt32)
	}
	labels, err := newNumericLabels(o.Classes)
	if err != nil {
		return nil, err
	}
	in, err := unpackText(r, name, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	p := libsvmParser[T]{scanner: newScanner(in, name), o: o, labels: labels, x: &CSR[T]{Cols: o.Cols, Ptr: []int{0}}}
	return p.parse()
}

// OpenLIBSVM is ReadLIBSVM on a file.
func OpenLIBSVM[T vec.Float](path string, o LIBSVMOptions) (*Labeled[*CSR[T]], error) {
	return open(path, o, ReadLIBSVM[T])
}

type libsvmParser[T vec.Float] struct {
	*scanner
	o      LIBSVMOptions
	labels *numericLabels
	x      *CSR[T]
}

func (p *libsvmParser[T]) parse() (*Labeled[*CSR[T]], error) {
	for {
		k := p.next()
		if k == word {
			if err := p.label(); err != nil {
				return nil, err
			}
			if k = p.next(); k == word {
				var err error
				if k, err = p.row(); err != nil {
					return nil, err
				}
			}
			p.x.Ptr = append(p.x.Ptr, len(p.x.Val))
			p.x.Rows++
		}
		switch k {
		case newline:
			p.nextLine()
		case broken:
			return nil, p.fail(k, "")
		case end:
			return p.finish()
		}
	}
}

func (p *libsvmParser[T]) finish() (*Labeled[*CSR[T]], error) {
	if p.x.Rows == 0 {
		return nil, p.fail(end, "an example")
	}
	if p.x.Cols == 0 {
		return nil, p.fail(end, "at least one feature in the file, or the option Cols")
	}
	return &Labeled[*CSR[T]]{X: p.x, Labels: p.labels.labels()}, nil
}

func (p *libsvmParser[T]) label() error {
	v, ok := parseNumber[float64](p.token)
	if ok == notNumber && bytes.IndexByte(p.token, ',') > 0 {
		return p.expected("one number as the label (not a list of labels)", 0)
	}
	if ok != finite {
		return p.expected(ok.want(8)+" as the label", 0)
	}
	if !p.labels.add(v) {
		return p.expected("a label, "+oneOf(p.o.Classes), 0)
	}
	return nil
}

// row takes the index:value fields, the first of which is the token, and returns what ends them.
func (p *libsvmParser[T]) row() (kind, error) {
	first := int64(1)
	if p.o.ZeroBased {
		first = 0
	}
	last := int64(-1)
	for k := word; ; k = p.next() {
		if k != word {
			return k, nil
		}
		j, used := index(p.token)
		if used == 0 {
			if bytes.HasPrefix(p.token, []byte("qid:")) && last < 0 {
				continue
			}
			return k, p.expected("index:value", 0)
		}
		if used == len(p.token) || p.token[used] != ':' {
			return k, p.expected("':' after the index", used)
		}
		if j -= first; j < 0 {
			return k, p.expected("an index from 1 (or the option ZeroBased)", 0)
		}
		if d := int64(p.o.Cols); d > 0 && j >= d {
			return k, p.expected(fmt.Sprintf("an index of at most %d, for %d columns", d-1+first, d), 0)
		}
		if j >= math.MaxInt32 {
			return k, p.expected(fmt.Sprintf("an index of at most %d", math.MaxInt32-1+first), 0)
		}
		if j <= last {
			return k, p.expected(fmt.Sprintf("an index above the one before it, %d", last+first), 0)
		}
		last = j
		v, ok := parseNumber[T](p.token[used+1:])
		if ok != finite {
			return k, p.expected(ok.want(unsafe.Sizeof(v))+" as the value", used+1)
		}
		p.x.Cols = max(p.x.Cols, int(j+1))
		if v != 0 {
			p.x.Idx = append(p.x.Idx, int32(j))
			p.x.Val = append(p.x.Val, v)
		}
	}
}

// index reads the digits b starts with and returns their number, 2^40 when it is more, and how many they are.
func index(b []byte) (v int64, used int) {
	for used < len(b) && b[used]-'0' <= 9 {
		v = min(v*10+int64(b[used]-'0'), 1<<40)
		used++
	}
	return v, used
}
