// Package hinge holds the kernel of the hot loop of dual ascent on the multiclass hinge loss: all that a visit of an
// example takes once its scores are known.
//
// Functions take pointers and lengths and check nothing. There is no promise of compatibility: use package
// solvers/topk.
package hinge
