package pq

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"unsafe"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/file"
	"github.com/dualgap/dualgap/internal/mapped"
)

// WriteFile writes a file for [OpenIndex], which ReadIndex reads as well: the codec and the vectors that the index
// holds when the call begins. The file has for each block of 256 vectors, whether full or not, 48 bytes, 256 codes and
// their bounds, and for each vector its id where ids do not follow one another, 8 bytes, and 4 d bytes where vectors
// are kept. Searches and changes go on, and no second copy is made in memory.
//
// Path is the old file or the new one, whole, whatever happens: what is written goes to another file beside it, named
// .NAME.*.tmp, which takes its place once it is on disk. A program that is killed may leave that one behind; the next
// WriteFile to path removes it, on Linux, macOS and BSD. Path may be the file that the index was opened from.
func (ix *Index) WriteFile(path string) error {
	of := ix.held.Load()
	err := file.Write(path, func(to io.Writer) error {
		_, err := ix.writeBlocks(to, of)
		return err
	}, nil)
	runtime.KeepAlive(of)
	if err != nil {
		return fmt.Errorf("pq: %w", err)
	}
	return nil
}

// OpenIndex opens a file that WriteFile wrote and leaves it on disk: the system maps it into memory, reads what a
// search uses, and takes memory for it that it may have back at any time. So it may be larger than memory. Opening
// reads the codec, the centres of lists, and 48 bytes for each 256 vectors, of which it takes some 200 bytes of memory.
// The index may be changed as any other: what is changed is copied into memory, and the file stays as it is.
//
// Damage that shows there is an error that wraps ErrCorrupt, and so is a file that was cut short or goes on behind its
// end. Codes, bounds, ids and vectors are not looked at: where they are damaged answers and proofs may be wrong, and
// [Index.Verify] tells.
//
// While it is open, the file must not become shorter, and nobody may write to it: the system would end the program, or
// searches would see a part of the change. WriteFile and a rename do not write to it, but put another under its name.
//
// A file that WriteTo wrote, in an older version, is read into memory, and on systems other than Linux, macOS and BSD,
// and where numbers have the other order of bytes, all files are.
func OpenIndex(path string) (*Index, error) {
	b, unmap, err := mapped.Open(path)
	if err != nil {
		return nil, fmt.Errorf("pq: %w", err)
	}
	ix, err := openBytes(b, unmap)
	if err != nil {
		return nil, &pathError{path, err}
	}
	return ix, nil
}

// pathError says which file an error is about.
type pathError struct {
	path string
	err  error
}

func (e *pathError) Error() string { return "pq: " + e.path + ": " + unprefixed(e.err) }
func (e *pathError) Unwrap() error { return e.err }

// openBytes makes an index of a file's bytes, which it unmaps when nothing refers to them any more.
func openBytes(b []byte, unmap func() error) (ix *Index, err error) {
	used := false
	defer func() {
		if unmap != nil && !used {
			err = errors.Join(err, unmap())
		}
	}()
	r, err := container.OpenBytes(b)
	if err != nil {
		return nil, prefixed(err)
	}
	r.Expect(kindIndex, blocksVersion)
	if unmap == nil || !littleEndian || r.Version() < blocksVersion {
		return container.Whole(b, "pq", ReadIndex)
	}
	if ix, err = closed(r, readIndex(r)); err != nil {
		return nil, err
	}
	if more := r.Left(); more > 0 {
		return nil, fmt.Errorf("pq: %w: %d bytes behind the end", ErrCorrupt, more)
	}
	used = true
	of := *ix.held.Load()
	of.file = &opened{unsafe.Pointer(&b[0]), len(b), r.Unchecked()}
	runtime.AddCleanup(of.file, func(unmap func() error) { unmap() }, unmap)
	ix.held.Store(&of)
	return ix, nil
}

// littleEndian is the order of bytes of this machine, and of files.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// opened is a file that contents point into. It is unmapped when no contents refer to it.
type opened struct {
	start    unsafe.Pointer
	size     int
	sections []container.Unchecked
}

// has reports whether a vector lies in the file.
func (f *opened) has(row *float32) bool {
	return f != nil && uintptr(unsafe.Pointer(row))-uintptr(f.start) < uintptr(f.size)
}

var errClosed = errors.New("pq: the index is closed")

// Verify reads all of the file that the index was opened from and returns an error that wraps ErrCorrupt where it is
// not what was written; it doubts what the index holds now as ReadIndex does. It costs what reading the file costs, and
// memory for a table of ids, 5 to 11 bytes a vector, where they are not 0, 1, 2, ... An index that was not opened
// from a file is what it is.
func (ix *Index) Verify() error {
	of := ix.held.Load()
	defer runtime.KeepAlive(of)
	if of.closed {
		return errClosed
	}
	if of.file == nil {
		return nil
	}
	for i := range of.file.sections {
		if err := of.file.sections[i].Check(); err != nil {
			return prefixed(err)
		}
	}
	if err := ix.doubt(of); err != nil {
		return fmt.Errorf("pq: %w: %s", ErrCorrupt, unprefixed(err))
	}
	return nil
}

// Close ends the use of an index, opened or not: from now on it holds nothing, and searches and changes are errors.
// Those under way go on to their end. The file of OpenIndex is unmapped when none of them is left and the garbage
// collector has seen so; an index that nobody refers to any more is closed in the same way.
func (ix *Index) Close() error {
	ix.changing.Lock()
	defer ix.changing.Unlock()
	if ix.held.Load().closed {
		return errClosed
	}
	ix.writing = nil
	ix.held.Store(&contents{closed: true})
	return nil
}
