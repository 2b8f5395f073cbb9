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
}

const sumsHead = 6 * 8 // bytes before the sizes and V

// newSums returns sums of no row for weights of d by m.
func newSums(d, m int) *Sums { return &Sums{V: vec.NewMatrix[float64](d, m)} }

// Add adds the sums of other rows. Sizes that differ are an error. O(d m).
func (s *Sums) Add(other *Sums) error {
	if s.V.Rows != other.V.Rows || s.V.Cols != other.V.Cols {
		return fmt.Errorf("beam: sums of %d by %d, want %d by %d", other.V.Rows, other.V.Cols, s.V.Rows, s.V.Cols)
	}
	s.Loss += other.Loss
	s.Terms += other.Terms
	s.Rows += other.Rows
	s.IDs += other.IDs
	s.Check += other.Check
	s.Moved += other.Moved
	for j := range s.V.Rows {
		vec.Axpy(1, other.V.Row(j), s.V.Row(j))
	}
	return nil
}

// Certificate returns P(W) and D(A) = Lambda (sum_i terms - 1/2 |Xᵀ A|²). O(d m).
func (s *Sums) Certificate(lambda float64, w vec.Matrix[float64]) solvers.Certificate {
	return solvers.Certificate{
		Primal: s.Loss/float64(s.Rows) + lambda/2*square(w),
		Dual:   lambda * (s.Terms - square(s.V)/2),
	}
}

// square returns |a|².
func square(a vec.Matrix[float64]) (sum float64) {
	for j := range a.Rows {
		sum += vec.Dot(a.Row(j), a.Row(j))
	}
	return sum
}

// MarshalBinary returns the sums as bytes: numbers of 8 bytes, the low byte first.
func (s *Sums) MarshalBinary() ([]byte, error) {
	b := make([]byte, 0, sumsHead+16+8*s.V.Rows*s.V.Cols)
	for _, v := range []uint64{
		math.Float64bits(s.Loss), math.Float64bits(s.Terms), uint64(s.Rows), s.IDs, s.Check, uint64(s.Moved),
		uint64(s.V.Rows), uint64(s.V.Cols),
	} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	for j := range s.V.Rows {
		for _, v := range s.V.Row(j) {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b, nil
}

// UnmarshalBinary sets s to what MarshalBinary has written.
func (s *Sums) UnmarshalBinary(b []byte) error {
	if len(b) < sumsHead+16 {
		return fmt.Errorf("beam: sums of %d bytes, want %d at least", len(b), sumsHead+16)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	d, m, numbers := word(6), word(7), uint64(len(b)/8-8)
	if len(b)%8 != 0 || d > numbers || m > numbers || d*m != numbers {
		return fmt.Errorf("beam: sums of %d by %d in %d bytes, want %d bytes", d, m, len(b), sumsHead+16+8*d*m)
	}
	*s = Sums{Loss: math.Float64frombits(word(0)), Terms: math.Float64frombits(word(1)), Rows: int64(word(2)),
		IDs: word(3), Check: word(4), Moved: int64(word(5)), V: vec.NewMatrix[float64](int(d), int(m))}
	for i := range s.V.Data {
		s.V.Data[i] = math.Float64frombits(word(8 + i))
	}
	return nil
}
