package pq

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/lookup"
	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/shape"
)

// lines is the number of columns that the kernels of quantization take at once.
const lines = 16

// floats makes the tables of the subspaces [from, to) in float32, as panels of 16 outputs: (panels, subspaces,
// 2^NBits, 16).
func (j *scores) floats(w *worker, from, to int) []float32 {
	size := (to - from) * j.x.q.ksub * lines
	panels := shape.Pieces(j.cols, lines)
	w.floats = atLeast(w.floats, j.width/lines*size)
	clear(w.floats[panels*size : j.width/lines*size])
	for p := range panels {
		for q := from; q < to; q++ {
			j.table(q, j.from+p*lines, min(lines, j.cols-p*lines), w.floats[p*size+(q-from)*j.x.q.ksub*lines:], lines)
		}
	}
	return w.floats
}

// buildI16 quantizes symmetrically, with one scale for each output over the group, whose sums then fit 16 bits.
func (j *scores) buildI16(w *worker, group, from, to int) {
	ksub := j.x.q.ksub
	floats, rows := j.floats(w, from, to), (to-from)*ksub
	for p := range j.width / lines {
		x := floats[p*rows*lines:]
		var most, zero, inverse [lines]float32 // Σ_q max_c |T_q[c]|, which no sum over the group exceeds
		for q := range to - from {
			r := newRange()
			lookup.Range16(&r.low[0], &r.high[0], &x[q*ksub*lines], ksub)
			for i := range most {
				most[i] += max(-r.low[i], r.high[i])
			}
		}
		for i := range lines { // the room left is for what rounding adds
			j.s.scale[group*j.width+p*lines+i], inverse[i] = scaleOf(most[i], math.MaxInt16-maxGroup)
		}
		for q := from; q < to; q++ {
			to := &j.s.i16[q*lookup.Rows*j.width+p*lines]
			lookup.QuantizeI16(to, j.width, &x[(q-from)*ksub*lines], ksub, &zero[0], &inverse[0])
		}
	}
}

// ranges are the least and the greatest number of 16 columns.
type ranges struct{ low, high [lines]float32 }

func newRange() (r ranges) {
	for i := range lines {
		r.low[i], r.high[i] = math.MaxFloat32, -math.MaxFloat32
	}
	return r
}

// scaleOf returns the step that makes most steps reach the given width, and its inverse.
func scaleOf(width, most float32) (step, inverse float32) {
	if step = width / most; step < 1e-37 {
		return 0, 0 // as good as constant; the inverse would overflow
	}
	return step, most / width
}

// buildU8 quantizes each table from its least number on, with one scale for each output over the group. The sum of
// the least numbers is the offset of all rows.
func (j *scores) buildU8(w *worker, group, from, to int) {
	scale, offset := j.s.scale[group*j.width:][:j.width], j.s.offset[group*j.width:][:j.width]
	if j.width == 1 {
		j.buildBytes(w, from, to, scale, offset)
		return
	}
	ksub := j.x.q.ksub
	floats, rows := j.floats(w, from, to), (to-from)*ksub
	panels := j.width / lines
	var low [maxGroup][4]ranges
	clear(offset)
	clear(scale)
	for q := from; q < to; q++ {
		for p := range panels {
			r := &low[q-from][p]
			*r = newRange()
			lookup.Range16(&r.low[0], &r.high[0], &floats[p*rows*lines+(q-from)*ksub*lines], ksub)
			for i := range lines {
				offset[p*lines+i] += r.low[i]
				scale[p*lines+i] = max(scale[p*lines+i], r.high[i]-r.low[i])
			}
		}
	}
	var inverse [64]float32
	for i := range scale {
		scale[i], inverse[i] = scaleOf(scale[i], math.MaxUint8)
	}
	for q := from; q < to; q++ {
		for p := range panels / 2 { // bytes in turn from panels p and p+2
			var l, inv [2 * lines]float32
			copy(l[:], low[q-from][p].low[:])
			copy(l[lines:], low[q-from][p+2].low[:])
			copy(inv[:], inverse[p*lines:(p+1)*lines])
			copy(inv[lines:], inverse[(p+2)*lines:])
			x := func(p int) *float32 { return &floats[p*rows*lines+(q-from)*ksub*lines] }
			lookup.QuantizeU8(&j.s.u8[q*lookup.Rows*j.width+2*p*lines], j.width, x(p), x(p+2), ksub, &l[0], &inv[0])
		}
	}
}

const (
	maxGroup   = 16  // the largest group of tables of integers for many outputs
	bytesGroup = 128 // of bytes for a single output
)

// begin sets the sums of each row to what the quantization took away.
func (j *scores) begin(sums []float32) {
	if j.kind != Int8 {
		clear(sums)
		return
	}
	total := sums[:j.width]
	clear(total)
	for g := 0; g*j.group < j.x.q.m; g++ {
		for i, v := range j.s.offset[g*j.width:][:j.width] {
			total[i] += v
		}
	}
	for done := j.width; done < len(sums); done *= 2 {
		copy(sums[done:], sums[:done])
	}
}

// buildBytes makes tables of bytes for a single output.
func (j *scores) buildBytes(w *worker, from, to int, scale, offset []float32) {
	ksub := j.x.q.ksub
	w.floats = atLeast(w.floats, (to-from)*ksub)
	var least [bytesGroup]float32
	scale[0], offset[0] = 0, 0
	for q := from; q < to; q++ {
		t := w.floats[(q-from)*ksub:][:ksub]
		j.table(q, j.from, 1, t, 1)
		r := newRange()
		lookup.Range16(&r.low[0], &r.high[0], &t[0], ksub/lines)
		low, high := r.low[0], r.high[0]
		for i := range lines {
			low, high = min(low, r.low[i]), max(high, r.high[i])
		}
		least[q-from] = low
		offset[0] += low
		scale[0] = max(scale[0], high-low)
	}
	step, inverse := scaleOf(scale[0], math.MaxUint8)
	scale[0] = step
	for q := from; q < to; q++ {
		table, low := &w.floats[(q-from)*ksub], least[q-from]-step/2
		kernel.Quantize(ksub, table, low, inverse, math.MaxUint8, &j.s.u8[q*lookup.Rows])
	}
}

// addBytes adds up the bytes of a block's codes for a single output: bytesGroup of them fit 16 bits.
func (j *scores) addBytes(sums *float32, codes *byte, nq int, table *byte, scale float32) {
	var words [lookup.Rows]uint16
	kernel.Scan8(1, nq, table, codes, &words[0])
	for i, v := range words {
		unsafe.Slice(sums, lookup.Rows)[i] += float32(scale * float32(v))
	}
}
