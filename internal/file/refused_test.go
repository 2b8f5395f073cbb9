//go:build linux

package file

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/dualgap/dualgap/internal/file/filetest"
)

// named fails unless an error has the cause and names the file.
func named(t *testing.T, what string, err, cause error, path string) {
	t.Helper()
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), ".tmp") {
		t.Errorf("%s: %v, want %v of %s", what, err, cause, path)
	}
}

// TestWriteRefused: where the system refuses a file the error names it and the cause, the old file is whole, and there
// is no other one.
func TestWriteRefused(t *testing.T) {
	if !filetest.Alone(t) {
		return
	}
	files := []string{"model.dg"}
	for _, r := range filetest.Refusals {
		dir := r.Make(t, files)
		path, link := filepath.Join(dir, "model.dg"), filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(path, link); err != nil { // from another disk
			t.Fatal(err)
		}
		for _, to := range []string{path, link} {
			err := Write(to, func(w io.Writer) error { return content(w, 7) }, nil)
			named(t, r.Name, err, r.Cause, path)
		}
		err := Write(path, func(w io.Writer) error {
			_, err := io.Copy(w, strings.NewReader(strings.Repeat("x", 1<<20)))
			return err
		}, nil)
		named(t, r.Name+", by io.Copy", err, r.Cause, path)
		if err := Check(path); err != nil {
			named(t, r.Name+", before", err, r.Cause, path)
		} else if r.Cause != syscall.ENOSPC && r.Cause != syscall.EBUSY {
			t.Errorf("%s: Check says nothing", r.Name)
		}
		r.Whole(t, "Write", dir, files)
	}
}

// TestRenameRefused: what comes in the way at the last moment keeps the old file, or the folder that stands there now.
func TestRenameRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model.dg")
	err := Write(path, func(w io.Writer) error { return content(w, 1) }, func() error { return os.Mkdir(path, 0o777) })
	named(t, "a folder", err, syscall.EEXIST, path)
	if left := filetest.Left(t, dir); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	inner := filepath.Join(dir, "folder", "model.dg")
	if err := os.Mkdir(filepath.Dir(inner), 0o777); err != nil {
		t.Fatal(err)
	}
	err = Write(inner, func(w io.Writer) error { return content(w, 1) }, func() error {
		return os.RemoveAll(filepath.Dir(inner))
	})
	named(t, "no folder", err, syscall.ENOENT, inner)
}

// TestPipeRefused: a device or a pipe that takes nothing is an error with its name.
func TestPipeRefused(t *testing.T) {
	one := func(w io.Writer) error { _, err := w.Write([]byte("x")); return err }
	named(t, "a device", Write("/dev/full", one, nil), syscall.ENOSPC, "/dev/full")
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	err = Write(path, func(w io.Writer) error { return errors.Join(reader.Close(), one(w)) }, nil)
	named(t, "a pipe", err, syscall.EPIPE, path)
}
