package pq

import (
	"github.com/dualgap/dualgap/asm/lookup"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

const (
	superRows    = 4096 // rows that are collected at a time: their part of A stays in the second cache
	collectGroup = 32   // subspaces whose lines are added while it stays there
	batchSupers  = 16   // of these are packed at a time; the D_q, as large as tables, pass once for each batch
)

// Accumulate adds X[rows]ᵀ A to W, with W d-by-m and A of as many rows as are asked for, by m. From 2·2^NBits rows on
// it takes M m additions a row, and 2^NBits d m multiplications at the end. The first call with more than 8 columns for
// all rows, or for neighbours in whole blocks of 4096, makes lists, for each subspace the rows of each code, which take
// two bytes for each byte of the codes and are kept; with other rows a call makes its own. [Tables] says how far off it
// is. With Int16 and Int8 A must be finite. With one worker it allocates nothing once warm.
func (x *Matrix) Accumulate(w, a vec.Matrix[float32], rows []int) {
	n := x.rowsWanted("Matrix.Accumulate", rows)
	checkSize("Matrix.Accumulate", "A", a, n, w.Cols)
	checkSize("Matrix.Accumulate", "W", w, x.q.d, w.Cols)
	if n < x.tableRows() {
		x.accumulateDense(rows, n, a, w)
		return
	}
	start, rows := x.inPlace(rows)
	s := x.scratch()
	defer x.scratches.put(s)
	job := &s.accumulate
	*job = accumulate{x: x, rows: rows, start: start, n: n, a: a, w: w, s: s, workers: x.workers(n, w.Cols)}
	s.forWorkers(job.workers)
	if x.q.rotation != nil {
		s.w = atLeast(s.w, w.Rows*w.Cols)
		clear(s.w[:w.Rows*w.Cols])
		job.w = vec.MatrixOf(w.Rows, w.Cols, s.w[:w.Rows*w.Cols])
	}
	for from := 0; from < w.Cols; from += job.cols {
		job.panel = accumulatePanel(from, w.Cols-from, x.o.Tables)
		job.run()
	}
	if x.q.rotation != nil {
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, x.q.Rotation(), job.w, 1, w)
	}
	*job = accumulate{}
}

// accumulateDense decodes the rows, some at a time.
func (x *Matrix) accumulateDense(rows []int, n int, a, w vec.Matrix[float32]) {
	s := x.scratch()
	defer x.scratches.put(s)
	for from := 0; from < n; from += gatherRows {
		to := min(from+gatherRows, n)
		dense := s.matrix(to-from, x.q.d)
		x.gatherRange(rows, from, dense)
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, dense, a.Slice(from, to, 0, a.Cols), 1, w)
	}
}

func accumulatePanel(from, left int, kind Tables) panel {
	p := panel{from: from, width: 16, group: collectGroup}
	switch {
	case kind != Float32 && left > 16:
		p.width, p.kind = 32, Int16
	case left == 1:
		p.width = 1
	case left <= scatterWidth:
		p.width = scatterWidth
	}
	p.cols = min(p.width, left)
	return p
}

// accumulate is one call of Accumulate.
type accumulate struct {
	x           *Matrix
	rows        []int
	start       int // where rows is nil, the first row
	n           int
	a, w        vec.Matrix[float32]
	s           *scratch
	lists       []lists
	first, last int // the batch of rows that is being collected
	panel
	workers int
}

// run adds one panel: D_q for all subspaces, then W_q += C_qᵀ D_q.
func (j *accumulate) run() {
	x := j.x
	j.group = max(min(j.group, x.q.m/j.workers), 1)
	j.s.d = atLeast(j.s.d, x.q.m*lookup.Rows*j.width)
	supers := min(shape.Pieces(j.n, superRows), batchSupers)
	if j.width > scatterWidth && j.lists == nil {
		j.lists = x.listsFor(j.workers, j.rows, j.start, j.n, j.s)
	} else if j.width <= scatterWidth && j.rows != nil {
		j.s.codes = atLeast(j.s.codes, supers*superRows*x.q.m)
	}
	if j.kind == Float32 {
		j.s.b = atLeast(j.s.b, supers*(superRows+1)*j.width)
	} else {
		j.s.bWords = atLeast(j.s.bWords, supers*(superRows+1)*j.width)
		j.s.bScale = atLeast(j.s.bScale, supers*j.width)
	}
	for j.first = 0; j.first < j.n; j.first = j.last {
		j.last = min(j.first+batchSupers*superRows, j.n)
		each(j.workers, j, shape.Pieces(j.last-j.first, superRows), (*accumulate).pack)
		each(j.workers, j, shape.Pieces(x.q.m, j.group), (*accumulate).collect)
	}
}

// collect adds the packed rows to the D_q of a group of subspaces.
func (j *accumulate) collect(_, group int) {
	from, to := group*j.group, min((group+1)*j.group, j.x.q.m)
	if j.first == 0 {
		clear(j.s.d[from*lookup.Rows*j.width : to*lookup.Rows*j.width])
	}
	for super := range shape.Pieces(j.last-j.first, superRows) {
		if j.width <= scatterWidth {
			j.scatter(super, from, to)
			continue
		}
		for q := from; q < to; q++ {
			j.add(super, q)
		}
	}
	if j.last == j.n {
		for q := from; q < to; q++ {
			j.multiply(q)
		}
	}
}

// add adds superRows packed rows to D_q, code by code.
func (j *accumulate) add(super, q int) {
	d, b := &j.s.d[q*lookup.Rows*j.width], super*(superRows+1)*j.width
	l := &j.lists[j.first/superRows+super]
	rows, order := &l.rows[q*l.stride], &l.order[q*2*lookup.Rows]
	if j.kind == Int16 {
		lookup.Collect32I16(d, rows, order, &j.s.bWords[b], &j.s.bScale[super*j.width])
		return
	}
	lookup.Collect16(d, rows, order, &j.s.b[b])
}

// multiply adds C_qᵀ D_q to the rows of W in subspace q.
func (j *accumulate) multiply(q int) {
	low, high := j.x.q.Subspace(q)
	ksub := j.x.q.ksub
	if j.width == 1 {
		for t := range high - low {
			j.w.Row(low + t)[j.from] += vec.Dot32(j.x.q.column(q)[t*ksub:][:ksub], j.s.d[q*lookup.Rows:][:ksub])
		}
		return
	}
	d := vec.Matrix[float32]{Rows: j.x.q.ksub, Cols: j.cols, Stride: j.width, Data: j.s.d[q*lookup.Rows*j.width:]}
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, j.x.q.Centroids(q), d, 1, j.w.Slice(low, high, j.from, j.from+j.cols))
}
