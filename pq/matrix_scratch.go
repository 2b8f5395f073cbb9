package pq

import (
	"sync"

	"github.com/dualgap/dualgap/asm/lookup"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// scratch is the memory of one call. Slices grow to what is needed and are kept.
type scratch struct {
	rows       []int
	dense, rot []float32 // decoded rows
	w          []float32 // W after the rotation

	scores        scores
	f32           []float32 // tables (M, 256, width)
	i16           []int16
	u8            []uint8
	scale, offset []float32 // (groups, width)

	accumulate accumulate
	lists      []lists
	codes      []byte    // of the rows wanted, (blocks, M, 256)
	b          []float32 // (supers, superRows+1, width)
	bWords     []int16
	bScale     []float32 // (supers, width)
	d          []float32 // (M, 256, width)

	workers []worker
}

// worker is the memory of one goroutine in a call.
type worker struct {
	codes  []byte
	sums   []float32
	floats []float32
}

// scratches are kept for as long as the Matrix: a sync.Pool loses them when the garbage is collected or a goroutine
// changes its thread, and new memory costs more than the shorter calls themselves.
type scratches struct {
	mu   sync.Mutex
	free []*scratch
}

func (p *scratches) put(s *scratch) {
	p.mu.Lock()
	p.free = append(p.free, s)
	p.mu.Unlock()
}

func (x *Matrix) scratch() *scratch {
	p := &x.scratches
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.free) - 1
	if last < 0 {
		return new(scratch)
	}
	s := p.free[last]
	p.free = p.free[:last]
	return s
}

func (s *scratch) forWorkers(n int) {
	if len(s.workers) < n {
		s.workers = make([]worker, n)
	}
}

func (s *scratch) rowsOf(from, to int) []int {
	s.rows = atLeast(s.rows, to-from)
	for i := range to - from {
		s.rows[i] = from + i
	}
	return s.rows[:to-from]
}

func (s *scratch) matrix(rows, cols int) vec.Matrix[float32] {
	s.dense = atLeast(s.dense, rows*cols)
	return vec.MatrixOf(rows, cols, s.dense[:rows*cols])
}

func (s *scratch) rotatedRows(rows, cols int) vec.Matrix[float32] {
	s.rot = atLeast(s.rot, rows*cols)
	return vec.MatrixOf(rows, cols, s.rot[:rows*cols])
}

// codesOf returns the codes of positions [from, to) of rows in blocks; from is the first of a block. Without rows
// they lie so already.
func (w *worker) codesOf(x *Matrix, rows []int, from, to int) []byte {
	size := x.q.m * lookup.Rows
	if rows == nil {
		return x.blocks[from/lookup.Rows*size:]
	}
	blocks := shape.Pieces(to-from, lookup.Rows)
	w.codes = atLeast(w.codes, blocks*size)
	x.gatherCodes(w.codes, rows[from:to])
	return w.codes
}

// gatherCodes copies the codes of rows to blocks.
func (x *Matrix) gatherCodes(dst []byte, rows []int) {
	for k, i := range rows {
		at, place := k/lookup.Rows*x.q.m*lookup.Rows+k%lookup.Rows, x.at(i, 0)
		for j := range x.q.m {
			dst[at+j*lookup.Rows] = x.blocks[place+j*lookup.Rows]
		}
	}
}
