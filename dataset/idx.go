package dataset

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/vec"
)

// IDXOptions says how to read IDX.
type IDXOptions struct {
	Scale    float64  // each number of X is multiplied by it, 1.0/255 for pixels in [0,1]; default: 1. Labels are not.
	Classes  []string // labels that may occur, class 0 first; default: those found, ascending
	MaxRows  int      // examples that are read, and no byte behind them; default: all
	MaxBytes int64    // most uncompressed bytes of a file, an error beyond; default: no limit
}

// ReadIDX reads an array of any IDX element type: signed and unsigned bytes, 16- and 32-bit integers, float32 and
// float64. The first dimension counts the examples. The others are flattened, the last one fastest, so that n images
// make a matrix of n by rows*columns.
//
// A dimension of 0, a number that is not finite, and missing or surplus bytes are a [*ParseError] with the offset in
// the uncompressed data. Memory grows with the bytes that come, whatever the header says. O(length).
func ReadIDX[T vec.Float](r io.Reader, name string, o IDXOptions) (*Dense[T], error) {
	p, err := openIDX(r, name, o)
	if err != nil {
		return nil, err
	}
	if _, ok := product(p.dims); !ok {
		return nil, p.expected(4, fmt.Sprintf("dimensions %v", p.dims),
			fmt.Sprintf("at most %d elements on this machine", int64(maxElements)))
	}
	d, _ := product(p.dims[1:])
	data, err := readNumbers(p.binaryInput, newDecoder[T](p.element, o.Scale, 0), p.rows*d, p.what())
	if err != nil {
		return nil, err
	}
	if err := p.end(); err != nil {
		return nil, err
	}
	return &Dense[T]{vec.MatrixOf(p.rows, d, data)}, nil
}

// ReadIDXLabels reads an array as labels. All dimensions but the first must be 1. Classes are the distinct numbers in
// ascending order, unless o.Classes lists them: then another label is an error. It returns the errors of [ReadIDX].
func ReadIDXLabels(r io.Reader, name string, o IDXOptions) (Labels, error) {
	labels, err := newNumericLabels(o.Classes)
	if err != nil {
		return Labels{}, err
	}
	p, err := openIDX(r, name, o)
	if err != nil {
		return Labels{}, err
	}
	for i, size := range p.dims[1:] {
		if size != 1 {
			return Labels{}, p.expected(8+4*int64(i), fmt.Sprintf("size %d of dimension %d", size, i+2),
				"one label an example")
		}
	}
	if err := readLabels(p.binaryInput, p.element, p.rows, labels, p.what()); err != nil {
		return Labels{}, err
	}
	if err := p.end(); err != nil {
		return Labels{}, err
	}
	return labels.labels(), nil
}

// OpenIDX reads a file of examples ([ReadIDX]) and a file of their labels ([ReadIDXLabels]). It is an error if their
// numbers differ.
func OpenIDX[T vec.Float](examples, labels string, o IDXOptions) (*Labeled[*Dense[T]], error) {
	x, err := open(examples, o, ReadIDX[T])
	if err != nil {
		return nil, err
	}
	l, err := open(labels, o, ReadIDXLabels)
	if err != nil {
		return nil, err
	}
	if len(l.Y) != x.Rows {
		return nil, fmt.Errorf("dataset: %d examples in %s, but %d labels in %s", x.Rows, examples, len(l.Y), labels)
	}
	return &Labeled[*Dense[T]]{X: x, Labels: l}, nil
}

// idxElements maps the third byte of an IDX file to its element type.
var idxElements = map[byte]element{
	0x08: {'u', 1, true}, 0x09: {'i', 1, true}, 0x0b: {'i', 2, true}, 0x0c: {'i', 4, true},
	0x0d: {'f', 4, true}, 0x0e: {'f', 8, true},
}

// idxParser is the bytes behind a header.
type idxParser struct {
	*binaryInput
	element
	dims []int
	rows int // to be read
}

// openIDX reads the header: 0, 0, the element type, the number of dimensions, and each dimension as 32 bits.
func openIDX(r io.Reader, name string, o IDXOptions) (*idxParser, error) {
	if err := checkMaxRows(o.MaxRows); err != nil {
		return nil, err
	}
	in, err := openBinary(r, name, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	p := &idxParser{binaryInput: in}
	var head [4]byte
	if err := p.take(head[:], "a header of 4 bytes"); err != nil {
		return nil, err
	}
	if head[0] != 0 || head[1] != 0 {
		return nil, p.expected(0, fmt.Sprintf("bytes %#02x %#02x", head[0], head[1]),
			"two zero bytes, as IDX files start")
	}
	var ok bool
	if p.element, ok = idxElements[head[2]]; !ok {
		return nil, p.expected(2, fmt.Sprintf("element type %#02x", head[2]), "0x08, 0x09, 0x0b, 0x0c, 0x0d or 0x0e")
	}
	if head[3] == 0 {
		return nil, p.expected(3, "0 dimensions", "at least one")
	}
	for i := range int(head[3]) {
		var b [4]byte
		if err := p.take(b[:], fmt.Sprintf("the size of dimension %d of %d", i+1, head[3])); err != nil {
			return nil, err
		}
		size := binary.BigEndian.Uint32(b[:])
		if size == 0 || int64(size) > int64(maxElements) {
			return nil, p.expected(p.off-4, fmt.Sprintf("size %d of dimension %d", size, i+1),
				fmt.Sprintf("one in 1..%d", int64(maxElements)))
		}
		p.dims = append(p.dims, int(size))
	}
	p.rows = atMost(p.dims[0], o.MaxRows)
	return p, nil
}

// what tells of the data, which begin here.
func (p *idxParser) what() string {
	n, _ := product(p.dims)
	return fmt.Sprintf("%d elements of %d bytes for dimensions %v", n, p.size, p.dims)
}

// end returns an error unless the file ends here, or more rows are left.
func (p *idxParser) end() error {
	if p.rows < p.dims[0] {
		return nil
	}
	return p.finish(p.what())
}
