// Package ranking has the method of the paper on ranking at the top, its Algorithm 3.1 ([Pairs]), and the steps along
// subgradients ([Subgradient]) that its Figure 3 compares that with. Package toprank has the problem, with its symbols
// and the numbers of its equations, and trains in a fraction of the time.
//
// The paper is "Nonlinear classifiers for ranking problems based on kernelized SVM" by Mácha, Adam and Šmídl, 2020.
package ranking
