package low

import (
	"cmp"
	"math"
	"math/bits"
)

// measure is a metric in terms of the product v of a row and a query and of their sizes n and m. Of integers these are
// the inner product and the squared norms. Of bits v is less the number that differ, and sizes are the numbers of ones.
type measure uint8

const (
	byL2 measure = iota
	byProduct
	byCosine
	byHamming
	byJaccard
)

// mostRatio is the most words whose Jaccard distances float64 tells apart: fractions of up to 2²⁶ bits differ by 2⁻⁵²
// at least.
const mostRatio = 1 << 20

// rank is what orders the rows of a query: the larger, the nearer. Cosines are rounded, all others true.
//
//	L2       2 <x,q> - |x|² = |q|² - |x-q|²
//	cosine   <x,q> / |x|
//	Jaccard  -h / |x ∪ q| with |x ∪ q| = (n + m + h) / 2 for h bits that differ
func (m measure) rank(v, row, query int64) float64 {
	switch m {
	case byL2:
		return float64(2*v - row)
	case byCosine:
		if row == 0 {
			return 0
		}
		return float64(v) / math.Sqrt(float64(row))
	case byJaccard:
		if row+query == 0 {
			return 0
		}
		return float64(2*v) / float64(row+query-v)
	}
	return float64(v)
}

// product is the product that has a rank, where true ranks say it.
func (m measure) product(rank float64, row int64) (v int64, ok bool) {
	switch m {
	case byL2:
		return (int64(rank) + row) / 2, true
	case byProduct, byHamming:
		return int64(rank), true
	}
	return 0, false
}

// slack bounds the error of a rank: two roundings of a number that is |q| at most.
func (m measure) slack(query int64) float64 {
	if m != byCosine {
		return 0
	}
	return 0x1p-51 * math.Sqrt(float64(query))
}

// distance is what Nearest writes.
func (m measure) distance(v, row, query int64) float64 {
	switch m {
	case byL2:
		return float64(row + query - 2*v)
	case byCosine:
		if row == 0 || query == 0 {
			return 0
		}
		return max(-1, min(1, float64(v)/math.Sqrt(float64(row)*float64(query))))
	case byHamming:
		return float64(-v)
	case byJaccard:
		if v == 0 {
			return 0 // not -0
		}
		return -m.rank(v, row, query)
	}
	return float64(v)
}

// farthest is the distance of no row.
func (m measure) farthest() float64 {
	if m == byProduct || m == byCosine {
		return math.Inf(-1)
	}
	return math.Inf(1)
}

// floor returns a number that the product of a row exceeds, for L2 less half the row's size, if its rank is above
// least.
func (m measure) floor(least float64) float64 {
	if m == byL2 {
		least /= 2
	}
	return math.Floor(least)
}

// lined says whether the product that a rank asks for is on a line in what scale makes of the row's size.
func (m measure) lined() bool { return m == byCosine || m == byJaccard }

func (m measure) scale(size int64) float64 {
	if m == byCosine {
		return math.Sqrt(float64(size))
	}
	return float64(size)
}

// line returns the line slope·scale + floor that the product of a row exceeds if its rank is above least, up to
// rounding. For Jaccard distances h (2 + least) < -least (n + m).
func (m measure) line(least float64, query int64) (slope, floor float64) {
	switch {
	case math.IsInf(least, -1):
		return 0, least
	case m == byCosine:
		return least, 0
	}
	slope = least / (2 + least)
	return slope, slope * float64(query)
}

// ranked is a row with its rank, product and size.
type ranked struct {
	rank   float64
	v, row int64
	number int32
}

// compare orders rows, the nearest first, of equals the lower one.
func (m measure) compare(a, b ranked) int {
	order := cmp.Compare(b.rank, a.rank)
	if m == byCosine {
		order = cosines(b, a)
	}
	return cmp.Or(order, cmp.Compare(a.number, b.number))
}

// cosines compares v / √row of two rows by their squares, as integers. A row of zeros counts as one with v = 0.
func cosines(a, b ranked) int {
	if order := cmp.Compare(sign(a.v), sign(b.v)); order != 0 || a.v == 0 {
		return order
	}
	high, low := bits.Mul64(uint64(a.v*a.v), uint64(b.row))
	high2, low2 := bits.Mul64(uint64(b.v*b.v), uint64(a.row))
	order := cmp.Or(cmp.Compare(high, high2), cmp.Compare(low, low2))
	return order * sign(a.v)
}

func sign(v int64) int { return cmp.Compare(v, 0) }
