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
	codec  Codec
	metric Metric
	bounds bool
	pool   sync.Pool // of *searcher

	adding sync.Mutex
	held   atomic.Pointer[contents] // what it points to never changes
}

// contents are what an index holds at one time.
type contents struct {
	blocks
	frame frame // nil without bounds, and before the first vectors where they are to choose the centre
}

// IndexConfig says what NewIndexOf makes.
type IndexConfig struct {
	Metric Metric

	// Bounds keeps four numbers more with each vector, 16 bytes: what its code says, and what the code leaves out; of a
	// Scalar, which needs Bounds, three, one more with up to 4 bits, and its tails. Then
	// Certify can prove what it finds, and Search ranks by a better estimate. Such an index takes vectors by Add alone.
	Bounds bool

	// Centre is what the numbers of Bounds are relative to, d numbers; nil stands for the mean of the vectors of the
	// first Add that has any, and with a Scalar for the mean of its training vectors. The nearer vectors lie to it, the
	// narrower are bounds.
	Centre []float32
}

// NewIndex returns an empty index without bounds. It takes CodeSize bytes a vector.
func NewIndex(codec Codec, metric Metric) (*Index, error) {
	return NewIndexOf(codec, IndexConfig{Metric: metric})
}

// NewIndexOf returns an empty index. It takes CodeSize bytes a vector, and with Bounds what IndexConfig says more.
func NewIndexOf(codec Codec, c IndexConfig) (*Index, error) {
	switch q := codec.(type) {
	case *Quantizer:
		if q == nil {
			return nil, errNoQuantizer
		}
	case *Scalar:
		if q == nil {
			return nil, errNoQuantizer
		}
		if !c.Bounds {
			return nil, errors.New("pq: an index of a Scalar needs IndexConfig.Bounds")
		}
	default:
		return nil, errNoQuantizer
	}
	if err := c.Metric.check(); err != nil {
		return nil, err
	}
	of := contents{blocks: blocks{codec: codec}}
	if c.Bounds {
		of.floats = codec.floats()
	}
	if c.Centre != nil {
		if !c.Bounds {
			return nil, errors.New("pq: IndexConfig.Centre is of use with Bounds only")
		}
		if len(c.Centre) != codec.D() {
			return nil, fmt.Errorf("pq: IndexConfig.Centre has %d numbers, want d=%d", len(c.Centre), codec.D())
		}
		for t, v := range c.Centre {
			if !finite(v) {
				return nil, fmt.Errorf("pq: IndexConfig.Centre holds %v at %d", v, t)
			}
		}
		of.frame = codec.about(append([]float32{}, c.Centre...))
	}
	ix := &Index{}
	ix.set(codec, c.Metric, c.Bounds, &of)
	return ix, nil
}

var errNoQuantizer = errors.New("pq: the quantizer is nil")

func (ix *Index) set(codec Codec, metric Metric, bounds bool, of *contents) {
	ix.codec, ix.metric, ix.bounds = codec, metric, bounds
	ix.pool.New = func() any { return newSearcher(codec) }
	ix.held.Store(of)
}

// Codec returns what maps the vectors to codes.
func (ix *Index) Codec() Codec { return ix.codec }

// Metric returns by what vectors are compared.
func (ix *Index) Metric() Metric { return ix.metric }

// Bounds reports whether the index can prove what it finds.
func (ix *Index) Bounds() bool { return ix.bounds }

// Len is the number of vectors.
func (ix *Index) Len() int { return ix.held.Load().n }

// Add encodes the rows of x, n-by-d, and appends them. It fails where Encode does, and then the index is as before.
// workers is the number of goroutines that encode; 0 stands for one for each core. With bounds it costs about d
// operations a row more, and d² with a rotation.
func (ix *Index) Add(x vec.Matrix[float32], workers int) error {
	if err := checkRows(x, ix.codec.D()); err != nil {
		return err
	}
	codes := make([]byte, x.Rows*ix.codec.CodeSize())
	if err := ix.codec.Encode(codes, x, workers); err != nil {
		return err
	}
	workers, err := workersOf("workers", workers)
	if err != nil {
		return err
	}
	var floats []float32
	if ix.bounds && x.Rows > 0 {
		floats = make([]float32, x.Rows*ix.codec.floats())
		ix.frameFor(x).measure(floats, x, codes, workers)
	}
	ix.add(codes, floats)
	return nil
}

// frameFor returns the frame, about the codec's origin of x if there was none.
func (ix *Index) frameFor(x vec.Matrix[float32]) frame {
	ix.adding.Lock()
	defer ix.adding.Unlock()
	of := *ix.held.Load()
	if of.frame == nil {
		of.frame = ix.codec.about(ix.codec.origin(x))
		ix.held.Store(&of)
	}
	return of.frame
}

// AddCodes appends vectors by their codes, as Encode wrote them. Bytes that are no multiple of CodeSize are an error,
// and so is an index with bounds, which need the vectors. A call copies up to 255 codes beside its own, so that 256
// vectors at once cost less than one by one.
func (ix *Index) AddCodes(codes []byte) error {
	if ix.bounds {
		return errors.New("pq: codes alone have no bounds: Add the vectors")
	}
	if size := ix.codec.CodeSize(); len(codes)%size != 0 {
		return fmt.Errorf("pq: %d bytes of codes are no multiple of %d", len(codes), size)
	}
	ix.add(codes, nil)
	return nil
}

func (ix *Index) add(codes []byte, floats []float32) {
	ix.adding.Lock()
	defer ix.adding.Unlock()
	of := *ix.held.Load()
	of.blocks = of.blocks.add(codes, floats)
	ix.held.Store(&of)
}

// Code copies the code of vector i to dst, which has CodeSize bytes. An i that is not there is an error.
func (ix *Index) Code(dst []byte, i int) error {
	if size := ix.codec.CodeSize(); len(dst) != size {
		return fmt.Errorf("pq: a code of %d bytes, want %d", len(dst), size)
	}
	of := ix.held.Load()
	if i < 0 || i >= of.n {
		return fmt.Errorf("pq: vector %d of an index of %d", i, of.n)
	}
	of.code(dst, i)
	return nil
}

// Vector writes to dst the d numbers that the code of vector i stands for. An i that is not there is an error.
func (ix *Index) Vector(dst []float32, i int) error {
	if d := ix.codec.D(); len(dst) != d {
		return fmt.Errorf("pq: a vector of %d dimensions, want d=%d", len(dst), d)
	}
	code := make([]byte, ix.codec.CodeSize())
	if err := ix.Code(code, i); err != nil {
		return err
	}
	return ix.codec.Decode(vec.MatrixOf(1, len(dst), dst), code, 1)
}
