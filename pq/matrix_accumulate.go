package pq

import (
	"math"

	"github.com/dualgap/dualgap/asm/lookup"
	"github.com/dualgap/dualgap/vec"
)

// superRows rows are collected at a time: their part of A, 512 KB, stays in the second cache while all subspaces pass.
const superRows = 8192

// Accumulate adds X[rows]ᵀ A to W, A of as many rows and W d-by-m. From 2·2^NBits rows on it takes M m additions a row and 2^NBits d m
// multiplications at the end. The first call for all rows makes lists, for each subspace the rows of each code, which take two bytes
// for each byte of the codes and are kept; a call for other rows makes its own. With Int16 and Int8 tables A must be finite.
func (x *Matrix) Accumulate(rows []int, a, w vec.Matrix[float32]) {
	n := x.rowsWanted(rows)
	checkSize("A", a, n, w.Cols)
	checkSize("W", w, x.q.d, w.Cols)
	if n < x.tableRows() {
		x.accumulateDense(rows, n, a, w)
		return
	}
	s := x.scratch()
	defer x.scratches.Put(s)
	s.forWorkers(x.o.Workers)
	job := &s.accumulate
	*job = accumulate{x: x, rows: rows, n: n, a: a, w: w, s: s}
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
	defer x.scratches.Put(s)
	for from := 0; from < n; from += gatherRows {
		to := min(from+gatherRows, n)
		dense := s.matrix(to-from, x.q.d)
		x.gatherRange(rows, from, dense)
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, dense, a.Slice(from, to, 0, a.Cols), 1, w)
	}
}

func accumulatePanel(from, left int, kind Tables) panel {
	p := panel{from: from, width: 16}
	switch {
	case kind != Float32 && left > 16:
		p.width, p.kind = 32, Int16
	case left == 1:
		p.width = 1
	case left <= 8:
		p.width = 8
	}
	p.cols = min(p.width, left)
	return p
}

// accumulate is one call of Accumulate.
type accumulate struct {
	x           *Matrix
	rows        []int
	n           int
	a, w        vec.Matrix[float32]
	s           *scratch
	lists       []lists
	first, last int // the rows that are being collected
	panel
}

// run adds one panel: D_q for all subspaces, superRows rows at a time, then W_q += C_qᵀ D_q.
func (j *accumulate) run() {
	x := j.x
	j.s.d = atLeast(j.s.d, x.q.m*lookup.Rows*j.width)
	clear(j.s.d[:x.q.m*lookup.Rows*j.width])
	if j.lists == nil && j.width > 1 {
		j.lists = x.listsFor(j.rows, j.n, j.s)
	}
	for j.first = 0; j.first < j.n; j.first = j.last {
		j.last = min(j.first+superRows, j.n)
		j.pack()
		j.each((*accumulate).collect)
	}
	j.each((*accumulate).multiply)
}

// each takes a step for every subspace.
func (j *accumulate) each(step func(j *accumulate, worker, q int)) {
	if j.x.o.Workers == 1 { // without a closure, which would be allocated
		for q := range j.x.q.m {
			step(j, 0, q)
		}
		return
	}
	parallel(j.x.o.Workers, j.x.q.m, func(worker, q int) { step(j, worker, q) })
}

// pack copies the panel of A's rows [first, last) to lines, and a line of zeros after them.
func (j *accumulate) pack() {
	rows := j.last - j.first
	width := min(j.width, lines)
	panels, size := (j.width+width-1)/width, (rows+1)*width
	j.s.b = atLeast(j.s.b, panels*size)
	for p := range panels {
		cols := max(min(width, j.cols-p*width), 0)
		b := j.s.b[p*size:][:size]
		for i := range rows {
			line := b[i*width:][:width]
			clear(line[copy(line, j.a.Row(j.first + i)[j.from+p*width:][:cols]):])
		}
		clear(b[rows*width:])
	}
	if j.kind == Float32 {
		return
	}
	j.s.bWords = atLeast(j.s.bWords, (rows+1)*j.width)
	for p := range panels {
		b := j.s.b[p*size:]
		r := newRange()
		lookup.Range16(&r.low[0], &r.high[0], &b[0], rows)
		var zero, inverse [lines]float32
		for i := range lines {
			j.s.bScale[p*lines+i], inverse[i] = scaleOf(max(-r.low[i], r.high[i]), math.MaxInt16)
		}
		lookup.QuantizeI16(&j.s.bWords[p*lines], j.width, &b[0], rows+1, &zero[0], &inverse[0])
	}
}

// collect adds the packed rows to D_q.
func (j *accumulate) collect(worker, q int) {
	d := &j.s.d[q*lookup.Rows*j.width]
	if j.width == 1 {
		j.scatter(&j.s.workers[worker], q)
		return
	}
	l := &j.lists[j.first/superRows]
	rows, order := &l.rows[q*l.stride], &l.order[q*2*lookup.Rows]
	switch {
	case j.kind == Int16:
		lookup.Collect32I16(d, rows, order, &j.s.bWords[0], &j.s.bScale[0])
	case j.width == 8:
		lookup.Collect8(d, rows, order, &j.s.b[0])
	default:
		lookup.Collect16(d, rows, order, &j.s.b[0])
	}
}

// scatter is collect for a single output, for which lists do not pay: D_q[c(i,q)] += A_i.
func (j *accumulate) scatter(w *worker, q int) {
	d := (*[lookup.Rows]float32)(j.s.d[q*lookup.Rows:])
	if j.rows != nil {
		for k, i := range j.rows[j.first:j.last] {
			d[j.x.blocks[j.x.at(i, q)]] += j.s.b[k]
		}
		return
	}
	for from := j.first; from < j.last; from += lookup.Rows {
		b := j.s.b[from-j.first : min(from+lookup.Rows, j.last)-j.first]
		for i, c := range j.x.blocks[j.x.at(from, q):][:len(b)] {
			d[c] += b[i]
		}
	}
}

// multiply adds C_qᵀ D_q to the rows of W in subspace q.
func (j *accumulate) multiply(_, q int) {
	low, high := j.x.q.Subspace(q)
	d := vec.Matrix[float32]{Rows: j.x.q.ksub, Cols: j.cols, Stride: j.width, Data: j.s.d[q*lookup.Rows*j.width:]}
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, j.x.q.Centroids(q), d, 1, j.w.Slice(low, high, j.from, j.from+j.cols))
}
