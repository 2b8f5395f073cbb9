package dataset

import (
	"fmt"
	"io"

	"github.com/dualgap/dualgap/vec"
)

// NPYOptions says how to read and write NPY, the format of numpy.save.
type NPYOptions struct {
	Scale    float64  // a number v of the file stands for v Scale + Offset; default: 1. Labels are as they are.
	Offset   float64  //
	Classes  []string // labels that may occur, class 0 first; default: those found, ascending
	MaxRows  int      // examples that are read, and no byte behind them; default: all
	MaxBytes int64    // most uncompressed bytes of a file, an error beyond; default: no limit

	// Type is the type of the numbers that WriteNPY writes: i1, u1, i2, u2, i4, u4, f2, f4 or f8. Default: f4 for
	// float32, f8 for float64. Readers take what the file has.
	Type string
}

// ReadNPY reads an array of NPY, version 1, 2 or 3: booleans, integers of 1 to 8 bytes and floating-point numbers of 2,
// 4 or 8, with the low byte first or the high one. The first dimension counts the examples, and the others are
// flattened, the last one fastest; an array of one dimension makes examples of one feature. A matrix in Fortran's
// order, column by column, as Julia and R write it, is transposed, for which it takes memory twice.
//
// Each number is v Scale + Offset, computed in float64 and rounded once. A header that says something else, a dimension
// of 0, a number that is not finite, and missing or surplus bytes are a [*ParseError] with the offset in the
// uncompressed data. Memory is taken as bytes come; where r is a file or has a method Len, at once, but no more bytes
// than r has. O(length).
func ReadNPY[T vec.Float](r io.Reader, name string, o NPYOptions) (*Dense[T], error) {
	p, err := openNPY(r, name, o)
	if err != nil {
		return nil, err
	}
	n, d := p.dims()
	rows := p.rows(o)
	all := rows * d
	if p.byColumns() {
		all = n * d
	}
	data, err := readNumbers(p.binaryInput, newDecoder[T](p.element, o.Scale, o.Offset), all, p.what())
	if err != nil {
		return nil, err
	}
	if err := p.end(all); err != nil {
		return nil, err
	}
	if p.byColumns() {
		x := vec.NewMatrix[T](rows, d)
		transpose(x, vec.MatrixOf(d, n, data))
		return &Dense[T]{x}, nil
	}
	return &Dense[T]{vec.MatrixOf(rows, d, data)}, nil
}

// ReadNPYLabels reads an array as labels: one number an example, as [ReadNPY] reads them. Classes are the distinct
// numbers in ascending order, unless o.Classes lists them: then another label is an error. So is an integer that
// float64 does not hold.
func ReadNPYLabels(r io.Reader, name string, o NPYOptions) (Labels, error) {
	labels, err := newNumericLabels(o.Classes)
	if err != nil {
		return Labels{}, err
	}
	p, err := openNPY(r, name, o)
	if err != nil {
		return Labels{}, err
	}
	if _, d := p.dims(); d != 1 {
		return Labels{}, p.expected(p.shapeAt, fmt.Sprintf("shape %v", p.shape), "one label an example")
	}
	rows := p.rows(o)
	if err := readLabels(p.binaryInput, p.element, rows, labels, p.what()); err != nil {
		return Labels{}, err
	}
	if err := p.end(rows); err != nil {
		return Labels{}, err
	}
	return labels.labels(), nil
}

// OpenNPY reads a file of examples ([ReadNPY]) and a file of their labels ([ReadNPYLabels]). It is an error if their
// numbers differ. [MapNPY] is for examples that memory does not hold.
func OpenNPY[T vec.Float](examples, labels string, o NPYOptions) (*Labeled[*Dense[T]], error) {
	x, err := open(examples, o, ReadNPY[T])
	if err != nil {
		return nil, err
	}
	l, err := OpenNPYLabels(labels, o)
	if err != nil {
		return nil, err
	}
	if len(l.Y) != x.Rows {
		return nil, fmt.Errorf("dataset: %d examples in %s, but %d labels in %s", x.Rows, examples, len(l.Y), labels)
	}
	return &Labeled[*Dense[T]]{X: x, Labels: l}, nil
}

// OpenNPYLabels is [ReadNPYLabels] of a file.
func OpenNPYLabels(path string, o NPYOptions) (Labels, error) { return open(path, o, ReadNPYLabels) }

// npyInput is the bytes behind a header.
type npyInput struct {
	*binaryInput
	npyHeader
}

// openNPY reads the header.
func openNPY(r io.Reader, name string, o NPYOptions) (*npyInput, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	in, err := openBinary(r, name, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	h, err := readNPYHeader(in)
	return &npyInput{in, h}, err
}

func (o *NPYOptions) check() error {
	if !isFinite(o.Scale) || !isFinite(o.Offset) {
		return fmt.Errorf("dataset: options Scale and Offset are %v and %v, want finite numbers", o.Scale, o.Offset)
	}
	return checkMaxRows(o.MaxRows)
}

// rows is how many examples are to be read.
func (p *npyInput) rows(o NPYOptions) int {
	n, _ := p.dims()
	return atMost(n, o.MaxRows)
}

// what tells of the data, which begin here.
func (h *npyHeader) what() string {
	n, d := h.dims()
	return fmt.Sprintf("%d elements of %d bytes for shape %v", n*d, h.size, h.shape)
}

// byRows returns an error unless rows can be read where they lie in the file of size bytes, which begins with begin: it
// is not compressed, has what the header says, and has it row by row.
func (p *npyInput) byRows(size int64, begin []byte) error {
	n, d := p.dims()
	if p.byColumns() {
		return p.expected(p.shapeAt, fmt.Sprintf("a matrix of %d by %d in Fortran's order", n, d),
			"C's order, row by row: ReadNPY transposes, and WriteNPY writes it so")
	}
	want := p.off + int64(p.size)*int64(n*d)
	if size != want || string(begin[:len(npyMagic)]) != npyMagic {
		return p.expected(min(size, want), fmt.Sprintf("a file of %d bytes", size),
			fmt.Sprintf("%d, for %s behind a header of %d (a compressed file cannot be mapped)", want, p.what(), p.off))
	}
	return nil
}

// end returns an error unless the file ends after the numbers, or more are left.
func (p *npyInput) end(numbers int) error {
	if n, d := p.dims(); numbers < n*d {
		return nil
	}
	return p.finish(p.what())
}

// transpose sets dst to the first rows of the transpose of a: all of its columns, tile by tile, so that a tile's lines
// of both stay in the first cache.
func transpose[T vec.Float](dst, a vec.Matrix[T]) {
	const side = 16
	for i := 0; i < dst.Rows; i += side {
		for j := 0; j < dst.Cols; j += side {
			for k := i; k < min(i+side, dst.Rows); k++ {
				to := dst.Row(k)
				for l := j; l < min(j+side, dst.Cols); l++ {
					to[l] = a.Data[l*a.Stride+k]
				}
			}
		}
	}
}
