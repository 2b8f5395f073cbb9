package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// equal reports whether two files have the same bytes.
func equal(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(x, y)
}

func same(t *testing.T, a, b string) {
	t.Helper()
	if !equal(t, a, b) {
		t.Errorf("%s and %s differ", a, b)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestEpochLimit: a training that runs out of passes saves the model and the state, says so with exit code 3, and goes
// on to the bits of one that never stopped. The state is gone then.
func TestEpochLimit(t *testing.T) {
	digits, radar, topics := digits(t), radar(t), topics(t)
	for args, file := range map[string]string{
		"topk -e 1e-4": digits, "topk -t gaussian -g .001 -e 1e-4 --float64": digits,
		"m3l --prior correlations -e 1e-4":       topics,
		"toprank -e 1e-5 --positive g --float64": radar, "tracenorm -e 1e-4": digits,
		"l1 -e 1e-9 --float64": digits,
		"mkl -e 1e-4 --float64 --kernels gaussian:.1,linear -c 10": radar,
	} {
		dir := t.TempDir()
		whole, parts := filepath.Join(dir, "whole.dg"), filepath.Join(dir, "parts.dg")
		words := append([]string{"train"}, strings.Fields(args)...)
		must(t, append(words, file, whole)...)
		code, stdout, stderr := command(t, append(words, "--epochs", "2", file, parts)...)
		if code != 3 || !strings.Contains(stdout, "\nepoch limit after ") {
			t.Errorf("%s: exit code %d, want 3: %s%s", args, code, stdout, stderr)
			continue
		}
		_, again, ok := strings.Cut(strings.TrimSpace(stderr), "to go on: dualgap ")
		if !ok || !strings.HasSuffix(again, "--resume --epochs=4") || strings.Contains(again, "--epochs 2") {
			t.Errorf("%s: %s", args, stderr)
		}
		if _, err := predictor.Open(parts); err != nil || !exists(parts+".state") {
			t.Errorf("%s: model %v, state %t", args, err, exists(parts+".state"))
		}
		if code, _, _ := command(t, append(words, "--resume", "--seed", "7", file, parts)...); code != 1 {
			t.Errorf("%s: exit code %d with another seed, want 1", args, code)
		}
		must(t, append(strings.Fields(again), "--epochs=10000")...)
		if exists(parts + ".state") {
			t.Errorf("%s: the state is still there", args)
		}
		if !equal(t, whole, parts) {
			t.Errorf("%s: other bits than a training that never stopped", args)
		}
	}
}

// TestCheckpoints: from the last of the states that are saved again and again training goes on to the same bits.
func TestCheckpoints(t *testing.T) {
	digits, radar, topics := digits(t), radar(t), topics(t)
	for args, file := range map[string]string{
		"topk -c 1e-3": digits, "m3l -t gaussian -c 10 -e .1": topics, "toprank -t gaussian --positive g -e .01": radar,
		"tracenorm -e .1": digits, "l1 -e 1e-3": digits,
		"mkl -e .01 --kernels gaussian:.1,linear -c 10": radar,
	} {
		dir := t.TempDir()
		whole, again, state := filepath.Join(dir, "whole.dg"), filepath.Join(dir, "again.dg"),
			filepath.Join(dir, "state")
		words := append([]string{"train"}, strings.Fields(args)...)
		must(t, append(words, "--every", "1ns", "--checkpoint", state, file, whole)...)
		must(t, append(words, "--resume", "--checkpoint", state, file, again)...)
		if !equal(t, whole, again) {
			t.Errorf("%s: other bits than a training that never stopped", args)
		}
	}
}

// TestInterrupt: a training that is interrupted saves what there is, with exit code 130, and goes on to the same bits.
func TestInterrupt(t *testing.T) {
	digits, dir := digits(t), t.TempDir()
	whole, parts, state := filepath.Join(dir, "whole.dg"), filepath.Join(dir, "parts.dg"), filepath.Join(dir, "state")
	args := []string{"train", "topk", "-e", "1e-5", "--float64", digits}
	must(t, append(args, whole)...)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx, append(args, parts, "--checkpoint", state), &stdout, &stderr)
	if code != 130 || !strings.Contains(stderr.String(), "interrupted; the model so far is in "+parts+", the state in "+
		state) {
		t.Fatalf("exit code %d: %s%s", code, &stdout, &stderr)
	}
	if _, err := predictor.Open(parts); err != nil {
		t.Error(err)
	}
	must(t, append(args, parts, "--checkpoint", state, "-resume")...)
	same(t, whole, parts)
	if !exists(state) {
		t.Error("a checkpoint that was asked for is gone")
	}
	for _, flags := range [][]string{{"-v", "3"}, {"-cv", "3", filepath.Join(dir, "none.dg")}} {
		code := run(ctx, append(args, flags...), &stdout, &stderr)
		if code != 130 || exists(filepath.Join(dir, "none.dg")) {
			t.Errorf("%s: exit code %d, model %t", flags, code, exists(filepath.Join(dir, "none.dg")))
		}
	}
}

// TestUnsaved: an interruption whose state could not be saved says so, and names no state to go on from.
func TestUnsaved(t *testing.T) {
	full := errors.New("disk full")
	training, err := &Training{Model: "m.dg"}, errors.Join(context.Canceled, unsaved{full})
	err = training.ending(&output{}, solvers.Outcome{Status: solvers.Canceled}, err)
	if codeOf(err) != interrupted || !errors.Is(err, full) || strings.Contains(err.Error(), "m.dg.state") {
		t.Error(codeOf(err), err)
	}
}
