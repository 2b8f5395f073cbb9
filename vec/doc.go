// Package vec computes with vectors and matrices of float32 and float64: inner products, distances, sums, exponentials,
// logarithms, and the updates of level 1 and 2 of the BLAS, on AVX-512, AVX2, NEON or in pure Go, whichever is best where
// the program runs.
//
//	s := vec.Dot(x, y)           // Σ x_i y_i
//	vec.Axpy(alpha, x, y)        // y += alpha x
//	vec.Gemv(1, a, x, 0, y)      // y = A x
//	vec.Gemm(vec.NoTrans, vec.Transposed, 1, a, b, 0, c) // C = A Bᵀ
//	i := vec.ArgMax(x)                    // x_i = max x
//	vec.SparseGemvT(1, a, idx, val, 0, y) // y = Aᵀ x of a sparse x
//
// # Lengths
//
// A vector is a slice, with all its elements; a [Matrix] is a window of a slice. Where lengths do not fit together a
// function panics and names the numbers, as an index out of range does: it is an error of the program, not of its input.
// Empty vectors and matrices, nil among them, are valid everywhere: their sums are 0, and there is nothing to update.
//
// # Overlap
//
// What a function only reads may overlap in any way. What it writes may overlap nothing else, except that [Axpy] allows
// x and y to be the same vector, and that functions of each element, such as [Exp], work in place; otherwise the result is
// unspecified. Nothing is read or written outside the arguments, the gaps between a matrix's rows included, so goroutines
// may work on neighbouring parts of one slice.
//
// # Rounding, NaN and infinity
//
// Sums are added in an order of the tier's own, fused with products or not: the last bits differ from tier to tier, but
// on one tier the same arguments give the same bits. The error of a sum of n terms is at most (n+3)u Σ|terms|, to first
// order, with u = 2⁻²⁴ for float32 and 2⁻⁵³ for float64. NaN, infinities, -0 and denormals are treated as arithmetic
// treats them: a NaN in an argument reaches every result it is a term of. There is one exception: with beta = 0 [Gemv],
// [GemvT], [SparseGemvT], [Gemm] and [Syrk] overwrite their result without reading it.
//
// # Sorting
//
// [Sort], [SortPairs], [ArgSort], [PartialSort], [NthElement] and [TopK] order -Inf < ... < -0 < 0 < ... < Inf, and put NaNs last,
// in descending order too. Elements that are equal have equal bits, so that only what goes along with them can tell them
// apart: positions and payloads then ascend, as a stable sort leaves positions. All tiers give the same bits, NaNs keep theirs.
// No input takes more than O(n log n). Long vectors need room as large as they are, or two or three times that with
// positions or payloads, which is borrowed from a common pool.
//
// # Tiers
//
// [Info] tells which kernels run and why. The environment variable DUALGAP_TIER (avx512, avx2, neon, generic), read when
// the program starts, forces a lower tier than the best one; the build tag purego leaves the assembly out.
//
// [Dot32], [Dot64], [SquaredDistance32], [SquaredDistance64], [Axpy32] and [Axpy64] are the same as their generic
// namesakes and inline: worth their longer names where vectors are short. Once warm nothing here allocates but
// [NewMatrix]; room for packed matrices and for sorting is kept for later calls. Only functions whose names end in Workers start
// goroutines.
//
// # When to use something else
//
// Programs that want decompositions, sparse matrices or complex numbers are better served by gonum.org/v1/gonum. Sums
// whose terms cancel to nearly nothing want compensated or exact summation, which these are not.
package vec
