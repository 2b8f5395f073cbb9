// Package descriptor computes descriptors of images from their published definitions: pyramids of oriented edges, local
// binary patterns, histograms of colours, the gist of a scene, dense SIFT with its words and its Fisher vectors.
package descriptor

import (
	"image"
	"image/draw"
	"math"
)

// Plane is an image of one channel, row by row from the top.
type Plane struct {
	W, H int
	At   []float32
}

// NewPlane returns a plane of zeros.
func NewPlane(w, h int) Plane { return Plane{w, h, make([]float32, w*h)} }

// Planes returns red, green and blue, in [0, 1].
func Planes(m image.Image) (rgb [3]Plane) {
	b := m.Bounds()
	flat := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(flat, flat.Rect, m, b.Min, draw.Src)
	for c := range rgb {
		rgb[c] = NewPlane(b.Dx(), b.Dy())
		for i := range rgb[c].At {
			rgb[c].At[i] = float32(flat.Pix[4*i+c]) / 255
		}
	}
	return rgb
}

// Grey returns the luma of ITU-R BT.601: 0.299 red + 0.587 green + 0.114 blue.
func Grey(rgb [3]Plane) Plane {
	p := NewPlane(rgb[0].W, rgb[0].H)
	for i := range p.At {
		p.At[i] = 0.299*rgb[0].At[i] + 0.587*rgb[1].At[i] + 0.114*rgb[2].At[i]
	}
	return p
}

// Resize returns the plane with other numbers of pixels: each is the mean over the area that it covers.
func (p Plane) Resize(w, h int) Plane {
	if w == p.W && h == p.H {
		return p
	}
	return p.narrow(w).transpose().narrow(h).transpose()
}

// narrow resizes the rows to w pixels.
func (p Plane) narrow(w int) Plane {
	q := NewPlane(w, p.H)
	ratio := float64(p.W) / float64(w)
	for x := range w {
		from, to := float64(x)*ratio, float64(x+1)*ratio
		for i := int(from); i < p.W && float64(i) < to; i++ {
			part := float32((min(to, float64(i+1)) - max(from, float64(i))) / ratio)
			for y := range p.H {
				q.At[y*w+x] += part * p.At[y*p.W+i]
			}
		}
	}
	return q
}

func (p Plane) transpose() Plane {
	q := NewPlane(p.H, p.W)
	for y := range p.H {
		for x := range p.W {
			q.At[x*p.H+y] = p.At[y*p.W+x]
		}
	}
	return q
}

// Fit returns the size of an image of w by h whose longer side is to have at most side pixels.
func Fit(w, h, side int) (int, int) {
	if long := max(w, h); long > side {
		return max(1, (w*side+long/2)/long), max(1, (h*side+long/2)/long)
	}
	return w, h
}

// blur returns the plane under a Gaussian of deviation sigma pixels, cut at 3 sigma; the image is mirrored at its
// edges.
func (p Plane) blur(sigma float64) Plane {
	half := int(math.Ceil(3 * sigma))
	taps, sum := make([]float32, 2*half+1), float32(0)
	for i := range taps {
		z := float64(i-half) / sigma
		taps[i] = float32(math.Exp(-z * z / 2))
		sum += taps[i]
	}
	for i := range taps {
		taps[i] /= sum
	}
	return p.rows(taps).transpose().rows(taps).transpose()
}

// rows returns the correlation of each row with taps, of which there are an odd number.
func (p Plane) rows(taps []float32) Plane {
	q, half := NewPlane(p.W, p.H), len(taps)/2
	for y := range p.H {
		row := p.At[y*p.W:][:p.W]
		for x := range row {
			var s float32
			for i, t := range taps {
				s += t * row[mirror(x+i-half, p.W)]
			}
			q.At[y*p.W+x] = s
		}
	}
	return q
}

// mirror returns the place below n that place i, which may lie outside, shows: -1 is 0, n is n-1.
func mirror(i, n int) int {
	for i < 0 || i >= n {
		if i < 0 {
			i = -1 - i
		} else {
			i = 2*n - 1 - i
		}
	}
	return i
}
