package file

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/internal/file/filetest"
)

// content writes file i: a megabyte of its number, of which a piece tells that there is more.
func content(w io.Writer, i int) error {
	line := fmt.Appendf(nil, "%015d\n", i)
	for range 1 << 16 {
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// TestWriteKilled: a process that writes a file again and again and is killed at any moment leaves a file that it has
// written, whole. What it had begun besides, the next one removes.
func TestWriteKilled(t *testing.T) {
	if path, is := filetest.Told(); is {
		filetest.Begun()
		for i := range 5 {
			if err := Write(path[0], func(w io.Writer) error { return content(w, i) }, nil); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	path := filepath.Join(t.TempDir(), "model.dg")
	k := filetest.NewKiller(t, filetest.Kills(t, 4))
	k.Whole(filetest.Again(t, path))
	seen, cut := map[string]bool{}, 0
	for k.More() {
		k.Run(filetest.Again(t, path))
		b, err := os.ReadFile(path)
		if err != nil || len(b) != 1<<20 || !bytes.Equal(b, bytes.Repeat(b[:16], 1<<16)) {
			t.Fatalf("a file of %d bytes, %v", len(b), err)
		}
		seen[string(b[:16])] = true
		left := filetest.Left(t, filepath.Dir(path))
		if cut += len(left); len(left) > 1 && Sweeps {
			t.Fatalf("left %v", left)
		}
	}
	if k.Run(filetest.Again(t, path)); Sweeps && len(filetest.Left(t, filepath.Dir(path))) > 0 {
		t.Errorf("left %v", filetest.Left(t, filepath.Dir(path)))
	}
	t.Logf("%d killed, %d of them while they wrote, %d different files", k.Done(), cut, len(seen))
}

// TestAtOnce: writers of one file do not take what others have begun for left behind, and one of them is the last.
func TestAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.dg")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 10 {
				if err := Write(path, func(w io.Writer) error { return content(w, i) }, nil); err != nil {
					t.Error(err)
				}
				if err := Check(path); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	b, err := os.ReadFile(path)
	if err != nil || len(b) != 1<<20 || !bytes.Equal(b, bytes.Repeat(b[:16], 1<<16)) {
		t.Errorf("a file of %d bytes, %v", len(b), err)
	}
	if left := filetest.Left(t, filepath.Dir(path)); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// TestSweep: what a writer that was killed has left goes with the next Check or Write of that file; files of other
// names stay, and so does what somebody writes.
func TestSweep(t *testing.T) {
	if !Sweeps {
		t.Skip("the system knows no locks")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "m.dg")
	others := []string{".m.dg.ABCDEFGH.old", ".m.dg.abcdefgh.tmp", ".m.dg.ABCDEFG.tmp", ".m.dg.ABCDEFGH1.tmp",
		".n.dg.ABCDEFGH.tmp", "m.dg.ABCDEFGH.tmp", ".m.dg.tmp"}
	busy, err := create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer busy.unlock()
	defer busy.close()
	for k, by := range []func() error{
		func() error { return Check(path) },
		func() error { return Write(path, func(w io.Writer) error { return content(w, 1) }, nil) },
	} {
		for _, name := range append(others, ".m.dg.ABCDEFGH.tmp", ".m.dg.23456777.tmp") {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.MkdirAll(filepath.Join(dir, ".m.dg.HHHHHHHH.tmp"), 0o777); err != nil { // nobody's file
			t.Fatal(err)
		}
		if err := by(); err != nil {
			t.Fatal(err)
		}
		if all, err := os.ReadDir(dir); err != nil || len(all) != len(others)+2+k {
			t.Errorf("%v, %v", all, err)
		}
		if _, err := os.Stat(busy.file.Name()); err != nil {
			t.Error(err)
		}
	}
}
