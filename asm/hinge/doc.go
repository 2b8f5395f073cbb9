// Package hinge holds the kernels of the hot loop of dual ascent on the multiclass hinge loss. One is all that a visit
// of an example takes once its scores are known. Two more end a visit of any loss of one true class, whose projection
// is computed elsewhere.
//
// Functions take pointers and lengths and check nothing. There is no promise of compatibility: use package
// solvers/topk.
package hinge
