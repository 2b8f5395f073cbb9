package container

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"unsafe"
)

// peek reads the head of the next section, unless it has been read.
func (r *Reader) peek() {
	if r.err != nil || r.next.tag != "" {
		return
	}
	if r.ended {
		r.err = fmt.Errorf("there is no section behind the end")
		return
	}
	var b [sectionSize]byte
	r.read(b[:], "the head of a section")
	if r.err != nil {
		return
	}
	want, got := crc32.Checksum(b[:16], castagnoli), binary.LittleEndian.Uint32(b[16:])
	tag := string(b[:tagSize])
	switch {
	case got != want:
		r.Corrupt("the checksum of the head of section %q is %#x, want %#x", tag, got, want)
	case !printable(tag, tagSize) || b[5]|b[6]|b[7] != 0:
		r.Corrupt("the head of a section begins with % x", b[:8])
	default:
		r.next = section{tag: tag, kind: b[4], count: binary.LittleEndian.Uint64(b[8:])}
	}
}

// begin reads the head of a section, which must be as wanted, and returns the number of its elements, of size bytes
// each.
func (r *Reader) begin(tag string, kind byte, count, size int) uint64 {
	r.peek()
	s := r.next
	r.next = section{}
	r.crc = 0
	switch {
	case r.err != nil:
	case s.tag != padded(tag):
		r.Corrupt("section %q, want %q", strings.TrimRight(s.tag, " "), tag)
	case s.kind != kind:
		r.Corrupt("section %q is of type %q, want %q", tag, s.kind, kind)
	case count >= 0 && s.count != uint64(count):
		r.Corrupt("section %q has %d elements, want %d", tag, s.count, count)
	case s.count > uint64(math.MaxInt/size):
		r.Corrupt("section %q has %d elements of %d bytes, more than int can count here", tag, s.count, size)
	}
	if r.err != nil {
		return 0
	}
	return s.count
}

// pieces reads a body of count elements of size bytes each and hands it on, some whole elements at a time.
func (r *Reader) pieces(count uint64, size int, use func(b []byte)) {
	most := uint64(max(1<<15/size, 1))
	for left := count; left > 0 && r.err == nil; left -= min(left, most) {
		b := r.take(int(min(left, most)) * size)
		if r.err != nil {
			return
		}
		r.crc = crc32.Update(r.crc, castagnoli, b)
		use(b)
	}
}

// take reads n bytes of a body into the scratch. For an element above 1 MiB no more room is made than twice what has
// come.
func (r *Reader) take(n int) []byte {
	if len(r.chunk) < n && n <= 1<<20 {
		r.chunk = make([]byte, n)
	}
	have := 0
	for len(r.chunk) < n && r.err == nil {
		more := make([]byte, min(n, max(1<<20, 2*have)))
		copy(more, r.chunk[:have])
		r.read(more[have:], "a section")
		r.chunk, have = more, len(more)
	}
	b := r.chunk[:min(n, len(r.chunk))]
	r.read(b[min(have, len(b)):], "a section")
	return b
}

// fromPieces reads a body of numbers of size bytes each.
func fromPieces[T any](r *Reader, count uint64, size int, get func(b []byte) T) (v []T) {
	r.pieces(count, size, func(b []byte) {
		v = grow(v, len(b)/size, count)
		for ; len(b) > 0; b = b[size:] {
			v = append(v, get(b))
		}
	})
	return v
}

// grow makes room for more elements of count in all. A size is not believed before the bytes are there: the room that
// it makes is at most 1 MiB, or as much as has been read.
func grow[T any](v []T, more int, count uint64) []T {
	if cap(v)-len(v) >= more {
		return v
	}
	ahead := max(len(v), 1<<20/int(unsafe.Sizeof(*new(T))), more)
	room := make([]T, len(v), int(min(count, uint64(len(v))+uint64(ahead))))
	copy(room, v)
	return room
}

// checksum reads the checksum of a body.
func (r *Reader) checksum() {
	want := r.crc
	var b [4]byte
	r.read(b[:], "a checksum")
	if got := binary.LittleEndian.Uint32(b[:]); r.err == nil && got != want {
		r.Corrupt("the checksum of a section is %#x, want %#x", got, want)
	}
}

// finish ends a section: v, or nothing after an error.
func finish[T any](r *Reader, v []T) []T {
	r.checksum()
	if r.err != nil {
		return nil
	}
	return v
}
