package pq

import (
	"math"
	"slices"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// Bounds of scalar codes. Let R be the computed turn, of which the rows have products I + E, and Q = (I + E)^-½ R,
// whose rows are orthonormal: |Q x - R x| <= `defect` |x|. With Q_h the rows that codes keep, a code stands for
//
//	y = Q_hᵀ z,   z_t = low_t + level_t step_t - (R (c - m))_t,   so <q, y> = <Q q, z> and |y| = |z|
//
// about a centre c. In the space of Q_h the bounds of file bounds.go hold with e and w of the heads alone; the tails,
// parts of the rest of the space at right angles to each other, meet each other:
//
//	<q, r> within u t ± (e w + Σ_g |q_g| |r_g|),    |r|² = u² + e² + Σ_g |r_g|²
//
// All that R is off by Q widens e, |r_g|, w and |q_g| here and in the probe, and u t by `askew` |q| |r|.

// The floats that a Scalar's bounds keep of a vector begin with the first three of a Quantizer's, e² being the head's.
// Then come, where the estimate is unbiased, its slope, and the lengths of tails, rounded up.
const scalarFloats = keptScale + 1

type scalarFrame struct {
	s    *Scalar
	c    []float32
	base []float64 // z of the least levels
	norm float64   // |c|
}

func (f *scalarFrame) centre() []float32 { return f.c }

func (s *Scalar) floats() int { return s.tailsAt() + s.Tails() }

// unbiased reports whether a slope is kept: where the code's error is large the projected estimate u t is too small.
func (s *Scalar) unbiased() bool { return s.bits <= 4 }

// tailsAt is where tails begin.
func (s *Scalar) tailsAt() int {
	if s.unbiased() {
		return scalarFloats + 1
	}
	return scalarFloats
}

// askew bounds what the turn's defect adds to |<q, r>| beside what widens lengths, relative to |q| |r|, and what it
// takes from |r|², relative to it; and what float32 rounds in limits.
func (s *Scalar) askew() float64 { return float64(16+2*s.Tails())*s.defect + 0x1p-18 }

func (s *Scalar) about(c []float32) frame {
	f := &scalarFrame{s: s, c: c, base: make([]float64, s.dims)}
	off := make([]float64, s.d)
	for t, v := range c {
		f.norm += float64(float64(v) * float64(v))
		off[t] = float64(v) - float64(s.mean[t])
	}
	f.norm = math.Sqrt(f.norm)
	turned := make([]float64, s.dims)
	switch {
	case slices.Equal(c, s.mean): // all zeros
	case s.turn == Hadamard:
		s.mix.turn(off)
		turned = off
	default:
		for t := range turned { // alike on every machine
			for k, v := range s.head().Row(t) {
				turned[t] += float64(float64(v) * off[k])
			}
		}
	}
	for t := range f.base {
		f.base[t] = float64(s.low[t]) - turned[t]
	}
	return f
}

func (f *scalarFrame) measure(dst []float32, x vec.Matrix[float32], codes []byte, workers int) {
	s, size, floats := f.s, f.s.CodeSize(), f.s.floats()
	var rows vec.Matrix[float64]
	if s.turn == PCA {
		rows = vec.NewMatrix[float64](s.axes(), s.d)
		vec.Convert(rows.Data, s.rows)
	}
	parallel.Chunks(workers, x.Rows, scalarRows, func(_, from, to int) {
		r := vec.NewMatrix[float64](to-from, s.d)
		lengths := make([]float64, r.Rows)
		for k := range r.Rows {
			row := r.Row(k)
			for t, v := range x.Row(from + k) {
				row[t] = float64(v) - float64(f.c[t])
				lengths[k] += float64(row[t] * row[t])
			}
			lengths[k] = math.Sqrt(lengths[k])
		}
		turned := s.turned(r, rows)
		z := make([]float64, s.dims)
		for k := range r.Rows {
			for t := range z {
				z[t] = f.base[t] + float64(float64(s.step[t])*float64(s.level(codes[(from+k)*size:], t)))
			}
			f.keep(dst[(from+k)*floats:][:floats], lengths[k], turned.Row(k), r.Row(k), z)
		}
	})
}

// turned returns R r for each row, and leaves in the rows what of them lies beyond the axes.
func (s *Scalar) turned(r, rows vec.Matrix[float64]) vec.Matrix[float64] {
	if s.turn == Hadamard {
		for i := range r.Rows {
			s.mix.turn(r.Row(i))
		}
		return r
	}
	turned := vec.NewMatrix[float64](r.Rows, s.axes())
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, r, rows, 0, turned)
	if s.axes() < s.d {
		vec.Gemm(vec.NoTrans, vec.NoTrans, -1, turned, rows, 1, r)
	}
	return turned
}

// keep writes the floats of a vector r of some length, of which `rest` lies beyond the axes.
func (f *scalarFrame) keep(dst []float32, length float64, turned, rest, z []float64) {
	s := f.s
	var hz, zz, hh float64
	for t, v := range z {
		h := turned[t]
		hz, zz, hh = hz+float64(h*v), zz+float64(v*v), hh+float64(h*h)
	}
	y, off := math.Sqrt(zz), s.defect*length
	u, e, scale := 0.0, math.Sqrt(hh), 0.0
	if y > leastDecoded && hz > 0 {
		u, scale = hz/y, 1/y
		c, ee := hz/zz, 0.0
		for t, v := range z {
			d := turned[t] - float64(c*v)
			ee += float64(d * d)
		}
		e = math.Sqrt(ee)
	}
	clear(dst[scalarFloats:])
	e += 2 * off
	if !(length < farthest) {
		dst[keptAlong], dst[keptError] = float32(math.NaN()), float32(math.Min(length*length, math.MaxFloat32))
		dst[keptScale] = 0
		return
	}
	dst[keptAlong], dst[keptError], dst[keptScale] = float32(u), above(e*e*(1+0x1p-50)), float32(scale)
	tails := dst[scalarFloats:]
	if s.unbiased() {
		dst[scalarFloats], tails = float32(u), tails[1:]
		if u*u > hh/256 { // else the unbiased estimate is of no use
			dst[scalarFloats] = float32(hh / u)
		}
	}
	for g := range s.Tails() {
		sum, part := 0.0, rest
		if s.ends[g+1] < s.d || s.axes() == s.d {
			part = turned[s.ends[g]:s.ends[g+1]]
		}
		for _, v := range part {
			sum += float64(v * v)
		}
		tails[g] = above(math.Sqrt(sum)*(1+0x1p-40) + 3*off)
	}
}

// check doubts floats from a file.
func (s *Scalar) check(floats []float32) bool { return soundFloats(floats) }

// kept returns the three first floats of a block, where the slopes of estimates are, and where tails are.
func (s *Scalar) kept(b *block) (kept, slopes, tails []float32) {
	kept, slopes, tails = b.floats, b.floats, b.floats[s.tailsAt()*kernel.Block:]
	if s.unbiased() {
		slopes = b.floats[scalarFloats*kernel.Block:]
	}
	return kept, slopes, tails
}
