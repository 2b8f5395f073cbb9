package data

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// array is a matrix of a MAT file, column after column.
type array struct {
	rows, cols int
	at         []float64
}

// Types of elements and classes of matrices of MAT files, version 5, that are read.
const (
	matInt8       = 1
	matUint8      = 2
	matInt16      = 3
	matUint16     = 4
	matInt32      = 5
	matUint32     = 6
	matSingle     = 7
	matDouble     = 9
	matMatrix     = 14
	matCompressed = 15

	matFirstNumeric = 6 // classes: double, single, and integers
	matLastNumeric  = 13
)

const matMost = 1 << 27 // bytes of all elements that are unpacked

// readMAT reads the real matrices of numbers of a MAT file of version 5, little endian, by their names. It leaves out
// what else there is. Elements may unpack to most bytes in all.
func readMAT(file []byte, most int) (map[string]array, error) {
	if len(file) < 128 || !bytes.HasPrefix(file, []byte("MATLAB 5.0")) || string(file[126:128]) != "IM" {
		return nil, fmt.Errorf("no MAT file of version 5, little endian")
	}
	all := map[string]array{}
	for rest := file[128:]; len(rest) > 0; {
		kind, data, after, err := element(rest)
		if err != nil {
			return nil, err
		}
		rest = after
		if kind == matCompressed {
			z, err := zlib.NewReader(bytes.NewReader(data))
			if err != nil {
				return nil, err
			}
			whole, err := io.ReadAll(io.LimitReader(z, int64(most)+1))
			if err != nil {
				return nil, err
			}
			if most -= len(whole); most < 0 {
				return nil, fmt.Errorf("elements of %d bytes more than are read", -most)
			}
			if kind, data, _, err = element(whole); err != nil {
				return nil, err
			}
		}
		if kind != matMatrix {
			continue
		}
		name, m, ok, err := matrixOf(data)
		if err != nil {
			return nil, err
		}
		if ok {
			all[name] = m
		}
	}
	return all, nil
}

// element splits off the first element of data.
func element(data []byte) (kind uint32, content, rest []byte, err error) {
	if len(data) < 8 {
		return 0, nil, nil, fmt.Errorf("%d bytes, want an element of 8 at least", len(data))
	}
	kind = binary.LittleEndian.Uint32(data)
	if size := kind >> 16; size > 0 { // up to four bytes, within the tag
		if size > 4 {
			return 0, nil, nil, fmt.Errorf("a short element of %d bytes, want 4 at most", size)
		}
		return kind & 0xffff, data[4 : 4+size], data[8:], nil
	}
	size := int64(binary.LittleEndian.Uint32(data[4:]))
	if size > int64(len(data)-8) {
		return 0, nil, nil, fmt.Errorf("an element of %d bytes in %d", size, len(data)-8)
	}
	end := 8 + size
	if kind != matCompressed {
		end = min((end+7)/8*8, int64(len(data)))
	}
	return kind, data[8 : 8+size], data[end:], nil
}

// matrixOf reads a matrix: its flags, its sizes, its name and its numbers. ok tells whether it is one of numbers.
func matrixOf(data []byte) (name string, m array, ok bool, err error) {
	var parts [4][]byte
	var kinds [4]uint32
	for k := range parts {
		if k == 3 && !(parts[0][0] >= matFirstNumeric && parts[0][0] <= matLastNumeric) {
			return "", m, false, nil
		}
		if kinds[k], parts[k], data, err = element(data); err != nil {
			return "", m, false, err
		}
		if k == 0 && len(parts[0]) < 8 {
			return "", m, false, fmt.Errorf("flags of %d bytes, want 8", len(parts[0]))
		}
	}
	name = string(parts[2])
	if len(parts[1]) != 8 {
		return name, m, false, nil // of more than two dimensions
	}
	m.rows, m.cols = int(int32(binary.LittleEndian.Uint32(parts[1]))),
		int(int32(binary.LittleEndian.Uint32(parts[1][4:])))
	if m.at, err = numbers(kinds[3], parts[3]); err != nil {
		return name, m, false, fmt.Errorf("%s: %w", name, err)
	}
	if m.rows < 0 || m.cols < 0 || m.rows > 0 && m.cols != len(m.at)/m.rows || m.rows*m.cols != len(m.at) {
		return name, m, false, fmt.Errorf("%s: %d-by-%d of %d numbers", name, m.rows, m.cols, len(m.at))
	}
	return name, m, true, nil
}

// numbers reads numbers of a type.
func numbers(kind uint32, data []byte) (all []float64, err error) {
	width := map[uint32]int{matInt8: 1, matUint8: 1, matInt16: 2, matUint16: 2, matInt32: 4, matUint32: 4, matSingle: 4,
		matDouble: 8}[kind]
	if width == 0 || len(data)%width != 0 {
		return nil, fmt.Errorf("numbers of type %d in %d bytes", kind, len(data))
	}
	all = make([]float64, len(data)/width)
	for i := range all {
		at := data[i*width:]
		switch kind {
		case matInt8:
			all[i] = float64(int8(at[0]))
		case matUint8:
			all[i] = float64(at[0])
		case matInt16:
			all[i] = float64(int16(binary.LittleEndian.Uint16(at)))
		case matUint16:
			all[i] = float64(binary.LittleEndian.Uint16(at))
		case matInt32:
			all[i] = float64(int32(binary.LittleEndian.Uint32(at)))
		case matUint32:
			all[i] = float64(binary.LittleEndian.Uint32(at))
		case matSingle:
			all[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(at)))
		case matDouble:
			all[i] = math.Float64frombits(binary.LittleEndian.Uint64(at))
		}
	}
	return all, nil
}
