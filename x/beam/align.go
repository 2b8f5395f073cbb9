package beam

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
)

// aligned returns ranges of the same rows that begin at multiples of [stretch] rows of their file, so that the sums of
// stretches are the same for all ranges: where a range follows another one of its file, it gets the last rows of that.
// Ranges that lose all rows are left out. Blocks of CSR stay as they are. Of LIBSVM text, the ranges that lose rows are
// read.
func aligned(ctx context.Context, rows []Rows) (all []Rows, err error) {
	rows = slices.SortedFunc(slices.Values(rows), func(a, b Rows) int { return cmp.Compare(a.First, b.First) })
	for _, e := range rows {
		if len(all) == 0 || !e.follows(all[len(all)-1]) {
			all = append(all, e)
			continue
		}
		before := all[len(all)-1]
		count := before.Count - int(min(e.Row%stretch, int64(before.Count)))
		before, e, err = before.moved(ctx, e, count)
		if err != nil {
			return nil, fmt.Errorf("beam: %v: %w", before, err)
		}
		all[len(all)-1] = before
		if before.Count == 0 {
			all = all[:len(all)-1]
		}
		all = append(all, e)
	}
	return all, nil
}

// follows reports whether e begins where another range of its file ends, and whether rows can go from one to the other.
func (e Rows) follows(before Rows) bool {
	return e.Format.Kind != CSR && e.Format == before.Format && e.Path == before.Path &&
		e.First == before.First+int64(before.Count) && e.Row == before.Row+int64(before.Count) &&
		(e.Format.Kind == NPY || e.Offset == before.Offset+before.Bytes)
}

// moved returns the first count rows of r, and next, which follows r, with the others before its own.
func (r Rows) moved(ctx context.Context, next Rows, count int) (head, tail Rows, err error) {
	var size int64 // bytes of the first count rows
	switch r.Format.Kind {
	case Raw:
		size = int64(count * r.Format.Cols * r.Format.size())
	case LIBSVM:
		size, err = r.bytesOf(ctx, count)
	}
	head, tail = r, next
	head.Count = count
	tail.First, tail.Row, tail.Count = r.First+int64(count), r.Row+int64(count), next.Count+r.Count-count
	if r.Format.Kind != NPY {
		head.Bytes = size
		tail.Offset, tail.Bytes = r.Offset+size, next.Bytes+r.Bytes-size
	}
	return head, tail, err
}

// bytesOf returns how many bytes the first count of some rows of LIBSVM text are, with the lines that have no example
// and follow them.
func (r Rows) bytesOf(ctx context.Context, count int) (size int64, err error) {
	switch count {
	case 0:
		return 0, nil
	case r.Count:
		return r.Bytes, nil
	}
	text := make([]byte, r.Bytes)
	if err := readRange(ctx, text, r.Path, r.Offset); err != nil {
		return 0, err
	}
	in := bufio.NewReader(bytes.NewReader(text))
	for {
		bytes, example, err := line(in)
		if example && count == 0 {
			return size, nil
		}
		if err != nil {
			return 0, fmt.Errorf("%d rows fewer, want %d: the file has changed", count, r.Count)
		}
		if example {
			count--
		}
		size += bytes
	}
}
