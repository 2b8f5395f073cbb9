// Package linear holds the model of every linear family: weights W, d-by-m, which give an example x the scores xᵀ W + b
// of m outputs, classes or labels.
//
// Trainers return a [Model]; [New] makes one of weights that come from elsewhere, and [ReadLIBLINEAR] of LIBLINEAR's
// text. A Model is a solvers.Scorer: solvers.Predict, solvers.TopK and solvers.LabelSets answer for many examples.
package linear
