// Package dataset holds examples for training and reads them from files.
//
// [Dense] and [CSR] are the two storages: a row is an example, a column a feature. Their constructors refuse NaN, infinities
// and indices out of range, so what a solver is given is sound.
//
// The readers take LIBSVM text, CSV and IDX (the format of MNIST), packed with gzip or not: the first bytes decide, not the
// name. Each returns a [Labeled]: X, the class Y of each example in 0..m-1, and the names of the classes. They read in one
// pass and take memory as data arrives, so a header that lies costs nothing; since a small gzip file can unpack to a huge
// one, set MaxBytes for files that are not trusted. What is wrong with a file is told by a [*ParseError].
//
//	train, err := dataset.OpenLIBSVM[float32]("train.svm.gz", dataset.LIBSVMOptions{})
//	test, err := dataset.OpenLIBSVM[float32]("test.svm.gz", dataset.LIBSVMOptions{Cols: train.X.Cols, Classes: train.Classes})
//
// Package [github.com/dualgap/dualgap/dataset/samples] embeds small real sets.
package dataset
