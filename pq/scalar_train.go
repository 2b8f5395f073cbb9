package pq

import (
	"context"
	"errors"
	"math"

	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// TrainScalar fits a Scalar to the rows of x, n-by-d, of which one is enough. With PCA it takes the principal axes of a
// sample, which costs d² operations a row and some 10 d³. With Hadamard it draws the rotation, and takes from the data
// their mean and their typical distance from it alone.
//
// Codes stand for directions from the mean: what is rounded is the part of x - m that codes keep, divided by its
// length, to the levels that are best for normal numbers. The length is among the numbers that an index keeps beside a
// code (Gao and Long, "RaBitQ", SIGMOD 2024, with 1 bit); decoded vectors have the typical length.
//
// The same x and ScalarConfig give the same Scalar, whatever the number of Workers, on machines of one kind. Numbers
// that are not finite, or so large that their squares overflow, are errors. When ctx ends, TrainScalar returns its
// error.
func TrainScalar(ctx context.Context, x vec.Matrix[float32], c ScalarConfig) (*Scalar, error) {
	if ctx == nil {
		return nil, errors.New("pq: the context is nil")
	}
	c, err := c.withDefaults(x)
	if err != nil {
		return nil, err
	}
	s := &Scalar{d: x.Cols, dims: c.Dims, bits: c.Bits, turn: c.Turn}
	if err := s.checkSizes(c.Tails); err != nil {
		return nil, err
	}
	if err := checkFinite(x, 0); err != nil {
		return nil, err
	}
	s.ends = tailEnds(s.d, s.dims, c.Tails)
	rows := sample(x.Rows, c.Sample, c.Seed)
	centred := s.fitMean(x, rows)
	if !finite(s.typical) {
		return nil, errTooLarge
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.turn == Hadamard {
		s.mix = randomMixer(s.d, c.Seed)
	} else if err := s.fitAxes(centred, c); err != nil {
		return nil, err
	}
	s.setLevels()
	return s, s.complete()
}

// fitMean sets the mean and the typical length, and returns the sample less the mean, divided by the typical length.
func (s *Scalar) fitMean(x vec.Matrix[float32], rows []int) vec.Matrix[float64] {
	centred := vec.NewMatrix[float64](len(rows), s.d)
	mean := make([]float64, s.d)
	for _, row := range rows {
		for t, v := range x.Row(row) {
			mean[t] += float64(v)
		}
	}
	s.mean = make([]float32, s.d)
	for t, v := range mean {
		s.mean[t] = float32(v / float64(len(rows)))
	}
	var all float64
	for i, row := range rows {
		to := centred.Row(i)
		for t, v := range x.Row(row) {
			to[t] = float64(v) - float64(s.mean[t])
			all += float64(to[t] * to[t])
		}
	}
	s.typical = float32(math.Sqrt(all / float64(len(rows))))
	if s.typical == 0 {
		s.typical = 1
	}
	vec.Scale(1/float64(s.typical), centred.Data)
	return centred
}

// fitAxes sets the first principal axes.
//
// Those that codes keep it rotates among themselves at random. So their variance is the same in all coordinates, and
// errors of rounding, which then have no direction of their own, do not fall on the axes where queries have most.
func (s *Scalar) fitAxes(centred vec.Matrix[float64], o ScalarConfig) error {
	c := vec.NewMatrix[float64](s.d, s.d)
	vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1/float64(centred.Rows), centred, centred, 0, c, o.Workers)
	for i, v := range c.Data {
		if v-v != 0 {
			return errTooLarge
		}
		if math.Abs(v) < 0x1p-200 { // of a block that is tiny Dsyev would change the scale
			c.Data[i] = 0
		}
	}
	values, work := make([]float64, s.d), make([]float64, 1)
	var l gonumblas.Lapack
	l.Dsyev(lapack.EVCompute, blas.Upper, s.d, c.Data, c.Stride, values, work, -1)
	work = make([]float64, int(work[0]))
	if !l.Dsyev(lapack.EVCompute, blas.Upper, s.d, c.Data, c.Stride, values, work, len(work)) {
		return errors.New("pq: the principal axes of the training vectors were not found")
	}
	s.rows = make([]float32, axesOf(s.ends)*s.d)
	mix, column, head := randomMixer(s.dims, o.Seed), make([]float64, s.dims), 0.0
	for t := range s.d {
		for a := range s.dims { // columns, by rising variance
			column[a] = c.At(t, s.d-1-a)
		}
		mix.turn(column)
		for a := range axesOf(s.ends) {
			v := c.At(t, s.d-1-a)
			if a < s.dims {
				v = column[a]
			}
			s.rows[a*s.d+t] = float32(v)
		}
	}
	for a := range s.dims {
		head += math.Max(0, values[s.d-1-a])
	}
	if head = math.Sqrt(head) * float64(s.typical); head > 0 {
		s.typical = float32(head)
	}
	return nil
}

// normalSteps are the distances between levels that are best for normal numbers of variance 1, by the bits of a level
// (Max, "Quantizing for minimum distortion", IRE Transactions on Information Theory 1960).
var normalSteps = map[int]float64{1: 1.596, 2: 0.9957, 4: 0.3352, 8: 0.0308}

// setLevels sets the levels for vectors of the typical length after a random rotation.
func (s *Scalar) setLevels() {
	s.low, s.step = make([]float32, s.dims), make([]float32, s.dims)
	step := normalSteps[s.bits] * float64(s.typical) / math.Sqrt(float64(s.dims))
	for t := range s.step {
		s.step[t] = float32(step)
		s.low[t] = float32(-step * s.mid())
	}
}

// mid is the middle of the levels' numbers.
func (s *Scalar) mid() float64 { return float64(int(1)<<s.bits-1) / 2 }
