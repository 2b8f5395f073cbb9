package dataset

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// binaryInput is the uncompressed bytes of a binary file.
type binaryInput struct {
	in    *bufio.Reader
	file  string
	off   int64 // bytes taken
	large int64 // bytes that may be taken before the data come

	room func(bytes int64) error // whether there is memory for them
}

func openBinary(r io.Reader, name string, maxBytes int64) (*binaryInput, error) {
	large := length(r)
	in, err := unpack(r, maxBytes)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	p := &binaryInput{in: in, file: name, large: large, room: func(int64) error { return nil }}
	if r, ok := r.(interface{ Room(bytes int64) error }); ok {
		p.room = r.Room
	}
	return p, nil
}

// length returns how many bytes r has, where it can tell: files and bytes in memory do.
func length(r io.Reader) int64 {
	switch r := r.(type) {
	case interface{ Len() int }:
		return int64(r.Len())
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// take fills b; want says what should stand there.
func (p *binaryInput) take(b []byte, want string) error {
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

// finish returns an error unless the input ends here; what says after what.
func (p *binaryInput) finish(what string) error {
	if _, err := p.in.ReadByte(); err == nil {
		return p.expected(p.off, "another byte", "the end after "+what)
	} else if err != io.EOF {
		return &ParseError{File: p.file, Offset: p.off, Err: err}
	}
	return nil
}

func (p *binaryInput) expected(off int64, found, want string) error {
	return &ParseError{File: p.file, Offset: off, Found: found, Want: want}
}

// product returns the product of the sizes, which are 1 at least, or false where no machine's memory holds as many
// numbers.
func product(sizes []int) (n int, ok bool) {
	n = 1
	for _, size := range sizes {
		if size > maxElements/n {
			return 0, false
		}
		n *= size
	}
	return n, true
}

// readNumbers reads n numbers, which what tells of, in pieces that take hands on. Memory is taken as bytes come, or at
// once where the input is as long as it should be.
func readNumbers[T vec.Float](p *binaryInput, c *decoder[T], n int, what string) ([]T, error) {
	piece := (1 << 18) / int(unsafe.Sizeof(T(0))) // it is still in a cache when it is looked at
	var buf []byte
	if !c.same {
		buf = make([]byte, min(piece, n)*c.size)
	}
	var out []T
	for len(out) < n {
		count := min(n-len(out), piece)
		if len(out)+count > cap(out) {
			// Doubled up to what the header says, no further: append would round up.
			most := min(n, max(2*len(out), count, int(min(p.large/int64(c.size), int64(n)))))
			if err := p.room(int64(most) * int64(unsafe.Sizeof(T(0)))); err != nil {
				return nil, &ParseError{File: p.file, Offset: p.off, Err: err}
			}
			more := make([]T, len(out), most)
			copy(more, out)
			out = more
		}
		start, from := p.off, len(out)
		out = out[:from+count]
		block := bytesOf(out[from:])
		if !c.same {
			block = buf[:count*c.size]
		}
		if err := p.take(block, what); err != nil {
			return nil, err
		}
		if !c.same {
			c.decode(out[from:], block)
		}
		if k := firstNotFinite(out[from:]); k >= 0 {
			var v [1]float64
			c.read(v[:], block[k*c.size:])
			return nil, p.expected(start+int64(k*c.size), fmt.Sprint(v[0]), "a number that is finite, scaled too")
		}
	}
	return out, nil
}

// readLabels reads n labels, which what tells of. classes are those that labels takes.
func readLabels(p *binaryInput, e element, n int, labels *numericLabels, what string) error {
	const piece = 1 << 10
	var values [piece]float64
	block := make([]byte, min(piece, n)*e.size)
	for done := 0; done < n; done += piece {
		values := values[:min(piece, n-done)]
		block := block[:len(values)*e.size]
		start := p.off
		if err := p.take(block, what); err != nil {
			return err
		}
		e.read(values, block)
		for i, v := range values {
			want := ""
			switch {
			case !isFinite(v):
				want = "a finite number as the label"
			case e.kind != 'f' && e.size == 8 && (v <= -1<<53 || v >= 1<<53):
				want = "a label between -2^53 and 2^53"
			case !labels.add(v):
				want = "a label, " + oneOf(labels.classes)
			}
			if want != "" {
				return p.expected(start+int64(i*e.size), fmt.Sprint(v), want)
			}
		}
	}
	return nil
}
