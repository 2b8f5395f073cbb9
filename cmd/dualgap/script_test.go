package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestScript runs the command, as it is built, through the cases of testdata/script: each with its exit code, a part of
// what it says, and the files that it writes; all others are as they were, byte for byte. A case is
//
//	$ train topk d.svm d.svm        arguments, in a folder with the files of scriptFiles
//	2 the same file as the data     exit code, and a part of the messages; lines of " part" name further ones
//	+ m.dg                          a file that is new
//	~ p.txt                         a file that is replaced
//
// With -short it runs a third of the cases of each script.
func TestScript(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txt")
	if err != nil || len(scripts) == 0 {
		t.Fatal(scripts, err)
	}
	var cases []*scriptCase
	for _, script := range scripts {
		cases = append(cases, readScript(t, script)...)
	}
	program, files := built(t), scriptFiles(t)
	dir := ""
	for i, c := range cases {
		if testing.Short() && i%3 != 0 {
			continue
		}
		if dir == "" {
			dir = t.TempDir()
			lay(t, dir, files)
		}
		if c.run(t, program, dir, files); t.Failed() || len(c.fresh) > 0 || len(c.replaced) > 0 {
			dir = ""
		}
	}
}

// built returns the command, built, or this test as the command where there is nothing to build with.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "dualgap.exe")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err == nil {
		return program
	} else if !errors.Is(err, exec.ErrNotFound) && len(out) > 0 {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	program, err := os.Executable()
	if err != nil {
		t.Skip("no path of the test: ", err)
	}
	return program
}

// scriptCase is a case of a script.
type scriptCase struct {
	at              string // script:line
	args            []string
	code            int
	parts           []string
	fresh, replaced map[string]bool // files
}

func readScript(t *testing.T, path string) (cases []*scriptCase) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c *scriptCase
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		at := filepath.Base(path) + ":" + strconv.Itoa(i+1)
		rest := ""
		if len(line) > 1 {
			rest = line[2:]
		}
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '$':
			c = &scriptCase{at: at, args: quoted(rest), code: -1, fresh: map[string]bool{}, replaced: map[string]bool{}}
			cases = append(cases, c)
		case line[0] == '+':
			c.fresh[rest] = true
		case line[0] == '~':
			c.replaced[rest] = true
		case line[0] == ' ':
			c.parts = append(c.parts, strings.TrimSpace(line))
		default:
			code, part, _ := strings.Cut(line, " ")
			if c.code, err = strconv.Atoi(code); err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			c.parts = append(c.parts, part)
		}
	}
	return cases
}

// quoted splits words, of which some have blanks in single quotes.
func quoted(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

func (c *scriptCase) run(t *testing.T, program, dir string, files map[string][]byte) {
	t.Helper()
	command := exec.CommandContext(context.Background(), program, c.args...)
	command.Dir = dir
	command.Env = append(os.Environ(), asCommand+"=1")
	out, err := command.CombinedOutput()
	if command.ProcessState == nil {
		t.Fatalf("%s: %v", c.at, err)
	}
	what := c.at + ": " + strings.Join(c.args, " ")
	if code := command.ProcessState.ExitCode(); code != c.code {
		t.Errorf("%s: exit code %d, want %d\n%s", what, code, c.code, out)
	}
	for _, part := range append(c.parts, "") {
		if !bytes.Contains(out, []byte(part)) || bytes.Contains(out, []byte("goroutine ")) {
			t.Errorf("%s: want %q in\n%s", what, part, out)
		}
	}
	c.unharmed(t, what, dir, files)
}

// unharmed compares the folder with what it was.
func (c *scriptCase) unharmed(t *testing.T, what, dir string, files map[string][]byte) {
	t.Helper()
	found := map[string]bool{}
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		found[name] = true
		b, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		was, old := files[name]
		if link, ok := bytes.CutPrefix(was, []byte(linkTo)); ok {
			if to, _ := os.Readlink(path); to != string(link) {
				t.Errorf("%s: the link %s leads to %q", what, name, to)
			}
			return nil
		}
		switch {
		case !old && !c.fresh[name]:
			t.Errorf("%s: wrote %s", what, name)
		case old && bytes.Equal(b, was) == c.replaced[name]:
			t.Errorf("%s: %s replaced: %t, want %t", what, name, !c.replaced[name], c.replaced[name])
		}
		return nil
	})
	for name := range files {
		if !found[name] {
			t.Errorf("%s: %s is gone", what, name)
		}
	}
	for name := range c.fresh {
		if !found[name] {
			t.Errorf("%s: no %s", what, name)
		}
	}
}
