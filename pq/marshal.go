package pq

import (
	"io"

	"github.com/dualgap/dualgap/internal/container"
)

type onlyFiles = container.OnlyFiles

// MarshalBinary returns what WriteTo writes. Package gob calls it.
func (q *Quantizer) MarshalBinary() ([]byte, error) { return container.Marshal(q) }

// UnmarshalBinary sets q to what ReadQuantizer makes of data, all of it: bytes behind the end are an error that wraps
// ErrCorrupt. q must be new: nobody may use it at the same time.
func (q *Quantizer) UnmarshalBinary(data []byte) error {
	return container.Unmarshal(q, data, "pq", ReadQuantizer)
}

// MarshalBinary returns what WriteTo writes. Package gob calls it.
func (ix *Index) MarshalBinary() ([]byte, error) { return container.Marshal(ix) }

// UnmarshalBinary sets ix to what ReadIndex makes of data, all of it: bytes behind the end are an error that wraps
// ErrCorrupt. ix must be new: nobody may use it at the same time.
func (ix *Index) UnmarshalBinary(data []byte) error {
	p, err := container.Whole(data, "pq", ReadIndex)
	if err == nil {
		ix.set(p.codec, p.c, p.held.Load())
	}
	return err
}

// MarshalBinary returns what WriteTo writes. Package gob calls it.
func (x *Matrix) MarshalBinary() ([]byte, error) { return container.Marshal(x) }

// UnmarshalBinary sets x to what ReadMatrix makes of data, all of it, with zero options: bytes behind the end are an
// error that wraps ErrCorrupt. x must be new: nobody may use it at the same time.
func (x *Matrix) UnmarshalBinary(data []byte) error {
	y, err := container.Whole(data, "pq", func(r io.Reader) (*Matrix, error) { return ReadMatrix(r, MatrixOptions{}) })
	if err == nil {
		*x = Matrix{q: y.q, n: y.n, blocks: y.blocks, norms: y.norms, o: y.o}
	}
	return err
}
