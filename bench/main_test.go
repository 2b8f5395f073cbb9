package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/bench/internal/families"
	"github.com/dualgap/dualgap/bench/internal/results"
)

// command runs the command in an empty folder and returns what it printed.
func command(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	t.Chdir(t.TempDir())
	var o, e bytes.Buffer
	err = run(context.Background(), args, &o, &e)
	return o.String(), e.String(), err
}

// long skips a test that trains many models or measures many kernels, which takes long on emulated CPUs.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out by -short: trains many models or measures many kernels")
	}
}

// Without arguments everything is measured: the results and the page are written, the tables printed.
func TestDefault(t *testing.T) {
	long(t)
	tier := cpu.Level
	stdout, stderr, err := command(t, "-quick", "-tol=0.01", "-k=1,3")
	if err != nil || stderr != "" {
		t.Fatalf("error %v, stderr %q", err, stderr)
	}
	if cpu.Level != tier {
		t.Errorf("tier %v afterwards, was %v", cpu.Level, tier)
	}
	for _, want := range []string{
		`(?m)^tier `, `(?m)^Dot +16 +~?\d`, `(?m)^ +784x100 +~?\d`, `(?m)^TopKSimplex +10, k=3 `,
		`(?m)^top-3 Usunier +~?\d.*\d$`, `(?m)^M3L +~?\d.*\d$`,
		`(?m)^PCA, 4 bits +98 +\d`, `(?m)^gemm 1024 +\d`, `(?m)^mkl +\d`, `(?m)^TopPush +~?\d`, `(?m)^lambda1 = 0\.1 of the largest +~?\d`, `(?m)^p = 1\.05 +~?\d`,
		`Wrote bench-results.txt, bench-report.html`,
	} {
		if !regexp.MustCompile(want).MatchString(stdout) {
			t.Errorf("no line like %s in\n%s", want, stdout)
		}
	}
	for line := range strings.Lines(stdout) {
		if utf8.RuneCountInString(line) > 100+len("\n") && !strings.HasPrefix(line, "tier ") {
			t.Errorf("more than 100 columns: %s", line)
		}
	}
	s, err := results.Open("bench-results.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families.All {
		checkModels(t, s, f.Name)
	}
	if m := s.Where("Train", "family", "topk"); len(m) != 3 {
		t.Errorf("%d models of topk, want two hinges and one of Usunier", len(m))
	}
	page, err := os.ReadFile("bench-report.html")
	pictures := 6 + 3*len(families.All)
	if runtime.GOMAXPROCS(0) > 1 { // two of what several workers gain
		pictures += 2
	}
	if err != nil || bytes.Count(page, []byte("<svg")) != pictures {
		t.Errorf("%d pictures, %v", bytes.Count(page, []byte("<svg")), err)
	}
	// Of the same results the same page is made; that they are the same as themselves is what compare says.
	if _, err := runHere("report", "-out", "again.html", "bench-results.txt"); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile("again.html"); err != nil || !bytes.Equal(tables(again), tables(page)) {
		t.Errorf("another page of the same results, %v", err)
	}
	text, err := runHere("compare", "bench-results.txt", "bench-results.txt")
	if err != nil || !strings.Contains(text, "+0.00%") || strings.Count(text, "~") < 100 {
		t.Errorf("%v, %s", err, text)
	}
}

// tables returns the models' tables of a page: numbers in files have fewer digits than those that were measured.
func tables(page []byte) []byte {
	return bytes.Join(regexp.MustCompile(`<td>[^<]*hinge</td>`).FindAll(page, -1), nil)
}

func runHere(args ...string) (stdout string, err error) {
	var o bytes.Buffer
	err = run(context.Background(), args, &o, io.Discard)
	return o.String(), err
}

// checkModels holds the models of a family to what such models must be.
func checkModels(t *testing.T, s *results.Set, family string) {
	t.Helper()
	lines := s.Where("Train", "family", family)
	if len(lines) < 2 {
		t.Errorf("%d models of %s", len(lines), family)
	}
	for _, l := range lines {
		dual, primal := l.Value("dual"), l.Value("primal")
		if !(dual > 0 && dual <= primal && l.Value("gap") <= .01 && l.Value("tol") == .01 && l.Value("epochs") >= 1) ||
			l.Key("status") != "" {
			t.Errorf("not trained to the tolerance: %+v", l)
		}
		curve := s.Where("Progress", "family", family, "model", l.Key("model"))
		if len(curve) < 2 || curve[len(curve)-1].Value("primal") != primal {
			t.Errorf("%s: a curve of %d points", l.Name(), len(curve))
		}
		for _, v := range l.Values {
			if strings.HasSuffix(v.Unit, "-%") && !(v.Number > 0 && v.Number <= 100) {
				t.Errorf("%s: %v %s", l.Name(), v.Number, v.Unit)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	stdout, _, err := command(t, "kernels", "-json", "-quick", "-filter", "^Dot/type=f32/n=16$")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for line := range strings.Lines(stdout) {
		var l struct {
			Machine, Of map[string]string
			Benchmark   string
			Values      map[string]float64
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if l.Machine != nil && l.Machine["tier"] != cpu.Level.String() {
			t.Errorf("%+v", l)
		}
		if l.Benchmark != "" && !(l.Values["sec/op"] > 0 && l.Of["n"] == "16") {
			t.Errorf("%+v", l)
		}
		count[l.Benchmark]++
	}
	if count[""] != 1 || count["Dot"] == 0 || len(count) != 2 {
		t.Errorf("printed %v", count)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left files behind: %v, %v", left, err)
	}
}

// The models that -lambda and -seed ask for depend on both, and nothing else is trained.
func TestSolvers(t *testing.T) {
	one := func(args ...string) results.Line {
		args = append([]string{"solvers"}, append(args, "-quick", "-k=1", "-tol=0.1", "-filter=topk",
			"-results=r.txt")...)
		if _, _, err := command(t, args...); err != nil {
			t.Fatal(err)
		}
		s, err := results.Open("r.txt")
		if err != nil || len(s.Where("Train")) != 1 {
			t.Fatalf("%v, %+v", err, s)
		}
		return s.Where("Train")[0]
	}
	a, b, c := one("-lambda=1", "-seed=1"), one("-lambda=1", "-seed=2"), one("-lambda=0.5", "-seed=1")
	if a.Value("lambda") != 1 || c.Value("lambda") != 0.5 || a.Value("primal") == b.Value("primal") ||
		a.Value("primal") == c.Value("primal") {
		t.Errorf("lambda 1 with seeds 1 and 2, lambda 0.5:\n%+v\n%+v\n%+v", a, b, c)
	}
}

func TestBadArguments(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-tol 0", "-tol 0"},
		{"-tol -0.5", "-tol -0.5"},
		{"-tol NaN", "-tol NaN"},
		{"-tol +Inf", "-tol +Inf"},
		{"-tol x", `"x" for flag -tol`},
		{"-lambda 0", "-lambda 0"},
		{"-lambda NaN", "-lambda NaN"},
		{"-lambda Inf", "-lambda +Inf"},
		{"-k 0", `"0"`},
		{"-k 1,two", `"two"`},
		{"-k 1,,3", `""`},
		{"solvers -quick -filter topk -k 3,10", "-k 10: want less than the number of classes, 10"},
		{"-seed -1", `"-1" for flag -seed`},
		{"-filter (", "-filter: error parsing regexp"},
		{"kernels -quick -filter nobody", "-filter nobody: nothing has a name that matches"},
		{"-save -quick", "-save: there is no folder bench/results here"},
		{"solvers -filter topk -data /no/such/folder", "/no/such/folder"},
		{"kernels -tol 1", "-tol"},
		{"-quack", "-quack"},
		{"-quick quick", `"quick"`},
		{"quick", `unknown command "quick"`},
		{"report no-such-file", "no-such-file"},
		{"report", "bench-results.txt"},
		{"compare one", "want two files, got 1"},
		{"compare no-such-file other", "no-such-file"},
		{"paper nobody", `"nobody": want one of`},
	} {
		_, _, err := command(t, strings.Fields(c.args)...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %s", c.args, err, c.want)
		}
	}
}

// TestChecksums: a command warns of each file of -data that it reads and that holds something else, and goes on.
func TestChecksums(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"fashion-mnist/train-images-idx3-ubyte.gz", "fashion-mnist/train-labels-idx1-ubyte.gz",
		"fashion-mnist/t10k-images-idx3-ubyte.gz", "caltech101-silhouettes28-train.svm.gz",
		"caltech101-silhouettes28-val.svm.gz", "caltech101-silhouettes28-test.svm.gz",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string][]string{
		"solvers -filter family=topk -data ": {"train-images-idx3", "train-labels-idx1"},
		"paper toprank -full -data ":         {"train-images-idx3", "train-labels-idx1"},
		"paper topk -data ":                  {"silhouettes28-train", "silhouettes28-val", "silhouettes28-test"},
	} {
		_, stderr, err := command(t, append(strings.Fields(args), dir)...)
		if err == nil || strings.Contains(err.Error(), "SHA-256") {
			t.Errorf("%s: error %v, want the reader's", args, err)
		}
		if strings.Count(stderr, "warning") != len(want) {
			t.Errorf("%s: %q, want %d warnings", args, stderr, len(want))
		}
		for _, name := range want {
			if !regexp.MustCompile(name + `[^ ]*: its SHA-256 is 2d711642b726b044[0-9a-f]+, want [0-9a-f]{64}\n`).
				MatchString(stderr) {
				t.Errorf("%s: %q, no warning of %s", args, stderr, name)
			}
		}
	}
}

func TestHelp(t *testing.T) {
	for name, flag1 := range map[string]string{"": "-lambda", "kernels": "-filter", "solvers": "-seed",
		"report": "-out", "compare": "OLD NEW"} {
		args := []string{"-h"}
		if name != "" {
			args = []string{name, "-h"}
		}
		stdout, stderr, err := command(t, args...)
		if !errors.Is(err, flag.ErrHelp) || stdout != "" || !strings.Contains(stderr, flag1) ||
			!strings.Contains(stderr, "usage: go run ./bench") {
			t.Errorf("%s: stdout %q, stderr %q, error %v", name, stdout, stderr, err)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range [][]string{{"-quick"}, {"kernels", "-quick"}, {"solvers", "-quick"}} {
		t.Chdir(t.TempDir())
		err := run(ctx, args, io.Discard, io.Discard)
		if left, _ := os.ReadDir("."); !errors.Is(err, context.Canceled) || len(left) > 0 {
			t.Errorf("%v: error %v, and files %v", args, err, left)
		}
	}
}

// full takes a number of bytes and then no more.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

var errFull = errors.New("no space left")

func TestWriteErrors(t *testing.T) {
	for _, args := range []string{"kernels -quick -filter Dot", "kernels -json -quick -filter Dot",
		"solvers -quick -tol=0.1 -filter topk", "solvers -json -quick -tol=0.1 -filter topk"} {
		for _, room := range []int{0, 600} {
			if err := run(context.Background(), strings.Fields(args), &full{room}, io.Discard); !errors.Is(
				err, errFull) {
				t.Errorf("%v into %d bytes: %v", args, room, err)
			}
		}
	}
	t.Chdir(t.TempDir())
	for _, flags := range []string{"-results=no/such/file", "-out=no/such/file"} {
		err := run(context.Background(), []string{"kernels", "-quick", "-filter=Dot/type=f32/n=16$", flags}, io.Discard,
			io.Discard)
		if err == nil || !strings.Contains(err.Error(), filepath.Join("no", "such", "file")) {
			t.Errorf("%s: error %v", flags, err)
		}
	}
}

// The results that are kept in the repository can be read, and are of the CPU that their name says.
func TestSaved(t *testing.T) {
	sets, err := openSaved()
	if err != nil || len(sets) == 0 {
		t.Fatalf("%d files, %v", len(sets), err)
	}
	for _, s := range sets {
		if _, err := os.Stat(filepath.Join("results", s.Get("cpu-id")+".txt")); err != nil ||
			len(s.Where("Train")) == 0 {
			t.Errorf("%s: %v", s.Get("cpu-id"), err)
		}
	}
}

// -save writes into bench/results.
func TestSave(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := runHere("kernels", "-quick", "-filter=Dot/type=f32/n=16$", "-save"); err != nil {
		t.Fatal(err)
	}
	if s, err := results.Open(filepath.Join(folder, results.FileName()+".txt")); err != nil ||
		len(s.Where("Dot")) == 0 {
		t.Errorf("%v, %+v", err, s)
	}
}
