package data

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestDocs: docs/data.md tells of each file what the list has.
func TestDocs(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "data.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		made := f.made
		if made == "" {
			made = "nothing: see below"
		}
		row := "| `" + f.path + "` | " + f.origin + " | " + f.licence + " | " + made + " |\n"
		for _, want := range []string{row, "    " + f.sum + "  " + f.path + "\n"} {
			if !strings.Contains(string(content), want) {
				t.Errorf("docs/data.md has no\n%s", want)
			}
		}
	}
	if got := strings.Count(string(content), "| `"); got != len(files)+1 { // and the head
		t.Errorf("%d rows for %d files", got-1, len(files))
	}
}

const dense = `% a comment
@relation few

@attribute a numeric
@attribute 'yes' {0,1}
@ATTRIBUTE b numeric
@attribute no {0,1}
@data
0.50,1,-3,1
0,0,1e3,0

-0.0937,1,0.000,0
`

const sparse = `@relation few
@attribute yes {0,1}
@attribute a numeric
@attribute no {0,1}
@attribute b numeric
@data
{1 2.50,2 1}
{}
{0 1, 3 1}
`

const names = `<?xml version="1.0" encoding="utf-8"?>
<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="no"></label>
<label name="yes"></label>
</labels>
`

func TestMulan(t *testing.T) {
	labels, err := mulanLabels(strings.NewReader(names))
	if err != nil || strings.Join(labels, ",") != "no,yes" {
		t.Fatalf("%q, %v", labels, err)
	}
	for arff, want := range map[string]string{
		dense: "1,2 1:0.5 2:-3\n 2:1000\n2 1:-0.0937\n", sparse: "1 1:2.5\n\n2 2:1\n",
	} {
		var b bytes.Buffer
		if err := mulan(&b, strings.NewReader(arff), labels); err != nil || b.String() != want {
			t.Errorf("%q, %v, want %q", b.String(), err, want)
		}
	}
	for arff, want := range map[string]string{
		"@attribute yes {0,1}\n@data\n1\n":    "line 2: no attribute of the label no",
		"@attribute yes\n":                    "line 1:",
		dense + "1,2\n":                       "2 values, want 4",
		dense + "1,2,x,1\n":                   `"x" in column 2`,
		dense + "1,2,NaN,1\n":                 `"NaN" in column 2`,
		dense + "{7 1}\n":                     "column 7 of 4",
		dense + "{4 1}\n":                     "column 4 of 4",
		dense + "{-1 1}\n":                    "column -1 of 4",
		dense + "{1 1\n":                      "does not end with }",
		dense + "{x 1}\n":                     "invalid syntax",
		"@attribute no n\n@attribute yes n\n": "no @data",
	} {
		var b bytes.Buffer
		if err := mulan(&b, strings.NewReader(arff), labels); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", arff, err, want)
		}
	}
	broken := errors.New("broken")
	cut := io.MultiReader(strings.NewReader(dense), iotest.ErrReader(broken))
	if err := mulan(io.Discard, cut, labels); !errors.Is(err, broken) {
		t.Errorf("%v, want what the reader says", err)
	}
	for _, text := range []string{"", "<labels></labels>", "<labels><label"} {
		if _, err := mulanLabels(strings.NewReader(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// mat returns an element of a MAT file, with its padding.
func mat(kind uint32, content []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, kind)
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(content))), content...)
	return append(b, make([]byte, (8-len(content)%8)%8)...)
}

// matNumbers returns a matrix of uint8 numbers; short names lie in the tag, as MATLAB has them.
func matNumbers(name string, class byte, rows, cols int, values ...byte) []byte {
	all := mat(matUint32, []byte{class, 0, 0, 0, 0, 0, 0, 0})
	sizes := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(rows)), uint32(cols))
	all = append(all, mat(matInt32, sizes)...)
	if len(name) <= 4 {
		tag := binary.LittleEndian.AppendUint32(nil, uint32(len(name))<<16|matInt8)
		all = append(append(all, tag...), append([]byte(name), make([]byte, 4-len(name))...)...)
	} else {
		all = append(all, mat(matInt8, []byte(name))...)
	}
	return mat(matMatrix, append(all, mat(matUint8, values)...))
}

func matFileOf(elements ...[]byte) []byte {
	head := append([]byte("MATLAB 5.0 MAT-file"), bytes.Repeat([]byte{' '}, 105)...)
	file := append(head, 0, 1, 'I', 'M')
	for _, e := range elements {
		file = append(file, e...)
	}
	return file
}

// squeezed returns an element, compressed.
func squeezed(element []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(element)
	z.Close()
	tag := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, matCompressed), uint32(b.Len()))
	return append(tag, b.Bytes()...)
}

func TestMAT(t *testing.T) {
	all, err := readMAT(matFileOf(matNumbers("ab", 9, 2, 3, 1, 2, 3, 4, 5, 6), matNumbers("cell", 1, 1, 1, 7),
		squeezed(matNumbers("longer", 6, 1, 2, 8, 9))), matMost)
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	if m := all["ab"]; m.rows != 2 || m.cols != 3 || m.at[1] != 2 || m.at[5] != 6 {
		t.Errorf("ab is %+v", m)
	}
	if m := all["longer"]; m.rows != 1 || m.cols != 2 || m.at[1] != 9 {
		t.Errorf("longer is %+v", m)
	}
	for kind, c := range map[uint32]struct {
		bytes []byte
		want  float64
	}{
		matInt8: {[]byte{0xff}, -1}, matUint8: {[]byte{0xff}, 255}, matInt16: {[]byte{0xfe, 0xff}, -2},
		matUint16: {[]byte{0xfe, 0xff}, 65534}, matInt32: {[]byte{0xfe, 0xff, 0xff, 0xff}, -2},
		matUint32: {[]byte{1, 0, 0, 1}, 1<<24 + 1}, matSingle: {[]byte{0, 0, 0x20, 0xc0}, -2.5},
		matDouble: {[]byte{0, 0, 0, 0, 0, 0, 4, 0xc0}, -2.5},
	} {
		if got, err := numbers(kind, c.bytes); err != nil || len(got) != 1 || got[0] != c.want {
			t.Errorf("type %d: %v, %v, want %v", kind, got, err, c.want)
		}
	}
	for name, file := range map[string][]byte{
		"short": []byte("MATLAB 5.0"), "text": bytes.Repeat([]byte{'x'}, 200),
		"sizes": matFileOf(matNumbers("ab", 9, 2, 3, 1, 2)), "cut": matFileOf(matNumbers("ab", 9, 1, 2, 1, 2))[:140],
		"large": matFileOf(mat(matMatrix, nil)[:4], []byte{255, 255, 255, 255}),
		"zlib":  matFileOf(mat(matCompressed, []byte{1, 2, 3})),
	} {
		if all, err := readMAT(file, matMost); err == nil {
			t.Errorf("%s: %v", name, all)
		}
	}
}

// TestMATRest: what is no matrix of numbers is left out, compressed elements are not padded, and a file that is cut
// anywhere is an error.
func TestMATRest(t *testing.T) {
	solid := slices.Concat(mat(matUint32, []byte{9, 0, 0, 0, 0, 0, 0, 0}),
		mat(matInt32, []byte{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}), mat(matInt8, []byte("solid")),
		mat(matUint8, []byte{1}))
	for pad := range 8 { // compressed elements of several lengths
		longer := matNumbers("longer"+strings.Repeat("x", pad*pad), 6, 1, 2, 8, 9)
		all, err := readMAT(matFileOf(squeezed(longer), matNumbers("handle", 16, 1, 1, 7), mat(matMatrix, solid),
			matNumbers("int64", 14, 1, 1, 7), matNumbers("ab", 13, 1, 1, 5)), matMost)
		if err != nil || len(all) != 2 || all["ab"].at[0] != 5 {
			t.Errorf("%v, %v", all, err)
		}
	}
	file := matFileOf(matNumbers("ab", 9, 1, 2, 1, 2))
	for end := 129; end < len(file); end++ {
		if all, err := readMAT(file[:end], matMost); err == nil {
			t.Errorf("%d of %d bytes: %v", end, len(file), all)
		}
	}
	if _, _, _, err := element([]byte{1, 0, 5, 0, 1, 2, 3, 4, 5, 6, 7, 8}); err == nil {
		t.Error("a short element of 5 bytes is taken")
	}
	if all, err := numbers(matInt16, []byte{1, 2, 3}); err == nil {
		t.Errorf("1.5 numbers are %v", all)
	}
}

// TestSilhouettesErrors: a part that is not there, and one with too few labels.
func TestSilhouettesErrors(t *testing.T) {
	all := map[string]array{"val_data": {2, 1, []float64{1, 0}}, "val_labels": {1, 1, []float64{3}}}
	for part, want := range map[string]string{"val": "val_data is 2-by-1 and val_labels has 1 numbers",
		"test": "test_data is 0-by-0"} {
		if err := writeSilhouettes(io.Discard, all, part); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// sumText is the SHA-256 of a text.
func sumText(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

// TestMake: from a small archive all files are made that can be, to the bit; what is there stays; a file of another
// archive is told and not kept. check tells what is wrong.
func TestMake(t *testing.T) {
	from, dir := t.TempDir(), filepath.Join(t.TempDir(), "new")
	put := func(path, content string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(from, "yeast", "yeast-train.arff"), dense)
	put(filepath.Join(from, "yeast", "yeast-test.arff"), sparse)
	put(filepath.Join(from, "yeast", "yeast.xml"), names)
	put(filepath.Join(from, "renamed-ubyte"), "images")
	put(filepath.Join(from, matFile), string(matFileOf(matNumbers("val_data", 9, 2, 3, 1, 0, 0, 1, 0, 1),
		matNumbers("val_labels", 9, 2, 1, 7, 101))))
	const train, test, val = "1,2 1:0.5 2:-3\n 2:1000\n2 1:-0.0937\n", "1 1:2.5\n\n2 2:1\n", "7 1:1\n101 2:1 3:1\n"
	list := []file{
		{"yeast-train.mlsvm.gz", sumText(train), mulanData, noneStated, "yeast-train.arff, yeast.xml"},
		{"yeast-test.mlsvm.gz", sumText("other"), mulanData, noneStated, "yeast-test.arff, yeast.xml"},
		{"mnist/train-images-idx3-ubyte.gz", sumText("images"), mnist, ccBySa, anyName},
		{"mnist/t10k-images-idx3-ubyte.gz", sumText("none"), mnist, ccBySa, anyName},
		{"caltech101-silhouettes28-val.svm.gz", sumText(val), silhouettes, noneStated, matFile},
		{"sift5k.npy.gz", sumText("sift"), "SIFT", "none", ""}, // without recipe
		{"caltech101-feat/lbp.npy.gz", sumText("lbp"), features, ccBy, ""},
	}
	var out strings.Builder
	err := makeAll(&out, from, dir, list)
	if err == nil || !strings.Contains(err.Error(), "1 of 7 files could not be made") {
		t.Errorf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"train.mlsvm.gz                       made\n",
		"FAILED: the SHA-256 of what was made is " +
			sumText(test), "val.svm.gz        made\n", "not made: want the file", "has no recipe",
		"lbp.npy.gz                 is of make caltech"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for name, want := range map[string]string{"yeast-train.mlsvm.gz": train, "mnist/train-images-idx3-ubyte.gz": "images",
		"caltech101-silhouettes28-val.svm.gz": val} {
		if sum, err := sumOf(filepath.Join(dir, name)); err != nil || sum != sumText(want) {
			t.Errorf("%s: %s, %v, want the sum of %q", name, sum, err, want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.part")); err != nil || left != nil {
		t.Errorf("left: %v, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "yeast-test.mlsvm.gz")); err == nil {
		t.Error("a file with the wrong sum was kept")
	}
	out.Reset()
	if err := check(&out, dir, list); err != nil || strings.Count(out.String(), " ok\n") != 3 ||
		strings.Count(out.String(), "not there") != 4 {
		t.Errorf("%v\n%s", err, out.String())
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte("others"))
	z.Close()
	put(filepath.Join(dir, "sift5k.npy.gz"), b.String())
	put(filepath.Join(dir, "yeast-train.mlsvm.gz"), b.String()[:12])
	out.Reset()
	if err := check(&out, dir, list); err == nil || strings.Count(out.String(), "WRONG") != 2 ||
		!strings.Contains(out.String(), "WRONG: its SHA-256 is "+sumText("others")) {
		t.Errorf("%v\n%s", err, out.String())
	}
	out.Reset()
	makeAll(&out, from, dir, list)
	if !strings.Contains(out.String(), "yeast-train.mlsvm.gz                       is there") {
		t.Error(out.String())
	}
}

func TestRun(t *testing.T) {
	t.Setenv("DUALGAP_DATA", "")
	dir := t.TempDir()
	for args, want := range map[string]string{
		"": "want check or make", "look": "want check or make", "check": "want -data",
		"check -data " + dir + "/no": "no such folder",
		"make -data " + dir:          "want -from", "check -from x -data " + dir: "-from x is of make",
		"check x": "unexpected argument", "make caltech -data " + dir: "make caltech: want -from",
		"make caltech -data " + dir + " -from " + dir: "0 folders with images",
		"make -data " + dir + " -from " + dir + "/no": "no such file",
	} {
		var out, stderr strings.Builder
		if err := Run(t.Context(), strings.Fields(args), &out, &stderr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
	var out, stderr strings.Builder
	err := Run(t.Context(), []string{"check", "-data", dir}, &out, &stderr)
	if err != nil || strings.Count(out.String(), "not there") != len(files) {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := Run(t.Context(), []string{"-h"}, &out, &stderr); err == nil || !strings.Contains(stderr.String(), "usage") {
		t.Errorf("%v, %q", err, stderr.String())
	}
}

// TestChosen: the first 60 images of a class in the order of their names, 30 of them to train, all but one of few; the
// same each time.
func TestChosen(t *testing.T) {
	dir := t.TempDir()
	for class, n := range map[string]int{"b": 70, "A": 31, "c": 2, "empty": 0} {
		if err := os.Mkdir(filepath.Join(dir, class), 0o777); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if err := os.WriteFile(filepath.Join(dir, class, fmt.Sprintf("image_%04d.jpg", i+1)), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	got, err := chosen(dir, filepath.Join(dir, "none"))
	if err != nil || len(got) != 31+60+2 {
		t.Fatalf("%d images, %v", len(got), err)
	}
	train := map[string]int{}
	for i, p := range got {
		if p.part == "train" {
			train[p.class]++
		}
		if want := map[string]int{"A": 1, "b": 2, "c": 3}[p.class]; p.label != want {
			t.Errorf("class %s has label %d", p.class, p.label)
		}
		if want := fmt.Sprintf("image_%04d.jpg", i-30); p.class == "b" && p.file != want {
			t.Errorf("row %d is %s, want %s", i, p.file, want)
		}
	}
	if train["A"] != 30 || train["b"] != 30 || train["c"] != 1 {
		t.Errorf("to train: %v", train)
	}
	if again, err := chosen(dir, filepath.Join(dir, "none")); err != nil || !slices.Equal(got, again) {
		t.Error("another choice")
	}
}

func TestSIFT(t *testing.T) {
	row := func(first string) string { return first + strings.Repeat("\t7", siftColumns-1) + "\t100001\n" }
	var b bytes.Buffer
	if err := writeSIFT(&b, strings.NewReader(row("0")+row("255"))); err != nil {
		t.Fatal(err)
	}
	head, rows, _ := bytes.Cut(b.Bytes(), []byte("\n"))
	if !bytes.Contains(head, []byte("'|u1', 'fortran_order': False, 'shape': (2, 128)")) || len(rows) != 2*siftColumns ||
		rows[0] != 0 || rows[1] != 7 || rows[siftColumns] != 255 || rows[2*siftColumns-1] != 7 {
		t.Errorf("%q", b.String())
	}
	for text, want := range map[string]string{row("0") + "1\t2\n": "line 2: 2 numbers, want 128",
		row("256"): "line 1", row("-1"): "line 1", row("x"): "line 1", "": "0 by 128"} {
		if err := writeSIFT(io.Discard, strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.9q: %v, want %q", text, err, want)
		}
	}
}
