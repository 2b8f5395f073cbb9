package dataset

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

// The kind and the newest version of files of sparse blocks; docs/files.md has their sections.
const (
	kindCSR    = "csr"
	versionCSR = 1
)

// ErrCorrupt is wrapped by the errors of readers of the library's own files that meet something other than what was
// written, ErrPrecision where a file has float64 and float32 is wanted, or the other way round.
var (
	ErrCorrupt   = container.ErrCorrupt
	ErrPrecision = container.ErrPrecision
)

// CSRBlock is some rows of a large sparse data set, with their labels: what one worker of many reads, in a third of the
// time that text takes. Blocks may be a file each, or follow one another in one file.
type CSRBlock[T vec.Float] struct {
	First int     // number of the block's first row among all rows, from 0
	X     *CSR[T] // the rows First, ..., First+X.Rows-1, with the columns of all; [CSR.Window] makes one

	// The class of each row, or its classes, ascending; at most one of the two is not nil. A class has the same number
	// in all blocks.
	Y    []int
	Sets [][]int
}

// check returns an error unless b may be written, or what was read may be one.
func (b *CSRBlock[T]) check() error {
	switch err := b.X.Validate(); {
	case err != nil:
		return err
	case b.First < 0 || b.First > math.MaxInt-b.X.Rows:
		return fmt.Errorf("dataset: First = %d of a block of %d rows, want 0 at least and at most %d", b.First,
			b.X.Rows, math.MaxInt-b.X.Rows)
	case b.Y != nil && b.Sets != nil:
		return fmt.Errorf("dataset: a block with Y and Sets, want one of them")
	case b.Y != nil && len(b.Y) != b.X.Rows:
		return fmt.Errorf("dataset: %d labels of a block of %d rows", len(b.Y), b.X.Rows)
	case b.Sets != nil && len(b.Sets) != b.X.Rows:
		return fmt.Errorf("dataset: %d sets of labels of a block of %d rows", len(b.Sets), b.X.Rows)
	}
	for i, y := range b.Y {
		if y < 0 || y > math.MaxInt32 {
			return fmt.Errorf("dataset: row %d has the class %d, want one in 0..%d", i, y, math.MaxInt32)
		}
	}
	for i, set := range b.Sets {
		last := -1
		for _, y := range set {
			if y <= last || y > math.MaxInt32 {
				return fmt.Errorf("dataset: row %d has the classes %v, want ascending ones in 0..%d", i, set,
					math.MaxInt32)
			}
			last = y
		}
	}
	return nil
}

// WriteTo writes the block for [ReadCSRBlock] in the library's file format, with checksums: 8 bytes for each row, and 4
// and the size of a T for each value. n is the number of bytes written. It is an error if X is not valid, if First < 0,
// if there are Y and Sets or another number of them than of rows, or if a class is not in 0..2^31-1. O(rows + nnz).
func (b *CSRBlock[T]) WriteTo(to io.Writer) (n int64, err error) {
	if err := b.check(); err != nil {
		return 0, err
	}
	x := b.X
	w := container.NewWriter(to, kindCSR, versionCSR)
	w.Ints("size", b.First, x.Rows, x.Cols, len(x.Val), int(b.labels()))
	w.Ints("ptr", x.Ptr...)
	w.Int32s("col", x.Idx)
	container.Floats(w, "val", x.Val)
	switch b.labels() {
	case oneLabel:
		w.Int32s("y", narrowed(b.Y))
	case labelSets:
		ends, end := make([]int, len(b.Sets)), 0
		for i, set := range b.Sets {
			end += len(set)
			ends[i] = end
		}
		w.Ints("ends", ends...)
		w.Int32s("sets", narrowed(slices.Concat(b.Sets...)))
	}
	if n, err = w.Close(); err != nil {
		err = fmt.Errorf("dataset: writing: %w", err)
	}
	return n, err
}

// labeling is what labels a block has.
type labeling int

const (
	noLabels labeling = iota
	oneLabel
	labelSets
)

func (b *CSRBlock[T]) labels() labeling {
	switch {
	case b.Y != nil:
		return oneLabel
	case b.Sets != nil:
		return labelSets
	}
	return noLabels
}

func narrowed(v []int) []int32 {
	narrow := make([]int32, len(v))
	for k, y := range v {
		narrow[k] = int32(y)
	}
	return narrow
}
