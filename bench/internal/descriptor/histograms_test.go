package descriptor

import (
	"math"
	"math/bits"
	"testing"
)

// levels checks that each level has sum 1, and that a cell of a level is the sum of the four in its place on the next.
func levels(t *testing.T, x []float32, bins, levels int) {
	t.Helper()
	if len(x) != first(levels)*bins {
		t.Fatalf("%d numbers, want %d cells of %d", len(x), first(levels), bins)
	}
	for l := range levels {
		near(t, "sum of a level", total(x[first(l)*bins:first(l+1)*bins]), 1, 1e-5)
		for cell := range 1 << (2 * l) {
			for b := 0; b < bins && l+1 < levels; b++ {
				n, sum := 1<<l, 0.0
				for k := range 4 {
					at := (cell/n*2+k/2)*2*n + cell%n*2 + k%2
					sum += float64(x[(first(l+1)+at)*bins+b])
				}
				near(t, "four cells", sum, float64(x[(first(l)+cell)*bins+b]), 1e-5)
			}
		}
	}
}

func TestPHOG(t *testing.T) {
	down := made(64, 48, func(x, y int) float64 { return step(y, 20) })
	for _, c := range []struct {
		p          Plane
		turn       float64
		bins, a, b int
	}{
		{down, 360, 40, 9, 10}, {down, 180, 20, 9, 10},
		{made(64, 48, func(x, y int) float64 { return 1 - step(y, 20) }), 360, 40, 29, 30},
		{made(64, 48, func(x, y int) float64 { return step(x, 20) }), 360, 40, 0, 39},
		{made(64, 48, func(x, y int) float64 { return 1 - step(x, 20) }), 180, 20, 0, 19},
	} {
		h := PHOG(c.p, c.turn, c.bins, 1)
		near(t, "bin before the direction", float64(h[c.a]), 0.5, 1e-4)
		near(t, "bin behind the direction", float64(h[c.b]), 0.5, 1e-4)
	}
	h := PHOG(down, 180, 20, 3)
	near(t, "the edge is in the second row of cells", total(h[(first(2)+4)*20:(first(2)+8)*20]), 1, 1e-4)
	levels(t, PHOG(noise(61, 50), 180, 20, 4), 20, 4)
	near(t, "a constant image", total(PHOG(NewPlane(30, 20), 360, 40, 3)), 0, 0)
	p := noise(60, 44)
	a, b := PHOG(p, 360, 40, 1), PHOG(p.turned(), 360, 40, 1)
	for k := range a {
		near(t, "turned", float64(b[(k+10)%40]), float64(a[k]), 1e-4)
	}
	folded := PHOG(p, 180, 20, 1)
	for k, v := range folded {
		near(t, "folded", float64(v), float64(a[k]+a[k+20]), 1e-5)
	}
}

func TestCanny(t *testing.T) {
	for i, is := range canny(made(40, 30, func(x, y int) float64 { return step(x, 20) })) {
		if want := i%40 == 19 || i%40 == 20; is != want {
			t.Fatalf("column %d: %v", i%40, is)
		}
	}
	rough := noise(80, 60)
	half := made(80, 60, func(x, y int) float64 {
		return (1-step(x, 50))*float64(rough.At[y*80+x]) + step(y, 30)*2/255
	})
	edges := 0
	for i, is := range canny(half) {
		if is && i%80 > 55 {
			t.Fatalf("the faint edge at %d, %d beside the strong ones is taken", i%80, i/80)
		}
		if is {
			edges++
		}
	}
	if edges < 100 || edges > 80*60/4 {
		t.Errorf("%d edges", edges)
	}
}

func TestLBP(t *testing.T) {
	seen := map[int]int{}
	for _, b := range uniform {
		seen[b]++
	}
	if len(seen) != Patterns || seen[Patterns-1] != 256-58 {
		t.Errorf("%d bins, %d patterns in the last", len(seen), seen[Patterns-1])
	}
	near(t, "constant", float64(LBP(made(20, 20, func(x, y int) float64 { return 0.3 }), 1)[uniform[255]]), 1, 1e-6)
	h := LBP(made(22, 22, func(x, y int) float64 { return step(x, 10) }), 1)
	near(t, "right of an edge", float64(h[uniform[0b11000111]]), 1./20, 1e-6)
	near(t, "elsewhere", float64(h[uniform[255]]), 19./20, 1e-6)
	p := noise(50, 41)
	levels(t, LBP(p, 3), Patterns, 3)
	a, b, dim := LBP(p, 1), LBP(p.turned(), 1), LBP(p.dimmed(), 1)
	for code := range 256 {
		at := uniform[code]
		near(t, "turned", float64(b[uniform[bits.RotateLeft8(uint8(code), 2)]]), float64(a[at]), 2e-3)
		near(t, "dimmed", float64(dim[at]), float64(a[at]), 2e-3)
	}
}

func TestHSV(t *testing.T) {
	for c, want := range map[[3]float32][3]float64{
		{1, 0, 0}: {0, 1, 1}, {0, 1, 0}: {2, 1, 1}, {0, 0, 1}: {4, 1, 1}, {0, 0, 0}: {0, 0, 0}, {1, 1, 1}: {0, 0, 1},
		{0.5, 0.25, 0.25}: {0, 0.5, 0.5}, {0.25, 0.5, 0.75}: {3.5, 2. / 3, 0.75}, {1, 0, 0.5}: {5.5, 1, 1},
	} {
		hue, s, v := hsv(c[0], c[1], c[2])
		for k, got := range []float32{hue, s, v} {
			near(t, "hue, saturation, value", float64(got), want[k], 1e-6)
		}
	}
	left := func(x, y int) float64 { return 1 - step(x, 10) }
	right := func(x, y int) float64 { return step(x, 10) }
	h := HSV([3]Plane{made(20, 20, left), NewPlane(20, 20), made(20, 20, right)}, 2)
	red, blue := (0*3+2)*3+2, (8*3+2)*3+2
	for cell, at := range map[int][2]float64{0: {0.5, 0.5}, 1: {0.25, 0}, 2: {0, 0.25}, 3: {0.25, 0}, 4: {0, 0.25}} {
		near(t, "red", float64(h[cell*108+red]), at[0], 1e-6)
		near(t, "blue", float64(h[cell*108+blue]), at[1], 1e-6)
	}
	levels(t, HSV([3]Plane{noise(30, 31), noise(30, 31).blur(1), noise(30, 31).blur(2)}, 2), 108, 2)
}

func TestGist(t *testing.T) {
	g := NewGist()
	for _, v := range g.Of(made(60, 50, func(x, y int) float64 { return 0.4 })) {
		near(t, "constant", float64(v), 0, 1e-6) // resized in float32
	}
	for _, c := range []struct{ scale, turn, x, y int }{{0, 0, 32, 0}, {1, 0, 16, 0}, {1, 4, 0, 16}, {2, 0, 8, 0},
		{1, 2, 11, 11}, {1, 6, 11, -11}} {
		x := g.Of(made(128, 128, func(x, y int) float64 {
			return 0.5 + 0.1*math.Cos(2*math.Pi*(float64(x*c.x+y*c.y)+0.5*float64(c.x+c.y))/128)
		}))
		best, sums := 0, make([]float64, 32)
		for k := range sums {
			sums[k] = total(x[k*16 : k*16+16])
			if sums[k] > sums[best] {
				best = k
			}
		}
		if best != c.scale*8+c.turn {
			t.Errorf("%+v: filter %d answers most, of %v", c, best, sums)
		}
	}
	p := noise(128, 128)
	a, b := g.Of(p), g.Of(p.turned())
	for i, v := range a {
		filter, row, column := i/16, i/4%4, i%4
		turned := filter/8*8 + (filter+4)%8
		near(t, "turned", float64(b[turned*16+column*4+3-row]), float64(v), 0.01*float64(v))
	}
}

// TestCrest: off a ridge that runs upwards to the right no pixel is a crest across it, in either sense, every one is
// along it; between the axes the neighbours are interpolated.
func TestCrest(t *testing.T) {
	ridge := made(9, 9, func(x, y int) float64 { return -math.Abs(float64(x + y - 8)) })
	for _, c := range []struct {
		x, y   int
		dx, dy float32
		want   bool
	}{{4, 4, 1, 1, true}, {4, 4, -2, -2, true}, {6, 4, 1, 1, false}, {6, 4, -1, -1, false}, {2, 4, 3, 3, false},
		{5, 4, 1, -1, true}, {5, 4, -1, 1, true}, {5, 4, 1, 0, false}, {5, 4, 0, -1, false}, {5, 4, 2, 1, false},
		{4, 3, 1, 2, false}, {4, 4, 1, 2, true}} {
		if got := ridge.crest(c.y*9+c.x, c.dx, c.dy); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	slope := made(3, 3, func(x, y int) float64 { return []float64{0, 0, 0, 0, 1, 1.5, 0, 0, 0}[y*3+x] })
	if slope.crest(4, 1, 0.3) || !slope.crest(4, 1, 0.4) || slope.crest(4, 1, -0.3) || !slope.crest(4, 1, -0.4) {
		t.Error("1.5 a pixel right and 0 beside it are not interpolated: 1.05 and 0.9 beside 1")
	}
}
