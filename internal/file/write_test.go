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
