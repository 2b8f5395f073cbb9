//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asCommand is set where a test has started this program as the command.
const asCommand = "DUALGAP_TEST_AS_BENCH"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestSignal: Ctrl-C, the system's wish and the end of the terminal, once or again and again, end the command while
// another library's program runs, and its temporary folder is removed.
func TestSignal(t *testing.T) {
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) {
			t.Logf("%v is ignored here, as under nohup", s)
			continue
		}
		for _, again := range []bool{false, true} {
			c, stderr, folder := rival(t)
			if err := c.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			for again && c.Process.Signal(s) == nil { // until c.Wait, in rival, knows that it has ended
				time.Sleep(10 * time.Microsecond)
			}
			<-stderr.done
			told := strings.Contains(stderr.String(), "interrupted")
			if code := c.ProcessState.ExitCode(); !again && (code != 1 || !told) {
				t.Errorf("%v: %v, %s, want exit code 1 and a word of it", s, c.ProcessState, stderr)
			}
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("%v, again %t: left in the folder for temporary files: %v, %v", s, again, left, err)
			}
		}
	}
}

// ended is what a command writes, all there is once done is closed.
type ended struct {
	bytes.Buffer
	done chan struct{}
}

// rival starts the command, and returns when it has started svm-train, a script that sleeps, in the place of LIBSVM.
// Temporary files go to folder.
func rival(t *testing.T) (c *exec.Cmd, stderr *ended, folder string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Skip("no path of the test: ", err)
	}
	programs, stderr := t.TempDir(), &ended{done: make(chan struct{})}
	folder = t.TempDir()
	started := filepath.Join(programs, "started")
	script := "#!/bin/sh\n: > " + started + "\nPATH='" + os.Getenv("PATH") + "'\nexec sleep 120\n"
	if err := os.WriteFile(filepath.Join(programs, "svm-train"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	c = exec.Command(program, "paper", "m3l", "-only", "table1", "-n", "20")
	c.Env = append(os.Environ(), asCommand+"=1", "PATH="+programs, "TMPDIR="+folder, "DUALGAP_DATA=")
	c.Stderr = stderr
	if err := c.Start(); err != nil {
		t.Skip(err)
	}
	go func() {
		defer close(stderr.done)
		c.Wait()
	}()
	t.Cleanup(func() { c.Process.Kill(); <-stderr.done })
	for begin := time.Now(); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(started); err == nil {
			break
		} else if !errors.Is(err, os.ErrNotExist) || time.Since(begin) > 2*time.Minute {
			t.Fatalf("the program has not started: %v", err)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Fatalf("temporary files are %v, want a folder: %v", left, err)
	}
	return c, stderr, folder
}
