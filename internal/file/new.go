package file

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// newFile is a file that is to take the place of path, under a name of its own until then. It is locked, where the
// system can do so, as long as somebody writes it: the lock of a program that is killed goes with it.
type newFile struct {
	file *os.File
	path string
	held *os.File // nil: the system knows no locks
}

// errBusy is the error of lock where another has it.
var errBusy = errors.New("locked")

// create opens a new file beside path, of which sweep knows the name. Unlike a file of os.CreateTemp it may be read by
// whomever the umask allows.
func create(path string) (*newFile, error) {
	sweep(path)
	for {
		name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:letters]+".tmp")
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return nil, fmt.Errorf("a new file for %s: %w", path, causeOf(err))
		}
		held, err := lock(name)
		if err == nil {
			_, err = os.Lstat(name) // it may have been removed before it was locked
		}
		if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errBusy) {
			return &newFile{f, path, held}, nil
		}
		f.Close() // somebody else sweeps
		if held != nil {
			held.Close()
		}
		os.Remove(name)
	}
}

// Write is what all bytes go through, so that an error names path.
func (f *newFile) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	return n, f.of(err)
}

func (f *newFile) close() error { return f.of(f.file.Close()) }

// drop removes the file, unless it has taken its place.
func (f *newFile) drop() error { return f.of(os.Remove(f.file.Name())) }

func (f *newFile) unlock() {
	if f.held != nil {
		f.held.Close()
	}
}

// of returns an error of the system as one of path, which is what the caller knows.
func (f *newFile) of(err error) error {
	var one *fs.PathError
	var two *os.LinkError
	switch {
	case errors.As(err, &one):
		return &fs.PathError{Op: one.Op, Path: f.path, Err: one.Err}
	case errors.As(err, &two):
		return &fs.PathError{Op: two.Op, Path: f.path, Err: two.Err}
	}
	return err
}

// causeOf returns what is wrong, without the name of the file.
func causeOf(err error) error {
	var one *fs.PathError
	if errors.As(err, &one) {
		return one.Err
	}
	return err
}

// letters is how many there are in the name of a new file, of the digits of rand.Text.
const (
	letters = 8
	base32  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// sweep removes new files for path that programs have left which were killed: nobody has their lock. Where the system
// knows no locks they stay.
func sweep(path string) {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		between, begins := strings.CutPrefix(name, "."+filepath.Base(path)+".")
		between, ends := strings.CutSuffix(between, ".tmp")
		if !begins || !ends || len(between) != letters || strings.Trim(between, base32) != "" {
			continue
		}
		name = filepath.Join(filepath.Dir(path), name)
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if held, err := lock(name); err == nil && held != nil {
			os.Remove(name)
			held.Close()
		}
	}
}
