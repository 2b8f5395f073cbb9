package file

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
)

// Open opens a file to read, unpacked where its first bytes are those of gzip. "-" is standard input.
func Open(path string) (*Input, error) {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, err
		}
	}
	in := bufio.NewReaderSize(f, 1<<16)
	if magic, _ := in.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return &Input{in, f}, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Input{bufio.NewReaderSize(z, 1<<16), f}, nil
}

// Input is an open file.
type Input struct {
	*bufio.Reader // of 64 KiB
	io.Closer
}
