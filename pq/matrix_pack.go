package pq

import (
	"math"

	"github.com/dualgap/dualgap/asm/lookup"
	"github.com/dualgap/dualgap/internal/shape"
)

// packRows rows of A are copied at a time on their way to integers.
const packRows = 256

// mostOfFour is the largest int16 of which four fit 16 bits, as lookup.Collect32I16 wants.
const mostOfFour = math.MaxInt16 / 4

// pack copies the panel of a super of A's rows to lines, and zeros to the end of the block and a line more. Where
// rows are chosen and lines short it also copies their codes.
func (j *accumulate) pack(worker, super int) {
	first := j.first + super*superRows
	last := min(first+superRows, j.last)
	at := super * (superRows + 1) * j.width
	end := at + (last-first)*j.width
	if j.kind == Float32 {
		j.copyLines(j.s.b[at:end], j.width, first, last, 0)
		blocks := shape.Pieces(last-first, lookup.Rows)
		clear(j.s.b[end : at+(blocks*lookup.Rows+1)*j.width])
		if j.rows != nil && j.width <= scatterWidth {
			j.x.gatherCodes(j.s.codes[super*superRows*j.x.q.m:], j.rows[first:last])
		}
		return
	}
	w := &j.s.workers[worker]
	w.floats = atLeast(w.floats, packRows*lines)
	for p := range j.width / lines {
		j.quantize(w, first, last, p, j.s.bWords[at+p*lines:end], j.s.bScale[super*j.width+p*lines:][:lines])
	}
	clear(j.s.bWords[end:][:j.width])
}

// copyLines copies columns of A's rows [first, last), columns of the panel from 16 p on, to lines of the given width.
func (j *accumulate) copyLines(dst []float32, width, first, last, p int) {
	from := j.from + p*lines
	to := min(from+width, j.from+j.cols)
	if to-from == width && j.a.Stride == width {
		copy(dst, j.a.Data[first*width:last*width])
		return
	}
	for i := first; i < last; i++ {
		line := dst[(i-first)*width:][:width]
		clear(line[copy(line, j.a.Row(i)[min(from, to):to]):])
	}
}

// quantize writes 16 columns of A's rows [first, last) as integers, with the scale that brings the largest of each to
// mostOfFour.
func (j *accumulate) quantize(w *worker, first, last, p int, words []int16, scale []float32) {
	var zero, inverse [lines]float32
	r := newRange()
	for from := first; from < last; from += packRows {
		to := min(from+packRows, last)
		j.copyLines(w.floats, lines, from, to, p)
		lookup.Range16(&r.low[0], &r.high[0], &w.floats[0], to-from)
	}
	for i := range scale {
		scale[i], inverse[i] = scaleOf(max(-r.low[i], r.high[i]), mostOfFour)
	}
	for from := first; from < last; from += packRows {
		to := min(from+packRows, last)
		j.copyLines(w.floats, lines, from, to, p)
		lookup.QuantizeI16(&words[(from-first)*j.width], j.width, &w.floats[0], to-from, &zero[0], &inverse[0])
	}
}
