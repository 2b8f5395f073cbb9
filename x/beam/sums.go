package beam

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// Sums is what a pass over rows adds up, in float64.
type Sums struct {
	Loss  float64 // losses of the scores Wᵀx_i
	Terms float64 // dual terms -r phi*(-a_i/r), in units of Lambda

	Rows  int64
	IDs   uint64 // of the rows' numbers, hashed
	Check uint64 // of the rows with their numbers and labels, hashed: equal for the same data, whatever the ranges
	Moved int64  // rows whose dual variables were outside the domain by more than 1e-6 r, and were moved into it

	V vec.Matrix[float64] // Xᵀ A, as large as W

	low rest // what Loss, Terms and V lack of the sums before they were rounded
}

// rest is what sums have lost by rounding.
type rest struct {
	loss, terms float64
	v           vec.Matrix[float64]
}

const sumsHead = 10 * 8 // bytes before V

// newSums returns sums of no row for weights of d by m.
func newSums(d, m int) *Sums {
	return &Sums{V: vec.NewMatrix[float64](d, m), low: rest{v: vec.NewMatrix[float64](d, m)}}
}

// Add adds the sums of other rows, about as exactly as numbers of 106 bits would: what a sum of two numbers loses by
// rounding is a number, which is summed up by itself (Knuth's TwoSum). So sums of the same parts hardly ever depend on
// the order in which they are added. Sizes that differ are an error. O(d m).
func (s *Sums) Add(other *Sums) error {
	if s.V.Rows != other.V.Rows || s.V.Cols != other.V.Cols {
		return fmt.Errorf("beam: sums of %d by %d, want %d by %d", other.V.Rows, other.V.Cols, s.V.Rows, s.V.Cols)
	}
	s.addNumbers(other)
	for j := range s.V.Rows {
		s.addRow(j, other.V.Row(j))
		vec.Axpy(1, other.low.v.Row(j), s.low.v.Row(j))
	}
	return nil
}

// addNumbers adds all but V.
func (s *Sums) addNumbers(other *Sums) {
	add(&s.Loss, &s.low.loss, other.Loss)
	add(&s.Terms, &s.low.terms, other.Terms)
	s.low.loss += other.low.loss
	s.low.terms += other.low.terms
	s.Rows += other.Rows
	s.IDs += other.IDs
	s.Check += other.Check
	s.Moved += other.Moved
}

// addRow adds x to row j of V.
func (s *Sums) addRow(j int, x []float64) {
	high, low := s.V.Row(j), s.low.v.Row(j)
	for c, v := range x {
		add(&high[c], &low[c], v)
	}
}

// add adds x to high, and what that loses to low.
func add(high, low *float64, x float64) {
	sum := *high + x
	part := sum - *high
	*low += (*high - (sum - part)) + (x - part)
	*high = sum
}

// settle rounds the sums.
func (s *Sums) settle() {
	s.Loss, s.Terms = s.Loss+s.low.loss, s.Terms+s.low.terms
	s.low.loss, s.low.terms = 0, 0
	for j := range s.V.Rows {
		low := s.low.v.Row(j)
		vec.Axpy(1, low, s.V.Row(j))
		clear(low)
	}
}

// Certificate returns P(W) and D(A) = Lambda (sum_i terms - 1/2 |Xᵀ A|²). O(d m).
func (s *Sums) Certificate(lambda float64, w vec.Matrix[float64]) solvers.Certificate {
	return solvers.Certificate{
		Primal: s.Loss/float64(s.Rows) + lambda/2*square(w),
		Dual:   lambda * (s.Terms - square(s.V)/2),
	}
}

// MarshalBinary returns the sums as bytes: numbers of 8 bytes, the low byte first.
func (s *Sums) MarshalBinary() ([]byte, error) {
	b := make([]byte, 0, sumsHead+16*s.V.Rows*s.V.Cols)
	for _, v := range []uint64{
		math.Float64bits(s.Loss), math.Float64bits(s.Terms), math.Float64bits(s.low.loss),
		math.Float64bits(s.low.terms), uint64(s.Rows), s.IDs, s.Check, uint64(s.Moved), uint64(s.V.Rows),
		uint64(s.V.Cols),
	} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	for _, a := range []vec.Matrix[float64]{s.V, s.low.v} {
		for j := range a.Rows {
			for _, v := range a.Row(j) {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			}
		}
	}
	return b, nil
}

// UnmarshalBinary sets s to what MarshalBinary has written.
func (s *Sums) UnmarshalBinary(b []byte) error {
	if len(b) < sumsHead {
		return fmt.Errorf("beam: sums of %d bytes, want %d at least", len(b), sumsHead)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	number := func(i int) float64 { return math.Float64frombits(word(i)) }
	d, m, size := word(8), word(9), uint64(len(b)-sumsHead)/16
	if len(b)%16 != 0 || d > size || m > size || d*m != size {
		return fmt.Errorf("beam: sums of %d by %d in %d bytes, want %d bytes", d, m, len(b), sumsHead+16*d*m)
	}
	*s = *newSums(int(d), int(m))
	s.Loss, s.Terms, s.low.loss, s.low.terms = number(0), number(1), number(2), number(3)
	s.Rows, s.IDs, s.Check, s.Moved = int64(word(4)), word(5), word(6), int64(word(7))
	for i := range s.V.Data {
		s.V.Data[i], s.low.v.Data[i] = number(10+i), number(10+int(size)+i)
	}
	return nil
}
