package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// tests runs the tests of packages on mutants.
type tests struct {
	cpu  int // seconds of CPU time for a package
	skip string
}

// A verdict is what became of a mutant.
type verdict struct {
	compiled bool
	by       string // the package and the test that failed; "" if none
}

// run compiles and runs the tests of the mutant's judges until one fails.
func (t *tests) run(m mutant) (v verdict, err error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return verdict{}, err
	}
	defer os.RemoveAll(dir)
	overlay, err := t.overlay(dir, m.site)
	if err != nil {
		return verdict{}, err
	}
	binary := filepath.Join(dir, "test")
	for _, p := range m.judges {
		cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, p.ImportPath)
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			if !v.compiled && regexp.MustCompile(`(?m)^.*\.go:\d+`).Match(out) {
				return verdict{}, nil
			}
			return v, errors.New(string(out))
		} else if err != nil {
			return v, err
		}
		v.compiled = true
		if by := t.judge(dir, binary, p); by != "" {
			v.by = p.ImportPath + " " + by
			return v, nil
		}
	}
	return v, nil
}

// overlay writes the mutant's file and what tells the go command of it.
func (t *tests) overlay(dir string, s site) (string, error) {
	source, err := os.ReadFile(s.file)
	if err != nil {
		return "", err
	}
	whole, err := filepath.Abs(s.file)
	if err != nil {
		return "", err
	}
	changed, path := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {whole: changed}})
	if err != nil {
		return "", err
	}
	return path, errors.Join(os.WriteFile(changed, s.apply(source), 0o600), os.WriteFile(path, text, 0o600))
}

// judge runs a package's tests and says which failed, or how they ended; "" if they passed.
func (t *tests) judge(dir, binary string, p *pkg) string {
	cmd := exec.Command("sh", "-c", `ulimit -t "$0" && ulimit -v 16000000 && exec "$@"`, strconv.Itoa(t.cpu), binary, "-test.short",
		"-test.failfast", "-test.skip="+t.skip)
	cmd.Dir, cmd.Env = p.Dir, append(os.Environ(), "TMPDIR="+dir)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return ""
	}
	if found := regexp.MustCompile(`--- FAIL: (\S+)`).FindSubmatch(out); found != nil {
		return string(found[1])
	}
	return err.Error()
}
