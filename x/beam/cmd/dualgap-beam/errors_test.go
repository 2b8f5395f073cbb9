package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// folder makes the test's folder the current one, with a few files: 100 rows of 4 numbers from 0 to 2, labels of 3
// classes, a model.
func folder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	x := vec.NewMatrix[float32](100, 4)
	for i := range x.Data {
		x.Data[i] = float32(i * i % 7 % 3)
	}
	write(t, "rows.npy", func(w io.Writer) error {
		return dataset.WriteNPY(w, &dataset.Dense[float32]{Matrix: x}, dataset.NPYOptions{})
	})
	labels := make([]int32, 100)
	for i := range labels {
		labels[i] = int32(i % 3)
	}
	write(t, "labels.i4", func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, labels) })
	labels[70] = 7
	write(t, "class.i4", func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, labels) })
	write(t, "short.i4", func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, labels[:10]) })
	m, err := linear.New(vec.NewMatrix[float32](4, 3), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	write(t, "model", func(w io.Writer) error { _, err := m.WriteTo(w); return err })
	write(t, "rows.svm", func(w io.Writer) error { _, err := io.WriteString(w, "1 1:1\n2 4:1\n3 1:x\n"); return err })
	write(t, "empty", func(io.Writer) error { return nil })
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestErrors: what is wrong is told in one line that names it, and nothing is left behind. What a step finds is told
// without the plan of the pipeline.
func TestErrors(t *testing.T) {
	folder(t)
	const problem = " --cols 4 --classes 3 --label-file labels.i4 "
	const text = " --format libsvm --cols 4 --names 1,2,3 "
	for args, want := range map[string]string{
		"score none*.npy model out --cols 4":                               "none*.npy: no such file",
		"score empty model out --cols 4":                                   "empty: byte 0",
		"score empty model out --format raw --cols 4":                      "no row in 1 files",
		"score rows.npy none out --cols 4":                                 "open none",
		"score rows.npy model out --cols 3":                                "4 columns, want 3",
		"score rows.npy model rows.npy --cols 4":                           "writing rows.npy/rows-000000000000-100",
		"score rows.npy rows.npy out --cols 4":                             "rows.npy: model: ",
		"score rows.npy model out --cols 4 -k 4":                           "the best 4 of 3 outputs",
		"score rows.npy model out --cols 4 --range 0":                      "ranges of 0 rows",
		"score rows.npy model out --cols 4 --scale 0":                      "--scale 0",
		"score rows.npy model out --cols 4 --workers=-1":                   "--workers -1",
		"score rows.npy model out --cols 4 --zero-based":                   `"npy" with ZeroBased`,
		"score rows.svm model out --format libsvm --cols 4":                "rows.svm:3:",
		"encode rows.npy model out --cols 4":                               `"linear", want "codebook"`,
		"audit rows.npy model --cols 4 --classes 3":                        "--label-file",
		"audit rows.npy model --cols 4 --label-file labels.i4":             "--classes",
		"audit rows.npy model --cols 4 --classes 3 --label-file short.i4":  "short.i4 has 40 bytes, want 400",
		"audit rows.npy model --cols 4 --classes 3 --label-file class.i4":  "row 70 has the class 7, want one of 3",
		"audit rows.npy model --cols 4 --classes 4 --label-file labels.i4": "4 by 3, want 4 by 4",
		"audit rows.npy model --duals short.i4" + problem:                  "short.i4 has 40 bytes, want 2400",
		"train rows.npy folder" + problem:                                  "writing folder: it is a folder",
		"train rows.npy labels.i4/m" + problem:                             "writing labels.i4/m",
		"train rows.npy out -k 3" + problem:                                "K = 3 of 3 classes",
		"train rows.npy out -k 0" + problem:                                "-k 0",
		"train rows.npy out --names a,b" + problem:                         "--classes 3 and 2 --names",
		"train rows.npy out -c 0" + problem:                                "-c 0",
		"train rows.npy out --lambda 0" + problem:                          "Lambda 0",
		"train rows.npy out --lambda=-1" + problem:                         "Lambda -1",
		"train rows.npy out --tol 0" + problem:                             "--tol 0",
		"train rows.npy out --sample 0" + problem:                          "--sample 0",
		"train rows.npy out --sample 101" + problem:                        "a sample of 101 of 100 rows",
		"train rows.npy out --passes 0" + problem:                          "--passes 0",
		"train rows.svm out" + text:                                        "rows.svm:3:",
		"train rows.svm out --label-file labels.i4" + text:                 "--label-file labels.i4 and",
		"train rows.svm out --scale .5" + text:                             `"libsvm" with Scale 0.5`,
		"labels rows.npy out --groups 4" + problem:                         "4 groups of 3 labels",
		"labels rows.npy out -c 0" + problem:                               "-c 0",
		"grid rows.npy out --cv 1" + problem:                               "1 parts of 100 rows",
		"grid rows.npy out --cv 101" + problem:                             "101 parts of 100 rows",
		"grid rows.npy out --grid-c 0" + problem:                           "--grid-c 0",
		"grid rows.npy labels.i4 --cv 2" + problem:                         "writing labels.i4/model-0",
	} {
		var out, said bytes.Buffer
		code := run(t.Context(), strings.Fields(args), prism, &out, &said)
		line := said.String()
		told := strings.Contains(line, want) && strings.Count(line, "\n") == 1 && len(line) < 300
		if code != 1 || !told || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %q, %q, want %q", args, code, out.String(), line, want)
		}
		if found, _ := filepath.Glob("out*"); len(found) > 0 {
			left, _ := filepath.Glob("out/*")
			if info, err := os.Stat("out"); err != nil || !info.IsDir() || len(left) > 0 {
				t.Errorf("%s: %q and %q are left", args, found, left)
			}
			os.RemoveAll("out")
		}
	}
}

// TestLambda: Lambda stands in place of the cost, and both are too many.
func TestLambda(t *testing.T) {
	folder(t)
	problem := strings.Fields("audit rows.npy model --cols 4 --classes 3 --label-file labels.i4")
	said := map[string]string{}
	for _, flags := range []string{"-c 4", "--lambda .0025", "-c 4 --lambda 1"} {
		var out, err bytes.Buffer
		run(t.Context(), append(problem, strings.Fields(flags)...), prism, &out, &err)
		said[flags] = out.String() + err.String()
	}
	if got, want := said["--lambda .0025"], said["-c 4"]; got != want || !strings.Contains(got, "100 rows") {
		t.Errorf("%q, want %q", got, want)
	}
	if got := said["-c 4 --lambda 1"]; !strings.Contains(got, "--cost and --lambda") {
		t.Error(got)
	}
}

// TestInterrupt: a process that ends, by itself or by a signal, leaves no temporary file, and a run after it goes on.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs signals")
	}
	folder(t)
	if err := os.Mkdir("tmp", 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := func(args ...string) *exec.Cmd {
		t.Helper()
		c := exec.CommandContext(t.Context(), self, args...)
		c.Env = append(os.Environ(), process+"=1", "TMPDIR=tmp")
		c.Stderr = new(bytes.Buffer)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	clean := func(what string) {
		t.Helper()
		for _, pattern := range []string{"tmp/*", "out/*.tmp-*"} {
			if left, _ := filepath.Glob(pattern); len(left) > 0 {
				t.Errorf("%s: %q are left", what, left)
			}
		}
	}
	wide := []string{"rows.npy", "model", "out", "--cols", "4", "--range", "1"}
	c := start(append([]string{"score"}, wide...)...)
	for found := []string(nil); len(found) < 4; time.Sleep(time.Millisecond) {
		if found, _ = filepath.Glob("out/rows-*"); t.Context().Err() != nil {
			t.Fatal(t.Context().Err())
		}
	}
	c.Process.Signal(os.Interrupt)
	err = c.Wait() // or it has ended before
	if said := c.Stderr.(*bytes.Buffer).String(); err != nil && !strings.Contains(said, "stopped: ") {
		t.Errorf("%v, %q", err, said)
	}
	clean("score")
	train := start(strings.Fields("train rows.npy m --cols 4 --classes 3 --label-file labels.i4 --tol 1e-300 " +
		"--passes 99999999")...)
	for found := []string(nil); len(found) == 0; time.Sleep(time.Millisecond) {
		if found, _ = filepath.Glob("tmp/*/weights-*"); t.Context().Err() != nil {
			t.Fatal(t.Context().Err())
		}
	}
	train.Process.Signal(os.Interrupt)
	if err := train.Wait(); err == nil {
		t.Error("the training has ended by itself")
	}
	clean("train")
	if err := start(append([]string{"score"}, wide...)...).Wait(); err != nil {
		t.Error(err)
	}
	clean("score again")
	size(t, "out", 100*3*4)
}
