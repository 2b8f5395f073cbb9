// Package pair holds the kernels of pair steps: ascent on a dual in variables x that two of its variables climb at a
// time, x_k up by D and x_l down by D, so that their sum stays. Variables are signed, so that one convention serves all
// pairs: x is alpha of a positive example and -beta of a negative one, w = sum of x_i phi(x_i), and f = K x are the
// scores.
//
// Where a kernel computes x*y + z it rounds the product and the sum, so that all tiers give the bits of the twin.
//
// Functions take pointers and lengths and check nothing. There is no promise of compatibility: use package
// solvers/toprank.
package pair
