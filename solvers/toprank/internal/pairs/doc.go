// Package pairs solves the problems of package interior, two sides of variables and a scalar that ties them, with a
// kernel matrix whose rows are computed when they are asked for, by steps of two variables each.
//
// Pair steps alone do not reach the optimum where s, itself a variable, sets the bounds or the curvature of the
// others. With s fixed the problem is a support vector machine's, where they do. The value of its solution is a concave
// function of s, whose slope the multipliers tell. So steps continue until the sign of the slope is certain, then s
// moves. Where K is so ill-conditioned that this takes too long, package interior solves a small problem.
//
// Package interior has the table of symbols. Variables have signs here: x is v of Plus and -v of Minus.
package pairs
