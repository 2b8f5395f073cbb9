package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// linkTo is what the content of a link begins with in scriptFiles, before the file that it leads to; hardLink is one to
// d.svm.
const (
	linkTo   = "link to "
	hardLink = "hard.svm"
)

// scriptFiles are the files that each case of a script finds, by name.
func scriptFiles(t *testing.T) map[string][]byte {
	t.Helper()
	d, e := classesText(0), classesText(1)
	files := map[string][]byte{
		"d.svm": []byte(d), "e.svm": []byte(e), hardLink: []byte(d), "link.svm": []byte(linkTo + "d.svm"),
		"sub/d.svm":     []byte(d),
		"d.svm.gz":      packed(t, d),
		"d.csv":         []byte(table(d, ",")),
		"blanks.txt":    []byte(table(d, " ")),
		"sets.svm":      []byte("1,2 1:1 2:1\n2 1:-1 2:1\n1 1:1 2:-1\n 1:-1 2:-1\n1,2 1:.9 2:.8\n2 1:-.5 2:1\n"),
		"two.svm":       []byte(strings.ReplaceAll(d, "\n3 ", "\n1 ")),
		"ones.txt":      []byte(strings.Repeat("1\n", 30)),
		"notes.txt":     []byte("Buy milk.\nCall Anna.\n"),
		"photo.jpg":     []byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00"),
		"none.svm":      nil,
		"damaged.svm":   []byte("1 1:2 2:3\n2 1:4 2:x\n"),
		"descend.svm":   []byte("1 2:2 1:3\n2 1:4\n"),
		"nan.svm":       []byte("1 1:nan\n2 1:4\n"),
		"infinite.svm":  []byte("1 1:1e999\n2 1:4\n"),
		"zero.svm":      []byte("1 0:2 1:3\n2 1:4\n"),
		"unlabeled.svm": []byte("1:2 2:3\n1:4 2:1\n"),
		"same.svm":      []byte("1 1:2\n1 1:3\n"),
		"wide.svm":      []byte("1 1:2 20000000:1\n2 1:1\n3 2:1\n"),
		"ragged.csv":    []byte("1,2,a\n1,b\n"),
		"text.csv":      []byte("1,red,a\n2,blue,b\n"),
		"nan.csv":       []byte("1,nan,a\n2,1,b\n"),
		"cut.svm.gz":    packed(t, d)[:60],
		"no.gz":         []byte("\x1f\x8bnothing"),
		"classes.svm":   oneEach(3000),
		"more.svm":      oneEach(20000),
		"bomb.svm.gz":   packed(t, strings.Repeat("1 1:1\n2 2:1\n", 1<<20)),
		"bomb.csv.gz":   packed(t, strings.Repeat("1,1\n2,2\n", 1<<20)),
		"wide.csv.gz":   packed(t, strings.Repeat("1,", 1<<20)+"1\n"),
		"names.csv.gz":  packed(t, strings.Repeat("a,", 1<<20)+"a\n"),
		"field.csv.gz":  packed(t, strings.Repeat("1", 1<<24)+",1\n"),
		"bad.npy":       []byte("\x93NUMPY\x01\x00 nothing"),
		"huge.npy":      huge(),
		"bad-ubyte":     []byte("\x00\x00\x08\x03\x7f\xff\xff\xff"),
		"square.csv":    []byte("1,0,0\n0,1,0\n0,0,1\n"),
		"liblinear.txt": []byte("solver_type MCSVM_CS\nnr_class 3\nlabel 1 2 3\nnr_feature 4\nbias -1\nw\n1 0 0\n0 1 " +
			"0\n0 0 1\n0 0 0\n"),
		"broken.txt":         []byte("solver_type MCSVM_CS\nnr_class 3\nlabel 1 2 3\nnr_feature 4\nbias -1\nw\n1 0\n"),
		"libsvm.txt":         []byte("svm_type c_svc\nkernel_type linear\n"),
		"v.fvecs":            []byte("\x01\x00\x00\x00\x00\x00\x80\x3f"),
		"cut.fvecs":          []byte("\x02\x00\x00\x00\x00\x00\x80\x3f"),
		"w.bvecs":            []byte("\x04\x00\x00\x00\x01\x02\x03\x04"),
		"ids.txt":            []byte("7\n18446744073709551615\n"),
		"one.txt":            []byte("31\n"),
		"minus.txt":          []byte("-1\n"),
		"curve.csv":          []byte(curveHeader + "\n1,1,1,0\n"),
		"broken.onnx":        []byte("\x08\x07\x12\x07dualgap\x3a\x7f"),
		"broken.safetensors": []byte("\x40\x00\x00\x00\x00\x00\x00\x00{\"weight\":{\"dtype\":\"F32\",\"shape\":[2,2]"),
	}
	dir := t.TempDir()
	lay(t, dir, files)
	t.Chdir(dir)
	for _, args := range []string{
		"train topk -q --loss topk-hinge d.svm m.dg", "train toprank -q --positive 1 d.svm top.dg",
		"train m3l -q sets.svm sets.dg",
		"train topk -q -t gaussian d.svm kernel.dg", "train tracenorm -q d.svm low.dg",
		"predict -q d.svm m.dg p.txt", "predict -q --scores d.svm m.dg scores.txt", "convert d.svm d.npy",
		"index build -q --lists 3 d.svm i.dg",
		"index build -q --codes pq --bits 4 --no-bounds --no-vectors d.svm codes.dg",
		"index search -q i.dg d.svm found.txt",
	} {
		must(t, strings.Fields(args)...)
	}
	if code, _, stderr := command(t, "train", "topk", "-q", "-e", "1e-9", "--epochs", "1", "--checkpoint", "s", "d.svm",
		"unfinished.dg"); code != 3 {
		t.Fatal(code, stderr)
	}
	must(t, "convert", "m.dg", "model.onnx")
	must(t, "convert", "m.dg", "model.safetensors")
	for _, name := range []string{"m.dg", "top.dg", "sets.dg", "kernel.dg", "low.dg", "p.txt", "scores.txt", "d.npy",
		"i.dg", "codes.dg", "found.txt", "d-labels.npy", "s", "model.onnx", "model.safetensors"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b
	}
	m := files["m.dg"]
	flipped := bytes.Clone(m)
	flipped[len(m)/2] ^= 1
	files["cut.dg"], files["flipped.dg"], files["head.dg"] = m[:len(m)/2], flipped, m[:20]
	i := bytes.Clone(files["i.dg"])
	i[len(i)-50] ^= 1
	files["cut-i.dg"], files["flipped-i.dg"] = i[:len(i)/2], i
	files["short-labels.npy"] = bytes.Clone(files["d-labels.npy"])
	return files
}

// classesText is LIBSVM text of 30 examples of the classes 1, 2 and 3, which 4 features tell apart.
func classesText(seed int) string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "%d %d:1 4:.%d\n", i%3+1, i%3+1, 1+(i*7+seed)%9)
	}
	return b.String()
}

// table is LIBSVM text as lines of numbers, the label last.
func table(text, comma string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		row := []string{"0", "0", "0", "0"}
		fields := strings.Fields(line)
		for _, f := range fields[1:] {
			row[f[0]-'1'] = f[2:]
		}
		b.WriteString(strings.Join(append(row, fields[0]), comma) + "\n")
	}
	return b.String()
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// huge is an NPY file that says it has more rows than there are.
func huge() []byte {
	head := fmt.Sprintf("%-117s\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 1000), }")
	return append([]byte("\x93NUMPY\x01\x00\x76\x00"), head...)
}

// lay writes files into a folder.
func lay(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for name, b := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if to, ok := bytes.CutPrefix(b, []byte(linkTo)); ok && err == nil {
			err = os.Symlink(string(to), path)
		} else if name != hardLink && err == nil {
			err = os.WriteFile(path, b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(dir, "d.svm"), filepath.Join(dir, hardLink)); err != nil {
		t.Fatal(err)
	}
}

// oneEach is n examples, each of a class and with a feature of its own.
func oneEach(n int) []byte {
	var b []byte
	for i := 1; i <= n; i++ {
		b = fmt.Appendf(b, "%d %d:1\n", i, i)
	}
	return b
}
