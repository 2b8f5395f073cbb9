package kernel

import (
	"unsafe"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// A block is of so many rows at most, which share the cost of bringing the examples near; and at least of so many, if
// need be the last ones repeated: then products have the same bits whatever rows they are with, and it makes no
// difference what the cache holds.
const (
	most  = 64
	least = 16
)

// block is scratch memory of one call of Rows.
type block[T vec.Float] struct {
	missing []int // places in rows
	index   []int
	norms   []T           // of those
	x       vec.Matrix[T] // examples of the rows
	values  vec.Matrix[T] // most-by-n
}

// window is scratch memory of one goroutine.
type window[T vec.Float] struct {
	index []int
	norms []T
	z     vec.Matrix[T] // some of all examples; a thin matrix needs two
}

// width is the number of examples that meet a block of rows at a time: 2^17 numbers.
func (m *Matrix[T]) width() int { return min(filled(m.n), 256, max(unit, 1<<17/m.d/unit*unit)) }

// Rows sets dst = K[rows], len(rows)-by-n. rows are in [0, n), in any order. A row has the same bits in every call. It
// panics where the sizes do not fit or a row is out of range. O(n d) for a row that is not in the cache, O(n) for one
// that is. Memory: 64 n numbers for each goroutine.
func (m *Matrix[T]) Rows(dst vec.Matrix[T], rows []int) { m.RowsWorkers(dst, rows, 1) }

// RowsWorkers is Rows by so many goroutines, 0 for all cores. The bits are the same for any number of them. It panics
// where workers is negative.
func (m *Matrix[T]) RowsWorkers(dst vec.Matrix[T], rows []int, workers int) {
	if dst.Rows != len(rows) || dst.Cols != m.n {
		panic(shape.Errorf("kernel: Matrix.Rows", "dst is %d-by-%d for %d rows of %d examples",
			dst.Rows, dst.Cols, len(rows), m.n))
	}
	workers, err := parallel.Cores(workers)
	if err != nil {
		panic(shape.Errorf("kernel: Matrix.RowsWorkers", "%v", err))
	}
	m.mustHold("Matrix.Rows", "row", rows)
	if m.parent != nil {
		m.subsetRows(dst, rows, workers)
		return
	}
	if m.k == nil {
		for p, i := range rows {
			copy(dst.Row(p), m.given.Row(i))
		}
		return
	}
	b := m.block()
	b.missing = m.cache.get(rows, dst, b.missing[:0])
	for missing := b.missing; len(missing) > 0; {
		some := missing[:min(most, len(missing))]
		missing = missing[len(some):]
		b.index = b.index[:0]
		for _, p := range some {
			b.index = append(b.index, rows[p])
		}
		m.compute(workers, b)
		for q, p := range some {
			copy(dst.Row(p), b.values.Row(q))
		}
		m.cache.put(b.index[:len(some)], b.values)
		m.computed.Add(int64(len(some)))
	}
	m.pool.Put(b)
}

// block returns scratch memory, which goes back to m.pool.
func (m *Matrix[T]) block() *block[T] {
	if b, ok := m.pool.Get().(*block[T]); ok {
		return b
	}
	b := &block[T]{values: vec.NewMatrix[T](most, filled(m.n))}
	if !m.thin {
		b.x = aligned[T](most, m.d)
	}
	return b
}

// compute sets values to the rows index, and may append to that.
func (m *Matrix[T]) compute(workers int, b *block[T]) {
	if m.thin {
		parallel.Do(workers, len(b.index), func(_, p int) {
			w := m.window()
			evaluate[T](m.k, thinPairs[T]{m, b.index[p : p+1], w.z}, b.values.Slice(p, p+1, 0, m.n))
			m.windows.Put(w)
		})
		return
	}
	for len(b.index) < least {
		b.index = append(b.index, b.index[len(b.index)-1])
	}
	size, width := len(b.index), m.width()
	b.norms = b.norms[:0]
	for _, i := range b.index {
		b.norms = append(b.norms, m.norms[i])
	}
	x := b.x.Slice(0, size, 0, m.d)
	m.x.Gather(x, b.index)
	parallel.Do(workers, (m.n+width-1)/width, func(_, p int) {
		w := m.window()
		from, to := p*width, min((p+1)*width, filled(m.n))
		w.index, w.norms = w.index[:0], w.norms[:0]
		for j := from; j < to; j++ {
			i := min(j, m.n-1)
			w.index, w.norms = append(w.index, i), append(w.norms, m.norms[i])
		}
		z := w.z.Slice(0, to-from, 0, m.d)
		m.x.Gather(z, w.index)
		evaluate[T](m.k, dense[T]{x, z, b.norms, w.norms}, b.values.Slice(0, size, from, to))
		m.windows.Put(w)
	})
}

// window returns scratch memory, which goes back to m.windows.
func (m *Matrix[T]) window() *window[T] {
	if w, ok := m.windows.Get().(*window[T]); ok {
		return w
	}
	if m.thin {
		return &window[T]{z: aligned[T](2, m.d)}
	}
	return &window[T]{z: aligned[T](m.width(), m.d)}
}

// thinPairs are some examples and all, in a storage that multiplies them faster than gathered ones.
type thinPairs[T vec.Float] struct {
	m    *Matrix[T]
	rows []int
	pair vec.Matrix[T]
}

func (p thinPairs[T]) products(dst vec.Matrix[T]) { p.m.x.Gram(dst, p.rows, nil) }

func (p thinPairs[T]) distances(dst vec.Matrix[T]) {
	p.products(dst)
	for q, i := range p.rows {
		expand(dst.Row(q), p.m.norms[i], p.m.norms, func(j int) T {
			if i == j {
				return 0
			}
			p.m.x.Gather(p.pair, []int{i, j})
			return vec.SquaredDistance(p.pair.Row(0), p.pair.Row(1))
		})
	}
}

// aligned returns a rows-by-cols matrix whose rows begin at multiples of 64 bytes: the bits of a sum may depend on
// that.
func aligned[T vec.Float](rows, cols int) vec.Matrix[T] {
	lanes := 64 / int(unsafe.Sizeof(T(0)))
	stride := (cols + lanes - 1) / lanes * lanes
	data := make([]T, rows*stride+lanes)
	past := int(uintptr(unsafe.Pointer(unsafe.SliceData(data))) % 64 / unsafe.Sizeof(T(0)))
	return vec.Matrix[T]{Rows: rows, Cols: cols, Stride: stride, Data: data[(lanes-past)%lanes:]}
}

// thin reports whether examples hold few numbers, from a sample: a product of two costs about as much as one of
// gathered rows by a matrix product where one number of 16 is not 0.
func thin[T vec.Float](x solvers.Features[T]) bool {
	s, ok := x.(solvers.SparseRows[T])
	if !ok {
		return solvers.IsSparse(x)
	}
	n, d := x.Dims()
	stored, sample := 0, min(n, 64)
	for p := range sample {
		columns, _ := s.Row(p * (n / sample))
		stored += len(columns)
	}
	return stored <= sample*d/16
}
