package main

import (
	"fmt"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// readMatrix reads a matrix with a column for each class, and with rows rows if rows is above 0, from a CSV or NPY
// file. Where a header names the columns they are put in the order of the classes; order tells where the column of each
// class was. With one row more than expected the first one is a header, though its names are numbers.
func readMatrix(path string, classes []string, rows int) (m vec.Matrix[float64], order []int, err error) {
	options := data.Options{Format: "auto", Header: "auto", Multiply: 1, Unlabeled: true}
	e, err := data.Open[float64](path, options, nil)
	if err == nil && e.FeatureNames == nil && rows > 0 && e.Len() == rows+1 && e.Format == "csv" {
		options.Header = "yes"
		e, err = data.Open[float64](path, options, nil)
	}
	if err != nil {
		return m, nil, err
	}
	x, ok := e.X.(*dataset.Dense[float64])
	if !ok {
		return m, nil, fmt.Errorf("%s: want a matrix in a file .csv or .npy", path)
	}
	if x.Cols != len(classes) {
		return m, nil, fmt.Errorf("%s: %d columns, but %d labels in the data: %s", path, x.Cols, len(classes),
			list(classes))
	}
	if rows > 0 && x.Rows != rows {
		return m, nil, fmt.Errorf("%s: %d rows, but %d labels in the data", path, x.Rows, rows)
	}
	order = make([]int, len(classes))
	for c, class := range classes {
		order[c] = c
		if e.FeatureNames == nil {
			continue
		}
		if order[c] = place(e.FeatureNames, class); order[c] < 0 {
			return m, nil, fmt.Errorf("%s: no column of the label %s, there are %s", path, class, list(e.FeatureNames))
		}
	}
	x, err = x.Columns(order)
	if err != nil {
		return m, nil, inFile(path, err)
	}
	return x.Matrix, order, nil
}

// inFile says which file an error is about.
func inFile(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}
