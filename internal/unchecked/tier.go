package unchecked

import "github.com/dualgap/dualgap/asm/cpu"

// Callers that choose between ways to compute ask what the tier in use has. Tests change the tier, so no answer is
// kept.

// Generic reports whether the kernels are loops in Go: a call that passes over a vector once more then seldom pays.
func Generic() bool { return cpu.Level == cpu.Generic }

// Prunes reports whether the tier has a kernel for [Prune32].
func Prunes() bool { return cpu.Level == cpu.AVX512 }

// SortsByVectors reports whether the tier has kernels for sorting, by which sorting a few hundred numbers is quicker
// than finding the largest of them one by one.
func SortsByVectors() bool { return cpu.Level >= cpu.AVX2 }

// VisitsOnes reports whether the tier has kernels for [BoxOneHinge], [BoxOneSquared] and [BoxOneLogistic].
func VisitsOnes() bool { return cpu.Level >= cpu.AVX2 }
