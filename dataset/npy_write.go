package dataset

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// WriteNPY writes x as an array of n by d for numpy.load, ReadNPY and MapNPY: NPY version 1, row by row, the low byte
// first. With o.Type and o.Scale a number takes less room: v is written as the number next to (v - Offset) / Scale,
// computed in float64, halves going to the even integer. Pixels in [0, 1], say, fit into bytes with Type u1 and
// Scale 1.0/255. Of o only Type, Scale and Offset count.
//
// It is an error if o.Type does not hold a number so scaled, or if x has no row or no column, as such arrays are not
// read. O(n d).
func WriteNPY[T vec.Float](w io.Writer, x *Dense[T], o NPYOptions) error {
	if err := x.CheckSizes(); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	if x.Rows == 0 || x.Cols == 0 {
		return fmt.Errorf("dataset: an array of %d by %d numbers, NPY is written from 1 by 1 on", x.Rows, x.Cols)
	}
	if o.Type == "" {
		o.Type = fmt.Sprintf("f%d", unsafe.Sizeof(T(0)))
	}
	e, ok := npyElement("<" + o.Type)
	if !ok || !slices.Contains(strings.Fields(npyWritten), o.Type) {
		return fmt.Errorf("dataset: option Type is %q, want one of %s", o.Type, npyWritten)
	}
	if _, err := io.WriteString(w, npyHeaderOf(e, x.Rows, x.Cols)); err != nil {
		return err
	}
	return writeRows(w, x, newDecoder[T](e, o.Scale, o.Offset))
}

// npyWritten are the types that WriteNPY knows.
const npyWritten = "i1 u1 i2 u2 i4 u4 f2 f4 f8"

// npyHeaderOf returns all that stands before the numbers.
func npyHeaderOf(e element, n, d int) string {
	order := "<"
	if e.size == 1 {
		order = "|"
	}
	dict := fmt.Sprintf("{'descr': '%s%c%d', 'fortran_order': False, 'shape': (%d, %d), }", order, e.kind, e.size, n, d)
	const before = len(npyMagic) + 4
	blanks := 63 - (before+len(dict))%64
	dict += strings.Repeat(" ", blanks) + "\n"
	return npyMagic + "\x01\x00" + string([]byte{byte(len(dict)), byte(len(dict) >> 8)}) + dict
}

// writeRows writes the numbers of x, as c reads them.
func writeRows[T vec.Float](w io.Writer, x *Dense[T], c *decoder[T]) error {
	const piece = 1 << 13 // numbers
	var buf []byte
	for i := range x.Rows {
		for from := 0; from < x.Cols; from += piece {
			part := x.Row(i)[from:min(from+piece, x.Cols)]
			if c.same {
				buf = append(buf, bytesOf(part)...)
			} else {
				var bad int
				if buf, bad = c.encode(buf, part); bad >= 0 {
					return fmt.Errorf("dataset: row %d, column %d: value %v, less %v and divided by %v, is beyond "+
						"type %c%d",
						i, from+bad, part[bad], c.offset, c.scale, c.kind, c.size)
				}
			}
			if len(buf) >= 8*piece || i == x.Rows-1 && from+piece >= x.Cols {
				if _, err := w.Write(buf); err != nil {
					return err
				}
				buf = buf[:0]
			}
		}
	}
	return nil
}

// encode appends the bytes of x, low ones first, and returns the place of the first number that has none, or -1.
func (c *decoder[T]) encode(buf []byte, x []T) ([]byte, int) {
	low, high := 0.0, math.Ldexp(1, 8*c.size)-1
	if c.kind == 'i' {
		low, high = -math.Ldexp(1, 8*c.size-1), math.Ldexp(1, 8*c.size-1)-1
	}
	for k, v := range x {
		f := (float64(v) - c.offset) / c.scale
		if c.kind != 'f' {
			if f = math.RoundToEven(f); !(low <= f && f <= high) {
				return buf, k
			}
		}
		switch {
		case c.kind == 'f' && c.size == 2:
			h := halfOf(f)
			if isFinite(v) && h&0x7c00 == 0x7c00 {
				return buf, k
			}
			buf = binary.LittleEndian.AppendUint16(buf, h)
		case c.kind == 'f' && c.size == 4:
			s := float32(f)
			if isFinite(v) && !isFinite(s) {
				return buf, k
			}
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(s))
		case c.kind == 'f':
			if isFinite(v) && !isFinite(f) {
				return buf, k
			}
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(f))
		case c.size == 1:
			buf = append(buf, byte(int64(f)))
		case c.size == 2:
			buf = binary.LittleEndian.AppendUint16(buf, uint16(int64(f)))
		default:
			buf = binary.LittleEndian.AppendUint32(buf, uint32(int64(f)))
		}
	}
	return buf, -1
}
