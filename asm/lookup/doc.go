// Package lookup holds the raw kernels of products with a matrix whose rows are product-quantized: instead of
// multiplying, they add lines of tables that codes choose. Package pq, which has the formulas, is what programs use;
// there is no compatibility promise here.
//
// A block is 256 rows of the matrix: codes[q*256+i] is the code of row i in subspace q. A table has 256 lines, one for
// each code; tables of consecutive subspaces follow one another. Kernels check nothing and allocate nothing; nq, the
// number of subspaces, and n are never negative. The sign of a sum that is zero is not promised.
package lookup

//go:generate go -C ../../internal/gen run ./amd64
//go:generate go -C ../../internal/gen run ./neon

// Rows is the number of rows in a block, and of lines in a table.
const Rows = 256
