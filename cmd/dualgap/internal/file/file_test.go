package file

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.dg")
	for _, text := range []string{"first", "second, which is longer", ""} {
		if err := Write(path, writing(text)); err != nil {
			t.Fatal(err)
		}
		check(t, path, text)
	}
	alone(t, path)
}

// writing returns what writes a text in two pieces.
func writing(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := io.WriteString(w, text[:len(text)/2]); err != nil {
			return err
		}
		_, err := io.WriteString(w, text[len(text)/2:])
		return err
	}
}

// check reads path, by Open too.
func check(t *testing.T, path, want string) {
	t.Helper()
	in, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if got, err := io.ReadAll(in); err != nil || string(got) != want {
		t.Errorf("%s: %q, %v; want %q", path, got, err, want)
	}
}

// alone fails if there is another file beside path.
func alone(t *testing.T, path string) {
	t.Helper()
	all, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(all) != 1 {
		t.Errorf("%v beside %s (%v)", all, path, err)
	}
}

// An error of what writes leaves the old file, and no other.
func TestWriteFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.dg")
	if err := Write(path, writing("old")); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("no more")
	err := Write(path, func(w io.Writer) error {
		w.Write(make([]byte, 1<<18))
		return cause
	})
	if !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
	check(t, path, "old")
	alone(t, path)
	if err := Write(filepath.Join(path, "x"), writing("new")); err == nil {
		t.Error("a file in a file")
	}
	if err := Write(filepath.Dir(path), writing("new")); err == nil {
		t.Error("a file in place of a folder")
	}
}

// TestCheck: what Check says is what Write does, and it leaves nothing behind.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	if err := os.WriteFile(old, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	for path, good := range map[string]bool{
		"-": true, old: true, filepath.Join(dir, "new"): true, os.DevNull: true,
		dir: false, filepath.Join(dir, "none", "new"): false, filepath.Join(old, "new"): false,
	} {
		if err := Check(path); (err == nil) != good {
			t.Errorf("%s: %v", path, err)
		}
	}
	text, err := os.ReadFile(old)
	if found, _ := os.ReadDir(dir); len(found) != 1 || err != nil || string(text) != "old" {
		t.Errorf("left %v, %q, %v", found, text, err)
	}
}

func TestWritePacks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.svm.gz")
	if err := Write(path, writing("1 1:2\n")); err != nil {
		t.Fatal(err)
	}
	check(t, path, "1 1:2\n")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gzip.NewReader(bytes.NewReader(b)); err != nil {
		t.Errorf("not packed: %v", err)
	}
}

// A link stays a link, permissions stay, and a device is written to.
func TestWriteKeepsWhatIsThere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and permissions of Unix")
	}
	dir := t.TempDir()
	path, link := filepath.Join(dir, "model.dg"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("model.dg", link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, writing("new")); err != nil {
		t.Fatal(err)
	}
	check(t, path, "new")
	if to, err := os.Readlink(link); err != nil || to != "model.dg" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := Write(os.DevNull, writing("gone")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is a file now: %v, %v", os.DevNull, info.Mode(), err)
	}
}

// Rewound gives the whole file, though its beginning has been looked at, packed or not.
func TestRewound(t *testing.T) {
	for _, name := range []string{"a", "a.gz"} {
		path := filepath.Join(t.TempDir(), name)
		text := fmt.Sprintf("%0100000d", 7)
		if err := Write(path, writing(text)); err != nil {
			t.Fatal(err)
		}
		in, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		in.Peek(100)
		r, err := in.Rewound()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got, err := io.ReadAll(r); err != nil || string(got) != text {
				t.Errorf("%s: %d bytes, %v", name, len(got), err)
			}
			if _, err := r.Seek(0, io.SeekStart); err != nil {
				t.Fatal(err)
			}
		}
	}
}
