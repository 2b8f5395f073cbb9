package dataset_test

import (
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
