//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/dualgap/dualgap/internal/file/filetest"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// TestRefused: where the system refuses the files of a command, it ends with an exit code that is not 0 and an error
// that names one of them and the cause; the old files are whole, there are no others, and a model that was trained is
// saved elsewhere.
func TestRefused(t *testing.T) {
	if !filetest.Alone(t) {
		return
	}
	t.Setenv("TMPDIR", t.TempDir())
	all, saved := killables(t), 0
	all = append(all, killable{"train topk --force " + digits(t) + " OUT/out.dg", ""})
	long := os.Getenv(filetest.Variable) != ""
	for at, c := range all {
		if c.state != "" && (!long && at%9 > 0 || !strings.Contains(c.args, "out")) {
			continue // trainings differ little in what they write
		}
		whole := t.TempDir()
		must(t, c.in(whole)...)
		for k, r := range filetest.Refusals {
			if (long || at == len(all)-1 || (at+k)%4 == 0) && c.refused(t, r, whole) {
				saved++
			}
		}
	}
	if saved == 0 {
		t.Error("no model was saved elsewhere")
	}
}

// refused tries a command where its files are refused, and reports whether a model was saved elsewhere.
func (c killable) refused(t *testing.T, r filetest.Refusal, whole string) (saved bool) {
	t.Helper()
	files := others(t, whole, nil)
	dir := r.Make(t, files)
	code, _, stderr := command(t, c.in(dir)...)
	if code == 0 && r.Cause == syscall.ENOSPC && r.Name != "a full disk" { // little was written
		return false
	}
	if code == 0 || !strings.Contains(stderr, r.Cause.Error()) || !strings.Contains(stderr, dir) ||
		strings.Contains(stderr, ".tmp:") {
		t.Errorf("%s, %s: exit code %d: %s", c.args, r.Name, code, stderr)
	}
	if r.Cause != syscall.ENOENT && r.Cause != syscall.ENOTDIR {
		c.unharmed(t, r, dir, whole, files)
	}
	found := regexp.MustCompile(`the model is in (\S+) instead`).FindStringSubmatch(stderr)
	switch {
	case found == nil:
		return false
	case c.state == "": // else the training may have ended since its state could not be saved
		same(t, found[1], filepath.Join(whole, "out.dg"))
	}
	if _, err := predictor.Open(found[1]); err != nil {
		t.Errorf("%s, %s: %v", c.args, r.Name, err)
	}
	return true
}

// unharmed fails unless the files in a folder are the old ones, or those that the command writes, and there are no
// others but a state: what fits on the disk may be written, and what is trained may have ended early.
func (c killable) unharmed(t *testing.T, r filetest.Refusal, dir, whole string, files []string) {
	t.Helper()
	for _, name := range others(t, dir, nil) {
		path := filepath.Join(dir, name)
		is, err := os.ReadFile(path)
		wants, _ := os.ReadFile(filepath.Join(whole, name))
		switch {
		case strings.HasPrefix(name, "ballast"):
		case err != nil || !slices.Contains(files, name) && name != "out.dg.state":
			t.Errorf("%s, %s: left %s (%v)", c.args, r.Name, name, err)
		case string(is) == filetest.Old || bytes.Equal(is, wants):
		case c.state == "":
			t.Errorf("%s, %s: %s has %d bytes", c.args, r.Name, name, len(is))
		default:
			if code, _, stderr := command(t, "inspect", path); code != 0 {
				t.Errorf("%s, %s: %s", c.args, r.Name, stderr)
			}
		}
	}
}

// TestStdoutRefused: where standard output takes nothing a command ends with an exit code that is not 0, and says why.
func TestStdoutRefused(t *testing.T) {
	digits, dir := digits(t), t.TempDir()
	model, index, vectors := filepath.Join(dir, "m.dg"), filepath.Join(dir, "i.dg"), filepath.Join(dir, "x.npy")
	must(t, "train", "topk", "-q", digits, model)
	must(t, "convert", "--labels-to", filepath.Join(dir, "y.npy"), digits, vectors)
	must(t, "index", "build", "-q", "--max-rows", "300", vectors, index)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	was := os.Stdout
	defer func() { os.Stdout = was }()
	os.Stdout = full
	for _, args := range []string{
		"predict " + digits + " " + model, "predict --json " + digits + " " + model,
		"evaluate " + digits + " " + model, "evaluate --json " + digits + " " + model,
		"evaluate --per-class " + digits + " " + model, "evaluate --confusion " + digits + " " + model,
		"inspect " + model, "inspect " + digits, "inspect " + index, "inspect --json " + model,
		"index search " + index + " " + vectors, "index inspect " + index,
		"convert " + digits + " -", "convert --to liblinear " + model + " -", "convert --to onnx " + model + " -",
		"calibrate " + digits + " " + model + " -", "sample digits -",
		"train topk " + digits + " -", "train topk -v 3 " + digits, "train topk -cv 2 " + digits + " " + model,
		"sample", "man", "completion bash",
	} {
		var stderr strings.Builder
		code := run(t.Context(), strings.Fields(args), full, &stderr)
		if code == 0 || !strings.Contains(stderr.String(), syscall.ENOSPC.Error()) {
			t.Errorf("%s: exit code %d: %s", args, code, &stderr)
		}
	}
}

// TestPipeOfNobody: a command whose output nobody reads ends with an exit code that is not 0, or by the signal.
func TestPipeOfNobody(t *testing.T) {
	digits, model := digits(t), filepath.Join(t.TempDir(), "m.dg")
	must(t, "train", "topk", "-q", digits, model)
	for _, args := range []string{"predict " + digits + " " + model, "evaluate " + digits + " " + model,
		"convert " + digits + " -", "convert --to onnx " + model + " -", "inspect " + model} {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Skip(err)
		}
		c := asProcess(t, strings.Fields(args)...)
		c.Stdout = writer
		reader.Close()
		err = c.Run()
		writer.Close()
		if _, is := err.(*exec.ExitError); !is {
			t.Errorf("%s: %v", args, err)
		}
	}
}
