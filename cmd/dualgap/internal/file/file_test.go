package file

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
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

// TestLen: the number of bytes of a plain file, no number of a packed one.
func TestLen(t *testing.T) {
	for name, want := range map[string]int{"a": 7, "a.gz": 0} {
		path := filepath.Join(t.TempDir(), name)
		if err := Write(path, writing("1234567")); err != nil {
			t.Fatal(err)
		}
		in, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		if in.Peek(3); in.Len() != want {
			t.Errorf("%s: %d bytes, want %d", name, in.Len(), want)
		}
		check(t, path, "1234567")
	}
}

// TestMeter: who reads more into memory than there may be gets an error, packed or not, at half of the limit or at all
// of it.
func TestMeter(t *testing.T) {
	defer memory.Use(0)
	text := strings.Repeat("0123456789abcdef", 4<<20) // 64 MiB
	base := memory.Taken(0)
	for _, c := range []struct {
		name  string
		limit memory.Size
		once  bool
		good  bool
	}{
		{"a", 2*base + 100<<20, false, false}, {"a", 2*base + 200<<20, false, true}, {"a", base + 100<<20, true, true},
		{"a", base + 40<<20, true, false},
		{"a.gz", 2*base + 100<<20, false, false}, {"a.gz", base + 100<<20, true, true},
		{"a.gz", base + 40<<20, true, false},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := Write(path, writing(text)); err != nil {
			t.Fatal(err)
		}
		memory.Use(c.limit)
		in, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.once {
			in.AtOnce()
		}
		var pieces [][]byte // not a slice that grows: it would take memory twice
		for err == nil {
			piece := make([]byte, 1<<20)
			_, err = io.ReadFull(in, piece)
			pieces = append(pieces, piece)
		}
		runtime.KeepAlive(pieces)
		if in.Close(); (err == io.EOF) != c.good || !c.good && !strings.Contains(err.Error(), "--memory "+
			c.limit.String()) {
			t.Errorf("%+v: %d MiB, then %v", c, len(pieces), err)
		}
	}
}
