package container

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strings"
)

// Align writes a section of zeros, "pad", so that the body of the next section begins at a multiple of `boundary`
// bytes from the file's beginning.
func (w *Writer) Align(boundary int) {
	w.Bytes("pad", make([]byte, padding(w.out.n+int64(w.w.Buffered()), boundary)))
}

// padding is how many bytes a section at some place needs, so that the body of the section behind it is aligned.
func padding(at int64, boundary int) int {
	over := int((at + 2*sectionSize + 4) % int64(boundary))
	return (boundary - over) % boundary
}

// Parts is Bytes for size bytes in all, which parts hands to its argument one after the other.
func (w *Writer) Parts(tag string, size int, parts func(write func(part []byte))) {
	w.begin(tag, typeBytes, size)
	written := 0
	parts(func(part []byte) {
		written += len(part)
		w.body(part)
	})
	if written != size {
		w.fail("section %q has %d bytes, want %d", tag, written, size)
	}
	w.checksum()
}

// OpenBytes is Open for a file in memory, of which Parts keeps bytes where they lie.
func OpenBytes(b []byte) (*Reader, error) {
	r, err := Open(bytes.NewReader(b))
	if err == nil {
		r.memory = b
	}
	return r, err
}

// InMemory reports whether the file is in memory, as OpenBytes says.
func (r *Reader) InMemory() bool { return r.memory != nil }

// Left is the number of bytes in memory behind what has been read.
func (r *Reader) Left() int64 { return int64(len(r.memory)) - r.at }

// Count is the number of elements of the next section, as its head says; 0 if it has another tag.
func (r *Reader) Count(tag string) int {
	r.peek()
	if r.err != nil || r.next.tag != padded(tag) || r.next.count > math.MaxInt {
		return 0
	}
	return int(r.next.count)
}

// Align reads what Writer.Align wrote.
func (r *Reader) Align(boundary int) {
	size := padding(r.at, boundary)
	for _, v := range r.Bytes("pad", size) {
		if v != 0 {
			r.Corrupt("section \"pad\" holds %d, want 0", v)
		}
	}
}

// Parts reads a section of bytes in n parts: size tells the length of each, and use sees them in order, before the
// checksum has been compared. Of a file in memory use gets the bytes where they lie, and may keep them; nobody has
// looked at them, and their checksum is left to Unchecked. In all other cases it must copy what it keeps.
func (r *Reader) Parts(tag string, n int, size func(i int) int, use func(i int, part []byte)) {
	all := 0
	for i := range n {
		if more := size(i); more > math.MaxInt-all {
			r.Corrupt("section %q of more bytes than int can count here", tag)
			return
		} else {
			all += more
		}
	}
	r.begin(tag, typeBytes, all, 1)
	if r.memory != nil {
		r.inPlace(tag, all, n, size, use)
		return
	}
	for i := 0; i < n && r.err == nil; i++ {
		if length := size(i); length > 0 {
			r.pieces(1, length, func(b []byte) { use(i, b) })
		}
	}
	r.checksum()
}

func (r *Reader) inPlace(tag string, all, n int, size func(i int) int, use func(i int, part []byte)) {
	if r.err != nil {
		return
	}
	if left := int64(len(r.memory)) - r.at; left < int64(all) {
		r.Corrupt("it ends within section %q, %d bytes too early or more", tag, int64(all)-left)
		return
	}
	body := r.memory[r.at:][:all:all]
	r.at += int64(all)
	if _, err := r.r.(io.Seeker).Seek(r.at, io.SeekStart); err != nil {
		r.err = err
		return
	}
	var b [4]byte
	r.read(b[:], "a checksum")
	if r.err != nil {
		return
	}
	r.unchecked = append(r.unchecked, Unchecked{strings.TrimRight(tag, " "), body, binary.LittleEndian.Uint32(b[:])})
	for i, from := 0, 0; i < n; i++ {
		if length := size(i); length > 0 {
			use(i, body[from:][:length:length])
			from += length
		}
	}
}

// Unchecked returns the sections of a file in memory whose bodies nobody has looked at.
func (r *Reader) Unchecked() []Unchecked { return r.unchecked }

// Unchecked is a section whose checksum has not been compared.
type Unchecked struct {
	tag  string
	body []byte
	want uint32
}

// Check compares the checksum; the error wraps ErrCorrupt.
func (u *Unchecked) Check() error {
	if got := crc32.Checksum(u.body, castagnoli); got != u.want {
		return fmt.Errorf("%w: the checksum of section %q is %#x, want %#x", ErrCorrupt, u.tag, u.want, got)
	}
	return nil
}
