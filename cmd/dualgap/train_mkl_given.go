package main

import (
	"fmt"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// Given are the flags of kernels that are given as matrices.
type Given struct {
	Matrices  []string `group:"kernel" placeholder:"FILE,..." help:"Kernel matrices of the n examples, n-by-n, in CSV or NPY files, in place of kernels of features; beside them where --kernels or --groups is given. predict then wants, for each example, its kernel values with the n training examples, of all matrices side by side, behind the features if these count."`
	Distances []string `group:"kernel" placeholder:"FILE,..." help:"Matrices of squared distances d likewise; the kernels are exp(-d/mean d), and predict wants the values of these."`

	features bool // besides these there are kernels of features
}

// any reports whether there are matrices.
func (f *Given) any() bool { return len(f.Matrices)+len(f.Distances) > 0 }

// files are the files of the matrices.
func (f *Given) files() []string { return append(append([]string(nil), f.Matrices...), f.Distances...) }

// givenKernels returns the matrices as groups of a bundle, and a name for each.
func givenKernels[T vec.Float](f *Given, n int) (groups []bundle.Group[T], names []string, err error) {
	for _, path := range f.Matrices {
		m, err := square[T](path, n)
		if err != nil {
			return nil, nil, err
		}
		k, err := kernel.Precomputed(m)
		if err != nil {
			return nil, nil, inFile(path, err)
		}
		groups, names = append(groups, bundle.Group[T]{Matrix: k}), append(names, path)
	}
	for _, path := range f.Distances {
		d, err := square[T](path, n)
		if err != nil {
			return nil, nil, err
		}
		mean := 0.0
		for i := range d.Rows {
			mean += float64(vec.Sum(d.Row(i))) / float64(n) / float64(n)
		}
		if !(mean > 0) {
			return nil, nil, fmt.Errorf("%s: the mean of the distances is %v, want a number above 0", path, mean)
		}
		k, err := kernel.FromDistances(d, 1/mean)
		if err != nil {
			return nil, nil, inFile(path, err)
		}
		groups = append(groups, bundle.Group[T]{Matrix: k})
		names = append(names, fmt.Sprintf("exp(-%.6g d) of %s", 1/mean, path))
	}
	return groups, names, nil
}

// square reads an n-by-n matrix from a CSV or NPY file.
func square[T vec.Float](path string, n int) (m vec.Matrix[T], err error) {
	e, err := data.Open[T](path, data.Options{Format: "auto", Header: "auto", Multiply: 1, Unlabeled: true}, nil)
	if err != nil {
		return m, err
	}
	x, ok := e.X.(*dataset.Dense[T])
	if !ok || x.Rows != n || x.Cols != n {
		rows, columns := e.X.Dims()
		return m, fmt.Errorf("%s: %d-by-%d numbers, want %d-by-%d in a file .csv or .npy: a row and a column for each "+
			"example", path, rows, columns, n, n)
	}
	return x.Matrix, nil
}
