package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
)

// unpack returns r's bytes, unpacked when they start with gzip's magic number, and an error once more than maxBytes of
// them (0: no limit) have come.
func unpack(r io.Reader, maxBytes int64) (*bufio.Reader, error) {
	if r == nil {
		return nil, errors.New("the reader is nil")
	}
	in := bufio.NewReaderSize(r, 1<<16)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = bufio.NewReaderSize(z, 1<<16)
	}
	if maxBytes > 0 {
		in = bufio.NewReaderSize(&limited{r: in, left: maxBytes, max: maxBytes}, 1<<16)
	}
	return in, nil
}

// unpackText is unpack for texts; it drops a UTF-8 byte order mark.
func unpackText(r io.Reader, name string, maxBytes int64) (*bufio.Reader, error) {
	in, err := unpack(r, maxBytes)
	if err != nil {
		return nil, &ParseError{File: name, Line: 1, Column: 1, Err: err}
	}
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		in.Discard(3)
	}
	return in, nil
}

// checkMaxRows returns an error unless the option MaxRows is a number of examples, or 0 for all.
func checkMaxRows(most int) error {
	if most < 0 {
		return fmt.Errorf("dataset: option MaxRows is %d, want 0 at least", most)
	}
	return nil
}

// atMost returns how many of n examples the option MaxRows lets through.
func atMost(n, most int) int {
	if most == 0 {
		return n
	}
	return min(n, most)
}

// limited fails, where io.LimitedReader would pretend that the input ends.
type limited struct {
	r         io.Reader
	left, max int64
	err       error // once the limit has been passed
}

func (l *limited) Read(p []byte) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	if int64(len(p))-1 > l.left { // a byte more, to see that there is one
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if int64(n) > l.left {
		n = int(l.left)
		l.err = fmt.Errorf("the data are longer than MaxBytes, %d", l.max)
		err = l.err
	}
	l.left -= int64(n)
	return n, err
}

// open applies a reader to a file.
func open[D, O any](path string, o O, read func(io.Reader, string, O) (D, error)) (D, error) {
	f, err := os.Open(path)
	if err != nil {
		var none D
		return none, err
	}
	defer f.Close()
	return read(f, path, o)
}
