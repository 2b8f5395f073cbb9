package pq

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/dualgap/dualgap/vec"
)

// Index holds the codes of many vectors and finds the nearest to a query by comparing it with all of them, or with
// those of some lists. Vectors have ids: numbers of the caller's own, or 0, 1, 2, ... in the order in which they were
// added.
//
// All methods may be called at the same time, also from within a Filter. Search and WriteTo see the vectors that the
// index held when they began. They hold no lock: changes neither wait for them nor make them wait.
type Index struct {
	onlyFiles
	codec   Codec
	c       IndexConfig
	centres *inverted // nil without lists
	pool    sync.Pool // of *searcher

	changing sync.Mutex
	writing  *writing                 // of who has locked
	held     atomic.Pointer[contents] // what it points to never changes
}

// IndexConfig says what NewIndexOf makes.
type IndexConfig struct {
	Metric Metric

	// Bounds keeps four numbers more with each vector, 16 bytes: what its code says, and what the code leaves out; of a
	// Scalar, which needs Bounds, three, one more with up to 4 bits, and its tails. Then
	// Certify can prove what it finds, and Search ranks by a better estimate. Such an index takes no codes alone.
	Bounds bool

	// Centre is what the numbers of Bounds are relative to, d numbers; nil stands for the mean of the vectors of the
	// first Add that has any, and with a Scalar for the mean of its training vectors. The nearer vectors lie to it, the
	// narrower are bounds.
	Centre []float32

	// Vectors keeps the vectors themselves, 4 d bytes each. Search then refines what it finds, and Certify needs no
	// Search.Vector.
	Vectors bool

	// Lists, if it has rows, are centres, as TrainLists makes them: vectors are kept by the centre that is nearest, and
	// a search looks at a few lists, Search.Probes. That pays from some 50000 vectors, and with a million a query takes
	// a small part of the time.
	Lists vec.Matrix[float32]
}

// NewIndex returns an empty index without bounds. It takes CodeSize bytes a vector.
func NewIndex(codec Codec, metric Metric) (*Index, error) {
	return NewIndexOf(codec, IndexConfig{Metric: metric})
}

// NewIndexOf returns an empty index. It takes CodeSize bytes a vector and what IndexConfig says more; ids of the
// caller's own take 8 bytes each, and 4 to 8 more while vectors are added or removed.
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
	if err := c.check(codec.D()); err != nil {
		return nil, err
	}
	ix, of := &Index{}, contents{plain: true}
	if c.Centre != nil {
		of.frame = codec.about(append([]float32{}, c.Centre...))
	}
	if n := c.Lists.Rows; n > 0 {
		own := vec.NewMatrix[float32](n, codec.D())
		for i := range n {
			copy(own.Row(i), c.Lists.Row(i))
		}
		c.Lists = own
		of.lists, of.radius, of.plain = make([][]uint32, n), make([]float64, n), false
	}
	ix.set(codec, c, &of)
	return ix, nil
}

func (ix *Index) set(codec Codec, c IndexConfig, of *contents) {
	c.Centre = nil // the frame has it
	ix.codec, ix.c = codec, c
	if of.lists != nil {
		ix.centres = newInverted(c.Lists)
	}
	ix.pool.New = func() any { return newSearcher(codec) }
	ix.held.Store(of)
}

func (c *IndexConfig) check(d int) error {
	if err := checkMetric(c.Metric); err != nil {
		return err
	}
	if c.Centre != nil {
		if !c.Bounds {
			return errors.New("pq: IndexConfig.Centre is of use with Bounds only")
		}
		if len(c.Centre) != d {
			return fmt.Errorf("pq: IndexConfig.Centre has %d numbers, want d=%d", len(c.Centre), d)
		}
		for t, v := range c.Centre {
			if !finite(v) {
				return fmt.Errorf("pq: IndexConfig.Centre holds %v at %d", v, t)
			}
		}
	}
	if c.Lists.Rows == 0 {
		return nil
	}
	if err := checkRows(c.Lists, d); err != nil {
		return fmt.Errorf("pq: IndexConfig.Lists: %s", unprefixed(err))
	}
	return checkFinite(c.Lists, 0)
}

var errNoQuantizer = errors.New("pq: the quantizer is nil")

// floats is how many numbers bounds take of a vector.
func (ix *Index) floats() int {
	if ix.c.Bounds {
		return ix.codec.floats()
	}
	return 0
}

// Codec returns what maps the vectors to codes.
func (ix *Index) Codec() Codec { return ix.codec }

// Metric returns by what vectors are compared.
func (ix *Index) Metric() Metric { return ix.c.Metric }

// Bounds reports whether the index can prove what it finds.
func (ix *Index) Bounds() bool { return ix.c.Bounds }

// Len is the number of vectors.
func (ix *Index) Len() int { return ix.held.Load().n }

// Has reports whether the index has a vector of that id.
func (ix *Index) Has(id uint64) bool {
	return ix.lookUp(id, func(*block, int) {}) == nil
}

// lookUp calls use with the block and the slot in it of an id. An id that is not there is an error.
func (ix *Index) lookUp(id uint64, use func(b *block, i int)) error {
	ix.changing.Lock()
	defer ix.changing.Unlock()
	of := ix.held.Load()
	if of.closed {
		return errClosed
	}
	slot, ok := ix.find(of, id)
	if !ok {
		return fmt.Errorf("pq: there is no vector %d among %d", id, of.n)
	}
	use(of.at(slot))
	return nil
}

// Code copies the code of a vector to dst, which has CodeSize bytes. An id that is not there is an error.
func (ix *Index) Code(dst []byte, id uint64) error {
	if size := ix.codec.CodeSize(); len(dst) != size {
		return fmt.Errorf("pq: a code of %d bytes, want %d", len(dst), size)
	}
	return ix.lookUp(id, func(b *block, i int) { ix.codec.get(dst, b.codes, i) })
}

// Vector writes to dst the d numbers of a vector, or, where the index keeps no vectors, those that its code stands for.
// An id that is not there is an error.
func (ix *Index) Vector(dst []float32, id uint64) error {
	if d := ix.codec.D(); len(dst) != d {
		return fmt.Errorf("pq: a vector of %d dimensions, want d=%d", len(dst), d)
	}
	if ix.c.Vectors {
		return ix.lookUp(id, func(b *block, i int) { copy(dst, numbers(b.row(i), len(dst))) })
	}
	code := make([]byte, ix.codec.CodeSize())
	if err := ix.Code(code, id); err != nil {
		return err
	}
	return ix.codec.Decode(vec.MatrixOf(1, len(dst), dst), code, 1)
}
