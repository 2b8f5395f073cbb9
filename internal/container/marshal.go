package container

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Marshal returns what m writes: a MarshalBinary, for encoding/gob.
func Marshal(m io.WriterTo) ([]byte, error) {
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Unmarshal sets *m to what read makes of data, all of it: an UnmarshalBinary, for encoding/gob.
func Unmarshal[M any](m *M, data []byte, pkg string, read func(io.Reader) (*M, error)) error {
	got, err := Whole(data, pkg, read)
	if err == nil {
		*m = *got
	}
	return err
}

// Whole returns what read makes of data. Where there are bytes behind that, the error wraps ErrCorrupt and names pkg.
func Whole[M any](data []byte, pkg string, read func(io.Reader) (*M, error)) (*M, error) {
	r := bytes.NewReader(data)
	m, err := read(r)
	if err != nil {
		return nil, err
	}
	if r.Len() > 0 {
		return nil, fmt.Errorf("%s: %w: %d bytes behind the end", pkg, ErrCorrupt, r.Len())
	}
	return m, nil
}

// OnlyFiles, embedded in a type without exported fields, makes JSON of it an error: it would be {}.
type OnlyFiles struct{}

var errJSON = errors.New("dualgap: models, quantizers, indexes and matrices have no JSON: write them with WriteTo")

// MarshalJSON returns an error that names WriteTo.
func (OnlyFiles) MarshalJSON() ([]byte, error) { return nil, errJSON }

// UnmarshalJSON returns an error that names WriteTo.
func (OnlyFiles) UnmarshalJSON([]byte) error { return errJSON }
