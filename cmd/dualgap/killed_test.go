//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/file"
	"github.com/dualgap/dualgap/internal/file/filetest"
)

// killable are commands that write the files "out..." of a folder, and how they are told to go on.
type killable struct {
	args  string // of the command; OUT/ is the folder
	state string // in the folder; "": the command has none, and begins anew
}

// killables are trainings of every family, with the default of workers but for one, with states by flags and by
// default, searches, and all else that writes files.
func killables(t *testing.T) (all []killable) {
	t.Helper()
	digits, radar, topics, numbers, dir := digits(t), radar(t), topics(t), pairs(t), t.TempDir()
	model, old := filepath.Join(dir, "model.dg"), filepath.Join(dir, "old.dg")
	vectors := filepath.Join(dir, "x.npy")
	must(t, "train", "topk", "-q", digits, model)
	must(t, "convert", "--labels-to", filepath.Join(dir, "y.npy"), digits, vectors)
	must(t, "index", "build", "-q", "--max-rows", "300", vectors, old)
	for _, args := range []string{
		"topk -c 1e-3 " + digits, "topk -t gaussian -g .001 -e 1e-4 --float64 " + digits,
		"topk -c 1e-3 --workers 3 --seed 7 --calibrate temperature " + digits,
		"topk -c 1e-2 --codes 8 --scale minmax " + digits,
		"m3l -t gaussian -c 10 -e .1 " + topics, "m3l --prior correlations -e 1e-4 " + topics, "m3l " + digits,
		"svm -e 1e-5 " + radar, "svm -t gaussian -c 10 " + radar, "regress -e 1e-5 " + numbers,
		"toprank -t gaussian --positive g -e .01 " + radar, "toprank -e 1e-5 --positive g --float64 " + radar,
		"tracenorm -e .01 " + digits, "l1 -e 1e-6 --float64 " + digits, "l1 --loss logistic " + radar,
		"mkl -e 1e-3 --kernels gaussian:.1,linear -c 10 " + radar,
		"topk -cv 3 --grid-c 1e-4,1e-3 " + digits, "svm -cv 3 --grid-c .1,1 " + radar,
		"l1 -cv 3 --grid-c .1,1 " + radar,
	} {
		all = append(all, killable{"train " + args + " OUT/out.dg --force --every 1ns --checkpoint OUT/state",
			"state"},
			killable{"train " + args + " OUT/out.dg --force --every 1ms", "out.dg.state"})
	}
	return append(all,
		killable{"train topk -v 3 --every 1ns --checkpoint OUT/state " + digits, "state"},
		killable{"train mkl -v 3 --kernels gaussian:.1,linear --every 1ns --checkpoint OUT/state " + radar, "state"},
		killable{"convert --force " + digits + " OUT/out.csv", ""},
		killable{"convert --force " + digits + " OUT/out.npy", ""},
		killable{"convert --force " + model + " OUT/out.onnx", ""},
		killable{"convert --force " + model + " OUT/out.safetensors", ""},
		killable{"convert --force " + model + " OUT/out.txt", ""},
		killable{"predict --force " + digits + " " + model + " OUT/out", ""},
		killable{"evaluate --force --positive 3 --curve OUT/out.csv --html OUT/out.html " + digits + " " + model, ""},
		killable{"calibrate --force " + digits + " " + model + " OUT/out.dg", ""},
		killable{"sample --force digits OUT/out.svm OUT/out-test.svm", ""},
		killable{"index build --force " + vectors + " OUT/out.dg", ""},
		killable{"index build --force --codes pq " + vectors + " OUT/out.dg", ""},
		killable{"index build --force --add " + old + " " + vectors + " OUT/out.dg", ""},
		killable{"index search --force " + old + " " + vectors + " OUT/out", ""},
	)
}

// pairs is a LIBSVM file of numbers that are to be predicted.
func pairs(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		x, y := rng.Float64(), rng.Float64()
		fmt.Fprintf(&b, "%.3f 1:%.4f 2:%.4f\n", 2*x-y+.1*rng.Float64(), x, y)
	}
	return text(t, "pairs.svm", b.String())
}

// TestKilled: killed at random moments, again and again, and told each time to go on where there is a state, a command
// ends with the bytes, and the words, of one that nobody has killed. All the time its files are the old ones or the new
// ones, and in the end there are no others.
func TestKilled(t *testing.T) {
	all := killables(t)
	k := filetest.NewKiller(t, filetest.Kills(t, 5))
	for k.More() && !t.Failed() {
		for _, at := range rand.Perm(len(all)) {
			if all[at].try(t, k); !k.More() || t.Failed() {
				break
			}
		}
	}
	t.Logf("%d killed", k.Done())
}

// in returns the command's words with its folder.
func (c killable) in(dir string) []string {
	return strings.Fields(strings.ReplaceAll(c.args, "OUT", dir))
}

// try runs the command until it comes to its end, once without a kill, then with some.
func (c killable) try(t *testing.T, k *filetest.Killer) {
	t.Helper()
	whole, dir := t.TempDir(), t.TempDir()
	want := untold(k.Whole(asProcess(t, c.in(whole)...)), whole)
	outputs, err := filepath.Glob(filepath.Join(whole, "out*"))
	if err != nil {
		t.Fatal(err)
	}
	old := []byte("old file\n")
	for _, path := range outputs {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), old, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for goesOn := true; goesOn; {
		args := c.in(dir)
		if c.state != "" && exists(filepath.Join(dir, c.state)) {
			args = append(args, "--resume")
		}
		var got string
		goesOn, got = k.Run(asProcess(t, args...))
		for _, path := range outputs {
			is, err := os.ReadFile(filepath.Join(dir, filepath.Base(path)))
			wants, wrong := os.ReadFile(path)
			if err != nil || wrong != nil || !bytes.Equal(is, wants) && (!goesOn || !bytes.Equal(is, old)) {
				t.Fatalf("%s: %s, %d bytes, is neither the old one nor the one that was not killed (%v, %v)", c.args,
					path, len(is), err, wrong)
			}
		}
		if got = untold(got, dir); !goesOn && got != want {
			t.Errorf("%s: prints\n%s\nwant\n%s", c.args, got, want)
		}
	}
	if left := others(t, dir, append(outputs, "state")); file.Sweeps && len(left) > 0 {
		t.Errorf("%s: left %v", c.args, left)
	}
}

// untold returns what a command prints, without times and the name of its folder.
func untold(s, dir string) string {
	s = strings.ReplaceAll(s, dir, "OUT")
	return regexp.MustCompile(`(, |in |: )[0-9][^, ]*s( each.*)?\n`).ReplaceAllString(s, "\n")
}

// others returns the files in a folder that have none of these names.
func others(t *testing.T, dir string, names []string) (left []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if !slices.ContainsFunc(names, func(name string) bool { return filepath.Base(name) == f.Name() }) {
			left = append(left, f.Name())
		}
	}
	return left
}

// asProcess returns the command as a process of its own.
func asProcess(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Skip("no path of the test: ", err)
	}
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), asCommand+"=1")
	return c
}
