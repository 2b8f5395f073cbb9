package ascent

import (
	"cmp"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers/loss"
)

// bestOffset returns the b with the least losses at the scores f + b, plus N b.
func (p *Problem[T]) bestOffset(o *offset, f []float64) float64 {
	if o.curved != nil {
		return p.bestOfCurved(o, f)
	}
	return p.bestOfSloped(o, f)
}

// bestOfSloped is bestOffset where the slope by b is piecewise linear. It does not fall: b is where it is 0, the middle
// where it is so between two kinks, as LIBSVM has it. O(n log n).
func (p *Problem[T]) bestOfSloped(o *offset, f []float64) float64 {
	if o.kinks == nil {
		o.kinks = make([]loss.Kink, 0, len(f)) // at least, of most losses
	}
	slope, kinks, last := loss.Line{A: p.Sum}, o.kinks[:0], math.Inf(-1)
	add := func(l loss.Line) { slope.A, slope.B = slope.A+l.A, slope.B+l.B }
	for i, v := range f {
		r := p.Radius[i]
		if r == 0 {
			continue
		}
		by := o.sloped.Slope(i, len(p.Labels.Of(i)) > 0)
		line := func(l loss.Line) loss.Line { return loss.Line{A: r * (l.A + l.B*v), B: r * l.B} }
		add(line(by.Left))
		for _, k := range by.Kinks {
			if k.More != (loss.Line{}) {
				kinks = append(kinks, loss.Kink{At: k.At - v, More: line(k.More)})
			}
		}
	}
	slices.SortFunc(kinks, func(a, b loss.Kink) int { return cmp.Compare(a.At, b.At) })
	o.kinks = kinks
	flat := 0x1p-40 * o.weight
	for _, k := range kinks {
		switch value := slope.A + slope.B*k.At; {
		case value < -flat:
		case slope.B > flat*0x1p-10 && value >= 0:
			return min(max(-slope.A/slope.B, last), k.At)
		case math.IsInf(last, -1):
			return k.At
		case value <= flat:
			return last/2 + k.At/2
		default:
			return last
		}
		add(k.More)
		last = k.At
	}
	if slope.B > flat*0x1p-10 {
		return max(-slope.A/slope.B, last)
	}
	return last
}

// beyond is a score from which on a loss that falls to 0 is that in float64: exp(-beyond) is 0.
const beyond = 800

// bestOfCurved is bestOffset by Newton's method, between scores that are all at most -beyond and all at least beyond.
// O(n) a step, some ten of them.
func (p *Problem[T]) bestOfCurved(o *offset, f []float64) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for i, v := range f {
		if p.Radius[i] > 0 {
			low, high = min(low, -beyond-v), max(high, beyond-v)
		}
	}
	if slope, _, _ := p.curve(o, f, low); !(slope < 0) {
		return low
	}
	if slope, _, _ := p.curve(o, f, high); !(slope > 0) {
		return high
	}
	b := low/2 + high/2
	for range 200 { // halving comes to the next number in as many
		slope, bend, size := p.curve(o, f, b)
		if slope < 0 {
			low = b
		} else {
			high = b
		}
		next := b - slope/bend
		if next == b || math.Abs(slope) <= 0x1p-50*size {
			break
		}
		if !(next > low && next < high) {
			next = low/2 + high/2
		}
		b = next
	}
	return b
}

// curve returns the first and the second derivative by b, and the sum of the sizes of the terms of the first.
func (p *Problem[T]) curve(o *offset, f []float64, b float64) (slope, bend, size float64) {
	slope, size = p.Sum, math.Abs(p.Sum)
	for i, v := range f {
		if r := p.Radius[i]; r > 0 {
			first, second := o.curved.Curve(v+b, len(p.Labels.Of(i)) > 0)
			slope, bend, size = slope+r*first, bend+r*second, size+r*math.Abs(first)
		}
	}
	return slope, bend, size
}
