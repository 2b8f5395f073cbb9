package data

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// value is a value of R: a vector of numbers, of which those other than 0 are kept, of texts, or a list.
type value struct {
	n       int
	at      []int // places of numbers, from 0 on
	numbers []float64
	texts   []string
	items   []*value
	tags    []string // of the items of a list of pairs
	names   []string // of the items of a vector, by its attribute names
}

// Types of R's serialization (R Internals, section 1.8), and bits of the word before a value.
const (
	rSymbol, rPairs, rChar, rLogical, rInteger, rReal, rText, rList = 1, 2, 9, 10, 13, 14, 16, 19
	rReference, rNothing                                            = 255, 254
	rHasAttributes, rHasTag                                         = 1 << 9, 1 << 10
	rDeepest                                                        = 100
)

// readR reads a file of R's function save, unpacked, in version 2 of the format, XDR.
func readR(in io.Reader) (*value, error) {
	r := &rReader{in: bufio.NewReaderSize(in, 1<<20)}
	const magic = "RDX2\nX\n\x00\x00\x00\x02"
	head := make([]byte, len(magic)+8)
	if _, err := io.ReadFull(r.in, head); err != nil || string(head[:len(magic)]) != magic {
		return nil, fmt.Errorf("begins with %.6q, want %q: R's data, unpacked by xz -d", head, magic[:7])
	}
	v := r.item(0)
	return v, r.err
}

// rReader reads values; after an error there are only zeros.
type rReader struct {
	in      *bufio.Reader
	symbols []string
	err     error
}

func (r *rReader) fail(format string, a ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("R's data: "+format, a...)
	}
}

func (r *rReader) bytes(n int) []byte {
	b, err := io.ReadAll(io.LimitReader(r.in, int64(n))) // n is believed as the bytes come
	if err != nil || len(b) < n {
		r.fail("%d bytes, want %d", len(b), n)
		return make([]byte, 8)
	}
	return b
}

func (r *rReader) word() int {
	var b [4]byte
	if _, err := io.ReadFull(r.in, b[:]); err != nil {
		r.fail("%w", err)
	}
	return int(int32(binary.BigEndian.Uint32(b[:])))
}

func (r *rReader) length() int {
	n := r.word()
	if n < 0 {
		r.fail("%d items", n)
		return 0
	}
	return n
}

func (r *rReader) item(depth int) *value {
	flags, v := r.word(), &value{}
	if depth > rDeepest {
		r.fail("values lie more than %d deep", rDeepest)
	}
	if r.err != nil {
		return v
	}
	switch kind := flags & 0xff; kind {
	case rNothing:
		return v
	case rReference:
		if i := flags >> 8; i >= 1 && i <= len(r.symbols) {
			v.texts = []string{r.symbols[i-1]}
			return v
		}
		r.fail("reference %d of %d", flags>>8, len(r.symbols))
		return v
	case rSymbol:
		v.texts = r.item(depth + 1).texts
		r.symbols = append(r.symbols, v.text())
		return v
	case rChar:
		if n := r.word(); n >= 0 {
			v.texts = []string{string(r.bytes(n))}
		}
		return v
	case rPairs:
		r.pairs(v, flags, depth)
		return v
	case rLogical, rInteger, rReal:
		r.vector(v, kind)
	case rText, rList:
		for v.n = r.length(); len(v.items) < v.n && r.err == nil; {
			v.items = append(v.items, r.item(depth+1))
		}
	default:
		r.fail("type %d", kind)
	}
	if flags&rHasAttributes != 0 {
		for k, a := 0, r.item(depth+1); k < len(a.items); k++ {
			for _, name := range a.items[k].items {
				if a.tags[k] == "names" {
					v.names = append(v.names, name.text())
				}
			}
		}
	}
	return v
}

// pairs reads a list of pairs, whose first word was flags.
func (r *rReader) pairs(v *value, flags, depth int) {
	for flags&0xff == rPairs && r.err == nil {
		tag := ""
		if flags&rHasAttributes != 0 {
			r.item(depth + 1)
		}
		if flags&rHasTag != 0 {
			tag = r.item(depth + 1).text()
		}
		v.items, v.tags = append(v.items, r.item(depth+1)), append(v.tags, tag)
		flags = r.word()
	}
	if flags&0xff != rNothing {
		r.fail("a list of pairs ends with type %d", flags&0xff)
	}
}

func (r *rReader) vector(v *value, kind int) {
	v.n = r.length()
	for i := 0; i < v.n && r.err == nil; i++ {
		var x float64
		if kind == rReal {
			hi := uint64(uint32(r.word()))
			x = math.Float64frombits(hi<<32 | uint64(uint32(r.word())))
		} else {
			x = float64(r.word())
		}
		if x != 0 {
			v.at, v.numbers = append(v.at, i), append(v.numbers, x)
		}
	}
}

func (v *value) text() string {
	if len(v.texts) == 0 {
		return ""
	}
	return v.texts[0]
}

// named is the item of a vector by its name, an empty value if there is none.
func (v *value) named(name string) *value {
	for k, n := range v.names {
		if n == name && k < len(v.items) {
			return v.items[k]
		}
	}
	return &value{}
}
