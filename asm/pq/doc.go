// Package pq holds the raw kernels of product quantization: packing points, nearest centroids, distance tables, and
// sums of table entries over codes. Each has an implementation per tier (package asm/cpu) and a pure-Go twin, which is
// the reference.
//
// Kernels take pointers and lengths, check nothing and allocate nothing; lengths are never negative, and a length of
// zero reads and writes nothing. There is no compatibility promise here: use package pq of this module, which checks.
//
// Assign, TableL2 and TableIP round alike on every tier, operation by operation: the nearest centroid does not depend
// on the machine. Scan adds in an order that is the same everywhere, too.
package pq

//go:generate go -C ../../internal/gen run ./amd64
//go:generate go -C ../../internal/gen run ./neon

// Lanes is the number of points in a block of Pack and Assign.
const Lanes = 16

// Block is the number of codes in a block of Scan8 and Scan4.
const Block = 256
