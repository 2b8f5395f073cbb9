package descriptor

import "math"

// PHOG returns the pyramid of histograms of oriented gradients of an image (Bosch, Zisserman, Munoz, Representing shape
// with a spatial pyramid kernel, 2007): on each level and cell bins of the gradients' directions at the edges, each
// gradient by its magnitude, shared by the two bins next to it. turn is 180 where a direction and its opposite count as
// one, or 360; the bins begin at the direction right and go on downwards. Each level has sum 1.
func PHOG(p Plane, turn float64, bins, levels int) []float32 {
	dx, dy := p.sobel()
	out := newPyramid(levels, bins, p.W, p.H)
	for i, is := range canny(p) {
		if !is {
			continue
		}
		x, y := float64(dx.At[i]), float64(dy.At[i])
		a := math.Atan2(y, x)/(turn/180*math.Pi)*float64(bins) - 0.5 // bin b is centred at b
		b := math.Floor(a)
		weight, part := math.Hypot(x, y), a-b
		for k, w := range []float64{1 - part, part} {
			out.add(i%p.W, i/p.W, modulo(int(b)+k, bins), float32(w*weight))
		}
	}
	return out.normalized()
}

// modulo is a modulo n, in [0, n).
func modulo(a, n int) int { return (a%n + n) % n }
