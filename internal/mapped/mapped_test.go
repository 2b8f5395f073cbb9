package mapped

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestOpen: the bytes are those of the file, also once another has taken its name.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	for _, want := range [][]byte{nil, {7}, bytes.Repeat([]byte("0123456"), 5000)} {
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path+".new", want, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
		b, unmap, err := Open(path)
		if err != nil || !bytes.Equal(b, want) {
			t.Fatalf("%d bytes, want %d, error %v", len(b), len(want), err)
		}
		if unmap == nil {
			continue
		}
		if err := errors.Join(os.WriteFile(path+".new", []byte("other"), 0o600), os.Rename(path+".new", path)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b, want) {
			t.Error("another file under the name changes the bytes")
		}
		if err := unmap(); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{filepath.Join(dir, "none"), dir} {
		var p *fs.PathError
		if _, _, err := Open(path); !errors.As(err, &p) || p.Path != path {
			t.Errorf("%s: error %v", path, err)
		}
	}
}
