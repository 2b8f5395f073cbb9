package dataset_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

func ExampleReadLIBSVM() {
	text := "+1 1:0.5 3:-2\n-1 2:1\n+1 3:4\n"
	d, err := dataset.ReadLIBSVM[float32](strings.NewReader(text), "train.svm", dataset.LIBSVMOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.X.Rows, "x", d.X.Cols)
	fmt.Println("classes", d.Classes, "of the examples", d.Y)

	// The test file numbers its classes and counts its columns as the training file does.
	o := dataset.LIBSVMOptions{Cols: d.X.Cols, Classes: d.Classes}
	_, err = dataset.ReadLIBSVM[float32](strings.NewReader("-1 1:7\n+1 4:1\n"), "test.svm", o)
	fmt.Println(err)
	// Output:
	// 3 x 3
	// classes [-1 1] of the examples [1 0 1]
	// dataset: test.svm:2:4: found "4:1", want an index of at most 3, for 3 columns
}

// A test file can hold what its training file did not: here column 4, and the label 7.
func ExampleLIBSVMOptions_dropUnseen() {
	train, err := dataset.ReadLIBSVM[float32](strings.NewReader("+1 1:0.5 3:-2\n-1 2:1\n"), "train.svm",
		dataset.LIBSVMOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	o := dataset.LIBSVMOptions{Cols: train.X.Cols, Classes: train.Classes, DropUnseen: true}
	test, err := dataset.ReadLIBSVM[float32](strings.NewReader("-1 1:7\n+1 3:2 4:1\n7 1:1\n"), "test.svm", o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(test.X.Rows, "examples of the classes", test.Y)
	fmt.Println(test.DroppedRows, "example dropped, and from the others", test.DroppedNonzeros, "nonzero")
	// Output:
	// 2 examples of the classes [0 1]
	// 1 example dropped, and from the others 1 nonzero
}

// The names of classes and of features come with the data.
func ExampleLabeled() {
	text := "length,width,kind\n5.1,3.5,setosa\n7.0,3.2,versicolor\n6.3,3.3,virginica\n"
	d, err := dataset.ReadCSV[float64](strings.NewReader(text), "iris.csv", dataset.CSVOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.FeatureNames, d.Classes)
	last := d.X.Window(1, 3) // the second and the third example, which share the memory of d.X
	fmt.Println(last.Rows, "examples, the first with", d.FeatureNames[1], last.At(0, 1))
	// Output:
	// [length width] [setosa versicolor virginica]
	// 2 examples, the first with width 3.2
}

func ExampleReadCSV() {
	text := "length;width;kind\n5.1;3.5;setosa\n7.0;3.2;versicolor\n"
	d, err := dataset.ReadCSV[float64](strings.NewReader(text), "iris.csv", dataset.CSVOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, k := range d.Y {
		fmt.Println(d.X.Row(i), k, d.Classes[k])
	}
	// Output:
	// [5.1 3.5] 0 setosa
	// [7 3.2] 1 versicolor
}

// A test file has its columns in another order, one more than the training file, and no label.
func ExampleCSVOptions() {
	read := func(text string, o dataset.CSVOptions) *dataset.Labeled[*dataset.Dense[float64]] {
		d, err := dataset.ReadCSV[float64](strings.NewReader(text), "iris.csv", o)
		if err != nil {
			log.Fatal(err)
		}
		return d
	}
	train := read("length,width,kind\n5.1,3.5,setosa\n7.0,3.2,versicolor\n", dataset.CSVOptions{})
	test := read("plant,width,length\nA7,3.3,6.3\n", dataset.CSVOptions{
		Columns: train.FeatureNames, LabelName: train.CSV.LabelName, LabelOptional: true, Classes: train.Classes,
	})
	fmt.Println(test.FeatureNames, test.X.Row(0), "without", test.CSV.Extra)
	// Output: [length width] [6.3 3.3] without [plant]
}

func ExampleReadIDX() {
	images := "\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02" + "\x00\xff\x33\x66"
	x, err := dataset.ReadIDX[float32](strings.NewReader(images), "images", dataset.IDXOptions{Scale: 1.0 / 255})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Row(0), x.Row(1))
	// Output: [0 1] [0.2 0.4]
}

func ExampleParseError() {
	_, err := dataset.ReadCSV[float64](strings.NewReader("1,2,a\n3,?,b\n"), "data.csv", dataset.CSVOptions{})
	var e *dataset.ParseError
	if errors.As(err, &e) {
		fmt.Println("line", e.Line, "column", e.Column)
	}
	fmt.Println(err)
	// Output:
	// line 2 column 3
	// dataset: data.csv:2:3: found "?", want a number in column 2
}

func ExampleNewCSR() {
	_, err := dataset.NewCSR(3, []int{0, 1, 3}, []int32{0, 2, 1}, []float64{1, 2, 3})
	fmt.Println(err)
	// Output: dataset: row 1 has column 1, value 3, after column 2: want ascending columns
}

// Data made in the program: features, and labels by name.
func ExampleTextLabels() {
	x, err := dataset.NewDense(vec.MatrixOf(3, 2, []float32{1, 2, 3, 4, 5, 6}))
	if err != nil {
		fmt.Println(err)
		return
	}
	l, err := dataset.TextLabels([]string{"dog", "cat", "dog"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := dataset.WriteCSV(os.Stdout, &dataset.Labeled[*dataset.Dense[float32]]{X: x, Labels: l}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1,2,dog
	// 3,4,cat
	// 5,6,dog
}

// Examples with any number of labels. The second has none.
func ExampleLIBSVMOptions_sets() {
	text := "sea,sun 1:0.5 3:-2\n 2:1\nsea 3:4\n"
	d, err := dataset.ReadLIBSVM[float32](strings.NewReader(text), "train.svm", dataset.LIBSVMOptions{Sets: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.X.Rows, "x", d.X.Cols, d.Classes, d.Sets)
	// Output: 3 x 3 [sea sun] [[0 1] [] [0]]
}

// A file of numpy.save. Pixels in [0, 1] take a byte each.
func ExampleReadNPY() {
	x, err := dataset.NewDense(vec.MatrixOf(2, 3, []float32{0, 1, .2, .4, .6, .8}))
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer // or a file
	o := dataset.NPYOptions{Type: "u1", Scale: 1.0 / 255}
	if err := dataset.WriteNPY(&file, x, o); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(file.Len(), "bytes")
	same, err := dataset.ReadNPY[float32](&file, "images.npy", o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(same.Row(0), same.Row(1))
	// Output:
	// 134 bytes
	// [0 1 0.2] [0.4 0.6 0.8]
}

// Examples that stay in their file: it may be larger than memory.
func ExampleMapNPY() {
	x, err := dataset.MapNPY[float32]("testdata/u1-images.npy", dataset.NPYOptions{Scale: 1.0 / 255})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer x.Close()
	labels, err := dataset.OpenNPYLabels("testdata/i8-labels.npy", dataset.NPYOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := topk.Fit[float32](context.Background(), x, labels.Y, topk.Config{Lambda: .01})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status)
	// Output: converged
}

// Examples of a file that need not be on this machine, two at a time into the same memory.
func ExampleNPYRows() {
	file, err := os.Open("testdata/u1-images.npy") // or whatever else has ReadAt
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := dataset.NewNPYRows[float32](file, info.Size(), file.Name(), dataset.NPYOptions{Scale: 1.0 / 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	var block dataset.Dense[float32]
	n, _ := rows.Dims()
	for from := 0; from < n; from += 2 {
		if err := rows.Read(&block, from, min(from+2, n)); err != nil {
			fmt.Println(err)
			return
		}
		for i := range block.Rows {
			fmt.Println(from+i, block.Row(i))
		}
	}
	// Output:
	// 0 [0 1 2 3]
	// 1 [4 5 6 7]
	// 2 [8 9 10 11]
}

// One class against the rest.
func ExampleLabels_Binary() {
	l, err := dataset.TextLabels([]string{"7", "1", "7", "3"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	sevens, err := l.Binary("7")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sevens.Y, sevens.Values)
	// Output: [1 0 1 0] [1 -1 1 -1]
}
