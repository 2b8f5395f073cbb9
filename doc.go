// Package dualgap is the root of a library for large-margin learning: models such as the top-k multiclass support
// vector machine, trained until a bound on the distance from the optimum, the duality gap, is as small as was asked
// for, and kernels for vectors and matrices that make this quick. All of it is Go and assembly, without cgo; this
// package itself has no code.
//
// What to import:
//
//	vec               vectors and matrices: products, sums, exponentials, sorting, on AVX-512, AVX2, NEON or in pure Go
//	vec/gonumblas     the same kernels under gonum
//	project           projections onto simplices, knapsacks, balls and the top-k sets
//	dataset           examples as dense or sparse matrices, read from LIBSVM, CSV and IDX files
//	dataset/samples   small data sets to try things with
//	pq                product quantization: compressed vectors, search, and compressed examples to train on
//	solvers           what all solvers share: the interface to examples, the certificate
//	solvers/topk      top-k and multiclass support vector machines, softmax and multilabel models
//	solvers/kernel    kernels such as the Gaussian, and the cache of their values
//	solvers/loss      the losses
//	solvers/metrics   top-k accuracy and confusion
//
// To train a model, begin with package dataset, which reads examples, and solvers/topk, whose Fit trains; the examples
// there are complete programs. To compute with vectors alone, vec is all that is needed, and it needs nothing else from
// here.
//
// The README shows more: which solver for what, results with their times, and how to measure them.
package dualgap
