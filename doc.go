// Package dualgap is the root of a library for large-margin learning: models such as the top-k multiclass support
// vector machine, trained until a bound on the distance from the optimum, the duality gap, is as small as was asked
// for, and kernels for vectors and matrices that make this quick. All of it is Go and assembly, without cgo; this
// package itself has no code.
//
// What to import:
//
//	vec                vectors and matrices: products, sums, exponentials, sorting, on AVX-512, AVX2, NEON or in pure Go
//	vec/low            vectors that are stored narrow: int8, uint8, bits, halves
//	vec/gonumblas      the same kernels under gonum
//	project            projections onto simplices, knapsacks, balls and the top-k sets
//	pq                 product quantization: compressed vectors, search, and compressed examples to train on
//	dataset            examples as dense or sparse matrices, read from LIBSVM, CSV, IDX and NPY files
//	dataset/samples    small data sets to try things with
//	solvers            what all solvers share: the interface to examples, the certificate, predictions, folds
//	solvers/topk       top-k and multiclass support vector machines, softmax and multi-label losses
//	solvers/m3l        multi-label support vector machines with a prior of how labels go together, and one against all
//	solvers/toprank    rankers that are right at the top, with a threshold
//	solvers/svm        support vector machines with one score: two classes, regression
//	solvers/l1         linear models with L1 regularization: few features have a weight
//	solvers/tracenorm  multinomial logistic regression with weights of low rank
//	solvers/mkl        support vector machines that learn how to weigh many kernels
//	exchange           models as files of ONNX and safetensors, both ways
//	solvers/predictor  predictions with the file of any model, for programs that serve
//	solvers/model      what training ends with, of any family, and its file
//	solvers/linear     linear models and their files
//	solvers/kernel     kernels such as the Gaussian, the cache of their values, models in support vectors
//	solvers/loss       the losses
//	solvers/metrics    accuracy, confusion, label sets, precision and recall, calibration
//
// To train a model, begin with package dataset, which reads examples, and a family of solvers, whose Fit trains; the
// examples there are complete programs. The command in cmd/dualgap does the same without a program. To compute with
// vectors alone, vec is all that is needed, and it needs nothing else from here.
//
// The README shows more: which solver for what, results with their times, and how to measure them. The folder docs has
// a tutorial for each family.
package dualgap
