package pq

import (
	"math"

	"github.com/dualgap/dualgap/internal/shape"
)

// mixer is a random rotation of d dimensions that takes O(d log d) operations and d bits a round: a round changes
// signs at random and takes the Hadamard transform of the first p dimensions and then of the last p, p being the
// largest power of two up to d; where d is p one transform is all. It is orthogonal but for what float64 rounds.
type mixer struct {
	d, p  int
	bits  []byte    // of rounds d signs, the lowest bit of a byte first: 1 is a minus
	signs []float64 // the same as numbers
	scale float64   // the root of 1/p, which makes a rotation of a transform
}

const mixRounds = 4

// newMixer is the mixer of some signs, mixBytes(d) of them.
func newMixer(d int, bits []byte) *mixer {
	m := &mixer{d: d, p: 1, bits: bits, signs: make([]float64, mixRounds*d)}
	for 2*m.p <= d {
		m.p *= 2
	}
	m.scale = math.Sqrt(1 / float64(m.p))
	for i := range m.signs {
		m.signs[i] = 1 - 2*float64(bits[i/8]>>(i%8)&1)
	}
	return m
}

func mixBytes(d int) int { return shape.Pieces(mixRounds*d, 8) }

// randomMixer draws the signs.
func randomMixer(d int, seed uint64) *mixer {
	bits, r := make([]byte, mixBytes(d)), random(seed, 1<<32)
	for i := range bits {
		bits[i] = byte(r.Uint32())
	}
	return newMixer(d, bits)
}

// turn rotates x.
func (m *mixer) turn(x []float64) {
	for round := range mixRounds {
		for i, s := range m.signs[round*m.d:][:m.d] {
			x[i] *= s
		}
		hadamard(x[:m.p], m.scale)
		if m.p < m.d {
			hadamard(x[m.d-m.p:], m.scale)
		}
	}
}

// back is the inverse.
func (m *mixer) back(x []float64) {
	for round := mixRounds - 1; round >= 0; round-- {
		if m.p < m.d {
			hadamard(x[m.d-m.p:], m.scale)
		}
		hadamard(x[:m.p], m.scale)
		for i, s := range m.signs[round*m.d:][:m.d] {
			x[i] *= s
		}
	}
}

// hadamard is the Hadamard transform of a power of two of numbers, times scale.
func hadamard(x []float64, scale float64) {
	h := 1
	for i := range x {
		x[i] *= scale
	}
	if len(x) >= 4 {
		for i := 0; i+3 < len(x); i += 4 {
			a, b, c, d := x[i]+x[i+1], x[i]-x[i+1], x[i+2]+x[i+3], x[i+2]-x[i+3]
			x[i], x[i+1], x[i+2], x[i+3] = a+c, b+d, a-c, b-d
		}
		h = 4
	}
	for ; h < len(x); h *= 2 {
		for i := 0; i < len(x); i += 2 * h {
			low, high := x[i:i+h], x[i+h:i+2*h]
			for t, v := range low {
				w := high[t]
				low[t], high[t] = v+w, v-w
			}
		}
	}
}
