// Package file writes files whole or not at all, and reads them packed by gzip or not.
package file

import (
	"compress/gzip"
	"io"
	"os"
	"strings"

	"github.com/dualgap/dualgap/internal/file"
)

// Write makes path the file of what write writes, or leaves it as it was: killed at any moment, the program leaves the
// old file or the new one whole. A link stays one, and the file that it leads to is written. The new file has the
// permissions of the old one.
//
// "-" is standard output. That and what is no plain file, as a pipe or /dev/null, is written to as it is. Where the
// name ends in .gz the bytes are packed.
func Write(path string, write func(io.Writer) error) error { return writeIf(path, write, nil) }

// writeIf is Write, unless may, which is called just before a file takes its place, returns an error.
func writeIf(path string, write func(io.Writer) error, may func() error) error {
	if strings.HasSuffix(path, ".gz") {
		write = packed(write)
	}
	if path == "-" {
		return file.Buffered(os.Stdout, write)
	}
	return file.Write(path, write, may)
}

// Check tells whether Write could write path, as far as one can know before: it makes a new file in the folder, and
// removes it. Whoever has hours to compute what to write wants to know now.
func Check(path string) error {
	if path == "-" {
		return nil
	}
	return file.Check(path)
}

func packed(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		z := gzip.NewWriter(w)
		if err := write(z); err != nil {
			return err
		}
		return z.Close()
	}
}
