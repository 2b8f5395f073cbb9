package pq

import (
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/dualgap/dualgap/internal/container"
)

// The kinds of files; docs/files.md has their sections.
const (
	kindQuantizer = "codebook"
	kindCodes     = "pq codes"
	kindIndex     = "pq index"
	kindMatrix    = "pqmatrix"
	kindScalar    = "pqscalar"
	version       = 1
)

// ErrCorrupt is wrapped by the errors of readers that meet damage: a byte that is not what was written, or an end too
// early.
var ErrCorrupt = container.ErrCorrupt

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// open reads the header of a file that has to be of this kind.
func open(from io.Reader, kind string) (*container.Reader, error) {
	r, err := container.Open(from)
	if err != nil {
		return nil, prefixed(err)
	}
	r.Expect(kind, version)
	return r, nil
}

func prefixed(err error) error { return fmt.Errorf("pq: %w", err) }

// closed returns the error of a file that has been read, or v.
func closed[T any](r *container.Reader, v *T) (*T, error) {
	if err := r.Close(); err != nil {
		return nil, prefixed(err)
	}
	return v, nil
}

// WriteTo writes the quantizer, its rotation included, for ReadQuantizer. n is the number of bytes written.
func (q *Quantizer) WriteTo(to io.Writer) (n int64, err error) {
	w := container.NewWriter(to, kindQuantizer, version)
	q.write(w)
	return finish(w)
}

// finish names the package in the error of a writer.
func finish(w *container.Writer) (n int64, err error) {
	return named(w.Close())
}

func named(n int64, err error) (int64, error) {
	if err != nil {
		err = fmt.Errorf("pq: writing: %w", err)
	}
	return n, err
}

func (q *Quantizer) write(w *container.Writer) {
	w.Ints("size", q.d, q.m, q.nbits)
	container.Floats(w, "cent", q.centroids)
	container.Floats(w, "rot", q.rotation)
}

// ReadQuantizer reads what Quantizer.WriteTo wrote, bit by bit the same, and no further. Damage is an error that wraps
// ErrCorrupt; a file of another kind or of a later version is another error.
func ReadQuantizer(from io.Reader) (*Quantizer, error) {
	r, err := open(from, kindQuantizer)
	if err != nil {
		return nil, err
	}
	return closed(r, readQuantizer(r))
}

func readQuantizer(r *container.Reader) *Quantizer {
	size := r.Ints("size", 3)
	if r.Err() != nil {
		return nil
	}
	d, m, nbits := size[0], size[1], size[2]
	if err := checkSizes(d, m, nbits); err != nil {
		r.Corrupt("%s", unprefixed(err))
		return nil
	}
	centroids := container.ReadFloats[float32](r, "cent", d<<nbits)
	rotation := container.ReadFloats[float32](r, "rot", container.Any)
	if r.Err() != nil {
		return nil
	}
	q, err := build(d, m, nbits, centroids, rotation)
	if err != nil {
		r.Corrupt("%s", unprefixed(err))
	}
	return q
}

// unprefixed is an error of this package for a place where the package is named already.
func unprefixed(err error) string { return strings.TrimPrefix(err.Error(), "pq: ") }

// fingerprint tells quantizers apart: the CRC32C of the centroids and the rotation as float32, little-endian.
func (q *Quantizer) fingerprint() (print [4]byte) {
	var crc uint32
	for _, values := range [][]float32{q.centroids, q.rotation} {
		var b [4096]byte
		for len(values) > 0 {
			n := min(len(values), len(b)/4)
			for i, v := range values[:n] {
				putFloat(b[4*i:], v)
			}
			crc = crc32.Update(crc, castagnoli, b[:4*n])
			values = values[n:]
		}
	}
	return [4]byte{byte(crc), byte(crc >> 8), byte(crc >> 16), byte(crc >> 24)}
}

// WriteCodes writes codes, as Encode made them, for ReadCodes with the same quantizer. The quantizer itself is not
// written.
func (q *Quantizer) WriteCodes(to io.Writer, codes []byte) error {
	if len(codes)%q.CodeSize() != 0 {
		return fmt.Errorf("pq: %d bytes of codes are no multiple of %d", len(codes), q.CodeSize())
	}
	w := container.NewWriter(to, kindCodes, version)
	w.Ints("size", q.d, q.m, q.nbits, len(codes)/q.CodeSize())
	print := q.fingerprint()
	w.Bytes("book", print[:])
	w.Bytes("code", codes)
	_, err := finish(w)
	return err
}

// ReadCodes reads what WriteCodes wrote, and no further. Codes of another quantizer are an error that does not wrap
// ErrCorrupt; otherwise errors are as with ReadQuantizer.
func (q *Quantizer) ReadCodes(from io.Reader) ([]byte, error) {
	r, err := open(from, kindCodes)
	if err != nil {
		return nil, err
	}
	size, print := r.Ints("size", 4), r.Bytes("book", 4)
	if r.Err() == nil {
		if size[0] != q.d || size[1] != q.m || size[2] != q.nbits {
			return nil, fmt.Errorf("pq: codes for d=%d, M=%d, nbits=%d; the quantizer has d=%d, M=%d, nbits=%d",
				size[0], size[1], size[2], q.d, q.m, q.nbits)
		}
		if want := q.fingerprint(); [4]byte(print) != want {
			return nil, fmt.Errorf("pq: codes of another quantizer: its fingerprint is % x, this one's % x",
				print, want)
		}
	}
	codes := r.Bytes("code", container.Any)
	if r.Err() == nil && (len(codes)%q.CodeSize() != 0 || len(codes)/q.CodeSize() != size[3]) {
		r.Corrupt("%d bytes for %d codes of %d", len(codes), size[3], q.CodeSize())
	}
	all, err := closed(r, &codes)
	if err != nil {
		return nil, err
	}
	return *all, nil
}
