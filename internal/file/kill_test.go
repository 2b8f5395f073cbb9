package file

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// writer is the variable that makes a process of this test one that writes to the file it names, again and again.
const writer = "DUALGAP_TEST_WRITES"

func TestMain(m *testing.M) {
	if path := os.Getenv(writer); path != "" {
		for i := 0; ; i++ {
			if err := Write(path, func(w io.Writer) error { return content(w, i) }, nil); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
}

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

// A process that writes and is killed at any moment leaves a file that it has written, whole.
func TestWriteKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "model.dg")
	if err := Write(path, func(w io.Writer) error { return content(w, 0) }, nil); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	cut := 0
	for range 40 {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), writer+"="+path)
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Skip(err) // on an emulated CPU, say
		}
		time.Sleep(5*time.Millisecond + time.Duration(rand.Int64N(int64(30*time.Millisecond))))
		cmd.Process.Kill()
		cmd.Wait()
		b, err := os.ReadFile(path)
		if err != nil || len(b) != 1<<20 || !bytes.Equal(b, bytes.Repeat(b[:16], 1<<16)) {
			t.Fatalf("a file of %d bytes, %v; the process said %q", len(b), err, said.String())
		}
		seen[string(b[:16])] = true
		rest, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*.tmp"))
		cut += len(rest)
		for _, r := range rest {
			os.Remove(r)
		}
	}
	if len(seen) < 2 || cut < 1 {
		t.Errorf("%d different files, and %d processes killed while they wrote: nothing was tried", len(seen), cut)
	}
}
