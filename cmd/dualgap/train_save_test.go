package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRescue: where the model cannot be written at the end, as on a full disk, it is in another file, which the message
// names, and the last state stays for --resume.
func TestRescue(t *testing.T) {
	const full = "/dev/full" // each write to it fails as on a full disk
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	for family, flags := range map[string]string{"topk": "", "m3l": "",
		"oneclass": "-t gaussian", "toprank": "--positive 3", "tracenorm": "",
		"l1": "", "mkl": "", "topk again": "-cv 2 --grid-c .1,1"} {
		dir, data := t.TempDir(), digits(t)
		t.Setenv("TMPDIR", dir)
		state := filepath.Join(t.TempDir(), "state")
		args := append([]string{"train", strings.Fields(family)[0], data, full, "-e", "1e-3", "--checkpoint", state,
			"--every", "1ns"}, strings.Fields(flags)...)
		code, _, stderr := command(t, args...)
		found := regexp.MustCompile(`no space left on device; the model is in (\S+) instead`).FindStringSubmatch(stderr)
		if code != 1 || found == nil || filepath.Dir(found[1]) != dir {
			t.Errorf("%s: code %d, %s", family, code, stderr)
			continue
		}
		must(t, "inspect", found[1])
		if _, err := os.Stat(state); err != nil {
			t.Errorf("%s: %v", family, err)
		}
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if code, _, stderr := command(t, "train", "topk", "-e", ".05", digits(t), full); code != 1 ||
		!strings.Contains(stderr, "the model is lost") {
		t.Errorf("code %d, %s", code, stderr)
	}
}

// TestClosedOutput: that nobody reads the table of a cross-validation does not cost the model.
func TestClosedOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.dg")
	var stderr strings.Builder
	args := []string{"train", "topk", "-e", ".05", "-cv", "2", "--grid-c", ".1,1", digits(t), path}
	if code := run(t.Context(), args, unread{}, &stderr); code != 1 ||
		!strings.Contains(stderr.String(), fs.ErrClosed.Error()) {
		t.Errorf("code %d, %s", code, stderr.String())
	}
	must(t, "inspect", path)
}

// unread is a writer of which nobody reads any more.
type unread struct{}

func (unread) Write([]byte) (int, error) { return 0, fs.ErrClosed }
