// Package data reads the examples of a command's files, in any of the formats that package dataset has.
package data

import "github.com/dualgap/dualgap/cmd/dualgap/internal/memory"

// Options are the flags that say how a data file is to be read. Commands embed them.
type Options struct {
	Format      string      `group:"data" enum:"auto,libsvm,csv,npy,idx,fvecs,bvecs,ivecs" default:"auto" help:"Format of the data: ${enum}. auto goes by the name: .csv, .npy, .idx or -ubyte, .fvecs, .bvecs, .ivecs, else libsvm; .gz may follow."`
	Labels      string      `group:"data" placeholder:"FILE" help:"Labels of an NPY or IDX file, in a file of the same format. By default the file by MNIST's naming, labels-idx1 for images-idx3, or NAME-labels.npy for NAME.npy."`
	MultiLabel  bool        `group:"data" help:"LIBSVM: any number of labels an example, separated by commas. By default as the first lines look."`
	ZeroBased   bool        `group:"data" help:"LIBSVM: the first feature has the index 0 instead of 1."`
	Features    int         `group:"data" placeholder:"D" help:"LIBSVM: number of features. By default the largest index of the file, or what the model has."`
	LabelColumn string      `group:"data" placeholder:"COLUMN" help:"CSV: the label's column, a number from 1 (from -1 counts from the end) or a name of the header. By default the last, or where the training file had it."`
	GroupColumn string      `group:"data" placeholder:"COLUMN" help:"CSV: the column of the group, a number or a name likewise. Cross-validation keeps a group together, as it does LIBSVM's qid."`
	GroupFile   string      `group:"data" placeholder:"FILE" help:"The group of each example, in a file of its own: NPY, IDX, or text with a group in each line."`
	FoldColumn  string      `group:"data" placeholder:"COLUMN" help:"CSV: the column that says in which part of a cross-validation an example is, a number or a name likewise."`
	FoldFile    string      `group:"data" placeholder:"FILE" help:"The part of each example, in a file of its own likewise."`
	Unlabeled   bool        `group:"data" help:"CSV, NPY, IDX: there are no labels, all columns are features."`
	Header      string      `group:"data" enum:"auto,yes,no" default:"auto" help:"CSV: whether the first line has names (${enum})."`
	Multiply    float64     `group:"data" default:"1" placeholder:"FACTOR" help:"NPY, IDX, fvecs, bvecs, ivecs: multiply all numbers by it, such as .00392157 for bytes to 0..1."`
	Memory      memory.Size `group:"data" placeholder:"SIZE" help:"Most memory to use, such as 8G. By default 90% of what is available, by the limits of control groups too. What would take more is an error."`
	MaxRows     int         `group:"data" placeholder:"N" help:"Read the first N examples only."`
}

// AfterApply is called by kong, once the flags are read.
func (o Options) AfterApply() error {
	memory.Use(o.Memory)
	return nil
}

// Known is what a model knows of data: it gives a file's labels and columns their numbers.
type Known struct {
	Classes  []string // names of the classes, nil where any is welcome
	Features int      // number of features, 0 for the number in the file
	Sets     bool     // examples have sets of labels

	// Of CSV, see dataset.CSVOptions.
	Names       []string // of the features, nil where these have none
	Label       string   // name of the label's column, or ""
	LabelColumn int      // its place among the label and the features, from 1; 0: the last
}
