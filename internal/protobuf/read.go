package protobuf

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
)

// Types of a field on the wire.
const (
	varint  = 0
	fixed64 = 1
	length  = 2
	fixed32 = 5
)

var typeNames = map[int]string{varint: "a varint", fixed64: "64 bits", length: "bytes", fixed32: "32 bits"}

// Field is one field of a message.
type Field struct {
	Number int
	wire   int
	bits   uint64 // but for bytes
	bytes  []byte
}

// Fields yields the fields of a message in order, until an error, which is the last.
func Fields(message []byte) iter.Seq2[Field, error] {
	return func(yield func(Field, error) bool) {
		for at := 0; at < len(message); {
			f, size, err := next(message[at:])
			if err != nil {
				yield(f, fmt.Errorf("protobuf: byte %d: %w", at, err))
				return
			}
			at += size
			if !yield(f, nil) {
				return
			}
		}
	}
}

// next returns the first field of b, and its size.
func next(b []byte) (f Field, size int, err error) {
	key, size, err := uvarint(b)
	if err != nil {
		return f, 0, err
	}
	f.Number, f.wire = int(key>>3&(1<<29-1)), int(key&7)
	if key>>3 == 0 || key>>3 >= 1<<29 {
		return f, 0, fmt.Errorf("field number %d, want one from 1 to %d", key>>3, 1<<29-1)
	}
	rest := b[size:]
	switch f.wire {
	case varint:
		v, n, err := uvarint(rest)
		f.bits = v
		return f, size + n, err
	case fixed64:
		if len(rest) < 8 {
			return f, 0, fmt.Errorf("field %d: %d bytes of 8", f.Number, len(rest))
		}
		f.bits = binary.LittleEndian.Uint64(rest)
		return f, size + 8, nil
	case fixed32:
		if len(rest) < 4 {
			return f, 0, fmt.Errorf("field %d: %d bytes of 4", f.Number, len(rest))
		}
		f.bits = uint64(binary.LittleEndian.Uint32(rest))
		return f, size + 4, nil
	case length:
		n, head, err := uvarint(rest)
		if err != nil {
			return f, 0, err
		}
		if n > uint64(len(rest)-head) {
			return f, 0, fmt.Errorf("field %d: %d bytes, of which there are %d", f.Number, n, len(rest)-head)
		}
		f.bytes = rest[head : head+int(n) : head+int(n)]
		return f, size + head + int(n), nil
	}
	return f, 0, fmt.Errorf("field %d has the unknown type %d", f.Number, f.wire)
}

// uvarint reads a number of at most 64 bits, 7 in a byte.
func uvarint(b []byte) (v uint64, size int, err error) {
	v, size = binary.Uvarint(b)
	switch {
	case size == 0:
		return 0, 0, fmt.Errorf("the message ends within a varint")
	case size < 0:
		return 0, 0, fmt.Errorf("a varint of more than 64 bits")
	}
	return v, size, nil
}

// Int returns an int64 or int32.
func (f Field) Int() (int64, error) { return int64(f.bits), f.is(varint) }

// Float returns a float.
func (f Field) Float() (float32, error) { return math.Float32frombits(uint32(f.bits)), f.is(fixed32) }

// Bytes returns bytes, a string or a message, in the memory of the message that the field is in.
func (f Field) Bytes() ([]byte, error) { return f.bytes, f.is(length) }

// Text returns a string.
func (f Field) Text() (string, error) { return string(f.bytes), f.is(length) }

// AppendInts appends the integers of a repeated field: one, or many that are packed.
func (f Field) AppendInts(dst []int64) ([]int64, error) {
	if f.wire == varint {
		return append(dst, int64(f.bits)), nil
	}
	for b := f.bytes; len(b) > 0; {
		v, size, err := uvarint(b)
		if err != nil {
			return dst, fmt.Errorf("protobuf: field %d: %w", f.Number, err)
		}
		dst, b = append(dst, int64(v)), b[size:]
	}
	return dst, f.is(length)
}

// AppendFloats appends the floats of a repeated field: one, or many that are packed.
func (f Field) AppendFloats(dst []float32) ([]float32, error) {
	if f.wire == fixed32 {
		return append(dst, math.Float32frombits(uint32(f.bits))), nil
	}
	if len(f.bytes)%4 != 0 {
		return dst, fmt.Errorf("protobuf: field %d: %d bytes of floats, want a multiple of 4", f.Number, len(f.bytes))
	}
	for b := f.bytes; len(b) > 0; b = b[4:] {
		dst = append(dst, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return dst, f.is(length)
}

// is returns an error unless the field has a type on the wire.
func (f Field) is(wire int) error {
	if f.wire != wire {
		return fmt.Errorf("protobuf: field %d is %s, want %s", f.Number, typeNames[f.wire], typeNames[wire])
	}
	return nil
}
