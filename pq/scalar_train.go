package pq

import (
	"context"
	"errors"
	"math"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// TrainScalar fits a Scalar to the rows of x, n-by-d, of which one is enough. With PCA it takes the principal axes of a
// sample and for each coordinate the evenly spaced levels with the least squared error; the axes cost n d² and some 10
// d³ operations. With Hadamard it draws the rotation, and takes from the data their mean and their typical distance
// from it alone.
//
// Codes after Hadamard stand for directions from the mean: what is rounded is x - m divided by its length, to the
// levels that are best for normal numbers. The length is among the numbers that an index keeps beside a code (Gao and
// Long, "RaBitQ", SIGMOD 2024, with 1 bit); decoded vectors have the typical length.
//
// The same x and ScalarConfig give the same Scalar, whatever the number of Workers, on machines of one kind. Numbers
// that are not finite, or so large that their squares overflow, are errors. When ctx ends, TrainScalar returns its error.
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
	s.low, s.step = make([]float32, s.dims), make([]float32, s.dims)
	if s.turn == Hadamard {
		s.mix = randomMixer(s.d, c.Seed)
		s.evenLevels()
		return s, s.complete()
	}
	if err := s.fitAxes(centred, c.Workers); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.fitLevels(centred, c.Workers)
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
func (s *Scalar) fitAxes(centred vec.Matrix[float64], workers int) error {
	c := vec.NewMatrix[float64](s.d, s.d)
	vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1/float64(centred.Rows), centred, centred, 0, c, workers)
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
	for a := range axesOf(s.ends) { // columns, by rising variance
		row := s.rows[a*s.d:][:s.d]
		for t := range row {
			row[t] = float32(c.At(t, s.d-1-a))
		}
	}
	return nil
}

// normalSteps are the distances between levels that are best for normal numbers of variance 1, by the bits of a level
// (Max, "Quantizing for minimum distortion", IRE Transactions on Information Theory 1960).
var normalSteps = map[int]float64{1: 1.596, 2: 0.9957, 4: 0.3352, 8: 0.0308}

// evenLevels sets the levels for vectors of the typical length after a random rotation.
func (s *Scalar) evenLevels() {
	step := normalSteps[s.bits] * float64(s.typical) / math.Sqrt(float64(s.d))
	for t := range s.step {
		s.step[t] = float32(step)
		s.low[t] = float32(-step * s.mid())
	}
}

// mid is the middle of the levels' numbers.
func (s *Scalar) mid() float64 { return float64(int(1)<<s.bits-1) / 2 }

// levelSample is the number of vectors from which levels are fitted.
const levelSample = 4096

// fitLevels sets the levels of each coordinate of the sample, divided by the typical length.
func (s *Scalar) fitLevels(centred vec.Matrix[float64], workers int) {
	n := min(levelSample, centred.Rows)
	head := vec.NewMatrix[float64](s.dims, s.d)
	vec.Convert(head.Data, s.rows[:len(head.Data)])
	z := vec.NewMatrix[float64](s.dims, n)
	vec.GemmWorkers(vec.NoTrans, vec.Transposed, 1, head, centred.Slice(0, n, 0, s.d), 0, z, workers)
	parallel.Do(workers, s.dims, func(_, t int) {
		low, step := bestLevels(z.Row(t), s.bits)
		s.low[t], s.step[t] = float32(low*float64(s.typical)), float32(step*float64(s.typical))
	})
}

// bestLevels returns evenly spaced levels for z with a small squared error: from several steps in turns the nearest
// levels and, by regression, the levels that are best for these.
func bestLevels(z []float64, bits int) (low, step float64) {
	var mean, variance float64
	for _, v := range z {
		mean += v / float64(len(z))
	}
	for _, v := range z {
		variance += (v - mean) * (v - mean) / float64(len(z))
	}
	top := float64(int(1)<<bits - 1)
	sigma, least := math.Sqrt(variance), math.Inf(1)
	for _, factor := range []float64{0.5, 0.7, 1, 1.4, 2} {
		b := factor * normalSteps[bits] * sigma
		a := mean - b*top/2
		for range 5 {
			err, nextA, nextB := levelStep(z, a, b, top)
			if err < least {
				least, low, step = err, a, b
			}
			a, b = nextA, nextB
		}
	}
	if least == math.Inf(1) || !(step > 0) {
		return mean, 0
	}
	return low, step
}

// levelStep returns the squared error of the levels a, a + b, ..., and the levels that are best for their numbers.
func levelStep(z []float64, a, b, top float64) (err, nextA, nextB float64) {
	if !(b > 0) {
		return math.Inf(1), a, 0
	}
	var k1, k2, zk, z1 float64
	inverse := 1 / b
	for _, v := range z {
		k := math.Floor((v-a)*inverse + 0.5)
		k = min(max(k, 0), top)
		d := v - a - b*k
		err += d * d
		k1, k2, zk, z1 = k1+k, k2+k*k, zk+v*k, z1+v
	}
	n := float64(len(z))
	v := n*k2 - k1*k1
	if !(v > 0) {
		return err, a, b
	}
	nextB = (n*zk - k1*z1) / v
	return err, (z1 - nextB*k1) / n, nextB
}
