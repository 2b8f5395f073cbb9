// Package low computes with vectors that are stored in few bits: int8 and uint8, bits, [BFloat16] and [Float16].
//
//	s := low.DotInt8(x, y)             // Σ x_i y_i, exactly
//	low.MulVecInt8(dst, rows, q)       // the products of all rows with q
//	low.DotsInt8(dst, x, y)            // X Yᵀ
//	h := low.Hamming(a, b)             // bits that differ
//	scale := low.Quantize(codes, v)    // float32 to int8: v ≈ scale codes
//	s := low.NewSearcher(rows, vec.L2) // then s.Nearest: the nearest rows to many queries
//
// It is for many vectors of which some are wanted: embeddings, codes, features of images. Where they exceed the cache,
// time is bytes: int8 takes a quarter of the time of float32, bits a thirty-second, and so they take of the memory. In
// the cache int8 is about as far ahead on CPUs with AVX-512 VNNI, and less with AVX2.
//
// # Pairs, rows, blocks
//
// A pair of short vectors costs little more than the call and the sum of the lanes. Where a vector meets many others
// they belong in a [vec.Matrix], and one call takes all of its rows: MulVec and [HammingRows] for one vector, Dots and
// [HammingDistances] for many. With VNNI a row of 128 bytes takes a fifth of the time of a pair, a row of a block a
// fifteenth. With AVX2 and NEON blocks are as fast as rows.
//
// # Exact and rounded
//
// Sums over int8, uint8 and bits are integers, exact on every CPU. Sums of a pair have 64 bits. Sums of rows and blocks
// have 32, and the functions panic where there are more columns than fit whatever the numbers: 131071 for int8, 33025
// for uint8, 65793 for rows of uint8 with a vector of int8. Sums over [BFloat16] and [Float16] are float32, with the
// bounds that each function states.
//
// # Distances of rows
//
// Squared distances and cosines of rows follow from the products, with norms that the caller keeps:
//
//	|x_i - q|² = |x_i|² + |q|² - 2 <x_i, q>        cos(x_i, q) = <x_i, q> / (|x_i| |q|)
//
// [SquaredNormsInt8] and [SquaredNormsUint8] compute the norms of all rows. In int64 nothing overflows. [Searcher]
// finds the nearest rows in little more than the time of the products.
//
// # Arguments
//
// What a function writes comes first. Where lengths or sizes do not fit together a function panics with a
// vec.ShapeError that names the function and the numbers. Empty vectors and matrices are valid everywhere. What a
// function writes may overlap no other argument. Functions whose names end in Workers share their work among
// goroutines: their last argument is the largest number of these, 0 for all cores; results do not depend on it. Nothing
// but these allocates, once room for copies is there.
package low
