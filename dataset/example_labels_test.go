package dataset_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

func ExampleNumericLabels() {
	l, err := dataset.NumericLabels([]float64{7, 3, 7}, nil)
	fmt.Println(l.Y, l.Classes, err)
	// Output: [1 0 1] [3 7] <nil>
}

func ExampleReadIDXLabels() {
	l, err := dataset.ReadIDXLabels(strings.NewReader("\x00\x00\x08\x01\x00\x00\x00\x03\x02\x00\x02"), "labels",
		dataset.IDXOptions{})
	fmt.Println(l.Y, l.Classes, err)
	// Output: [1 0 1] [0 2] <nil>
}

func ExampleReadNPYLabels() {
	f, err := os.Open("testdata/i8-labels.npy")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	l, err := dataset.ReadNPYLabels(f, f.Name(), dataset.NPYOptions{})
	fmt.Println(len(l.Y), "examples of the classes", l.Classes, err)
	// Output: 3 examples of the classes [-2 7] <nil>
}

func ExampleLabels_Positive() {
	l, err := dataset.TextLabels([]string{"spam", "ham", "spam"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	positive, err := l.Positive("spam") // what toprank trains on
	fmt.Println(positive, err)
	// Output: [true false true] <nil>
}

// temporary returns the name of a file in a folder that remove takes away.
func temporary(name, text string) (path string, remove func()) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
	return path, func() { os.RemoveAll(dir) }
}

func ExampleOpenLIBSVM() {
	path, remove := temporary("train.svm", "+1 1:0.5\n-1 2:1\n")
	defer remove()
	d, err := dataset.OpenLIBSVM[float32](path, dataset.LIBSVMOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.X.Rows, "x", d.X.Cols, d.Classes)
	// Output: 2 x 2 [-1 1]
}

func ExampleOpenCSV() {
	path, remove := temporary("train.csv", "0.5,0,cat\n0,1,dog\n")
	defer remove()
	d, err := dataset.OpenCSV[float64](path, dataset.CSVOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.X.Row(0), d.Classes[d.Y[0]])
	// Output: [0.5 0] cat
}

func ExampleOpenIDX() {
	images, remove := temporary("images", "\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x02\x00\xff\x33\x66")
	defer remove()
	labels, removeLabels := temporary("labels", "\x00\x00\x08\x01\x00\x00\x00\x02\x09\x04")
	defer removeLabels()
	d, err := dataset.OpenIDX[float32](images, labels, dataset.IDXOptions{Scale: 1.0 / 255})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.X.Row(0), d.Classes[d.Y[0]])
	// Output: [0 1] 9
}

func ExampleOpenNPY() {
	d, err := dataset.OpenNPY[float32]("testdata/u1-images.npy", "testdata/i8-labels.npy",
		dataset.NPYOptions{Scale: 1.0 / 255})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.X.Rows, "x", d.X.Cols, "of the classes", d.Classes)
	// Output: 3 x 4 of the classes [-2 7]
}

func ExampleWriteLIBSVM() {
	x, err := dataset.NewCSR(3, []int{0, 2, 3}, []int32{0, 2, 1}, []float64{.5, -2, 1})
	if err != nil {
		log.Fatal(err)
	}
	l, err := dataset.NumericLabels([]float64{1, -1}, nil)
	if err != nil {
		log.Fatal(err)
	}
	d := &dataset.Labeled[*dataset.CSR[float64]]{X: x, Labels: l}
	if err := dataset.WriteLIBSVM(os.Stdout, d, dataset.LIBSVMOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 1:0.5 3:-2
	// -1 2:1
}

func ExampleNewDense() {
	x, err := dataset.NewDense(vec.MatrixOf(2, 2, []float64{1, 2, 3, 4}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Row(1))
	// Output: [3 4]
}

func ExampleConvertDense() {
	x, err := dataset.NewDense(vec.MatrixOf(1, 2, []float64{.5, 1e300}))
	if err != nil {
		log.Fatal(err)
	}
	_, err = dataset.ConvertDense[float32](x)
	fmt.Println(err)
	// Output: dataset: row 0, column 1: value 1e+300 is beyond the range of float32
}

func ExampleConvertCSR() {
	x, err := dataset.NewCSR(3, []int{0, 1, 2}, []int32{2, 0}, []float64{.5, 1})
	if err != nil {
		log.Fatal(err)
	}
	small, err := dataset.ConvertCSR[float32](x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%T %v\n", small.Val, small.Val)
	// Output: []float32 [0.5 1]
}

// Weights of standardized examples, made to take raw ones.
func ExampleRawWeights() {
	x, err := dataset.NewDense(vec.MatrixOf(4, 1, []float64{1, 1, 5, 5}))
	if err != nil {
		log.Fatal(err)
	}
	s, err := dataset.Standardize(x) // (x - 3) / 2
	if err != nil {
		log.Fatal(err)
	}
	w, b, err := dataset.RawWeights(s, vec.MatrixOf(1, 1, []float64{4}), []float64{1})
	fmt.Println(w.Data, b, err) // 4 (x - 3)/2 + 1 = 2 x - 5
	// Output: [2] [-5] <nil>
}

// A scaling in the notes of a model, as its file has them.
func ExampleScalingOf() {
	s := &dataset.Scaling{Shift: []float64{3}, Factor: []float64{.5}}
	notes, err := s.Note(nil) // to model.WithNotes
	if err != nil {
		log.Fatal(err)
	}
	same, err := dataset.ScalingOf(notes)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(same.Shift, same.Factor)
	// Output: [3] [0.5]
}
