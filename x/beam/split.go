package beam

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// Split returns the rows of the files that a pattern matches, in the order of their names, in ranges of at most rows
// rows; a range is of one file. Blocks of CSR stay whole, whatever rows is. It is an error if no file matches, if a
// file is not made of whole rows, or if there is no row. Of dense files it reads the sizes and headers, O(ranges);
// LIBSVM text and blocks of CSR once through, to find where lines and blocks begin.
func Split(ctx context.Context, pattern string, f Format, rows int) ([]Rows, error) {
	if rows < 1 {
		return nil, fmt.Errorf("beam: ranges of %d rows, want 1 at least", rows)
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	files, err := fs.List(ctx, pattern)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("beam: %s: no such file", pattern)
	}
	slices.Sort(files)
	s := splitter{fs: fs, format: f, rows: rows}
	for _, path := range files {
		if err := s.file(ctx, path); err != nil {
			return nil, fmt.Errorf("beam: %s: %w", path, err)
		}
	}
	if s.first == 0 {
		return nil, fmt.Errorf("beam: %s: no row in %d files", pattern, len(files))
	}
	return s.found, nil
}

// splitter makes ranges of files, one after the other.
type splitter struct {
	fs     filesystem.Interface
	format Format
	rows   int

	first int64 // number of the next row
	row   int64 // the same in its file
	found []Rows
}

func (s *splitter) file(ctx context.Context, path string) error {
	s.row = 0
	switch s.format.Kind {
	case LIBSVM:
		return s.text(ctx, path)
	case CSR:
		return s.blocks(ctx, path)
	}
	size, err := s.fs.Size(ctx, path)
	if err != nil {
		return err
	}
	if s.format.Kind == NPY {
		return s.npy(ctx, path, size)
	}
	row := int64(s.format.Cols * s.format.size())
	if size%row != 0 {
		return fmt.Errorf("%d bytes, want a multiple of %d, %d columns of %d bytes", size, row, s.format.Cols, row/
			int64(s.format.Cols))
	}
	for at := int64(0); at < size; {
		count := min(int64(s.rows), (size-at)/row)
		s.add(path, int(count), at, count*row)
		at += count * row
	}
	return nil
}

// add appends a range.
func (s *splitter) add(path string, count int, offset, bytes int64) {
	s.found = append(s.found, Rows{Path: path, First: s.first, Count: count, Row: s.row, Offset: offset, Bytes: bytes,
		Format: s.format})
	s.first, s.row = s.first+int64(count), s.row+int64(count)
}

// npy cuts an NPY file of size bytes.
func (s *splitter) npy(ctx context.Context, path string, size int64) error {
	f, err := openNPY[float64](ctx, Rows{Path: path, Bytes: size, Format: s.format})
	if err != nil {
		return err
	}
	n, _ := f.Dims()
	for at := 0; at < n; at += s.rows {
		s.add(path, min(s.rows, n-at), 0, size)
	}
	return nil
}

// blocks finds the blocks of CSR in a file.
func (s *splitter) blocks(ctx context.Context, path string) error {
	f, err := s.fs.OpenRead(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := &counter{r: bufio.NewReaderSize(f, 1<<20)}
	for {
		if _, err := in.r.Peek(1); err == io.EOF {
			return nil
		}
		begin := in.read
		count, err := s.block(in)
		if err != nil {
			return fmt.Errorf("the block at byte %d: %w", begin, err)
		}
		s.add(path, count, begin, in.read-begin)
	}
}

// block reads a block and returns the number of its rows.
func (s *splitter) block(in *counter) (int, error) {
	read := readBlock[float32]
	if s.format.Type == "f8" {
		read = readBlock[float64]
	}
	b, err := read(in)
	switch {
	case err != nil:
		return 0, err
	case b.cols != s.format.Cols || b.sets != s.format.Sets:
		return 0, fmt.Errorf("%d columns, sets of labels: %v, want %d and %v", b.cols, b.sets, s.format.Cols,
			s.format.Sets)
	case int64(b.first) != s.first:
		return 0, fmt.Errorf("its first row is %d, want %d", b.first, s.first)
	}
	return b.rows, nil
}

// counter counts the bytes that are read.
type counter struct {
	r    *bufio.Reader
	read int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.read += int64(n)
	return n, err
}

// text cuts LIBSVM text. A line without an example, empty or a comment, belongs to the range before it.
func (s *splitter) text(ctx context.Context, path string) error {
	f, err := s.fs.OpenRead(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	if head, _ := r.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return errors.New("compressed by gzip, which has no ranges: want plain text")
	}
	count, begin, at := 0, int64(0), int64(0)
	for {
		bytes, example, err := line(r)
		if example && count == s.rows {
			s.add(path, count, begin, at-begin)
			count, begin = 0, at
		}
		if example {
			count++
		}
		at += bytes
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if count > 0 {
		s.add(path, count, begin, at-begin)
	}
	return nil
}

// line reads a line, of any length, and reports whether it has an example: anything but blanks before a #.
func line(r *bufio.Reader) (size int64, example bool, err error) {
	open := true // nothing but blanks so far
	for {
		part, err := r.ReadSlice('\n')
		size += int64(len(part))
		if word := bytes.TrimLeft(part, " \t\r\v\f\n"); open && len(word) > 0 {
			open, example = false, word[0] != '#'
		}
		if err != bufio.ErrBufferFull {
			return size, example, err
		}
	}
}
