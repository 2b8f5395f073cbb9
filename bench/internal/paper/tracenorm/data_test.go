package tracenorm

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// Examples of some classes are numbered by the order of these, and keep their features.
func TestOf(t *testing.T) {
	s := tiny()
	few := s.of([]int{5, 2})
	if few.classes != 2 || len(few.train.y) != 2*20 || len(few.test.y) != 2*10 {
		t.Fatalf("%d classes, %d and %d examples", few.classes, len(few.train.y), len(few.test.y))
	}
	x, all := few.train.x.(*dataset.Dense[float32]), s.train.x.(*dataset.Dense[float32])
	for i, old := range []int{2, 5, 14, 17} { // rows whose class is 2 or 5
		if few.train.y[i] != 1-i%2 || !slices.Equal(x.Row(i), all.Row(old)) {
			t.Errorf("row %d: class %d", i, few.train.y[i])
		}
	}
	if a, b := s.order(1), s.order(2); slices.Equal(a, b) || !slices.Equal(a, s.order(1)) || len(a) != s.classes {
		t.Error(a, b)
	}
}

// Each class has as many images, others for another seed; the test part stays.
func TestImages(t *testing.T) {
	s := tiny()
	a, b := s.images(3, 1), s.images(3, 2)
	count := make([]int, s.classes)
	for _, y := range a.train.y {
		count[y]++
	}
	if slices.Min(count) != 3 || slices.Max(count) != 3 || len(a.test.y) != len(s.test.y) {
		t.Error(count)
	}
	if slices.Equal(rows(a.train.x).Data, rows(b.train.x).Data) || len(s.images(1000, 1).train.y) != len(s.train.y) {
		t.Error("not drawn by the seed, or more than there are")
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(content)
	if !strings.HasSuffix(path, ".gz") {
		b.Reset()
		b.Write(content)
	} else if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, b.Bytes(),
		0o666)); err != nil {
		t.Fatal(err)
	}
}

// TestFisher: labels begin at 1, numbers are scaled, the index says which rows are for training; what does not fit is
// an error.
func TestFisher(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "caltech101-feat")
	var npy bytes.Buffer
	x, err := dataset.NewDense(vec.Matrix[float32]{Rows: 4, Cols: 2, Stride: 2, Data: []float32{1, 2, 3, 4, -5, 6, 7,
		8}})
	if err == nil {
		err = dataset.WriteNPY(&npy, x, dataset.NPYOptions{Type: "i1"})
	}
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "fv.npy.gz"), npy.Bytes())
	write(t, filepath.Join(folder, "scales.tsv"),
		[]byte("feature\tshape\tdtype\tscale\nbow\t4x1\tint8\t1\nfv\t4x2\tint8\t0.5\n"))
	index := "row\tlabel\tsplit\tclass\tfile\n" +
		"0\t1\ttest\ta\tf\n1\t1\ttrain\ta\tf\n2\t2\ttrain\tb\tf\n3\t2\ttest\tb\tf\n"
	write(t, filepath.Join(folder, "index.tsv"), []byte(index))
	s, err := fisher(report.Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	if s.classes != 2 || !slices.Equal(s.train.y, []int{0, 1}) || !slices.Equal(s.test.y, []int{0, 1}) ||
		!slices.Equal(rows(s.train.x).Data, []float32{1.5, 2, -2.5, 3}) || !slices.Equal(rows(s.test.x).Data,
		[]float32{.5, 1, 3.5, 4}) {
		t.Errorf("%+v", s)
	}
	for want, text := range map[string]string{
		"4 images, but 3 in index.tsv": index[:len(index)-len("3\t2\ttest\tb\tf\n")],
		`line 3: class "x"`:            strings.Replace(index, "1\t1\ttrain", "1\tx\ttrain", 1),
		"fields at least":              "row\n0\n",
		"wrong number of fields":       index + "4\n",
	} {
		write(t, filepath.Join(folder, "index.tsv"), []byte(text))
		if _, err := fisher(report.Folder(dir)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	write(t, filepath.Join(folder, "index.tsv"), []byte(index))
	write(t, filepath.Join(folder, "scales.tsv"), []byte("feature\tshape\tdtype\tscale\nbow\t4x1\tint8\t1\n"))
	if _, err := fisher(report.Folder(dir)); err == nil || !strings.Contains(err.Error(), `no line for "fv"`) {
		t.Error(err)
	}
}

func TestSilhouettes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"train": "3 1:1\n7 784:1\n", "test": "7 2:1\n"} {
		write(t, filepath.Join(dir, "caltech101-silhouettes28-"+name+".svm.gz"), []byte(text))
	}
	s, err := silhouettes(report.Folder(dir))
	if err != nil || s.classes != 2 || !slices.Equal(s.train.y, []int{0, 1}) || !slices.Equal(s.test.y, []int{1}) {
		t.Errorf("%+v, %v", s, err)
	}
}

// The images of the race may lie in the folder mnist, or in the folder itself.
func TestMNIST(t *testing.T) {
	for _, sub := range []string{"", "mnist"} {
		dir := t.TempDir()
		pixels, labels := []byte{0, 0, 8, 3}, []byte{0, 0, 8, 1, 0, 0, 0, 2, 4, 9}
		for _, size := range []uint32{2, 1, 2} {
			pixels = binary.BigEndian.AppendUint32(pixels, size)
		}
		write(t, filepath.Join(dir, sub, "t10k-images-idx3-ubyte.gz"), append(pixels, 255, 0, 51, 0))
		write(t, filepath.Join(dir, sub, "t10k-labels-idx1-ubyte.gz"), labels)
		p, classes, err := mnist(report.Folder(dir))
		if err != nil || classes != 2 || !slices.Equal(p.y, []int{0, 1}) ||
			fmt.Sprint(rows(p.x).Data) != "[1 0 0.2 0]" {
			t.Errorf("%+v, %d classes, %v", p, classes, err)
		}
	}
}

// The made examples hold every class of a hundred, and the best of their factors tells it.
func TestLowRank(t *testing.T) {
	x, y := lowRank(2000, 32, 5, 1)
	again, labels := lowRank(2000, 32, 5, 1)
	if !slices.Equal(x.Data, again.Data) || !slices.Equal(y, labels) ||
		len(slices.Compact(slices.Sorted(slices.Values(y)))) != 5 {
		t.Error("not drawn by the seed, or not all classes")
	}
}
