package protobuf

import (
	"encoding/binary"
	"math"
)

// AppendInt appends an int64, int32 or enum.
func AppendInt(b []byte, number int, v int64) []byte {
	return binary.AppendUvarint(key(b, number, varint), uint64(v))
}

// AppendFloat appends a float.
func AppendFloat(b []byte, number int, v float32) []byte {
	return binary.LittleEndian.AppendUint32(key(b, number, fixed32), math.Float32bits(v))
}

// AppendBytes appends bytes or a message.
func AppendBytes(b []byte, number int, v []byte) []byte {
	return append(binary.AppendUvarint(key(b, number, length), uint64(len(v))), v...)
}

// AppendText appends a string.
func AppendText(b []byte, number int, v string) []byte {
	return append(binary.AppendUvarint(key(b, number, length), uint64(len(v))), v...)
}

// AppendInts appends a repeated field of integers, packed.
func AppendInts(b []byte, number int, all []int64) []byte {
	var packed []byte
	for _, v := range all {
		packed = binary.AppendUvarint(packed, uint64(v))
	}
	return AppendBytes(b, number, packed)
}

// AppendFloats appends a repeated field of floats, packed.
func AppendFloats(b []byte, number int, all []float32) []byte {
	b = binary.AppendUvarint(key(b, number, length), 4*uint64(len(all)))
	for _, v := range all {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func key(b []byte, number, wire int) []byte {
	return binary.AppendUvarint(b, uint64(number)<<3|uint64(wire))
}
