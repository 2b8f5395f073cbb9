// Package proj holds the kernels of projections onto simplices and their kin: the bound that prunes, the pruning, the
// last pass that writes.
//
// Functions take pointers and lengths and check nothing; a length of zero touches no memory. There is no promise of
// compatibility: use package project.
package proj
