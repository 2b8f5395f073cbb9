//go:build unix

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// start runs the command in a process of its own.
func start(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Skip("no path of the test: ", err)
	}
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), asCommand+"=1")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, &stderr
}

// TestKilled: killed at any moment, while it saves states one after the other and in the end a model, the command
// leaves whole files, the old ones or the new ones.
func TestKilled(t *testing.T) {
	digits, dir := digits(t), t.TempDir()
	model, state := filepath.Join(dir, "model.dg"), filepath.Join(dir, "state")
	// Of two trainings in turn the model of the second differs from the model of the first.
	args := func(turn int) []string {
		return []string{"train", "topk", "-c", []string{"1e-3", "2e-3"}[turn%2], "--every", "1ns", "--checkpoint",
			state, "-q", digits, model}
	}
	begin := time.Now()
	must(t, args(0)...)
	whole := time.Since(begin)
	rng := rand.New(rand.NewPCG(uint64(begin.UnixNano()), 0))
	turns, killed := 24, 0
	if testing.Short() {
		turns = 4
	}
	// a loaded machine may be late with the first ones
	for turn := 0; turn < turns || killed == 0 && turn < 20*turns; turn++ {
		c, stderr := start(t, args(turn)...)
		wait := time.AfterFunc(time.Duration(rng.Float64()*1.2*float64(whole)), func() { c.Process.Kill() })
		err := c.Wait()
		wait.Stop()
		if c.ProcessState.ExitCode() < 0 {
			killed++
		} else if err != nil {
			t.Fatal(err, stderr)
		}
		if _, err := predictor.Open(model); err != nil {
			t.Fatalf("turn %d: %v", turn, err)
		}
		// The state is of one of the two trainings, and whole.
		codes := [2]int{}
		for p := range codes {
			words := append(args(p), "--resume", "--epochs=1", "--every=1h") // it has had that many
			words[slices.Index(words, model)] = filepath.Join(dir, "other.dg")
			codes[p], _, _ = command(t, words...)
		}
		if codes[0] == 1 && codes[1] == 1 {
			t.Fatalf("turn %d: the state is good for nothing: exit codes %d", turn, codes)
		}
	}
	if killed == 0 {
		t.Errorf("none of %d was killed", turns)
	}
}
