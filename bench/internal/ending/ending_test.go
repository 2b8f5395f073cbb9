//go:build unix

package ending

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// asCommand is set where a test has started this program as a command that has a folder.
const asCommand = "DUALGAP_TEST_AS_ENDING"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := Context()
	defer stop()
	dir, remove, err := Folder("ending")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "file"), nil, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Println(dir) // now signals may come
	<-ctx.Done()
	for range 20 { // slow to end
		time.Sleep(time.Millisecond)
		syscall.Kill(os.Getpid(), syscall.SIGTERM)
		syscall.Kill(os.Getpid(), syscall.SIGINT)
	}
	if err := remove(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	time.Sleep(10 * time.Second)
}

// TestFolder: no signal ends a program that has a folder, the next one behind its removal does.
func TestFolder(t *testing.T) {
	if signal.Ignored(syscall.SIGTERM) || signal.Ignored(syscall.SIGINT) {
		t.Skip("signals are ignored here")
	}
	program, err := os.Executable()
	if err != nil {
		t.Skip("no path of the test: ", err)
	}
	folder := t.TempDir()
	c := exec.Command(program)
	c.Env = append(os.Environ(), asCommand+"=1", "TMPDIR="+folder)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Skip(err)
	}
	var dir string
	if _, err := fmt.Fscan(out, &dir); err != nil || filepath.Dir(dir) != folder {
		t.Errorf("%q is not in %s: %v", dir, folder, err)
	}
	c.Process.Signal(syscall.SIGTERM)
	c.Wait()
	if how, ok := c.ProcessState.Sys().(syscall.WaitStatus); !ok || how.Signal() != syscall.SIGTERM {
		t.Errorf("%v, want the end by the signal behind the removal", c.ProcessState)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left in the folder for temporary files: %v, %v", left, err)
	}
}

// TestNoFolder: a folder that cannot be made is an error.
func TestNoFolder(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "absent"))
	if dir, remove, err := Folder("ending"); !errors.Is(err, os.ErrNotExist) || dir != "" || remove != nil {
		t.Errorf("folder %q, removal %t: %v", dir, remove != nil, err)
	}
}

// TestContext: the context ends once it is stopped.
func TestContext(t *testing.T) {
	ctx, stop := Context()
	if err := ctx.Err(); err != nil {
		t.Fatal(err)
	}
	if stop(); ctx.Err() != context.Canceled {
		t.Error(ctx.Err())
	}
}
