// Package pq is product quantization: it stores a vector of d numbers in M bytes, or M half bytes, and computes
// distances and inner products from these codes without decoding them.
//
//	q, err := pq.Train(ctx, x, pq.Config{M: 16}) // x: n training vectors as rows
//	err = q.Encode(codes, x, 0)                  // n*q.CodeSize() bytes
//	err = q.Decode(y, codes, 0)                  // y is close to x
//
//	index, err := pq.NewIndex(q, pq.L2)
//	err = index.Add(x, 0)
//	found, err := index.Search(nil, query, pq.Search{K: 10})
//
// # Quantization
//
// The d dimensions are cut into M subspaces of dsub = d/M dimensions each, and in each of them k-means finds ksub =
// 2^nbits centroids, nbits being 8 or 4 (Jégou, Douze and Schmid, "Product quantization for nearest neighbor search",
// IEEE TPAMI 2011). The code of x is, for each subspace j, the number of the centroid nearest to x's part:
//
//	code_j(x) = argmin_c |x_j - c_j,c|²,   x̂ = (c_1,code_1, ..., c_M,code_M)
//
// With [Config].Rotations x is rotated first, x̂ = Rᵀ (...), so that the subspaces share the variance: optimized
// product quantization, which helps most where M is small. Numbers are float32 throughout; matrices hold one vector a
// row.
//
// # Shapes
//
//	centroids   (M, ksub, dsub)     Quantizer.Centroids(j) is (ksub, dsub)
//	codes       (n, CodeSize)       bytes; CodeSize is M with 8 bits, ⌈M/2⌉ with 4, the lower half of a byte first
//	Table       (M, ksub)
//
// M need not divide d if [Config].Uneven says so: the first d mod M subspaces are then one dimension wider.
//
// # Scalar codes
//
// A [Scalar] turns x and rounds each coordinate for itself, to 1, 2, 4 or 8 bits. It needs no k-means:
//
//	s, err := pq.TrainScalar(ctx, x, pq.ScalarConfig{Dims: 196, Bits: 4}) // 98 bytes of the 196 first principal axes
//	index, err := pq.NewIndexOf(s, pq.IndexConfig{Metric: pq.L2, Bounds: true})
//
// After [PCA] the axes with the most variance are kept. They are rotated among themselves at random, so that rounding
// errors have no direction, and of the others bounds keep a norm for each of some groups, the tails: the query's part
// there meets the vector's part, which is little. After [Hadamard], a random rotation, all coordinates are kept; this
// needs no training data to speak of and costs d log d operations. With 1 bit it is RaBitQ (Gao and Long, SIGMOD 2024).
// A code says in which direction from the mean x lies. With up to 4 bits estimates are unbiased: t |r|²/u in place of
// u t below.
//
// # Distances
//
// A [Table] holds the distances of a query to all centroids; the distance to the vector of a code is the sum of M of
// these entries. If the table is set from a query, the sum is |query - x̂|² (asymmetric); if it is set from a code,
// the sum is the distance between two decoded vectors (symmetric). An [Index] looks for the nearest of all its
// vectors. It first adds up entries rounded to bytes, which vector instructions look up 16 to 64 at a time. These
// sums bound distances from below, and only codes that they do not exclude are added up in float32. So a search by
// codes is exact for the sums of entries. Where [Search].Vector gives the original vectors, they refine the result.
//
// # Bounds and proofs
//
// An index with [IndexConfig].Bounds keeps four float32 beside each code, and knows between which numbers the distance
// to the vector itself lies. Let c be a centre, r = x - c, and y what the code of x stands for, less c. With
//
//	u = <r, y>/|y|,   e² = |r|² - u²,   t = <q - c, y>/|y|,   w² = |q - c|² - t²,
//
// the parts of r and of q - c along y and across, Cauchy and Schwarz give for every x and every query q
//
//	|q - x|² >= (u - t)² + (w - e)²,    |<q - c, r> - u t| <= e w.
//
// This is no matter of chance: the formula holds for every code, and everything that is rounded, in float32 and in
// bytes, widens the interval. So [Index.Certify] reads the originals in the order of their bounds until the next bound
// is beyond the K-th distance, and has then the K nearest of all, as a search has that reads every vector and computes
// in float64. [Proof] tells how many were read and, if [Search].Budget did not suffice, how far from proved the answer
// is.
//
//	index, err := pq.NewIndexOf(q, pq.IndexConfig{Metric: pq.L2, Bounds: true})
//	err = index.Add(x, 0)
//	found, proof, err := index.Certify(nil, query, pq.Search{K: 10, Vector: pq.Rows(x)})
//	proof.Gap() == 0 // found are the 10 nearest
//
// u t is the projected estimate of <q - c, r>: by |q - c|² + u² + e² - 2 u t, in place of the distance to x̂, a Search
// ranks in an index with bounds.
//
// Of scalar codes u, e and w belong to the axes that are kept, and with tails g of r and q - c
//
//	|<q - c, r> - u t| <= e w + Σ_g |q_g| |r_g|,    |r|² = u² + e² + Σ_g |r_g|².
//
// # Ids, changes and filters
//
// A vector has the next number for its id, or one of the caller's own:
//
//	err = index.AddIDs([]uint64{70, 3}, x, 0)
//	err = index.Update([]uint64{3}, y, 0) // y in place of x's second row
//	removed := index.Remove(70, 71)       // 1: there is no 71
//	index.Compact()                       // gives back the room of what was removed
//
// An index is blocks of 256 codes. A change copies the blocks that it touches and puts them in the place of the old
// ones at once, so searches hold no lock: each sees the index as it was when the search began. The room of removed
// vectors is used again. [Search].Filter and [Search].Allow, a bitmap of ids, say which vectors may be found. With
// [IndexConfig].Vectors the index keeps the vectors themselves: what it finds is refined by them, and Certify needs no
// others. With [CosineSimilarity] it keeps codes of vectors of length 1.
//
// # Lists
//
// A search need not look at all codes. With centres, the means of k-means, vectors are kept by the nearest of them, and
// a search looks at the lists of the few centres that are nearest to the query:
//
//	centres, err := pq.TrainLists(ctx, x, 1024, 1, 0)
//	index, err := pq.NewIndexOf(s, pq.IndexConfig{Bounds: true, Vectors: true, Lists: centres})
//	found, err := index.Search(nil, query, pq.Search{K: 10, Probes: 4})
//
// A proof looks at every list that may hold one of the nearest: a list is left out where D - R, the distance of its
// centre less the distance of its farthest vector from the centre, is beyond the K-th distance.
//
// # Design matrices
//
// A [Matrix] holds the examples of a learning problem as codes, 16 to 64 times smaller than float32, and multiplies
// without decoding them: each row of X W is a sum of M lines of tables, and Xᵀ A is a sum of the rows of A by code,
// then a small product. It is a design.Matrix, so every solver trains on it.
//
// # Files
//
// Quantizer, Scalar, Index and Matrix have WriteTo, and [ReadQuantizer], [ReadScalar], [ReadIndex] and [ReadMatrix]
// read the same values back, to the bit, on any machine. [Index.WriteFile] replaces a file whole or not at all, and
// [OpenIndex] opens it without reading it. docs/files.md has the layout. Package gob writes the same;
// JSON is an error.
//
// # What to choose
//
// recall@10, the part of the 10 nearest vectors found among the first 10, by codes alone and with 100 candidates
// re-ranked, of 200 queries among 4800 SIFT descriptors (d = 128), with and without 10 rounds of rotation:
//
//	M     codes   re-ranked    rotated: codes   re-ranked
//	 8    .516    .985                  .562    .990
//	16    .668    .999                  .726    1.000
//	32    .814    1.000                 .869    1.000
//
// In an index with bounds, by bytes of a code without the 12 to 24 beside it: recall@10 by codes alone, and the part of
// the originals that a proof of the 10 nearest reads. Images are 60000 of 784 pixels (500 queries), SIFT as above, and
// "even" are 20000 vectors of 128 independent normal numbers, which nothing compresses:
//
//	                   Fashion-MNIST  MNIST                             SIFT           even
//	98 bytes                                         32 bytes
//	M=98               .827  1.1 %    .887  .22 %    M=32               .836  4.1 %    .613  41 %
//	M=98, 6 rotations  .908  .69 %    .930  .20 %    M=32, 6 rotations  .882  2.5 %    .608  40 %
//	PCA 196 x 4 bits   .865  .62 %    .906  .21 %    PCA 64 x 4 bits    .871  2.5 %    .213  99 %
//	PCA 98 x 8 bits*   .783  .49 %    .848  .15 %    PCA 32 x 8 bits    .775  5.0 %    .096  100 %
//	PCA 392 x 2 bits   .793  2.9 %    .850  1.8 %    PCA 128 x 2 bits   .767  10 %     .554  58 %
//	Hadamard, 1 bit    .730  11 %     .803  18 %     Hadamard, 2 bits   .779  10 %     .549  58 %
//	196 bytes                                        64 bytes
//	M=196              .905  .32 %    .940  .07 %    M=64               .947  .67 %    .869  .85 %
//	PCA 392 x 4 bits   .921  .32 %    .944  .12 %    PCA 128 x 4 bits   .920  1.0 %    .851  1.4 %
//	PCA 196 x 8 bits   .891  .15 %    .935  .05 %    PCA 64 x 8 bits    .906  .81 %    .215  96 %
//	Hadamard, 2 bits   .850  2.6 %    .892  1.7 %    Hadamard, 4 bits   .926  1.0 %    .836  1.4 %
//	392 bytes                                        128 bytes
//	M=392              .969  .05 %    .981  .03 %    M=128              1.000  .27 %   .981  .08 %
//	PCA 392 x 8 bits   .959  .04 %    .989  .02 %    PCA 128 x 8 bits   .992  .27 %    .982  .07 %
//	Hadamard, 4 bits   .949  .22 %    .961  .11 %    Hadamard, 8 bits   .994  .27 %    .982  .07 %
//	* with 3 tails
//
// So: where few axes have most of the variance, as in images, PCA with 4 bits needs a small part of the time to train
// that rotations of a Quantizer take, for nearly its recall, and PCA with 8 bits and tails reads least for a proof.
// Where the variance is even, keep all dimensions: M or Hadamard, which trains in no time. Without a proof in mind and
// with time to train, rotations find most at few bytes.
//
// # Costs
//
//	Train      Iterations ksub d for each of min(n, PointsPerCentroid ksub) rows
//	Encode     ksub d for each row; d² more with a rotation
//	Decode     d for each row; d² more with a rotation
//	Table.Set  ksub d
//	Scan       M for each code; some 30 more with bounds
//	Certify    Scan, d² with a rotation, and d for each original that is read
//	Add        with bounds d for each row more, d² with a rotation
//
// and of a Scalar with Dims axes kept
//
//	TrainScalar  PCA: d² for each of min(n, Sample) rows, and some 10 d³; Hadamard: d for each row
//	Encode       PCA: d Dims for each row; Hadamard: 8 d log d
//	Add          as much again, and d Dims for each doubling of Dims that tails take
//	Search       the turn of the query, and a scan of CodeSize bytes a vector
//
// A core with AVX-512 (AMD Zen 4, 3.7 GHz) encodes about 1.3 million vectors of 128 dimensions a second with M=16.
// With all that belongs to a search for 10 of 200000 it looks up some 40 entries a nanosecond in 8-bit codes and 60
// to 70 in 4-bit ones.
//
// # Results and machines
//
// Distances to centroids round alike on every machine: so do codes, and the quantizers that Train makes of them,
// whatever the number of workers. A rotation, or the turn of PCA, is a matrix product, whose last bits depend on the
// tier; there codes may differ where two centroids, or levels, are almost equally near.
//
// # When to use something else
//
// Up to some 10000 vectors vec.Searcher, which reads all of them, is as fast and always exact. With many millions a
// graph finds most of the nearest with fewer comparisons than lists, takes more memory and long to build, and proves
// nothing.
package pq
