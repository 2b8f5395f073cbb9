package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// tests compiles mutants and runs the tests of packages on them.
type tests struct {
	dir  string // for files, without others
	cpu  int    // seconds of CPU time for a package
	flag string // the overlay of all mutants inside functions

	mutex sync.Mutex
	of    map[string]*binaries // by the package's path
}

func newTests(dir string, cpu int) *tests {
	return &tests{dir: dir, cpu: cpu, of: map[string]*binaries{}}
}

// binaries are the tests of a package, compiled when they are first asked for.
type binaries struct {
	together sync.Once // with all switches
	path     string
	touchy   []string // the tests that the switches make fail, be no mutant chosen
	err      error

	pristine sync.Once // without mutants
	unsound  error     // if a test fails there
}

// compile leaves out the mutants that do not compile.
func (t *tests) compile(mutants []*mutant) (left []*mutant, err error) {
	for _, m := range mutants {
		if !m.inside {
			flag, err := alone(t.alone(m), m)
			if err != nil {
				return nil, err
			}
			if exec.Command("go", "build", "-o="+os.DevNull, flag, m.in.ImportPath).Run() != nil {
				continue
			}
		}
		left = append(left, m)
	}
	for {
		if t.flag, err = together(filepath.Join(t.dir, "together"), left); err != nil {
			return nil, err
		}
		build := []string{"build", "-o=" + os.DevNull, t.flag}
		for _, m := range left {
			build = append(build, m.in.ImportPath)
		}
		out, err := exec.Command("go", build...).CombinedOutput()
		if err == nil {
			return left, nil
		}
		wrong := regexp.MustCompile(`\bmutant(\d+)\.go:`).FindAllSubmatch(out, -1)
		if wrong == nil {
			return nil, fmt.Errorf("%w\n%s", err, out)
		}
		left = slices.DeleteFunc(left, func(m *mutant) bool {
			return slices.ContainsFunc(wrong, func(w [][]byte) bool { return string(w[1]) == strconv.Itoa(m.id) })
		})
	}
}

// alone is the directory of a mutant that is compiled alone.
func (t *tests) alone(m *mutant) string { return filepath.Join(t.dir, strconv.Itoa(m.id)) }

// judge runs the tests of a package on a mutant and says which failed, or how they ended; "" if they passed. The tests
// that the switches make fail see the mutant alone, as all do where it is outside functions.
func (t *tests) judge(m *mutant, p *pkg) (by string, err error) {
	b := t.binaries(p)
	which := "" // all
	if m.inside {
		b.together.Do(func() { t.prepare(b, p) })
		if b.err != nil {
			return "", b.err
		}
		by, _ := t.run(b.path, p, m.id, "-test.failfast", "-test.skip="+any(b.touchy))
		if by != "" || len(b.touchy) == 0 {
			return by, nil
		}
		which = any(b.touchy)
	}
	flag, err := alone(t.alone(m), m)
	if err != nil {
		return "", err
	}
	path := filepath.Join(t.alone(m), "test")
	if out, err := link(p, path, flag); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	if by, _ = t.run(path, p, 0, "-test.failfast", "-test.run="+which); by == "" {
		return "", nil
	}
	b.pristine.Do(func() { b.unsound = t.sound(p) })
	return by, b.unsound
}

func (t *tests) binaries(p *pkg) *binaries {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.of[p.ImportPath] == nil {
		t.of[p.ImportPath] = &binaries{path: filepath.Join(t.dir, fmt.Sprintf("%d.test", len(t.of)))}
	}
	return t.of[p.ImportPath]
}

// prepare compiles a package's tests with all switches and finds those that fail where no mutant is chosen.
func (t *tests) prepare(b *binaries, p *pkg) {
	if out, err := link(p, b.path, t.flag); err != nil {
		b.err = fmt.Errorf("%w\n%s", err, out)
		return
	}
	for {
		how, failed := t.run(b.path, p, 0, "-test.skip="+any(b.touchy))
		if how == "" {
			return
		}
		if failed == nil {
			b.err = fmt.Errorf("tests of %s without a mutant: %s", p.ImportPath, how)
			return
		}
		b.touchy = append(b.touchy, failed...)
	}
}

// sound is an error if a package's tests fail where nothing is changed: then they tell nothing of a mutant.
func (t *tests) sound(p *pkg) error {
	dir, err := os.MkdirTemp(t.dir, "pristine")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "test")
	if out, err := link(p, path); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	if how, _ := t.run(path, p, 0); how != "" {
		return fmt.Errorf("%s of %s fails without a mutant", how, p.ImportPath)
	}
	return nil
}

// link compiles a package's tests.
func link(p *pkg, path string, flags ...string) ([]byte, error) {
	flags = slices.Concat([]string{"test", "-c", "-vet=off", "-o", path}, flags, []string{p.ImportPath})
	return exec.Command("go", flags...).CombinedOutput()
}

// run runs a package's tests with flags, where the mutant with the id runs, or none. It says how they ended, "" if they
// passed, and which failed.
func (t *tests) run(path string, p *pkg, id int, flags ...string) (how string, failed []string) {
	dir, err := os.MkdirTemp(t.dir, "run")
	if err != nil {
		return err.Error(), nil
	}
	defer os.RemoveAll(dir)
	limits := `ulimit -t "$0" && ulimit -v 16000000 && exec "$@"`
	limited := []string{"-c", limits, strconv.Itoa(t.cpu), path, "-test.short", "-test.timeout=10m"}
	cmd := exec.Command("sh", slices.Concat(limited, flags)...)
	cmd.Dir, cmd.Env = p.Dir, append(os.Environ(), "TMPDIR="+dir, fmt.Sprintf("%s=%d", variable, id))
	out, err := cmd.CombinedOutput()
	if err == nil {
		return "", nil
	}
	for _, f := range regexp.MustCompile(`(?m)^--- FAIL: (\S+)`).FindAllSubmatch(out, -1) {
		failed = append(failed, string(f[1]))
	}
	if failed == nil {
		return err.Error(), nil
	}
	return failed[0], failed
}

// any is a pattern of just these tests.
func any(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }
