package solvers

import (
	"fmt"
	"io"

	"github.com/dualgap/dualgap/internal/file"
)

// WriteFile writes a model to a file: a result's Model, or anything else that has a WriteTo.
//
// Path is the old file or the new one, whole, whatever happens: what is written goes to another file beside it, named
// .NAME.*.tmp, which takes its place once it is on disk. A program that is killed may leave that one behind; the next
// WriteFile to path removes it, on Linux, macOS and BSD. An error names the file that could not be written, and why.
func WriteFile(path string, m io.WriterTo) error {
	return StateFile(path)(func(w io.Writer) error {
		_, err := m.WriteTo(w)
		return err
	})
}

// StateFile returns a [Checkpoint]'s Save that keeps the last state in a file, which is written as [WriteFile] does.
// What a family's Resume reads is the open file. It stays when a training has converged; remove it then.
func StateFile(path string) func(write func(io.Writer) error) error {
	return func(write func(io.Writer) error) error {
		if err := file.Write(path, write, nil); err != nil {
			return fmt.Errorf("solvers: %w", err)
		}
		return nil
	}
}
