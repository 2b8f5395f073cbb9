// Package hinge holds the kernels of the hot loop of dual ascent on the multiclass hinge loss. One is all that a visit
// of an example takes once its scores are known. The others are parts of a visit of any loss of one true class, whose
// projection is computed elsewhere: its target, the move behind it, and sums in float64.
//
// Functions take pointers and lengths and check nothing. There is no promise of compatibility: use package
// solvers/topk.
package hinge
