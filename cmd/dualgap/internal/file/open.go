package file

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
)

// Input is an open file. To read from it is an error once the program has more than half of the memory that it may
// have: readers of text take that for their numbers twice, at the end. A small packed file may hold any number of them.
type Input struct {
	*bufio.Reader // of 64 KiB, unpacked
	file          *os.File
	meter         *meter
	size          int64 // of a plain file; 0: packed, or not known
}

// Open opens a file to read, unpacked if it begins as gzip files do. "-" is standard input.
func Open(path string) (*Input, error) {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, err
		}
	}
	in := &Input{Reader: bufio.NewReaderSize(f, 1<<16), file: f, meter: &meter{r: f, share: 0.5}}
	magic, _ := in.Peek(2)
	if bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in.Reader)
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("%s: packed by gzip, but %w", path, err)
		}
		in.meter.r = z
	} else {
		in.meter.r = in.Reader
		if about, err := f.Stat(); err == nil && about.Mode().IsRegular() {
			in.size = about.Size()
		}
	}
	in.Reader = bufio.NewReaderSize(in.meter, 1<<16)
	return in, nil
}

// Close closes the file.
func (in *Input) Close() error { return in.file.Close() }

// Len returns how many bytes there are, 0 where that is not known. Readers of package dataset ask for it.
func (in *Input) Len() int { return int(min(in.size, int64(^uint(0)>>1))) }

// Room returns an error where there is no memory for a number of bytes beside what is in use. Readers of package
// dataset ask for it before they take much.
func (in *Input) Room(bytes int64) error {
	return memory.Need("too large: numbers take", float64(bytes))
}

// AtOnce is for readers that take memory for numbers once: they may have all of it.
func (in *Input) AtOnce() { in.meter.share = 1 }

// meter looks at the memory in use as bytes come.
type meter struct {
	r          io.Reader
	share      float64 // of the limit
	read, next int64   // bytes so far, and where to look again
}

func (m *meter) Read(p []byte) (int, error) {
	if m.read >= m.next {
		limit, what := memory.Limit()
		most := memory.Size(m.share * float64(limit))
		taken := memory.Taken(most)
		if taken > most {
			return 0, fmt.Errorf("too large: after %v of it %v of memory are in use, and reading may take %.0f%% of %s",
				memory.Size(m.read), taken, 100*m.share, what)
		}
		m.next = m.read + max(1<<22, int64(most-taken)/64)
	}
	n, err := m.r.Read(p)
	m.read += int64(n)
	return n, err
}
