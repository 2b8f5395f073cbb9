package beam

import "math"

// mix is a permutation of 64 bits that spreads each bit over all (the finalizer of SplitMix64).
func mix(h uint64) uint64 {
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}

// rowID is what a row's number adds to Sums.IDs.
func rowID(i int64) uint64 { return mix(uint64(i) + 0x9e3779b97f4a7c15) }

// number continues the hash of a row, which begins with its rowID, by a number that is not 0: dense and sparse rows
// have the same hash. Labels continue it as numbers of the columns -1, -2, and on.
func number(h uint64, column int, v float64) uint64 {
	h = (h ^ uint64(column)*0x9e3779b97f4a7c15 ^ math.Float64bits(v)) * 0xd6e8feb86659fd93
	return h ^ h>>32
}

// allIDs returns Sums.IDs of the rows 0 to n-1, each once. O(n), a second for 10^9.
func allIDs(n int64) (sum uint64) {
	for i := range n {
		sum += rowID(i)
	}
	return sum
}
