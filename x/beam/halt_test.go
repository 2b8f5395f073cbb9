package beam

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHalt: a path with a halted beginning is not written to, others are, and all are again after resume. halt waits
// for a file that is being written.
func TestHalt(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "rows-1"), filepath.Join(dir, "other")
	halt(filepath.Join(dir, "rows-"))
	if err := writeFile(t.Context(), in, []byte("x")); err == nil || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("%v", err)
	}
	check(t, writeFile(t.Context(), out, []byte("x")))
	if got := files(t, dir); len(got) != 1 || got[0] != "other" {
		t.Errorf("%q", got)
	}
	resume(filepath.Join(dir, "rows-"))
	check(t, writeFile(t.Context(), in, []byte("x")))

	begun, wait := make(chan bool), make(chan bool)
	failWith(t, func(operation, name string) error {
		if operation == "rename" {
			close(begun)
			<-wait
		}
		return nil
	})
	done := make(chan bool)
	go func() {
		writeFile(t.Context(), scheme+in, []byte("y"))
		done <- true
	}()
	<-begun
	ended := make(chan bool)
	go func() {
		halt(scheme + in)
		close(ended)
	}()
	select {
	case <-ended:
		t.Error("halt has not waited")
	default:
	}
	close(wait)
	<-done
	<-ended
	resume(scheme + in)
	if b, err := os.ReadFile(in); err != nil || string(b) != "y" {
		t.Errorf("%q, %v", b, err)
	}
}
