package pq

import (
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Decode writes the vectors that n codes stand for to the rows of dst, which is n-by-d: the centroids that they name,
// next to each other, and rotated back where there is a rotation. Another number of bytes than n times CodeSize is an
// error. workers is the number of goroutines; 0 stands for one for each core.
func (q *Quantizer) Decode(dst vec.Matrix[float32], codes []byte, workers int) error {
	if err := q.checkRows(dst); err != nil {
		return err
	}
	size := q.CodeSize()
	if len(codes) != dst.Rows*size {
		return fmt.Errorf("pq: %d bytes of codes for %d rows, want %d of %d bytes each",
			len(codes), dst.Rows, dst.Rows*size, size)
	}
	workers, err := workersOf("workers", workers)
	if err != nil {
		return err
	}
	chunks := shape.Pieces(dst.Rows, chunkRows)
	parallel.Do(workers, chunks, func(_, i int) {
		for r := i * chunkRows; r < min((i+1)*chunkRows, dst.Rows); r++ {
			q.decode(dst.Row(r), codes[r*size:][:size])
		}
	})
	return nil
}

// DecodeVector writes the d numbers of the vector that a code stands for to dst. It allocates nothing once warm.
func (q *Quantizer) DecodeVector(dst []float32, code []byte) error {
	if len(dst) != q.d {
		return fmt.Errorf("pq: a vector of %d dimensions, want d=%d", len(dst), q.d)
	}
	if err := q.checkCode(code); err != nil {
		return err
	}
	q.decode(dst, code)
	return nil
}

func (q *Quantizer) checkCode(code []byte) error {
	if len(code) != q.CodeSize() {
		return fmt.Errorf("pq: a code of %d bytes, want %d", len(code), q.CodeSize())
	}
	return nil
}

func (q *Quantizer) decode(dst []float32, code []byte) {
	if q.rotation == nil {
		q.gather(dst, code)
		return
	}
	v := vectors.Get().(*vector)
	defer vectors.Put(v)
	y := v.of(q.d)
	q.gather(y, code)
	q.rotateBack(dst, y)
}

// gather writes the centroids that a code names, without rotating back.
func (q *Quantizer) gather(dst []float32, code []byte) {
	for j := range q.m {
		from, to := q.offset[j], q.offset[j+1]
		copy(dst[from:to], q.centroids[q.ksub*from+q.codePart(code, j)*(to-from):])
	}
}

// vector is scratch memory.
type vector struct{ data []float32 }

func (v *vector) of(d int) []float32 {
	v.data = atLeast(v.data, d)
	return v.data[:d]
}

var vectors = sync.Pool{New: func() any { return new(vector) }}
