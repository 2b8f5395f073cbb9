// Package box holds the kernels of the hot loop of dual ascent on losses that are a sum over labels, where each label
// has a dual variable in an interval of its own: all that a visit of an example takes once its scores are known; and,
// for other losses too, the extrapolation of dual variables and weights between epochs.
//
// Functions take pointers and lengths and check nothing. There is no promise of compatibility: use package solvers/m3l.
package box
