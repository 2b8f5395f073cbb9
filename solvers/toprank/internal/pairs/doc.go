// Package pairs solves the problems of package interior, two sides of variables and a scalar that ties them, with a
// kernel matrix whose rows are computed when they are asked for, by steps of two variables each.
//
// Pair steps alone do not reach the optimum where a scalar s, itself a variable, bounds or bends the others: it ties
// many of them together. With s held the problem is a support vector machine's, where they do; the objective of its
// solution is a concave function of s, of which the multipliers tell the slope. So the steps go on until the slope's
// sign is certain, then s moves. Where K is so ill-conditioned that this takes too long, a small problem is left to
// package interior.
package pairs
