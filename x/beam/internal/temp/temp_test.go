package temp

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOwn: files go to the folder, which is gone in the end, and the folder before is back.
func TestOwn(t *testing.T) {
	for _, before := range []string{"", t.TempDir()} {
		t.Setenv("TMPDIR", before)
		t.Setenv("TMP", before)
		if before == "" {
			os.Unsetenv("TMPDIR")
			os.Unsetenv("TMP")
		}
		was := os.TempDir()
		remove, err := Own("own-")
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.CreateTemp("", "left-")
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		if dir := filepath.Dir(f.Name()); dir == filepath.Clean(was) || filepath.Dir(dir) != filepath.Clean(was) {
			t.Errorf("a file in %s, want a folder in %s", dir, was)
		}
		remove()
		if _, err := os.Stat(filepath.Dir(f.Name())); !os.IsNotExist(err) || os.TempDir() != was {
			t.Errorf("%v, the folder is %s, want %s", err, os.TempDir(), was)
		}
	}
}
