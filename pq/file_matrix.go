package pq

import (
	"io"

	"github.com/dualgap/dualgap/internal/container"
)

// WriteTo writes the quantizer and the codes of the rows, for ReadMatrix. MatrixOptions are not written. n is the
// number of bytes written.
func (x *Matrix) WriteTo(to io.Writer) (n int64, err error) {
	w := container.NewWriter(to, kindMatrix, version)
	x.q.write(w)
	w.Ints("rows", x.n)
	parts := make([]byte, x.q.m+x.q.m%2)
	w.Records("code", x.n, x.q.CodeSize(), func(i int, code []byte) {
		for j := range x.q.m {
			parts[j] = x.blocks[x.at(i, j)]
		}
		x.q.pack(code, parts)
	})
	return finish(w)
}

// ReadMatrix reads what Matrix.WriteTo wrote, and no further; the options say how the matrix computes. Errors are as
// with ReadQuantizer.
func ReadMatrix(from io.Reader, o MatrixOptions) (*Matrix, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r, err := open(from, kindMatrix)
	if err != nil {
		return nil, err
	}
	q, rows := readQuantizer(r), r.Ints("rows", 1)
	if r.Err() != nil {
		return closed[Matrix](r, nil)
	}
	x := &Matrix{q: q, o: o}
	r.Records("code", rows[0], q.CodeSize(), func(_ int, code []byte) { x.add(code) })
	if r.Close() == nil {
		x.setNorms()
	}
	return closed(r, x)
}
