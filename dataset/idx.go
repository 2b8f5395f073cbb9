package dataset

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// IDXOptions says how to read IDX.
type IDXOptions struct {
	Scale    float64  // each number of X is multiplied by it, 1.0/255 for pixels in [0,1]; default: 1. Labels are not.
	Classes  []string // labels that may occur, class 0 first; default: those found, ascending
	MaxBytes int64    // error beyond so many uncompressed bytes of a file; default: no limit
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
	n, d := p.dims[0], 1
	for _, size := range p.dims[1:] {
		if size > maxElements/d {
			return nil, p.tooLarge()
		}
		d *= size
	}
	if n > maxElements/d {
		return nil, p.tooLarge()
	}
	scale := o.Scale
	if scale == 0 {
		scale = 1
	}
	data, err := readElements(p, n*d, func(v float64) (T, string) {
		if s := T(v * scale); isFinite(s) {
			return s, ""
		}
		return 0, "a number that is finite, scaled too"
	})
	if err != nil {
		return nil, err
	}
	return &Dense[T]{vec.MatrixOf(n, d, data)}, nil
}

// ReadIDXLabels reads an array as labels. All dimensions but the first must be 1. Classes are the distinct numbers in
// ascending order, unless o.Classes lists them: then another label is an error. Errors are those of [ReadIDX].
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
	_, err = readElements(p, p.dims[0], func(v float64) (struct{}, string) {
		if !isFinite(v) {
			return struct{}{}, "a finite number as the label"
		}
		if !labels.add(v) {
			return struct{}{}, "a label, " + oneOf(o.Classes)
		}
		return struct{}{}, ""
	})
	if err != nil {
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

// element is an IDX element type.
type element struct {
	size int
	at   func([]byte) float64
}

// elements maps the third byte of an IDX file to its element type.
var elements = map[byte]element{
	0x08: {1, func(b []byte) float64 { return float64(b[0]) }},
	0x09: {1, func(b []byte) float64 { return float64(int8(b[0])) }},
	0x0b: {2, func(b []byte) float64 { return float64(int16(binary.BigEndian.Uint16(b))) }},
	0x0c: {4, func(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) }},
	0x0d: {4, func(b []byte) float64 { return float64(math.Float32frombits(binary.BigEndian.Uint32(b))) }},
	0x0e: {8, func(b []byte) float64 { return math.Float64frombits(binary.BigEndian.Uint64(b)) }},
}

type idxParser struct {
	in   *bufio.Reader
	file string
	off  int64 // bytes taken
	element
	dims []int
}

// openIDX reads the header: 0, 0, the element type, the number of dimensions, and each dimension as 32 bits.
func openIDX(r io.Reader, name string, o IDXOptions) (*idxParser, error) {
	in, err := unpack(r, o.MaxBytes)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	p := &idxParser{in: in, file: name}
	var head [4]byte
	if err := p.take(head[:], "a header of 4 bytes"); err != nil {
		return nil, err
	}
	if head[0] != 0 || head[1] != 0 {
		return nil, p.expected(0, fmt.Sprintf("bytes %#02x %#02x", head[0], head[1]),
			"two zero bytes, as IDX files start")
	}
	var ok bool
	if p.element, ok = elements[head[2]]; !ok {
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
	return p, nil
}

// readElements reads n elements, which conv takes or refuses with the name of what it wants, and then the end of the
// file.
func readElements[E any](p *idxParser, n int, conv func(float64) (E, string)) ([]E, error) {
	buf := make([]byte, 1<<13)
	var out []E
	for len(out) < n {
		block := buf[:min(len(buf), (n-len(out))*p.size)]
		if len(out) == cap(out) {
			// Doubled up to what the header says, no further: append would round up.
			more := make([]E, len(out), min(n, max(2*len(out), len(block)/p.size)))
			copy(more, out)
			out = more
		}
		start := p.off
		want := fmt.Sprintf("%d elements of %d bytes for dimensions %v", n, p.size, p.dims)
		if err := p.take(block, want); err != nil {
			return nil, err
		}
		for i := 0; i < len(block); i += p.size {
			v := p.at(block[i:])
			e, want := conv(v)
			if want != "" {
				return nil, p.expected(start+int64(i), fmt.Sprint(v), want)
			}
			out = append(out, e)
		}
	}
	if _, err := p.in.ReadByte(); err == nil {
		return nil, p.expected(p.off, "another byte",
			fmt.Sprintf("the end after %d elements of %d bytes for dimensions %v", n, p.size, p.dims))
	} else if err != io.EOF {
		return nil, &ParseError{File: p.file, Offset: p.off, Err: err}
	}
	return out, nil
}

// take fills b; want says what should stand there.
func (p *idxParser) take(b []byte, want string) error {
	n, err := io.ReadFull(p.in, b)
	p.off += int64(n)
	if err == nil {
		return nil
	}
	// ReadFull and a cut-off gzip file both say ErrUnexpectedEOF: only the former leaves a clean end behind it.
	if _, after := p.in.ReadByte(); after == io.EOF && (err == io.EOF || err == io.ErrUnexpectedEOF) {
		return p.expected(p.off, "the end of the file", want)
	}
	return &ParseError{File: p.file, Offset: p.off, Err: err}
}

func (p *idxParser) tooLarge() error {
	return p.expected(4, fmt.Sprintf("dimensions %v", p.dims),
		fmt.Sprintf("at most %d elements on this machine", int64(maxElements)))
}

func (p *idxParser) expected(off int64, found, want string) error {
	return &ParseError{File: p.file, Offset: off, Found: found, Want: want}
}
