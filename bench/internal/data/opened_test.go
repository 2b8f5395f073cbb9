package data

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpened: a file with another checksum is told once, with both; the right one, unknown ones and missing ones are
// not, nor is anything where nobody watches.
func TestOpened(t *testing.T) {
	dir := t.TempDir()
	list := []file{{path: "set/right.gz", sum: sumText("content")}, {path: "set/wrong.gz", sum: sumText("content")}}
	if err := os.Mkdir(filepath.Join(dir, "set"), 0o777); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for name, content := range map[string]string{"set/right.gz": "content", "set/wrong.gz": "other", "right.gz": "x",
		"set/letters": "x"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	paths = append(paths, filepath.Join(dir, "absent", "set", "right.gz"))
	var out strings.Builder
	stop := Watch(&out)
	opened(list, paths)
	opened(list, paths)
	stop()
	want := "bench: warning: " + filepath.Join(dir, "set", "wrong.gz") + ": its SHA-256 is " + sumText("other") +
		", want " + sumText("content") + "\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	opened(list, paths)
	if out.Len() > 0 {
		t.Errorf("nobody watches: %q", out.String())
	}
}
