//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// endless is a training of digits to a model in dir that saves its state all the time, under way. It takes
// thousands of passes until the hinge's gap, 1e-10, falls no more.
func endless(t *testing.T, dir string, change func(c *exec.Cmd)) (c *exec.Cmd, stderr *bytes.Buffer, model string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Skip("no path of the test: ", err)
	}
	model, stderr = filepath.Join(dir, "model.dg"), new(bytes.Buffer)
	c = exec.Command(program, "train", "topk", "--loss", "topk-hinge", "-e", "1e-15", "-c", "100", "--epochs",
		"1000000", "--float64", "--every", "1ms", digits(t), model)
	c.Env, c.Stderr = append(os.Environ(), asCommand+"=1"), stderr
	change(c)
	if err := c.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	waitFor(t, "state", func() bool { return exists(model + ".state") })
	return c, stderr, model
}

func waitFor(t *testing.T, what string, come func() bool) {
	t.Helper()
	for begin := time.Now(); !come(); time.Sleep(time.Millisecond) {
		if time.Since(begin) > 2*time.Minute {
			t.Fatalf("no %s after two minutes", what)
		}
	}
}

// saved fails unless the training has ended with a model and a state.
func saved(t *testing.T, c *exec.Cmd, model string) {
	t.Helper()
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != interrupted {
		t.Errorf("%v, want exit code %d", c.ProcessState, interrupted)
	}
	if _, err := predictor.Open(model); err != nil || !exists(model+".state") {
		t.Errorf("model %v, state %t", err, exists(model+".state"))
	}
}

// hangupIgnored tells of nohup. Package signal knows no more of it where a test has waited for signals.
var hangupIgnored = signal.Ignored(syscall.SIGHUP)

// TestSignal: Ctrl-C, the end of the terminal and the system's wish end a training with the model and the state.
func TestSignal(t *testing.T) {
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if s == syscall.SIGHUP && hangupIgnored || signal.Ignored(s) {
			t.Logf("%v is ignored here, as under nohup", s)
			continue
		}
		c, stderr, model := endless(t, t.TempDir(), func(*exec.Cmd) {})
		if err := c.Process.Signal(s); err != nil {
			t.Skip(err)
		}
		if s != syscall.SIGINT {
			c.Process.Signal(s) // as a shell does for the system that has done so
		}
		if saved(t, c, model); !strings.Contains(stderr.String(), "to go on: dualgap train topk") {
			t.Errorf("%v: %s", s, stderr)
		}
	}
}

// TestIgnored: under nohup the end of the terminal is none of the training.
func TestIgnored(t *testing.T) {
	c, stderr, model := endless(t, t.TempDir(), func(c *exec.Cmd) {
		c.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`, c.Path}, c.Args[1:]...)
		c.Path = "/bin/sh"
	})
	if err := c.Process.Signal(syscall.SIGHUP); err != nil {
		t.Skip(err)
	}
	was, _ := os.Stat(model + ".state")
	waitFor(t, "later state", func() bool {
		now, err := os.Stat(model + ".state")
		return err == nil && now.ModTime().After(was.ModTime())
	})
	c.Process.Signal(syscall.SIGTERM)
	if saved(t, c, model); strings.Count(stderr.String(), "ending:") != 1 {
		t.Error(stderr)
	}
}

// TestClosedPipe: a training whose messages nobody reads any more goes on, and saves what there is; a prediction ends
// without a word.
func TestClosedPipe(t *testing.T) {
	var ends [2]io.Closer
	c, _, model := endless(t, t.TempDir(), func(c *exec.Cmd) {
		c.Stderr = nil
		out, errOut := c.StdoutPipe()
		err, errErr := c.StderrPipe()
		if ends = [2]io.Closer{out, err}; errOut != nil || errErr != nil {
			t.Skip(errOut, errErr)
		}
	})
	ends[0].Close()
	ends[1].Close()
	c.Process.Signal(syscall.SIGTERM)
	saved(t, c, model)

	data := text(t, "long.svm", strings.Repeat("1 1:1\n", 1<<20))
	p := exec.Command(c.Path, "predict", data, weights(t, nil, "1", "2"))
	var stderr bytes.Buffer
	p.Env, p.Stderr = append(os.Environ(), asCommand+"=1"), &stderr
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Skip(err)
	}
	io.ReadFull(out, make([]byte, 4))
	out.Close()
	if p.Wait(); p.ProcessState.Success() || stderr.Len() > 0 {
		t.Errorf("%v: %s", p.ProcessState, &stderr)
	}
}
