package pq

import (
	"errors"
	"math"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/vec"
)

// fastTable is a Table in bytes, for the quantized scans. It bounds distances from below:
//
//	distance(code) >= base + step Σ_j bytes[j][part j] - slack,
//
// with base the sum of the subspaces' least entries and bytes[j][c] = ⌊(entry - least) / step⌋, at most limit. Inner
// products are taken negative, so that least is nearest here too. step makes the largest range of a subspace the
// largest byte, or `widest` times the mean range where that is less: what is farther is the largest byte, too. slack
// covers the rounding of all sums in float32. So a scan of bytes, compared with the k-th distance
// found so far, skips codes, but none that belongs to the k nearest: those that it leaves are added up in float32,
// and the result is exact.
type fastTable struct {
	bytes             []byte // (M, 256), or (M, 16) with M rounded up to even
	base, step, slack float64
}

var errOverflow = errors.New("pq: distances of the query to centroids overflow float32")

// maxSum is what sums of bytes must not exceed: they are kept in 16 bits, and a bound above all of them is wanted.
const maxSum = math.MaxUint16 - 1

// nearby is the largest range of a subspace, in mean ranges, that bytes of squared distances tell apart: they are finer
// then where few subspaces have most of the range, as after a rotation.
const nearby = 4

// set computes f from t. widest is the largest range that bytes tell apart, in mean ranges of a subspace.
func (f *fastTable) set(t *Table, widest float64) error {
	q := t.q
	limit := 255
	if q.nbits == 4 {
		limit = 127
	}
	limit = min(limit, maxSum/q.m)
	sign := float32(1)
	if t.metric == InnerProduct {
		sign = -1
	}
	f.bytes = atLeast(f.bytes, (q.m+q.m%2)*q.ksub)
	f.base, f.step = 0, 0
	var magnitude, ranges float64
	for j := range q.m {
		low, high := extremes(t.Subspace(j), sign)
		f.base += float64(low)
		f.step = max(f.step, (float64(high)-float64(low))/float64(limit))
		ranges += float64(high) - float64(low)
		magnitude += math.Max(math.Abs(float64(low)), math.Abs(float64(high)))
	}
	if !finite(float32(magnitude)) {
		return errOverflow
	}
	// M additions in float32, each off by 2⁻²⁴ of at most magnitude, and as much again for entries that are sums of
	// two.
	f.slack = float64(q.m+2) * magnitude / (1 << 23)
	factor := float32(0)
	if f.step > 0 {
		f.step = min(f.step, widest*ranges/float64(q.m*limit))
		f.step = max(f.step, 1e-30) // of which float32 knows the inverse
		// Less than exact by more than three roundings: bytes stay bounds from below.
		factor = sign * float32((1-1.0/(1<<21))/f.step)
	}
	for j := range q.m {
		low, _ := extremes(t.Subspace(j), sign)
		kernel.Quantize(q.ksub, &t.Subspace(j)[0], sign*low, factor, uint32(limit), &f.bytes[j*q.ksub])
	}
	if q.m%2 == 1 {
		clear(f.bytes[q.m*q.ksub:][:q.ksub])
	}
	return nil
}

// extremes returns the least and the largest of sign*v.
func extremes(values []float32, sign float32) (low, high float32) {
	low, high = vec.Min(values), vec.Max(values)
	if sign < 0 {
		low, high = -high, -low
	}
	return low, high
}

// bound returns the largest sum of bytes that a code may have whose distance, or negative inner product, is at most d.
func (f *fastTable) bound(d float32) uint32 {
	most := float64(d) - f.base + f.slack
	switch {
	case most >= maxSum*f.step: // also where step is 0: then bytes tell nothing
		return maxSum
	case most < 0:
		return 0
	}
	return uint32(most / f.step)
}

// scan writes the sums of bytes of the 256 codes of a block.
func (f *fastTable) scan(q *Quantizer, block []byte, sums []uint16) {
	if q.nbits == 8 {
		kernel.Scan8(1, q.m, &f.bytes[0], &block[0], &sums[0])
	} else {
		kernel.Scan4(1, q.CodeSize(), &f.bytes[0], &block[0], &sums[0])
	}
}
