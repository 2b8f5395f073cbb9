// Package file writes files whole or not at all, and reads them packed by gzip or not.
package file

import (
	"bufio"
	"compress/gzip"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write makes path the file of what write writes, or leaves it as it was: killed at any moment, the program leaves the
// old file or the new one whole. What is written goes to a new file in the same folder, which takes the place of path
// once the system has it on disk; it is removed where there is an error. A link stays one, and the file that it leads
// to is written. The new file has the permissions of the old one.
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
		return buffered(os.Stdout, write)
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = path
	}
	switch info, err := os.Stat(target); {
	case err == nil && info.IsDir():
		return folderError(path)
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(buffered(f, write), f.Close())
	case err == nil:
		return replace(target, info.Mode().Perm(), write, may)
	}
	return replace(target, 0, write, may)
}

// Check tells whether Write could write path, as far as one can know before: it makes a new file in the folder, and
// removes it. Whoever has hours to compute what to write wants to know now.
func Check(path string) error {
	if path == "-" {
		return nil
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = path
	}
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return folderError(path)
	case err == nil && !info.Mode().IsRegular():
		return nil
	}
	f, err := create(target)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

func folderError(path string) error {
	return fmt.Errorf("%s is a folder, want the name of a file", path)
}

// replace writes a new file and renames it. Permissions of 0 stand for the default of a new file.
func replace(path string, mode fs.FileMode, write func(io.Writer) error, may func() error) (err error) {
	f, err := create(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	err = buffered(f, write)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	closed := f.Close()
	if err == nil {
		err = closed
	}
	if err == nil && may != nil {
		err = may()
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err == nil {
		syncFolder(filepath.Dir(path))
	}
	return err
}

// create opens a new file beside path. Unlike a file of os.CreateTemp it may be read by whomever the umask allows.
func create(path string) (*os.File, error) {
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:8]+".tmp")
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, fmt.Errorf("a new file for %s: %w", path, err)
	}
	return f, nil
}

// syncFolder puts the new name on disk. Some systems cannot: then a crash of the whole machine, soon after, may bring
// the old file back, which is whole.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}

func buffered(f *os.File, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(f, 1<<16)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
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
