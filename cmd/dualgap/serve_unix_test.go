//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestServeSignals: SIGHUP reads the model anew, a broken one changes nothing, and SIGTERM ends the server in peace.
func TestServeSignals(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "model.dg")
	put := func(s string) {
		if err := os.WriteFile(path, []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put(contents(t, weights(t, nil, "a", "b")))
	c := exec.Command(program, "serve", "--listen", "127.0.0.1:0", path)
	c.Env = append(os.Environ(), asCommand+"=1")
	stderr, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	url, lines := served(t, stderr)
	for _, step := range []struct{ model, says, want string }{
		{"broken\n", "no model: it begins with", `"label":"b"`},
		{contents(t, weights(t, nil, "x", "y")), "answers from now on", `"label":"y"`},
		{"", "goes on", `"label":"y"`},
	} {
		if put(step.model); step.model == "" {
			os.Remove(path)
		}
		if err := c.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || !strings.Contains(lines.Text(), step.says) {
			t.Errorf("it says %q, want %q", lines.Text(), step.says)
		}
		if got := post(t, url, "[1,2]"); !strings.Contains(got, step.want) {
			t.Errorf("%s, want %s", got, step.want)
		}
	}
	c.Process.Signal(syscall.SIGTERM)
	for lines.Scan() {
		t.Error(lines.Text())
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}
