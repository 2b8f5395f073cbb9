// Package design shows solvers their data: the design matrix X, of n examples by d features, in any storage. [Matrix]
// is that interface; what can be done with any storage is a function here.
//
//	x := data.X                                     // *dataset.CSR[float32], or any other storage
//	train := design.Subset[float32](x, rows)        // some examples, without a copy
//	both := design.Concat[float32](words, measured) // side by side: each example with the features of both
//	flat := design.Scaled(design.Centered[float32](x, mean), factors)
//	design.ScoresAll(scores, w, train, 0)           // X W, by all cores
//
// A storage of your own has six methods to write. What it can do besides, it says by another one: [SparseRows],
// [DenseRows], [ByFeatures], CheckSizes() error (see [Check]), Validate() error (see [Validate]), and InFile() bool,
// true where rows come from a file, which keeps [Sparse] from copying them.
//
// Package dataset has dense and sparse storages, package pq a compressed one. They need not import this package.
package design
