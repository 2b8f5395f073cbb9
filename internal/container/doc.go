// Package container is the one binary file format of the library: codebooks, compressed matrices, models and states
// are files of it. A file has a header and then sections of numbers, bytes or strings, in an order that its kind and
// version fix. All numbers are little-endian, on every machine.
//
//	header   0  8 bytes  "dualgap\n"
//	         8  8 bytes  kind, ASCII, padded with zeros
//	        16  uint32   version of the kind
//	        20  uint32   CRC32C of bytes 0 to 19
//	section  0  4 bytes  tag, ASCII, padded with spaces
//	         4  1 byte   type: 'b' bytes, 'i' int32, 'l' int64, 'f' float32, 'd' float64, 's' strings, 'e' the end
//	         5  3 bytes  0
//	         8  uint64   number of elements; for strings, of bytes of the body
//	        16  uint32   CRC32C of bytes 0 to 15 of the section
//	        20           body; a string is a uint32, its length in bytes, and these bytes
//	         .  uint32   CRC32C of the body
//
// The last section has the tag "end ", the type 'e' and no elements.
//
// A [Writer] needs one pass and a [Reader] reads no further than the end of the file, so files can follow one another
// in a stream. The errors of both carry no package's name: callers put theirs before it.
package container

import (
	"errors"
	"hash/crc32"
)

// ErrCorrupt is wrapped by every error about the bytes of a file: one that is damaged, cut off, or no such file at all.
var ErrCorrupt = errors.New("corrupt file")

// ErrPrecision is wrapped by the error of a section that has float64 where float32 is wanted, or the other way round.
var ErrPrecision = errors.New("numbers of the other precision")

const (
	magic       = "dualgap\n"
	kindSize    = 8
	headerSize  = 24
	tagSize     = 4
	sectionSize = 20
	endTag      = "end "
)

// The types of sections.
const (
	typeBytes   = 'b'
	typeInt32   = 'i'
	typeInt64   = 'l'
	typeFloat32 = 'f'
	typeFloat64 = 'd'
	typeStrings = 's'
	typeEnd     = 'e'
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// printable reports whether s is ASCII without control characters, of 1 to most bytes.
func printable(s string, most int) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return 0 < len(s) && len(s) <= most
}
