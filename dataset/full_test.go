package dataset_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
)

// data returns the path of a file in the folder of full data sets, or skips the test.
func data(t *testing.T, name string) string {
	dir := os.Getenv("DUALGAP_DATA")
	if dir == "" {
		t.Skip("DUALGAP_DATA names no folder of full data sets")
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

func TestFullFashionMNIST(t *testing.T) {
	part := func(name string) *dataset.Labeled[*dataset.Dense[float32]] {
		d, err := dataset.OpenIDX[float32](data(t, "fashion-mnist/"+name+"-images-idx3-ubyte.gz"),
			data(t, "fashion-mnist/"+name+"-labels-idx1-ubyte.gz"),
			dataset.IDXOptions{Scale: 1.0 / 255})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	smallTrain, smallTest := samples.FashionMNIST[float32]()
	for _, c := range []struct {
		full, first *dataset.Labeled[*dataset.Dense[float32]]
		n           int
	}{{part("train"), smallTrain, 60000}, {part("t10k"), smallTest, 10000}} {
		if c.full.X.Rows != c.n || c.full.X.Cols != 784 || len(c.full.Classes) != 10 {
			t.Errorf("%d x %d, classes %q, want %d x 784", c.full.X.Rows, c.full.X.Cols, c.full.Classes, c.n)
		}
		counts := make([]int, 10)
		for _, k := range c.full.Y {
			counts[k]++
		}
		for k, n := range counts {
			if n != c.n/10 {
				t.Errorf("%d examples of class %d, want %d", n, k, c.n/10)
			}
		}
		for i, k := range c.first.Y {
			if c.full.Y[i] != k {
				t.Fatalf("label %d is %d in the full set, %d in the sample", i, c.full.Y[i], k)
			}
		}
		for i, v := range c.first.X.Data {
			if c.full.X.Data[i] != v {
				t.Fatalf("number %d is %v in the full set, %v in the sample", i, c.full.X.Data[i], v)
			}
		}
	}
}

func TestFullSilhouettes(t *testing.T) {
	var classes []string
	for _, c := range []struct {
		part string
		n    int
	}{{"train", 4100}, {"val", 2264}, {"test", 2307}} {
		path := data(t, "caltech101-silhouettes28-"+c.part+".svm.gz")
		d, err := dataset.OpenLIBSVM[float32](path, dataset.LIBSVMOptions{Cols: 784, Classes: classes})
		if err != nil {
			t.Fatal(err)
		}
		if classes = d.Classes; d.X.Rows != c.n || len(classes) != 101 || classes[0] != "1" || classes[100] != "101" {
			t.Errorf("%s: %d x %d, %d classes", c.part, d.X.Rows, d.X.Cols, len(classes))
		}
		if err := d.X.Validate(); err != nil {
			t.Errorf("%s: %v", c.part, err)
		}
		for i, v := range d.X.Val {
			if v != 1 {
				t.Fatalf("%s: value %d is %v in a binary set", c.part, i, v)
			}
		}
	}
}

// The same set as LIBSVM, whose numbers were written with 7 digits, and as CSV.
func TestFullFormatsAgree(t *testing.T) {
	for _, name := range []string{"spambase", "winequality-red", "winequality-white", "ionosphere"} {
		s, err := dataset.OpenLIBSVM[float64](data(t, name+".svm.gz"), dataset.LIBSVMOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o := dataset.CSVOptions{}
		if name == "ionosphere" {
			o.Classes = []string{"b", "g"} // -1 and +1 there
		}
		d, err := dataset.OpenCSV[float64](data(t, name+".csv.gz"), o)
		if err != nil {
			t.Fatal(err)
		}
		e, err := s.X.Dense()
		if err != nil || e.Rows != d.X.Rows || e.Cols != d.X.Cols {
			t.Fatalf("%s: %d x %d, want %d x %d (%v)", name, e.Rows, e.Cols, d.X.Rows, d.X.Cols, err)
		}
		for i, v := range d.X.Data {
			if math.Abs(e.Data[i]-v) > 5e-7*math.Abs(v) {
				t.Fatalf("%s: number %d is %v in LIBSVM, %v in CSV", name, i, e.Data[i], v)
			}
		}
		for i, k := range d.Y {
			if s.Y[i] != k {
				t.Fatalf("%s: label %d is %d in LIBSVM, %d in CSV", name, i, s.Y[i], k)
			}
		}
	}
}
