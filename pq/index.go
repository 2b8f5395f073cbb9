package pq

import (
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/vec"
)

// Index holds the codes of many vectors and finds the nearest to a query by comparing it with all of them. Vectors are known
// by the order in which they were added: 0, 1, 2, ... Searches may run side by side; an Add waits for them and they for it.
type Index struct {
	q      *Quantizer
	metric Metric
	pool   sync.Pool // of *searcher

	mu    sync.RWMutex
	codes blocks
}

// NewIndex returns an empty index. It takes CodeSize bytes a vector.
func NewIndex(q *Quantizer, metric Metric) (*Index, error) {
	if err := metric.check(); err != nil {
		return nil, err
	}
	ix := &Index{q: q, metric: metric, codes: blocks{size: q.CodeSize()}}
	ix.pool.New = func() any { return newSearcher(q) }
	return ix, nil
}

// Quantizer returns the quantizer of the codes.
func (ix *Index) Quantizer() *Quantizer { return ix.q }

// Metric returns by what vectors are compared.
func (ix *Index) Metric() Metric { return ix.metric }

// Len is the number of vectors.
func (ix *Index) Len() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.codes.n
}

// Add encodes the rows of x and appends them; the first gets the number Len had. After an error the index is as before.
// workers is the number of goroutines, 0 one for each core.
func (ix *Index) Add(x vec.Matrix[float32], workers int) error {
	codes := make([]byte, max(x.Rows, 0)*ix.q.CodeSize())
	if err := ix.q.Encode(codes, x, workers); err != nil {
		return err
	}
	return ix.AddCodes(codes)
}

// AddCodes appends vectors by their codes, as Encode wrote them.
func (ix *Index) AddCodes(codes []byte) error {
	if size := ix.q.CodeSize(); len(codes)%size != 0 {
		return fmt.Errorf("pq: %d bytes of codes are no multiple of %d", len(codes), size)
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.codes.add(codes)
	return nil
}

// Code copies the code of vector i to dst, CodeSize bytes.
func (ix *Index) Code(dst []byte, i int) error {
	if err := ix.q.checkCode(dst); err != nil {
		return err
	}
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if i < 0 || i >= ix.codes.n {
		return fmt.Errorf("pq: vector %d of an index of %d", i, ix.codes.n)
	}
	ix.codes.code(dst, i)
	return nil
}

// Vector writes to dst what the code of vector i stands for.
func (ix *Index) Vector(dst []float32, i int) error {
	code := make([]byte, ix.q.CodeSize())
	if err := ix.Code(code, i); err != nil {
		return err
	}
	return ix.q.DecodeVector(dst, code)
}
