package descriptor

import (
	"math"
	"slices"
)

// sobel returns the gradient by Sobel's 3-by-3 masks, divided by 8: right and down.
func (p Plane) sobel() (dx, dy Plane) {
	smooth, slope := []float32{0.25, 0.5, 0.25}, []float32{-0.5, 0, 0.5}
	return p.rows(slope).transpose().rows(smooth).transpose(), p.rows(smooth).transpose().rows(slope).transpose()
}

func magnitude(dx, dy Plane) Plane {
	m := NewPlane(dx.W, dx.H)
	for i := range m.At {
		m.At[i] = float32(math.Hypot(float64(dx.At[i]), float64(dy.At[i])))
	}
	return m
}

// canny returns which pixels are edges (Canny, A computational approach to edge detection, 1986): the gradient under a
// Gaussian of one pixel is largest across the edge, and above the threshold, of which 30 % of the pixels are, or linked
// to such a pixel by pixels above 0.4 of it. Gradients below half a grey level of 255 are none.
func canny(p Plane) []bool {
	const least = 0.5 / 255
	dx, dy := p.blur(1).sobel()
	m := magnitude(dx, dy)
	sorted := slices.Clone(m.At)
	slices.Sort(sorted)
	high := max(least, sorted[len(sorted)*7/10])
	low := max(least, 0.4*high)
	edge, todo := make([]bool, len(m.At)), []int(nil)
	crest := make([]bool, len(m.At))
	for i, v := range m.At {
		crest[i] = v >= low && m.crest(i, dx.At[i], dy.At[i])
		if crest[i] && v >= high {
			edge[i], todo = true, append(todo, i)
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for y := max(0, i/p.W-1); y <= min(p.H-1, i/p.W+1); y++ {
			for x := max(0, i%p.W-1); x <= min(p.W-1, i%p.W+1); x++ {
				if j := y*p.W + x; crest[j] && !edge[j] {
					edge[j], todo = true, append(todo, j)
				}
			}
		}
	}
	return edge
}

// crest reports whether the magnitude at i is at least the ones a pixel ahead and behind along the gradient, which are
// interpolated between two neighbours.
func (p Plane) crest(i int, dx, dy float32) bool {
	x, y := i%p.W, i/p.W
	at := func(x, y int) float32 { return p.At[mirror(y, p.H)*p.W+mirror(x, p.W)] }
	for _, s := range []int{1, -1} {
		sx, sy := s, s
		if dx < 0 {
			sx = -s
		}
		if dy < 0 {
			sy = -s
		}
		ax, ay := max(dx, -dx), max(dy, -dy)
		straight, t := at(x+sx, y), ay/max(ax, 1e-30)
		if ay > ax {
			straight, t = at(x, y+sy), ax/ay
		}
		if (1-t)*straight+t*at(x+sx, y+sy) > p.At[i] {
			return false
		}
	}
	return true
}
