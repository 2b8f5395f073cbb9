package pq

import (
	"bytes"
	"errors"
)

// onlyFiles, embedded in a type without exported fields, makes JSON of it an error: it would be {}.
type onlyFiles struct{}

var errJSON = errors.New("pq: quantizers, indexes and matrices are not written as JSON, but by their WriteTo")

// MarshalJSON returns an error that names WriteTo.
func (onlyFiles) MarshalJSON() ([]byte, error) { return nil, errJSON }

// UnmarshalJSON returns an error that names WriteTo.
func (onlyFiles) UnmarshalJSON([]byte) error { return errJSON }

// MarshalBinary returns what WriteTo writes. Package gob calls it.
func (q *Quantizer) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	_, err := q.WriteTo(&b)
	return b.Bytes(), err
}

// UnmarshalBinary sets q to what ReadQuantizer makes of data. q must be new: nobody may use it at the same time.
func (q *Quantizer) UnmarshalBinary(data []byte) error {
	p, err := ReadQuantizer(bytes.NewReader(data))
	if err == nil {
		*q = *p
	}
	return err
}

// MarshalBinary returns what WriteTo writes. Package gob calls it.
func (ix *Index) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	_, err := ix.WriteTo(&b)
	return b.Bytes(), err
}

// UnmarshalBinary sets ix to what ReadIndex makes of data. ix must be new: nobody may use it at the same time.
func (ix *Index) UnmarshalBinary(data []byte) error {
	p, err := ReadIndex(bytes.NewReader(data))
	if err == nil {
		ix.set(p.q, p.metric, p.codes.Load())
	}
	return err
}

// MarshalBinary returns what WriteTo writes. Package gob calls it.
func (x *Matrix) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	_, err := x.WriteTo(&b)
	return b.Bytes(), err
}

// UnmarshalBinary sets x to what ReadMatrix makes of data with zero options. x must be new: nobody may use it at the
// same time.
func (x *Matrix) UnmarshalBinary(data []byte) error {
	y, err := ReadMatrix(bytes.NewReader(data), MatrixOptions{})
	if err == nil {
		*x = Matrix{q: y.q, n: y.n, blocks: y.blocks, norms: y.norms, o: y.o}
	}
	return err
}
