package pq

import (
	"io"

	"github.com/dualgap/dualgap/internal/container"
)

// scalarCodec is the number of a Scalar in files.
const scalarCodec = 1

func (s *Scalar) number() int { return scalarCodec }

// WriteTo writes the codec for ReadScalar. n is the number of bytes written.
func (s *Scalar) WriteTo(to io.Writer) (n int64, err error) {
	w := container.NewWriter(to, kindScalar, version)
	s.write(w)
	return finish(w)
}

func (s *Scalar) write(w *container.Writer) {
	w.Ints("size", s.d, s.dims, s.bits, int(s.turn), s.Tails())
	writeScalar(w, s)
}

// writeScalar writes all but the sizes.
func writeScalar(w *container.Writer, s *Scalar) {
	container.Floats(w, "mean", s.mean)
	container.Floats(w, "axes", s.rows)
	var signs []byte
	if s.mix != nil {
		signs = s.mix.bits
	}
	w.Bytes("sign", signs)
	container.Floats(w, "low", s.low)
	container.Floats(w, "step", s.step)
	container.Floats(w, "len", []float32{s.typical})
}

// ReadScalar reads what Scalar.WriteTo wrote, bit by bit the same, and no further. Damage is an error that wraps
// ErrCorrupt; a file of another kind or of a later version is another error.
func ReadScalar(from io.Reader) (*Scalar, error) {
	r, err := open(from, kindScalar)
	if err != nil {
		return nil, err
	}
	return closed(r, readScalar(r))
}

func readScalar(r *container.Reader) *Scalar {
	size := r.Ints("size", 5)
	if r.Err() != nil {
		return nil
	}
	s := &Scalar{d: size[0], dims: size[1], bits: size[2], turn: Turn(size[3])}
	if size[3] != int(s.turn) {
		r.Corrupt("there is no turn %d", size[3])
		return nil
	}
	if err := s.checkSizes(size[4]); err != nil {
		r.Corrupt("%s", unprefixed(err))
		return nil
	}
	s.ends = tailEnds(s.d, s.dims, size[4])
	if s.Tails() != size[4] {
		r.Corrupt("%d tails of %d dimensions of %d", size[4], s.dims, s.d)
		return nil
	}
	axes, signs := axesOf(s.ends), 0
	if s.turn == Hadamard {
		axes, signs = 0, mixBytes(s.d)
	}
	s.mean = container.ReadFloats[float32](r, "mean", s.d)
	s.rows = container.ReadFloats[float32](r, "axes", axes*s.d)
	bits := r.Bytes("sign", signs)
	s.low = container.ReadFloats[float32](r, "low", s.dims)
	s.step = container.ReadFloats[float32](r, "step", s.dims)
	length := container.ReadFloats[float32](r, "len", 1)
	if r.Err() != nil {
		return nil
	}
	s.typical = length[0]
	if signs > 0 {
		s.mix = newMixer(s.d, bits)
	}
	if err := s.complete(); err != nil {
		r.Corrupt("%s", unprefixed(err))
		return nil
	}
	return s
}

// MarshalBinary returns what WriteTo writes. Package gob calls it.
func (s *Scalar) MarshalBinary() ([]byte, error) { return container.Marshal(s) }

// UnmarshalBinary sets s to what ReadScalar makes of data, all of it: bytes behind the end are an error that wraps
// ErrCorrupt. s must be new: nobody may use it at the same time.
func (s *Scalar) UnmarshalBinary(data []byte) error {
	return container.Unmarshal(s, data, "pq", ReadScalar)
}
