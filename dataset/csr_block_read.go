package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

// ReadCSRBlock reads what [CSRBlock.WriteTo] wrote, bit by bit the same, and no further. Damage, and a block that could
// not have been written, are errors that wrap [ErrCorrupt]; numbers of the other type wrap [ErrPrecision]; a file of
// another kind or of a later version is another error. No size is believed before the bytes have come: memory is some
// times what was read at most. Where from is a file, wrap it with bufio, unless something else follows. O(rows + nnz).
func ReadCSRBlock[T vec.Float](from io.Reader) (*CSRBlock[T], error) {
	r, err := container.Open(from)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	r.Expect(kindCSR, versionCSR)
	b := readCSRBlock[T](r)
	if r.Err() == nil {
		if err := b.check(); err != nil {
			r.Corrupt("%s", strings.TrimPrefix(err.Error(), "dataset: "))
		}
	}
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	return b, nil
}

func readCSRBlock[T vec.Float](r *container.Reader) *CSRBlock[T] {
	b := &CSRBlock[T]{X: &CSR[T]{}}
	var nonzeros, labels int
	r.Fields("size", &b.First, &b.X.Rows, &b.X.Cols, &nonzeros, &labels)
	if r.Err() != nil {
		return b
	}
	n := b.X.Rows
	if n == math.MaxInt || labeling(labels) > labelSets {
		r.Corrupt("a block of %d rows with labels of type %d, want one in 0..%d", n, labels, labelSets)
		return b
	}
	b.X.Ptr = r.Ints("ptr", n+1)
	b.X.Idx = r.Int32s("col", nonzeros)
	b.X.Val = container.ReadFloats[T](r, "val", nonzeros)
	switch labeling(labels) {
	case oneLabel:
		b.Y = widened(r.Int32s("y", n))
	case labelSets:
		ends := r.Ints("ends", n)
		b.Sets = setsOf(r, ends, widened(r.Int32s("sets", container.Any)))
	}
	return b
}

// setsOf cuts the classes of all rows, one after the other, at the ends of the rows.
func setsOf(r *container.Reader, ends, classes []int) [][]int {
	sets := make([][]int, len(ends))
	from := 0
	for i, end := range ends {
		if end < from || end > len(classes) {
			r.Corrupt("the classes of row %d end at %d, want ascending ends of %d classes", i, end, len(classes))
			return nil
		}
		sets[i], from = classes[from:end:end], end
	}
	if from < len(classes) {
		r.Corrupt("%d classes of rows, but the last row ends at %d", len(classes), from)
	}
	return sets
}

func widened(v []int32) []int {
	wide := make([]int, len(v))
	for k, y := range v {
		wide[k] = int(y)
	}
	return wide
}

// ReadCSRBlocks reads blocks that follow one another up to the end of from, and calls use with each, in order. An error
// of use ends the reading and is returned, as is an error of [ReadCSRBlock]; where from is empty there are no blocks.
func ReadCSRBlocks[T vec.Float](from io.Reader, use func(*CSRBlock[T]) error) error {
	if from == nil {
		return errors.New("dataset: the reader is nil")
	}
	in := bufio.NewReaderSize(from, 1<<16)
	for k := 0; ; k++ {
		if _, err := in.Peek(1); err == io.EOF {
			return nil
		}
		b, err := ReadCSRBlock[T](in)
		if err != nil {
			return fmt.Errorf("%w (block %d of the input)", err, k)
		}
		if err := use(b); err != nil {
			return err
		}
	}
}
