package pq

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/lookup"
	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/asm/sparse"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// chunkBlocks blocks, 4096 rows, are summed up for one group of subspaces after the other: their sums stay in the
// second cache beside the tables of this group and the next.
const chunkBlocks = 16

// Scores sets dst = X[rows] W, with W d-by-m and dst of as many rows as are asked for, by m. From 2·2^NBits rows on
// it takes M m additions a row, and 2^NBits d m multiplications for the tables. [Tables] says how far off it is. With
// Int16 and Int8 W must be finite. With one worker it allocates nothing once warm.
func (x *Matrix) Scores(dst, w vec.Matrix[float32], rows []int) {
	n := x.rowsWanted("Matrix.Scores", rows)
	checkSize("Matrix.Scores", "W", w, x.q.d, w.Cols)
	checkSize("Matrix.Scores", "dst", dst, n, w.Cols)
	if n < x.tableRows() {
		x.scoresDense(rows, n, w, dst)
		return
	}
	start, rows := x.inPlace(rows)
	s := x.scratch()
	defer x.scratches.put(s)
	if x.q.rotation != nil {
		s.w = atLeast(s.w, w.Rows*w.Cols)
		turned := vec.MatrixOf(w.Rows, w.Cols, s.w[:w.Rows*w.Cols])
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, x.q.Rotation(), w, 0, turned)
		w = turned
	}
	job := &s.scores
	*job = scores{x: x, rows: rows, start: start, n: n, w: w, dst: dst, s: s, workers: x.workers(n, w.Cols)}
	for from := 0; from < w.Cols; from += job.cols {
		job.panel = scorePanel(from, w.Cols-from, x.o.Tables)
		job.prepare()
		job.chunk = job.chunkRows()
		groups, chunks := shape.Pieces(x.q.m, job.group), shape.Pieces(n, job.chunk)
		each(job.workers, job, groups, (*scores).build)
		each(job.workers, job, chunks, (*scores).sum)
	}
	*job = scores{}
}

// chunkRows is the number of rows in a chunk: fewer where tables are small, and where each worker should have a part.
func (j *scores) chunkRows() int {
	blocks, each := chunkBlocks, shape.Pieces(j.n, j.workers)
	if j.width == 1 {
		blocks /= 4
	}
	return min(blocks, shape.Pieces(each, lookup.Rows)) * lookup.Rows
}

// scoresDense decodes the rows, some at a time.
func (x *Matrix) scoresDense(rows []int, n int, w, dst vec.Matrix[float32]) {
	s := x.scratch()
	defer x.scratches.put(s)
	for from := 0; from < n; from += gatherRows {
		to := min(from+gatherRows, n)
		dense := s.matrix(to-from, x.q.d)
		x.gatherRange(rows, from, dense)
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, dense, w, 0, dst.Slice(from, to, 0, w.Cols))
	}
}

// panel is a range of outputs that one line of a table covers.
type panel struct {
	from, cols int    // the outputs [from, from+cols)
	width      int    // of a line, cols or more
	kind       Tables // of the tables
	group      int    // subspaces whose tables fit a cache together: the first for lines of 8 at most, else the second
}

// scorePanel returns the panel that begins at an output after which a number of outputs are left.
func scorePanel(from, left int, kind Tables) panel {
	p := panel{from: from, width: 16, group: 8}
	switch {
	case kind == Int8 && left == 1:
		p.width, p.kind, p.group = 1, Int8, bytesGroup
	case kind == Int8 && left > 32:
		p.width, p.kind, p.group = 64, Int8, 16
	case kind != Float32 && left > 16:
		p.width, p.kind, p.group = 32, Int16, 8
	case left == 1:
		p.width, p.group = 1, 16
	case left <= 8:
		p.width, p.group = 8, 4
	}
	p.cols = min(p.width, left)
	return p
}

// scores is one call of Scores.
type scores struct {
	x      *Matrix
	rows   []int
	start  int // where rows is nil, the first row
	n      int
	w, dst vec.Matrix[float32]
	s      *scratch
	chunk  int // rows
	panel
	workers int
}

// prepare makes room for the tables of the panel: (M, 256, width), and for integers the scales of each group.
func (j *scores) prepare() {
	size := j.x.q.m * lookup.Rows * j.width
	groups := shape.Pieces(j.x.q.m, j.group)
	switch j.kind {
	case Float32:
		j.s.f32 = atLeast(j.s.f32, size)
	case Int16:
		j.s.i16 = atLeast(j.s.i16, size)
	case Int8:
		j.s.u8 = atLeast(j.s.u8, size)
	}
	j.s.scale = atLeast(j.s.scale, groups*j.width)
	j.s.offset = atLeast(j.s.offset, groups*j.width)
	j.s.forWorkers(j.workers)
}

// build makes the tables of a group of subspaces.
func (j *scores) build(worker, group int) {
	from, to := group*j.group, min((group+1)*j.group, j.x.q.m)
	switch j.kind {
	case Float32:
		for q := from; q < to; q++ {
			j.table(q, j.from, j.cols, j.s.f32[q*lookup.Rows*j.width:], j.width)
		}
	case Int16:
		j.buildI16(&j.s.workers[worker], group, from, to)
	case Int8:
		j.buildU8(&j.s.workers[worker], group, from, to)
	}
}

// table writes T_q = C_q W_q for some columns of W, 2^NBits lines of the given width.
func (j *scores) table(q, from, cols int, dst []float32, width int) {
	low, high := j.x.q.Subspace(q)
	part, ksub := j.w.Slice(low, high, from, from+cols), j.x.q.ksub
	if width == 1 {
		var room [64]float32 // a column of W without gaps
		column := room[:]
		if high-low > len(column) {
			column = make([]float32, high-low)
		}
		for t := range high - low {
			column[t] = part.Data[t*part.Stride]
		}
		kernel.TableIP(high-low, ksub, &column[0], &j.x.q.column(q)[0], &dst[0])
		return
	}
	t := vec.Matrix[float32]{Rows: ksub, Cols: cols, Stride: width, Data: dst}
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, j.x.q.Centroids(q), part, 0, t)
}

// sum adds up the lines of a chunk of rows and writes them to dst.
func (j *scores) sum(worker, chunk int) {
	x, w := j.x, &j.s.workers[worker]
	first, last := chunk*j.chunk, min((chunk+1)*j.chunk, j.n)
	blocks := shape.Pieces(last-first, lookup.Rows)
	codes := w.codesOf(x, j.rows, j.start+first, j.start+last)
	size := lookup.Rows * j.width
	w.sums = atLeast(w.sums, blocks*size)
	sums := w.sums[:blocks*size]
	j.begin(sums)
	for from := 0; from < x.q.m; from += j.group {
		nq := min(j.group, x.q.m-from)
		l := j.laterTables(from+nq, blocks)
		for b := range blocks {
			at := (b*x.q.m + from) * lookup.Rows
			l.codes = &codes[at]
			if b+1 < blocks {
				l.codes = &codes[at+x.q.m*lookup.Rows]
			}
			if from+nq < x.q.m {
				j.add(&sums[b*size], &codes[at], from, nq, l)
			} else {
				rows := min(lookup.Rows, last-first-b*lookup.Rows)
				dst := j.dst.Slice(first+b*lookup.Rows, first+b*lookup.Rows+rows, j.from, j.from+j.cols)
				askFor(dst)
				j.add(&sums[b*size], &codes[at], from, nq, l)
				j.write(dst, sums[b*size:])
			}
			l.next()
		}
	}
}

// askFor brings what will be written to the caches: where rows are far apart it takes as long as the sums themselves.
func askFor(dst vec.Matrix[float32]) {
	if dst.Cols == dst.Stride {
		sparse.PrefetchF32(&dst.Data[0], len(dst.Data))
		return
	}
	for i := range dst.Rows {
		sparse.PrefetchF32(&dst.Data[i*dst.Stride], dst.Cols)
	}
}

// write copies the sums of a block.
func (j *scores) write(dst vec.Matrix[float32], sums []float32) {
	if j.cols == j.width && dst.Stride == j.width {
		copy(dst.Data, sums[:dst.Rows*j.width])
		return
	}
	for i := range dst.Rows {
		copy(dst.Row(i), sums[i*j.width:])
	}
}

// add adds the tables of nq subspaces, a group, to the sums of a block.
func (j *scores) add(sums *float32, codes *byte, from, nq int, l later) {
	at, group := from*lookup.Rows*j.width, from/j.group
	switch {
	case j.kind == Int16:
		lookup.Sum32I16(sums, codes, nq, &j.s.i16[at], &j.s.scale[group*j.width], l.codes, l.tables, l.lines)
	case j.kind == Int8 && j.width == 1:
		j.addBytes(sums, codes, nq, &j.s.u8[at], j.s.scale[group])
	case j.kind == Int8:
		lookup.Sum64U8(sums, codes, nq, &j.s.u8[at], &j.s.scale[group*j.width], l.codes, l.tables, l.lines)
	case j.width == 1:
		lookup.Sum1(sums, codes, nq, &j.s.f32[at], l.codes, l.tables, l.lines)
	case j.width == 8:
		lookup.Sum8(sums, codes, nq, &j.s.f32[at], l.codes, l.tables, l.lines)
	default:
		lookup.Sum16(sums, codes, nq, &j.s.f32[at], l.codes, l.tables, l.lines)
	}
}

// later is what a kernel asks the cache for on behalf of its successors.
type later struct {
	codes  *byte
	tables *byte
	lines  int // for each 8 rows
	left   int // bytes of tables behind the first
}

// laterTables are the tables of the group that begins with subspace from, to be had in equal parts while a number of
// blocks pass.
func (j *scores) laterTables(from, blocks int) later {
	from %= j.x.q.m
	at, bytes := from*lookup.Rows*j.width, min(j.group, j.x.q.m-from)*lookup.Rows*j.width
	var tables *byte
	switch j.kind {
	case Float32:
		tables, bytes = (*byte)(unsafe.Pointer(&j.s.f32[at])), 4*bytes
	case Int16:
		tables, bytes = (*byte)(unsafe.Pointer(&j.s.i16[at])), 2*bytes
	case Int8:
		tables = &j.s.u8[at]
	}
	lines := bytes / (blocks * lookup.Rows / 8 * 64)
	return later{tables: tables, lines: lines + lines%2, left: bytes - 1}
}

// next moves on by a block.
func (l *later) next() {
	step := min(l.lines*lookup.Rows/8*64, l.left)
	l.tables, l.left = (*byte)(unsafe.Add(unsafe.Pointer(l.tables), step)), l.left-step
}
