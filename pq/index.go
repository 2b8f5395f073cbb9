package pq

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/dualgap/dualgap/vec"
)

// Index holds the codes of many vectors and finds the nearest to a query by comparing it with all of them. Vectors
// are known by the order in which they were added: 0, 1, 2, ...
//
// All methods may be called at the same time, also from within a Filter. Search and WriteTo see the vectors that the
// index held when they began. They hold no lock: an Add neither waits for them nor makes them wait.
type Index struct {
	onlyFiles
	q      *Quantizer
	metric Metric
	pool   sync.Pool // of *searcher

	adding sync.Mutex
	codes  atomic.Pointer[blocks] // what it points to never changes
}

// NewIndex returns an empty index. It takes CodeSize bytes a vector, and up to a quarter more while it grows.
func NewIndex(q *Quantizer, metric Metric) (*Index, error) {
	if q == nil {
		return nil, errNoQuantizer
	}
	if err := metric.check(); err != nil {
		return nil, err
	}
	ix := &Index{}
	ix.set(q, metric, &blocks{size: q.CodeSize()})
	return ix, nil
}

var errNoQuantizer = errors.New("pq: the quantizer is nil")

func (ix *Index) set(q *Quantizer, metric Metric, codes *blocks) {
	ix.q, ix.metric = q, metric
	ix.pool.New = func() any { return newSearcher(q) }
	ix.codes.Store(codes)
}

// Quantizer returns the quantizer of the codes.
func (ix *Index) Quantizer() *Quantizer { return ix.q }

// Metric returns by what vectors are compared.
func (ix *Index) Metric() Metric { return ix.metric }

// Len is the number of vectors.
func (ix *Index) Len() int { return ix.codes.Load().n }

// Add encodes the rows of x, n-by-d, and appends them. It fails where Encode does, and then the index is as before.
// workers is the number of goroutines that encode; 0 stands for one for each core.
func (ix *Index) Add(x vec.Matrix[float32], workers int) error {
	if err := ix.q.checkRows(x); err != nil {
		return err
	}
	codes := make([]byte, x.Rows*ix.q.CodeSize())
	if err := ix.q.Encode(codes, x, workers); err != nil {
		return err
	}
	return ix.AddCodes(codes)
}

// AddCodes appends vectors by their codes, as Encode wrote them. Bytes that are no multiple of CodeSize are an error. A
// call copies up to 255 codes beside its own, so that 256 vectors at once cost less than one by one.
func (ix *Index) AddCodes(codes []byte) error {
	if size := ix.q.CodeSize(); len(codes)%size != 0 {
		return fmt.Errorf("pq: %d bytes of codes are no multiple of %d", len(codes), size)
	}
	ix.add(codes)
	return nil
}

func (ix *Index) add(codes []byte) {
	ix.adding.Lock()
	defer ix.adding.Unlock()
	all := ix.codes.Load().add(codes)
	ix.codes.Store(&all)
}

// Code copies the code of vector i to dst, which has CodeSize bytes. An i that is not there is an error.
func (ix *Index) Code(dst []byte, i int) error {
	if err := ix.q.checkCode(dst); err != nil {
		return err
	}
	codes := ix.codes.Load()
	if i < 0 || i >= codes.n {
		return fmt.Errorf("pq: vector %d of an index of %d", i, codes.n)
	}
	codes.code(dst, i)
	return nil
}

// Vector writes to dst the d numbers that the code of vector i stands for. An i that is not there is an error.
func (ix *Index) Vector(dst []float32, i int) error {
	code := make([]byte, ix.q.CodeSize())
	if err := ix.Code(code, i); err != nil {
		return err
	}
	return ix.q.DecodeVector(dst, code)
}
