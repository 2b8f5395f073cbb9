package temp

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWithin: files go to the folder, which is gone in the end, and the folder before is back.
func TestWithin(t *testing.T) {
	for _, before := range []string{"", t.TempDir()} {
		t.Setenv("TMPDIR", before)
		t.Setenv("TMP", before)
		if before == "" {
			os.Unsetenv("TMPDIR")
			os.Unsetenv("TMP")
		}
		was := os.TempDir()
		var name string
		code, err := Within("own-", func() int {
			f, err := os.CreateTemp("", "left-")
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
			name = f.Name()
			return 3
		})
		if code != 3 || err != nil {
			t.Errorf("exit code %d, %v, want 3", code, err)
		}
		if dir := filepath.Dir(name); dir == filepath.Clean(was) || filepath.Dir(dir) != filepath.Clean(was) {
			t.Errorf("a file in %s, want a folder in %s", dir, was)
		}
		if _, err := os.Stat(filepath.Dir(name)); !os.IsNotExist(err) || os.TempDir() != was {
			t.Errorf("%v, the folder is %s, want %s", err, os.TempDir(), was)
		}
	}
}
