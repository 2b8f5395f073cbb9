package file

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
)

// Input is an open file.
type Input struct {
	*bufio.Reader // of 64 KiB, unpacked
	file          *os.File
	plain         bool // neither packed nor standard input
}

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
		return &Input{in, f, path != "-"}, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Input{bufio.NewReaderSize(z, 1<<16), f, false}, nil
}

// Close closes the file.
func (in *Input) Close() error { return in.file.Close() }

// Rewound returns the file from its beginning, of which nothing but by Peek has been read, for readers that go back. What is
// packed or comes by standard input is read into memory.
func (in *Input) Rewound() (io.ReadSeeker, error) {
	if in.plain {
		if _, err := in.file.Seek(0, io.SeekStart); err == nil {
			return in.file, nil
		}
	}
	all, err := io.ReadAll(in)
	return bytes.NewReader(all), err
}
