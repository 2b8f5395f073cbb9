package pq

import (
	"fmt"
	"math"
	"unsafe"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Turn is what comes before scalar quantization.
type Turn uint8

const (
	// PCA turns to the principal axes of the training vectors: the first have most of the variance, and a code may keep
	// these alone. Those are rotated among themselves at random.
	PCA Turn = iota

	// Hadamard is a random rotation, four rounds of random signs and Hadamard transforms, after which all dimensions
	// have about the same variance, whatever the data.
	Hadamard
)

// String returns the turn's name.
func (t Turn) String() string {
	switch t {
	case PCA:
		return "PCA"
	case Hadamard:
		return "Hadamard"
	}
	return fmt.Sprintf("Turn(%d)", uint8(t))
}

// Scalar is a Codec that turns a vector, rounds each coordinate for itself, and forgets the length: TrainScalar makes
// it. It is immutable and safe for concurrent use. An index of a Scalar has bounds.
type Scalar struct {
	onlyFiles
	d, dims, bits int
	turn          Turn
	mean          []float32 // m: what is turned is x - m
	rows          []float32 // PCA: (axes, d), the first axes
	ends          []int     // tail g is the axes [ends[g], ends[g+1]); the last ends with d, beyond axes
	mix           *mixer    // Hadamard
	low, step     []float32 // (dims): level k of coordinate t is low + k step
	typical       float32   // root of the mean |x - m|²

	defect  float64 // how far, relative to |x|, what the turn computes may be from a rotation of x; see turned
	inverse float64 // root of Σ 1/step²
}

// D is the number of dimensions of the vectors.
func (s *Scalar) D() int { return s.d }

// Dims is the number of coordinates that a code keeps.
func (s *Scalar) Dims() int { return s.dims }

// Bits is the number of bits of each of them.
func (s *Scalar) Bits() int { return s.bits }

// Turn is what comes before.
func (s *Scalar) Turn() Turn { return s.turn }

// Tails is the number of norms that bounds keep of what a code leaves out.
func (s *Scalar) Tails() int { return len(s.ends) - 1 }

// CodeSize is the number of bytes of a code: Dims times Bits, rounded up to bytes. The lower bits of a byte come first.
func (s *Scalar) CodeSize() int { return shape.Pieces(s.dims*s.bits, 8) }

// planes is the number of levels in a byte.
func (s *Scalar) planes() int { return 8 / s.bits }

// groups is the number of groups of four bytes that a code takes in a block.
func (s *Scalar) groups() int { return shape.Pieces(s.CodeSize(), 4) }

// axes is the number of dimensions that the turn computes.
func (s *Scalar) axes() int {
	if s.turn == Hadamard {
		return s.d
	}
	return len(s.rows) / s.d
}

// Axes returns the rows of the turn of PCA, those that codes keep first, or a matrix without rows. Do not write to it.
func (s *Scalar) Axes() vec.Matrix[float32] {
	if s.turn != PCA {
		return vec.Matrix[float32]{}
	}
	return vec.MatrixOf(s.axes(), s.d, s.rows)
}

// head is the axes that codes keep.
func (s *Scalar) head() vec.Matrix[float32] { return vec.MatrixOf(s.dims, s.d, s.rows[:s.dims*s.d]) }

// tailEnds are the ends of up to tails groups of the dimensions from dims to d, each as large as all before, the last
// one all that are left.
func tailEnds(d, dims, tails int) []int {
	ends := []int{dims}
	for last := dims; last < d; {
		last = min(2*last, d)
		if len(ends) == tails {
			last = d
		}
		ends = append(ends, last)
	}
	return ends
}

// axesOf is the number of axes that these ends need.
func axesOf(ends []int) int { return ends[max(0, len(ends)-2)] }

// check returns an error for sizes that are impossible.
func (s *Scalar) checkSizes(tails int) error {
	switch {
	case s.d < 1 || s.d > mostDimensions:
		return fmt.Errorf("pq: d=%d, want 1 to %d", s.d, mostDimensions)
	case s.bits != 1 && s.bits != 2 && s.bits != 4 && s.bits != 8:
		return fmt.Errorf("pq: ScalarConfig.Bits is %d, want 1, 2, 4 or 8", s.bits)
	case s.turn > Hadamard:
		return fmt.Errorf("pq: there is no %v", s.turn)
	case s.dims < 1 || s.dims > s.d:
		return fmt.Errorf("pq: ScalarConfig.Dims is %d, want 1 to d=%d", s.dims, s.d)
	case s.turn == Hadamard && s.dims != s.d:
		return fmt.Errorf("pq: ScalarConfig.Dims is %d of d=%d; after Hadamard all dimensions are alike: want all",
			s.dims, s.d)
	case tails < 0 || tails > kernel.MaxTails || tails == 0 && s.dims < s.d:
		return fmt.Errorf("pq: ScalarConfig.Tails is %d, want 1 to %d", tails, kernel.MaxTails)
	}
	return nil
}

// mostDimensions is the largest d of a Scalar: sums of levels and weights stay within 32 bits.
const mostDimensions = 1 << 16

// complete derives the rest of s from what files hold, and returns an error if that is impossible.
func (s *Scalar) complete() error {
	for _, part := range []struct {
		name   string
		values []float32
	}{{"the centre", s.mean}, {"the axes", s.rows}, {"the least levels", s.low}, {"the steps", s.step}} {
		for i, v := range part.values {
			if !finite(v) {
				return fmt.Errorf("pq: %s of a Scalar: number %d is %v", part.name, i, v)
			}
		}
	}
	if !finite(s.typical) || s.typical <= 0 {
		return fmt.Errorf("pq: the typical length of a Scalar is %v, want above 0", s.typical)
	}
	var sum float64
	for t, v := range s.step {
		if v < 0 {
			return fmt.Errorf("pq: step %d of a Scalar is %v, want at least 0", t, v)
		}
		if v > 0 { // a coordinate without steps has no weight
			sum += 1 / (float64(v) * float64(v))
		}
	}
	s.inverse = math.Sqrt(sum)
	// What float64 rounds of sums of d products with rows whose squares sum up to axes.
	s.defect = float64(s.d+64) * 0x1p-51 * math.Sqrt(float64(s.axes()))
	if s.turn == Hadamard {
		return nil
	}
	off := rightAngles(s.Axes())
	if !(off < 1e-3) {
		return fmt.Errorf("pq: the axes of a Scalar are off by %g from orthonormal ones, want at most 1e-3", off)
	}
	s.defect += 0.6 * off
	return nil
}

// rightAngles returns the root of the sum of squares of R Rᵀ - I.
func rightAngles(rows vec.Matrix[float32]) float64 {
	r, products := vec.NewMatrix[float64](rows.Rows, rows.Cols), vec.NewMatrix[float64](rows.Rows, rows.Rows)
	vec.Convert(r.Data, rows.Data)
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, r, r, 0, products)
	sum := 0.0
	for i := range products.Rows {
		row := products.Row(i)
		row[i]--
		for _, v := range row {
			sum += v * v
		}
	}
	return math.Sqrt(sum) + float64(rows.Cols)*0x1p-51*float64(rows.Rows)
}

// The rest of what makes a Scalar a Codec, but for its frames and probes.

// room is the size of a block: a code's bytes lie in groups of four, and the groups of the 256 codes next to each
// other.
func (s *Scalar) room() int { return s.groups() * 4 * kernel.Block }

func (s *Scalar) put(block []byte, i int, code []byte) {
	for p, v := range code {
		block[(p/4*kernel.Block+i)*4+p%4] = v
	}
}

func (s *Scalar) get(code, block []byte, i int) {
	for p := range code {
		code[p] = block[(p/4*kernel.Block+i)*4+p%4]
	}
}

// origin is the mean of the training vectors, whatever the vectors are.
func (s *Scalar) origin(vec.Matrix[float32]) []float32 { return s.mean }

// sums adds to dst what the first n codes of a block from `codes` on have in some groups: part of the sums of w.
func (s *Scalar) sums(n, groups int, codes []byte, w *weights, part int, shift uint, dst []int32) {
	if groups == 0 {
		return
	}
	c, data, to := &codes[0], &w.parts[part][0], &dst[0]
	switch {
	case s.tabled():
		kernel.Nibbles(n, groups, c, data, shift, to)
	case s.bits == 4:
		kernel.Levels4(n, groups, c, (*int8)(unsafe.Pointer(data)), shift, to)
	default:
		kernel.Levels8(n, groups, c, (*int8)(unsafe.Pointer(data)), shift, to)
	}
}
