package pq

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// scalarRows rows are turned at once.
const scalarRows = 64

// Encode writes the codes of the rows of x, n-by-d: n times CodeSize bytes. Another number of bytes and numbers that
// are not finite are errors; dst then has anything. workers is the number of goroutines; 0 stands for one for each
// core. It costs d Dims operations a row with PCA, 8 d log d with Hadamard.
func (s *Scalar) Encode(dst []byte, x vec.Matrix[float32], workers int) error {
	if err := checkRows(x, s.d); err != nil {
		return err
	}
	size := s.CodeSize()
	if len(dst) != x.Rows*size {
		return fmt.Errorf("pq: %d bytes for the codes of %d rows, want %d of %d bytes each",
			len(dst), x.Rows, x.Rows*size, size)
	}
	workers, err := workersOf("workers", workers)
	if err != nil {
		return err
	}
	if err := checkFinite(x, 0); err != nil {
		return err
	}
	parallel.Chunks(workers, x.Rows, scalarRows, func(_, from, to int) {
		z := s.coordinates(x.Slice(from, to, 0, s.d))
		for k := range z.Rows {
			s.round(dst[(from+k)*size:][:size], z.Row(k))
		}
	})
	return nil
}

// coordinates returns what is to be rounded of some rows: coordinates of the typical length.
func (s *Scalar) coordinates(x vec.Matrix[float32]) vec.Matrix[float32] {
	z := vec.NewMatrix[float32](x.Rows, s.dims)
	if s.turn == PCA {
		centred := vec.NewMatrix[float32](x.Rows, s.d)
		for i := range x.Rows {
			for t, v := range x.Row(i) {
				centred.Row(i)[t] = v - s.mean[t]
			}
		}
		vec.Gemm(vec.NoTrans, vec.Transposed, 1, centred, s.head(), 0, z)
	}
	y := make([]float64, s.d)
	for i := range x.Rows {
		row := z.Row(i)
		if s.turn == Hadamard {
			for t, v := range x.Row(i) {
				y[t] = float64(v) - float64(s.mean[t])
			}
			s.mix.turn(y)
		} else {
			vec.Convert(y[:s.dims], row)
		}
		scale, square := 0.0, 0.0
		for _, v := range y[:s.dims] {
			square += float64(v * v)
		}
		if square > 0 {
			scale = float64(s.typical) / math.Sqrt(square)
		}
		for t, v := range y[:s.dims] {
			row[t] = float32(v * scale)
		}
	}
	return z
}

// round writes the code of the levels nearest to z. What is not finite becomes some level.
func (s *Scalar) round(code []byte, z []float32) {
	clear(code)
	top, planes := int(1)<<s.bits-1, s.planes()
	for t, v := range z {
		k := 0
		if f := (v - s.low[t]) / s.step[t]; f >= float32(top) {
			k = top
		} else if f > 0 {
			k = int(f + 0.5)
		}
		code[t/planes] |= byte(k << (t % planes * s.bits))
	}
}

// level returns the number of the level of coordinate t.
func (s *Scalar) level(code []byte, t int) int {
	planes := s.planes()
	return int(code[t/planes]>>(t%planes*s.bits)) & (1<<s.bits - 1)
}

// Decode writes the vectors that n codes stand for to the rows of dst, which is n-by-d: they have the typical distance
// from the mean. Another number of bytes than n times CodeSize is an error. workers is the number of goroutines; 0
// stands for one for each core.
func (s *Scalar) Decode(dst vec.Matrix[float32], codes []byte, workers int) error {
	if err := checkRows(dst, s.d); err != nil {
		return err
	}
	size := s.CodeSize()
	if len(codes) != dst.Rows*size {
		return fmt.Errorf("pq: %d bytes of codes for %d rows, want %d of %d bytes each",
			len(codes), dst.Rows, dst.Rows*size, size)
	}
	workers, err := workersOf("workers", workers)
	if err != nil {
		return err
	}
	parallel.Chunks(workers, dst.Rows, scalarRows, func(_, from, to int) {
		z, y := make([]float64, s.dims), make([]float64, s.d)
		for k := from; k < to; k++ {
			for t := range z {
				z[t] = float64(s.low[t]) + float64(float64(s.step[t])*float64(s.level(codes[k*size:], t)))
			}
			if s.turn == Hadamard {
				copy(y, z)
				s.mix.back(y)
			} else {
				vec.MixedGemvT(1, s.head(), z, 0, y)
			}
			for t, v := range y {
				dst.Row(k)[t] = float32(v + float64(s.mean[t]))
			}
		}
	})
	return nil
}
