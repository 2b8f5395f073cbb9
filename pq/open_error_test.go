package pq

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpenErrors: an error of a file that cannot be opened, or is none of ours, names it, once.
func TestOpenErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	if _, err := OpenIndex(path); !errors.Is(err, fs.ErrNotExist) || strings.Count(err.Error(), path) != 1 {
		t.Error(err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("no index\n", 99)), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := OpenIndex(path)
	if !errors.Is(err, ErrCorrupt) || !strings.HasPrefix(err.Error(), "pq: "+path+": ") ||
		strings.Count(err.Error(), "pq: ") != 1 {
		t.Error(err)
	}
}
