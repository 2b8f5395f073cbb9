// Package vec computes with vectors and matrices of float32 and float64: sums, inner products, distances, exponentials
// and logarithms, sorting and selection, products of matrices. Its kernels are assembly for AVX-512, AVX2 and NEON, and
// pure Go for everything else. The best ones that the CPU runs are chosen when the program starts.
//
//	s := vec.Dot(x, y)                                   // Σ x_i y_i
//	vec.Axpy(alpha, x, y)                                // y += alpha x
//	vec.Gemv(1, a, x, 0, y)                              // y = A x
//	vec.Gemm(vec.NoTrans, vec.Transposed, 1, a, b, 0, c) // C = A Bᵀ
//	vec.MixedGemv(1, a, x, 0, y)                         // y = A x in float64, A in float32
//	i := vec.ArgMax(x)                                   // x_i = max x
//	vec.SparseGemvT(1, a, idx, val, 0, y)                // y = Aᵀ x for a sparse x
//
// # Arguments
//
// A vector is a slice, with all its elements. A [Matrix] is a window of a slice. What a function writes comes first, as
// with Go's copy; only functions with names of the BLAS, such as [Axpy] and [Gemm], keep the order of the BLAS.
//
// Where lengths or sizes do not fit together a function panics with a [ShapeError], which names the function and the
// numbers. Like an index out of range this is an error of the program, not of its input. Empty vectors and matrices,
// nil among them, are valid everywhere: their sums are 0, and nothing is written.
//
// # Data in float32, sums in float64
//
// [MixedDot], [MixedAxpy], [MixedGemv] and [MixedGemvT] are for certificates and for refinement: they compute in
// float64 with vectors of float64 and with data that are kept in float32. Data become float64 on their way into the
// registers, which rounds nothing, so that they are read once, at half the bytes of a copy in float64.
//
// # Sparse vectors
//
// A sparse vector x is a list val of its values and a list idx of their places, counted from 0: x[idx[k]] = val[k], and
// 0 elsewhere. Places may come in any order; values of a place that comes twice add up.
//
// # Overlap
//
// Arguments that are only read may overlap in any way. What a function writes may overlap no other argument, or the
// result is unspecified. There are two exceptions: x and y of [Axpy] may be the same vector, and functions of each
// element by itself, such as [Exp], work in place. Nothing outside the arguments is read or written, and neither are
// the gaps between the rows of a matrix, so goroutines may work on neighbouring parts of one slice.
//
// # Workers
//
// Functions whose names end in Workers share their work among goroutines; no others start any. Their last argument is
// the largest number of goroutines: 0 stands for all cores (runtime.GOMAXPROCS), and a negative number panics. There
// are never more than cores, nor more than there is work for. The bits of the result do not depend on their number.
//
// # Rounding, NaN and infinity
//
// Each tier adds up sums in an order of its own, with or without fused multiply-add. So the last bits differ from tier
// to tier, but on one tier the same arguments give the same bits. The error of a sum of n terms is at most (n+3)u
// Σ|terms| to first order, where the unit roundoff u is 2⁻²⁴ for float32 and 2⁻⁵³ for float64.
//
// NaN, infinities, -0 and denormal numbers are treated as arithmetic treats them: a NaN in an argument reaches every
// result of which it is a term. There is one exception: with beta = 0 [Gemv], [GemvT], [MixedGemv], [MixedGemvT],
// [SparseGemvT], [Gemm] and [Syrk] overwrite their result without reading it.
//
// # Sorting
//
// [Sort], [SortPairs], [ArgSort], [PartialSort], [NthElement] and [TopK] order -Inf < ... < -0 < 0 < ... < Inf and put
// NaN last, in descending order too. Elements that are equal have equal bits, so only what goes along with them can
// tell them apart: positions and payloads of equal elements ascend, as they do after a stable sort. All tiers give the
// same bits, and a NaN keeps its own. No input takes more than O(n log n). Long vectors need room as large as they are,
// two or three times that with positions or payloads; it comes from a common pool.
//
// # Tiers
//
// [Info] tells which kernels run and why. The environment variable DUALGAP_TIER (avx512, avx2, neon, generic), read
// when the program starts, forces a lower tier than the best one. The build tag purego leaves the assembly out.
//
// [Dot32], [Dot64], [SquaredDistance32], [SquaredDistance64], [Axpy32] and [Axpy64] do what their generic namesakes do
// and are inlined: where vectors are short, the call that this saves is worth the longer name.
//
// Memory for packed matrices and for sorting is kept for later calls. Once it is there only [NewMatrix] allocates, and
// the functions that start goroutines.
//
// # When to use something else
//
// For decompositions, sparse matrices and complex numbers there is gonum.org/v1/gonum. Sums whose terms cancel to
// nearly nothing want compensated or exact summation, which these are not.
package vec
