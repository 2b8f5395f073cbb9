package dataset

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// npyHeader is what stands before the numbers of an NPY file: the magic bytes, two bytes of version, the length of the
// rest as 2 bytes (version 1) or 4 (versions 2 and 3), low byte first, and a Python dictionary:
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (60000, 784), }
//
// with blanks behind it so that the numbers begin at a multiple of 64, or, in old files, of 16.
type npyHeader struct {
	element
	fortran bool
	shape   []int
	shapeAt int64 // offset in the file
}

const npyMagic = "\x93NUMPY"

// mostNPYHeader is the longest header that is read; headers of arrays have about a hundred bytes.
const mostNPYHeader = 1 << 16

// longestNPYHead is how many bytes stand before the numbers at most.
const longestNPYHead = len(npyMagic) + 2 + 4 + mostNPYHeader

// dims returns the numbers of examples and of features.
func (h *npyHeader) dims() (n, d int) {
	d, _ = product(h.shape[1:])
	return h.shape[0], d
}

// byColumns reports whether the file holds column by column what is a matrix.
func (h *npyHeader) byColumns() bool {
	n, d := h.dims()
	return h.fortran && n > 1 && d > 1
}

func readNPYHeader(p *binaryInput) (h npyHeader, err error) {
	var head [len(npyMagic) + 2]byte
	if err := p.take(head[:], "the 8 bytes that an NPY file starts with"); err != nil {
		return h, err
	}
	if magic := string(head[:len(npyMagic)]); magic != npyMagic {
		return h, p.expected(0, quote(magic), fmt.Sprintf("%q, as NPY files start", npyMagic))
	}
	size := make([]byte, 4)
	switch version := head[len(npyMagic)]; version {
	case 1:
		size = size[:2]
	case 2, 3:
	default:
		return h, p.expected(int64(len(npyMagic)), fmt.Sprintf("version %d.%d", version, head[len(npyMagic)+1]),
			"version 1, 2 or 3")
	}
	at := p.off
	if err := p.take(size, "the length of the header"); err != nil {
		return h, err
	}
	var wide [4]byte
	copy(wide[:], size)
	length := binary.LittleEndian.Uint32(wide[:])
	if length > mostNPYHeader {
		return h, p.expected(at, fmt.Sprintf("a header of %d bytes", length), fmt.Sprintf("at most %d", mostNPYHeader))
	}
	l := literal{in: p, at: p.off, text: make([]byte, length)}
	if err := p.take(l.text, fmt.Sprintf("a header of %d bytes", length)); err != nil {
		return h, err
	}
	return l.header()
}

// header takes the dictionary.
func (l *literal) header() (h npyHeader, err error) {
	seen := map[string]bool{}
	if err := l.sign('{'); err != nil {
		return h, err
	}
	for !l.have('}') {
		at := l.place()
		key, err := l.quoted()
		if err != nil {
			return h, err
		}
		if seen[key] {
			return h, l.in.expected(at, "another "+quote(key), "each key once")
		}
		seen[key] = true
		if err := l.sign(':'); err != nil {
			return h, err
		}
		switch key {
		case "descr":
			h.element, err = l.descr()
		case "fortran_order":
			h.fortran, err = l.truth()
		case "shape":
			h.shapeAt = l.place()
			h.shape, err = l.shape()
		default:
			err = l.in.expected(at, quote(key), "the key 'descr', 'fortran_order' or 'shape'")
		}
		if err != nil {
			return h, err
		}
		if l.have('}') {
			break
		}
		if err := l.sign(','); err != nil {
			return h, err
		}
	}
	if err := l.sign('}'); err != nil {
		return h, err
	}
	l.blanks()
	if len(l.text) > 0 {
		return h, l.wants("blanks up to the numbers")
	}
	if len(seen) < 3 {
		return h, l.in.expected(l.at, "the end of the header", "the keys 'descr', 'fortran_order' and 'shape'")
	}
	return h, nil
}

// npyTypes are the types of numbers that are read, without the order of their bytes.
const npyTypes = "b1 i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8"

// descr takes the type of the numbers: the order of bytes, <, > or, for one byte, |, and one of npyTypes.
func (l *literal) descr() (e element, err error) {
	at := l.place()
	want := "one of " + npyTypes + " behind < or >, or for one byte |"
	if !l.have('\'') && !l.have('"') {
		return e, l.wants("a quoted type, " + want + ": a structure is no array of numbers")
	}
	s, err := l.quoted()
	if err != nil {
		return e, err
	}
	e, ok := npyElement(s)
	if !ok {
		return e, l.in.expected(at, "type "+quote(s), want)
	}
	return e, nil
}

func npyElement(s string) (e element, ok bool) {
	if len(s) != 3 || !slices.Contains(strings.Fields(npyTypes), s[1:]) {
		return e, false
	}
	e = element{kind: s[1], size: int(s[2] - '0'), big: s[0] == '>'}
	return e, s[0] == '<' || s[0] == '>' || s[0] == '|' && e.size == 1
}

// shape takes a tuple of sizes, of which memory holds the product.
func (l *literal) shape() (sizes []int, err error) {
	at := l.place()
	if err := l.sign('('); err != nil {
		return nil, err
	}
	for !l.have(')') {
		size, err := l.size()
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, size)
		if !l.have(')') {
			if err := l.sign(','); err != nil {
				return nil, err
			}
		}
	}
	if err := l.sign(')'); err != nil {
		return nil, err
	}
	if len(sizes) == 0 {
		return nil, l.in.expected(at, "shape (), a single number", "a shape of one dimension at least")
	}
	if _, ok := product(sizes); !ok {
		return nil, l.in.expected(at, fmt.Sprintf("shape %v", sizes),
			fmt.Sprintf("at most %d elements on this machine", int64(maxElements)))
	}
	return sizes, nil
}
