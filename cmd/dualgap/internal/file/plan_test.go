package file

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// letters are files of one letter.
func letters(letter string) Kind {
	return Kind{"a file of " + letter, func(head []byte) bool { return len(bytes.Trim(head, letter)) == 0 }}
}

// TestPlan: what is told of names and contents before anything is written; scripts of the command have what comes of
// it.
func TestPlan(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"data": "d", "a": "aaa", "b": "bbb", "empty": ""} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Mkdir("folder", 0o777), os.Symlink("folder", "way"), os.Symlink("data", "link"),
		os.Link("data", "hard")); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		first, second string
		force         bool
		want          string
	}{
		{"new", "", false, ""}, {"a", "", false, ""}, {"empty", "", false, ""}, {"-", "-", false, ""},
		{os.DevNull, os.DevNull, false, ""},
		{"new", "newer", false, ""}, {"a", "new", false, ""}, {"folder/new", "new", false, ""},
		{"b", "", false, "the first b: there is a file that is not a file of a"}, {"b", "", true, ""},
		{"new", "a", false, "the second a: there is a file that is not a file of b"}, {"new", "b", false, ""},
		{"data", "", true, "the first data is the same file as the data data"},
		{"link", "", true, "the same file as the data"},
		{"hard", "", true, "the same file as the data"}, {"./folder/../data", "", true, "the same file as the data"},
		{"way/../data", "", true, "the same file as the data"},
		{"new", "way/../link", true, "the second way/../link is the same file as the data data"},
		{"new", "./new", true, "the first new is the same file as the second ./new"},
		{"folder/new", "way/new", true, "the same file as the second way/new"},
		{"a", "folder/../a", true, "the same file as the second"}, {"folder", "", false, "is a folder"},
	} {
		plan := Plan{Force: c.force}
		plan.Reads("the data", "data", "", "-")
		plan.Writes("the first", c.first, letters("a"))
		plan.Writes("the second", c.second, letters("b"))
		err := plan.Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s and %s, force %t: %v, want %q", c.first, c.second, c.force, err, c.want)
		}
	}
	check(t, "data", "d")
}

// TestPlanAgain: a file that has come since the check is not replaced, nor is one that the output has become a link to;
// what an output itself has written is.
func TestPlanAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	plan := Plan{}
	plan.Reads("the data", "data")
	out := plan.Writes("the output", "out", letters("a"))
	if err := plan.Check(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := out.Write(writing("aaa")); err != nil {
			t.Fatal(err)
		}
	}
	var clash *Clash
	late := func(come func() error) {
		t.Helper()
		err := out.Write(func(w io.Writer) error {
			if err := errors.Join(os.Remove("out"), come()); err != nil {
				t.Fatal(err)
			}
			return writing("aaa")(w)
		})
		if !errors.As(err, &clash) {
			t.Errorf("%v, want a clash", err)
		}
	}
	late(func() error { return os.WriteFile("out", []byte("mine"), 0o666) })
	check(t, "out", "mine")
	late(func() error { return errors.Join(os.WriteFile("data", []byte("aaaa"), 0o666), os.Link("data", "out")) })
	check(t, "data", "aaaa")
	if left, _ := filepath.Glob(".*.tmp"); left != nil {
		t.Errorf("left %v", left)
	}
}
