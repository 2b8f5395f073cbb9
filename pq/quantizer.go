package pq

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Quantizer maps vectors of d numbers to codes of M parts and back. It is immutable and safe for concurrent use.
type Quantizer struct {
	onlyFiles
	d, m, nbits, ksub int

	offset    []int     // M+1: subspace j is the coordinates [offset[j], offset[j+1])
	centroids []float32 // (ksub, dsub) of subspace 0, then of subspace 1, ...: subspace j begins at ksub*offset[j]
	columns   []float32 // the same, each subspace transposed to (dsub, ksub)
	rotation  []float32 // (d, d) orthogonal R, or nil: what is quantized is R x
}

// New returns the quantizer of given centroids, for example of a codebook that was trained elsewhere. d is the number
// of dimensions, m the number of subspaces, and nbits is 4 or 8. centroids holds, for one subspace after the other,
// 2^nbits rows of its width: d 2^nbits numbers in all. Where m does not divide d, the first d mod m subspaces are one
// dimension wider than the others. rotation is nil or an orthogonal d-by-d matrix R in row-major order; then R x is
// quantized. New copies both. Sizes that do not fit, numbers that are not finite and a matrix that is no rotation are
// errors.
func New(d, m, nbits int, centroids, rotation []float32) (*Quantizer, error) {
	q, err := build(d, m, nbits, centroids, rotation)
	if err == nil && rotation != nil {
		err = orthogonal(d, rotation)
	}
	if err != nil {
		return nil, err
	}
	return q, nil
}

// build is New but for the test that the rotation is one.
func build(d, m, nbits int, centroids, rotation []float32) (*Quantizer, error) {
	q, err := newQuantizer(d, m, nbits)
	if err != nil {
		return nil, err
	}
	if len(centroids) != len(q.centroids) {
		return nil, fmt.Errorf("pq: %d numbers for %d centroids of %d dimensions, want %d",
			len(centroids), q.ksub, d, len(q.centroids))
	}
	if rotation != nil && int64(len(rotation)) != int64(d)*int64(d) {
		return nil, fmt.Errorf("pq: a rotation of %d numbers for d=%d, want d² = %d",
			len(rotation), d, int64(d)*int64(d))
	}
	for i, v := range centroids {
		if !finite(v) {
			j := q.subspaceAt(i / q.ksub)
			return nil, fmt.Errorf("pq: centroid %d of subspace %d has the coordinate %v",
				(i-q.ksub*q.offset[j])/q.width(j), j, v)
		}
	}
	for i, v := range rotation {
		if !finite(v) {
			return nil, fmt.Errorf("pq: the rotation holds %v at (%d, %d)", v, i/d, i%d)
		}
	}
	copy(q.centroids, centroids)
	if rotation != nil {
		q.rotation = append([]float32{}, rotation...)
	}
	q.transpose()
	return q, nil
}

// newQuantizer makes room.
func newQuantizer(d, m, nbits int) (*Quantizer, error) {
	if err := checkSizes(d, m, nbits); err != nil {
		return nil, err
	}
	q := &Quantizer{d: d, m: m, nbits: nbits, ksub: 1 << nbits, offset: make([]int, m+1)}
	for j := range m {
		q.offset[j+1] = q.offset[j] + d/m
		if j < d%m {
			q.offset[j+1]++
		}
	}
	q.centroids = make([]float32, q.ksub*d)
	q.columns = make([]float32, q.ksub*d)
	return q, nil
}

func checkSizes(d, m, nbits int) error {
	switch {
	case nbits != 4 && nbits != 8:
		return fmt.Errorf("pq: nbits is %d, want 4 or 8", nbits)
	case m < 1 || d < m:
		return fmt.Errorf("pq: M=%d subspaces of d=%d dimensions, want 1 <= M <= d", m, d)
	case d > math.MaxInt32>>nbits:
		return fmt.Errorf("pq: d=%d, want at most %d with nbits=%d", d, math.MaxInt32>>nbits, nbits)
	}
	return nil
}

// D is the number of dimensions of the vectors.
func (q *Quantizer) D() int { return q.d }

// M is the number of subspaces, and of the parts of a code.
func (q *Quantizer) M() int { return q.m }

// NBits is the number of bits of each part of a code, 4 or 8; a subspace has 2^NBits centroids.
func (q *Quantizer) NBits() int { return q.nbits }

// Subspace returns the coordinates [from, to) of subspace j; their number is its width dsub.
func (q *Quantizer) Subspace(j int) (from, to int) { return q.offset[j], q.offset[j+1] }

// width is the dsub of subspace j.
func (q *Quantizer) width(j int) int { return q.offset[j+1] - q.offset[j] }

// CodeSize is the number of bytes of a code: M for 8 bits; for 4 bits M/2, rounded up, part 2p of a code in the lower
// half of byte p and part 2p+1 in its upper half.
func (q *Quantizer) CodeSize() int { return shape.Pieces(q.m*q.nbits, 8) }

// Centroids returns the centroids of subspace j, one a row: 2^NBits-by-dsub. Do not write to them.
func (q *Quantizer) Centroids(j int) vec.Matrix[float32] {
	return vec.MatrixOf(q.ksub, q.width(j), q.centroids[q.ksub*q.offset[j]:q.ksub*q.offset[j+1]])
}

// Rotation returns the rotation R that comes before quantization, d-by-d, or a matrix without rows where there is
// none. Do not write to it.
func (q *Quantizer) Rotation() vec.Matrix[float32] {
	if q.rotation == nil {
		return vec.Matrix[float32]{}
	}
	return vec.MatrixOf(q.d, q.d, q.rotation)
}

// transpose makes the columns from the centroids.
func (q *Quantizer) transpose() {
	for j := range q.m {
		dsub := q.width(j)
		from, to := q.centroids[q.ksub*q.offset[j]:], q.columns[q.ksub*q.offset[j]:]
		for c := range q.ksub {
			for t := range dsub {
				to[t*q.ksub+c] = from[c*dsub+t]
			}
		}
	}
}

// column returns the transposed centroids of subspace j.
func (q *Quantizer) column(j int) []float32 {
	return q.columns[q.ksub*q.offset[j] : q.ksub*q.offset[j+1]]
}

// subspaceAt returns the subspace of coordinate t.
func (q *Quantizer) subspaceAt(t int) int {
	j := 0
	for q.offset[j+1] <= t {
		j++
	}
	return j
}

func finite(v float32) bool { return v-v == 0 }

// orthogonal returns an error unless the rows of r have length 1 and right angles, up to what float32 can hold of that.
func orthogonal(d int, r []float32) error {
	rows := vec.MatrixOf(d, d, r)
	bound := 1e-4 * math.Sqrt(float64(d))
	for i := range d {
		for j := range i + 1 {
			want := 0.0
			if i == j {
				want = 1
			}
			if dot := float64(vec.Dot32(rows.Row(i), rows.Row(j))); math.Abs(dot-want) > bound {
				return fmt.Errorf("pq: rows %d and %d of the rotation have inner product %g, want %g", j, i, dot, want)
			}
		}
	}
	return nil
}
