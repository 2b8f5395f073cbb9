// Package core is what package kernel and package bundle share.
//
// A group of a bundle is several kernels of the same features. What they have in common are inner products, which
// package kernel computes, keeps and turns into values; package bundle reads them as [Products], through a [Reader] for
// each goroutine, and support vectors as [Vectors]. Both packages have models of support vectors with [Coefficients].
package core
