// Package sort holds the kernels that sort and select, and the driver that calls them.
//
// All of them work on keys: integers, whose order is total. A float x with the bits u, negated first where the order
// descends, becomes
//
//	key = (u ^ (u >> 31 & 0x7fffffff)) - (2²³ - 1)    modulo 2³²
//
// and float64 accordingly (63, 2⁵² - 1). Reading floats as integers of sign and magnitude orders them: -Inf < ... < -0
// < 0 < ... < Inf < NaN; the subtraction moves the NaNs with a sign, which would come first, to the end. The map is a
// bijection: equal keys are equal bits, NaNs keep theirs, and each tier gives the same bits.
//
// There is assembly for AVX-512, AVX2 and NEON. Everywhere else the driver calls the twins: insertion below, above it
// partitions without branches, in two to three times the speed of the library's sort.
//
// There is no compatibility promise here: use package vec, which checks.
package sort

//go:generate go -C ../../internal/gen run ./amd64
//go:generate go -C ../../internal/gen run ./neon

// key is the element of every kernel here, in memory that may hold the bits of a float instead.
type key interface{ int32 | int64 }

// Form says in which form a kernel finds and leaves the elements.
type Form int

const (
	Load       Form = 1 << iota // floats are read and become keys
	Store                       // keys are written as floats
	Descending                  // floats have the keys of the descending order
)
