package pq

import (
	"math"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// Bounds. With c a centre, r = x - c, and y what the code of x stands for, less c: the plane through 0, y and r has the
// coordinates
//
//	along y    u = <r, y>/|y|    of r    t = <q, y>/|y|       of a query q
//	across     e, e² = |r|² - u²         w, w² = |q|² - t²
//
// and q lies anywhere on the circle of radius w across y. By Cauchy and Schwarz therefore, for every x and q,
//
//	u t - e w <= <q, r> <= u t + e w,    with q less c:    |q - r|² >= (u - t)² + (w - e)².
//
// u t alone is the projected estimate of <q, r>. Beside each code an index keeps what the constants below name.
//
// y is what the tables of the probe say: with centroids c_k and the centre turned, all in float32,
//
//	y = Rᵀ z,   z_j = float32(c_j,code_j - (R c)_j),    so <q, y> = <R q, z>
//
// for any matrix R, so that nothing depends on how nearly R is a rotation. Everything that is rounded widens an
// interval: numbers kept with a vector by what their formulas here say, and sums of a query as package probe says.

// Where <r, y> <= 0, as next to the centre, or |y| is 0 or nearly, y counts as 0: then u = t = 0, e = |r| and w = |q|.

// The floats that a Quantizer's bounds keep of a vector. A vector without bounds has a NaN for u and |r|²
// for e².
const (
	keptAlong = iota // u, at least 0
	keptError        // e², rounded up
	keptScale        // 1/|y|, or 0 where y counts as 0
	keptHalf         // |z|²/2|y|, or 0 there: t = (|R q|² - |R q - z|²)/2|y| + this
	keptFloats
)

// farthest is the largest |r| that has bounds, leastDecoded the smallest |y| that counts as one, and measured the
// largest relative error of computing e. The kernel's float32 has room enough within these.
const (
	farthest     = 0x1p60
	leastDecoded = 0x1p-60
	measured     = 0x1p-28
)

// pqFrame is a Quantizer about a centre.
type pqFrame struct {
	q       *Quantizer
	c       []float32
	columns []float32 // Quantizer.columns, less the centre turned
	largest []float64 // of each subspace: the largest |z_j|, rounded up
	norm    float64   // |c|

	largestSquare float64 // the sum of the squares of largest
	frobenius     float64 // of the rotation, rounded up; 0 without one
}

func (f *pqFrame) centre() []float32 { return f.c }

// about returns the quantizer's bounds about a centre. It rounds alike on every machine, since the numbers kept beside
// codes may come from another one.
func (q *Quantizer) about(c []float32) frame {
	f := &pqFrame{q: q, c: c, columns: make([]float32, len(q.columns)), largest: make([]float64, q.m)}
	turned := c
	for _, v := range c {
		f.norm += float64(float64(v) * float64(v))
	}
	f.norm = math.Sqrt(f.norm)
	if q.rotation != nil {
		turned = make([]float32, q.d)
		var all float64
		for i := range turned {
			var s float64
			for k, v := range q.rotation[i*q.d:][:q.d] {
				s += float64(float64(v) * float64(c[k]))
				all += float64(float64(v) * float64(v))
			}
			turned[i] = float32(s)
		}
		f.frobenius = math.Sqrt(all) * (1 + 0x1p-20)
	}
	norms := make([]float64, q.ksub)
	for j := range q.m {
		clear(norms)
		from, to := q.column(j), f.columns[q.ksub*q.offset[j]:]
		for t := range q.width(j) {
			for k := range q.ksub {
				z := from[t*q.ksub+k] - turned[q.offset[j]+t]
				to[t*q.ksub+k] = z
				norms[k] += float64(float64(z) * float64(z))
			}
		}
		f.largest[j] = math.Sqrt(vec.Max(norms)) * (1 + 0x1p-20)
		f.largestSquare += f.largest[j] * f.largest[j]
	}
	return f
}

// gather writes z, what a code stands for before it is turned back.
func (f *pqFrame) gather(dst []float64, code []byte) {
	q := f.q
	for j := range q.m {
		column := f.columns[q.ksub*q.offset[j]+q.codePart(code, j):]
		for t := range q.width(j) {
			dst[q.offset[j]+t] = float64(column[t*q.ksub])
		}
	}
}

// measureRows is the number of rows that are turned back at once.
const measureRows = 64

func (f *pqFrame) measure(dst []float32, x vec.Matrix[float32], codes []byte, workers int) {
	q, size := f.q, f.q.CodeSize()
	var rotation vec.Matrix[float64]
	if q.rotation != nil {
		rotation = vec.NewMatrix[float64](q.d, q.d)
		vec.Convert(rotation.Data, q.rotation)
	}
	parallel.Chunks(workers, x.Rows, measureRows, func(_, from, to int) {
		z := vec.NewMatrix[float64](to-from, q.d)
		for k := range z.Rows {
			f.gather(z.Row(k), codes[(from+k)*size:][:size])
		}
		y := z
		if q.rotation != nil {
			y = vec.NewMatrix[float64](z.Rows, q.d)
			vec.Gemm(vec.NoTrans, vec.NoTrans, 1, z, rotation, 0, y)
		}
		for k := range z.Rows {
			var all float64
			for _, v := range z.Row(k) {
				all += float64(v * v)
			}
			f.keep(dst[(from+k)*keptFloats:][:keptFloats], x.Row(from+k), y.Row(k), math.Sqrt(all))
		}
	})
}

// keep writes the floats of x, whose code stands for y, which was z before it was turned back.
//
// y is off by at most (d+2)2⁻⁵³ |R| |z| in Euclidean length, |R| being Frobenius's norm, and each sum by d 2⁻⁵³ of the
// product of lengths. So u, e and 1/|y| are off by at most |r|, |r| and 1/|y| times `off` below. It widens e here; what
// it is to u and to 1/|y| is less than what float32 rounds there, or `measured`, which queries add.
func (f *pqFrame) keep(dst []float32, x []float32, y []float64, z float64) {
	var rr, ry, yy float64
	for t, v := range x {
		r := float64(v) - float64(f.c[t])
		rr += float64(r * r)
		ry += float64(r * y[t])
		yy += float64(y[t] * y[t])
	}
	r, length := math.Sqrt(rr), math.Sqrt(yy)
	u, e, scale, half, off := 0.0, r, 0.0, 0.0, float64(len(x)+16)*0x1p-51
	if length > leastDecoded && ry > 0 {
		u, scale, half = ry/length, 1/length, z*z/(2*length)
		off *= 1 + f.frobenius*z/length
		s, ee := ry/yy, 0.0
		for t, v := range x {
			d := float64(v) - float64(f.c[t]) - float64(s*y[t])
			ee += float64(d * d)
		}
		e = math.Sqrt(ee)
	}
	e += off * r
	if !(r < farthest && off < measured && half < math.MaxFloat32/2) {
		copy(dst, []float32{float32(math.NaN()), float32(math.Min(rr, math.MaxFloat32)), 0, 0})
		return
	}
	copy(dst, []float32{float32(u), above(e * e * (1 + 0x1p-50)), float32(scale), float32(half)})
}

// check doubts floats from a file.
func (q *Quantizer) check(floats []float32) bool { return soundFloats(floats) }

// soundFloats reports whether floats of a vector are finite and at least 0; but u may be NaN, of the bits that are
// written.
func soundFloats(floats []float32) bool {
	for k, v := range floats {
		none := k == keptAlong && math.Float32bits(v) == math.Float32bits(float32(math.NaN()))
		if !none && !(finite(v) && v >= 0) {
			return false
		}
	}
	return true
}

// above and below are v rounded to float32, away from what it bounds.
func above(v float64) float32 {
	if f := float32(v); !(float64(f) < v) {
		return f
	} else {
		return math.Nextafter32(f, float32(math.Inf(1)))
	}
}

func below(v float64) float32 { return -above(-v) }

// The rest of what makes a Quantizer a Codec.

func (q *Quantizer) put(block []byte, i int, code []byte) { putByBytes(block, i, code) }
func (q *Quantizer) get(code, block []byte, i int)        { getByBytes(code, block, i) }
func (q *Quantizer) room() int                            { return q.CodeSize() * kernel.Block }
func (q *Quantizer) floats() int                          { return keptFloats }
func (q *Quantizer) number() int                          { return codebook }

func (q *Quantizer) origin(x vec.Matrix[float32]) []float32 { return meanOf(x) }

// meanOf returns the mean of the rows of x, of which there is at least one.
func meanOf(x vec.Matrix[float32]) []float32 {
	sums := make([]float64, x.Cols)
	for i := range x.Rows {
		for t, v := range x.Row(i) {
			sums[t] += float64(v)
		}
	}
	mean := make([]float32, x.Cols)
	for t, s := range sums {
		mean[t] = float32(s / float64(x.Rows))
	}
	return mean
}
