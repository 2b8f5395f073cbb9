package dataset_test

import (
	"bytes"
	"fmt"
	"log"
	"strings"

	"github.com/dualgap/dualgap/dataset"
)

// Examples of a file that memory would not hold, some at a time.
func ExampleReadLIBSVMBlocks() {
	text := strings.NewReader("3 1:1\n7 2:1\n3 1:1 3:1\n")
	o := dataset.LIBSVMOptions{Cols: 3, Classes: []string{"3", "7"}}
	err := dataset.ReadLIBSVMBlocks(text, "text", o, 4, func(block *dataset.Labeled[*dataset.CSR[float32]]) error {
		fmt.Println(block.X.Rows, "examples of the classes", block.Y)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2 examples of the classes [0 1]
	// 1 examples of the classes [0]
}

// A sparse data set in blocks of two rows, which any process reads without parsing text.
func ExampleCSRBlock() {
	text := strings.NewReader("3 1:1\n7 2:1\n3 1:1 3:1\n")
	d, err := dataset.ReadLIBSVM[float32](text, "text", dataset.LIBSVMOptions{})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // or a file for each block
	for from := 0; from < d.X.Rows; from += 2 {
		to := min(from+2, d.X.Rows)
		block := dataset.CSRBlock[float32]{First: from, X: d.X.Window(from, to), Y: d.Y[from:to]}
		if _, err := block.WriteTo(&file); err != nil {
			log.Fatal(err)
		}
	}
	err = dataset.ReadCSRBlocks(&file, func(block *dataset.CSRBlock[float32]) error {
		fmt.Println("row", block.First, "and on: classes", block.Y, "columns", block.X.Idx)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// row 0 and on: classes [0 1] columns [0 1]
	// row 2 and on: classes [0] columns [0 2]
}
