package file

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestWriteFails: an error of what writes, or of what says whether it may, leaves the old file and no other.
func TestWriteFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	text := func(w io.Writer) error { _, err := io.WriteString(w, "old"); return err }
	if err := errors.Join(Check(path), Write(path, text, nil)); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("no more")
	for _, err := range []error{
		Write(path, func(w io.Writer) error { w.Write(make([]byte, 1<<18)); return cause }, nil),
		Write(path, func(w io.Writer) error { return nil }, func() error { return cause }),
	} {
		if !errors.Is(err, cause) {
			t.Errorf("error %v", err)
		}
	}
	b, err := os.ReadFile(path)
	if all, _ := os.ReadDir(filepath.Dir(path)); len(all) != 1 || err != nil || string(b) != "old" {
		t.Errorf("left %v with %q, error %v", all, b, err)
	}
	for _, bad := range []string{filepath.Dir(path), filepath.Join(path, "x")} {
		if Check(bad) == nil || Write(bad, text, nil) == nil {
			t.Errorf("%s is written", bad)
		}
	}
}

// TestLinkToNothing: a link that leads nowhere yet stays one, and the file is made where it leads to.
func TestLinkToNothing(t *testing.T) {
	dir := t.TempDir()
	first, second, file := filepath.Join(dir, "first"), filepath.Join(dir, "second"), filepath.Join(dir, "file")
	if err := errors.Join(os.Symlink("second", first), os.Symlink(file, second)); err != nil {
		t.Skip(err)
	}
	text := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	for range 2 {
		if err := errors.Join(Check(first), Write(first, text, nil)); err != nil {
			t.Fatal(err)
		}
		to, err := os.Readlink(first)
		b, wrong := os.ReadFile(file)
		if err != nil || to != "second" || wrong != nil || string(b) != "new" {
			t.Errorf("the link leads to %q (%v), where %q is (%v)", to, err, b, wrong)
		}
	}
	round := filepath.Join(dir, "round")
	if err := os.Symlink("round", round); err != nil {
		t.Fatal(err)
	}
	if err := Write(round, text, nil); err != nil { // it leads nowhere, ever, and is replaced
		t.Error(err)
	}
}
