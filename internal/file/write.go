// Package file writes files whole or not at all.
package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write makes path the file of what write writes, or leaves it as it was: killed at any moment, the program leaves the
// old file or the new one whole. What is written goes to a new file in the same folder, which takes the place of path
// once the system has it on disk; it is removed where there is an error, and by the next Write or Check of path where
// the program was killed: see sweep. A link stays one, and the file that it leads to is written. The new file has the
// permissions of the old one. What is no plain file, as a pipe or /dev/null, is written to as it is.
//
// may, if not nil, is called just before a file takes its place; its error keeps the old one. Errors of the system name
// path.
func Write(path string, write func(io.Writer) error, may func() error) error {
	target, info, err := lookAt(path)
	switch {
	case err != nil:
		return err
	case info == nil:
		return replace(target, 0, write, may)
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(Buffered(f, write), f.Close())
	}
	return replace(target, info.Mode().Perm(), write, may)
}

// Check tells whether Write could write path, as far as one can know before: it makes a new file in the folder, and
// removes it. Whoever has hours to compute what to write wants to know now.
func Check(path string) error {
	target, info, err := lookAt(path)
	if err != nil || info != nil && !info.Mode().IsRegular() {
		return err
	}
	f, err := create(target)
	if err != nil {
		return err
	}
	defer f.unlock()
	return errors.Join(f.close(), f.drop())
}

// lookAt returns where path leads to, and what is there, nil where nothing is. A folder is an error.
func lookAt(path string) (target string, info fs.FileInfo, err error) {
	if target, err = filepath.EvalSymlinks(path); err != nil {
		target = end(path)
	}
	info, err = os.Stat(target)
	if err != nil {
		return target, nil, nil
	}
	if info.IsDir() {
		return target, nil, fmt.Errorf("%s is a folder, want the name of a file", path)
	}
	return target, info, nil
}

// end follows links to where nothing is yet.
func end(path string) string {
	const most = 40 // as systems do
	for range most {
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		switch {
		case filepath.IsAbs(to):
			path = to
		case err != nil:
			return path
		default:
			path = filepath.Join(dir, to)
		}
	}
	return path
}

// replace writes a new file and renames it. Permissions of 0 stand for the default of a new file.
func replace(path string, mode fs.FileMode, write func(io.Writer) error, may func() error) (err error) {
	f, err := create(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.drop()
		}
		f.unlock()
	}()
	err = Buffered(f, write)
	if err == nil && mode != 0 {
		err = f.of(f.file.Chmod(mode))
	}
	if err == nil {
		err = f.of(f.file.Sync())
	}
	closed := f.close()
	if err == nil {
		err = closed
	}
	if err == nil && may != nil {
		err = may()
	}
	if err == nil {
		err = f.of(os.Rename(f.file.Name(), path))
	}
	if err == nil {
		syncFolder(filepath.Dir(path))
	}
	return err
}

// syncFolder puts the new name on disk. Some systems cannot: then a crash of the whole machine, soon after, may bring
// the old file back, which is whole.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}

// Buffered writes to f what write writes, 64 KiB at a time.
func Buffered(f io.Writer, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(f, 1<<16)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}
