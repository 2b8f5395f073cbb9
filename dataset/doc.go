// Package dataset holds examples for training and reads them from files.
//
//	train, err := dataset.OpenLIBSVM[float32]("train.svm.gz", dataset.LIBSVMOptions{})
//	fmt.Println(train.X.Rows, train.X.Cols, train.Classes, train.Y[0])
//	scaling, err := dataset.Standardize(train.X)
//	x, err := train.X.Scaled(scaling)    // what solvers train on
//	positive, err := train.Positive("1") // one class against the rest
//
// [Dense] and [CSR] (compressed sparse rows) are the two storages: a row is an example, a column is a feature. Readers
// and constructors refuse NaN, infinities and indices out of range. A matrix whose fields are set by hand is checked by
// its method Validate.
//
// The readers take LIBSVM text, CSV (comma-separated values), IDX (the format of MNIST), NPY (numpy.save) and the
// fvecs, bvecs and ivecs of sets for the search of nearest neighbors, by gzip compressed or not: the first bytes
// decide, not the name. They give a [Labeled]: the matrix X, the class of each example in Y, and the names of the
// classes. In LIBSVM text examples may have any number of classes, in Sets. The readers read in one pass and take
// memory as data arrives, so that a wrong size in a header costs nothing. A small gzip file can hold huge data: set
// MaxBytes for files that are not trusted. What is wrong with a file is told by a [*ParseError].
//
// Examples that memory does not hold stay in an NPY file, [MapNPY], or come a block at a time: [NPYRows] of a file
// anywhere, [ReadLIBSVMBlocks] of text, and [CSRBlock], sparse rows in a file of the library's own, which are read in
// a third of the time that text takes.
//
// A test file is read with the columns and the classes of its training file, so that a number means the same in both.
// What only the test file has is an error, or is dropped and counted:
//
//	train, err := dataset.OpenLIBSVM[float32]("train.svm.gz", dataset.LIBSVMOptions{})
//	test, err := dataset.OpenLIBSVM[float32]("test.svm.gz", dataset.LIBSVMOptions{
//		Cols: train.X.Cols, Classes: train.Classes, DropUnseen: true,
//	})
//
// A CSV file with a header is read by the names of the training file's features, whatever the order of its columns:
// [CSVOptions] has an example.
//
// Solvers know a class by its number in Y, and train.Classes has the name of each number. To have a model answer with
// the labels of the file, hand it these names: the field Names of a solver's Problem takes train.Classes as it is.
//
// Package [github.com/dualgap/dualgap/dataset/samples] embeds small real sets.
package dataset
