package descriptor

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

// noise is an image of smooth noise.
func noise(w, h int) Plane {
	p, r := NewPlane(w, h), rand.New(rand.NewPCG(1, 2))
	for i := range p.At {
		p.At[i] = r.Float32()
	}
	return p.blur(1)
}

// made is an image of a function.
func made(w, h int, f func(x, y int) float64) Plane {
	p := NewPlane(w, h)
	for i := range p.At {
		p.At[i] = float32(f(i%w, i/w))
	}
	return p
}

// step is 0 before a place and 1 from there on.
func step(i, at int) float64 {
	if i < at {
		return 0
	}
	return 1
}

// turned is the image turned clockwise by 90 degrees.
func (p Plane) turned() Plane {
	return made(p.H, p.W, func(x, y int) float64 { return float64(p.At[(p.H-1-x)*p.W+y]) })
}

// dimmed is an image of half the contrast.
func (p Plane) dimmed() Plane {
	return made(p.W, p.H, func(x, y int) float64 { return 0.5*float64(p.At[y*p.W+x]) + 0.1 })
}

func near(t *testing.T, what string, got, want, bound float64) {
	t.Helper()
	if !(math.Abs(got-want) <= bound) {
		t.Errorf("%s: %v, want %v within %v", what, got, want, bound)
	}
}

func total(x []float32) (s float64) {
	for _, v := range x {
		s += float64(v)
	}
	return s
}

func TestPlanes(t *testing.T) {
	m := image.NewNRGBA(image.Rect(3, 5, 5, 6))
	m.Set(3, 5, color.NRGBA{255, 0, 51, 255})
	m.Set(4, 5, color.NRGBA{0, 255, 0, 255})
	rgb := Planes(m)
	for c, want := range [3][2]float64{{1, 0}, {0, 1}, {0.2, 0}} {
		near(t, "left", float64(rgb[c].At[0]), want[0], 1e-6)
		near(t, "right", float64(rgb[c].At[1]), want[1], 1e-6)
	}
	near(t, "grey", float64(Grey(rgb).At[0]), 0.299+0.2*0.114, 1e-6)
}

func TestResize(t *testing.T) {
	p := noise(31, 23)
	for _, size := range [][2]int{{31, 23}, {10, 7}, {1, 1}, {40, 50}, {31, 5}} {
		q := p.Resize(size[0], size[1])
		if q.W != size[0] || q.H != size[1] {
			t.Fatalf("%d by %d, want %v", q.W, q.H, size)
		}
		near(t, "mean", total(q.At)/float64(len(q.At)), total(p.At)/float64(len(p.At)), 1e-5)
	}
	q := made(4, 2, func(x, y int) float64 { return float64(x + 10*y) }).Resize(2, 1)
	near(t, "left", float64(q.At[0]), 5.5, 1e-6)
	near(t, "right", float64(q.At[1]), 7.5, 1e-6)
	for _, c := range [][5]int{{400, 200, 300, 300, 150}, {200, 601, 300, 100, 300}, {30, 20, 300, 30, 20},
		{1000, 1, 300, 300, 1}} {
		if w, h := Fit(c[0], c[1], c[2]); w != c[3] || h != c[4] {
			t.Errorf("%v: %d by %d", c, w, h)
		}
	}
}

func TestBlur(t *testing.T) {
	dot := made(21, 21, func(x, y int) float64 { return step(x, 10) * step(y, 10) * step(-x, -10) * step(-y, -10) })
	q := dot.blur(2)
	near(t, "sum", total(q.At), 1, 1e-5)
	near(t, "variance", func() (s float64) {
		for i, v := range q.At {
			s += float64(v) * float64((i%21-10)*(i%21-10))
		}
		return s
	}(), 4, 0.15) // cut at 3 deviations
	for i, want := range map[int]int{-1: 0, -3: 2, 5: 4, 7: 2, 3: 3, 12: 2} {
		if got := mirror(i, 5); got != want {
			t.Errorf("mirror(%d, 5) = %d, want %d", i, got, want)
		}
	}
}
