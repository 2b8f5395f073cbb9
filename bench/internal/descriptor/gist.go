package descriptor

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
)

// The gist is taken of an image of side-by-side pixels, mirrored border pixels beyond its edges.
const (
	gistSide, gistBorder  = 128, 16
	gistFull              = gistSide + 2*gistBorder
	gistScales, gistTurns = 4, 8
	gistGrid              = 4
)

// Gist computes the gist of scenes (Oliva, Torralba, Modeling the shape of the scene, 2001). Concurrent calls may share
// it.
type Gist struct {
	filters [gistScales * gistTurns][]float64 // their transfer functions
	low     []float64                         // of the Gaussian that levels the light
}

// NewGist returns Gabor filters on 4 scales of one octave, from a quarter of a cycle a pixel down, in 8 directions
// each. A filter has half its height where its neighbours have.
func NewGist() *Gist {
	g := &Gist{low: make([]float64, gistFull*gistFull)}
	half := math.Sqrt(2 * math.Ln2) // a Gaussian of deviation 1 has half its height there
	for k := range g.filters {
		f, turn := 0.25/float64(int(1)<<(k/gistTurns)), float64(k%gistTurns)*math.Pi/gistTurns
		t := make([]float64, gistFull*gistFull)
		for i := range t {
			u, v := frequency(i%gistFull), frequency(i/gistFull)
			r := (math.Hypot(u, v)/f - 1) * half * 3 // half at 2/3 and 4/3 of f
			a := math.Remainder(math.Atan2(v, u)-turn, 2*math.Pi) * half / (math.Pi / gistTurns / 2)
			if u != 0 || v != 0 {
				t[i] = math.Exp(-(r*r + a*a) / 2)
			}
		}
		g.filters[k] = t
	}
	for i := range g.low {
		r := math.Hypot(frequency(i%gistFull), frequency(i/gistFull)) * gistSide / 4 // half at 4 cycles an image
		g.low[i] = math.Exp(-r * r * math.Ln2)
	}
	return g
}

// frequency is place i of a transform in cycles a pixel.
func frequency(i int) float64 {
	if i > gistFull/2 {
		i -= gistFull
	}
	return float64(i) / gistFull
}

// Of returns 512 numbers: for each scale, the finest first, and each direction, from right downwards, the mean
// magnitude of the filter's answer in 4-by-4 cells, row by row. Before, the logarithm of the light is levelled: its
// mean around is taken off, and it is divided by its deviation around + 0.2.
func (g *Gist) Of(p Plane) []float32 {
	p = p.Resize(gistSide, gistSide)
	light := make([]complex128, gistFull*gistFull)
	for i := range light {
		x, y := mirror(i%gistFull-gistBorder, gistSide), mirror(i/gistFull-gistBorder, gistSide)
		light[i] = complex(math.Log1p(255*float64(p.At[y*gistSide+x])), 0)
	}
	f := newTransform()
	mean, square := f.filtered(f.forward(light), g.low), make([]complex128, len(light))
	for i := range light {
		light[i] -= complex(real(mean[i]), 0)
		square[i] = light[i] * light[i]
	}
	for i, v := range f.filtered(f.forward(square), g.low) {
		light[i] /= complex(0.2+math.Sqrt(math.Abs(real(v))), 0)
	}
	spectrum := f.forward(light)
	out := make([]float32, 0, len(g.filters)*gistGrid*gistGrid)
	for _, filter := range g.filters {
		answer := f.filtered(spectrum, filter)
		var cells [gistGrid * gistGrid]float64
		for y := range gistSide {
			for x := range gistSide {
				cells[y*gistGrid/gistSide*gistGrid+x*gistGrid/gistSide] +=
					cmplx.Abs(answer[(y+gistBorder)*gistFull+x+gistBorder])
			}
		}
		for _, sum := range cells {
			out = append(out, float32(sum*gistGrid*gistGrid/(gistSide*gistSide)))
		}
	}
	return out
}

// transform computes Fourier transforms of images.
type transform struct {
	fft    *fourier.CmplxFFT
	column []complex128
}

func newTransform() *transform {
	return &transform{fourier.NewCmplxFFT(gistFull), make([]complex128, gistFull)}
}

func (t *transform) forward(x []complex128) []complex128 { return t.both(x, t.fft.Coefficients) }

// filtered returns the image whose spectrum is the spectrum times a filter.
func (t *transform) filtered(spectrum []complex128, filter []float64) []complex128 {
	x := make([]complex128, len(spectrum))
	for i, v := range spectrum {
		x[i] = v * complex(filter[i]/(gistFull*gistFull), 0)
	}
	return t.both(x, t.fft.Sequence)
}

// both returns the one-dimensional transform of rows and of columns.
func (t *transform) both(x []complex128, one func(dst, src []complex128) []complex128) []complex128 {
	y := make([]complex128, len(x))
	for r := range gistFull {
		one(y[r*gistFull:][:gistFull], x[r*gistFull:][:gistFull])
	}
	for c := range gistFull {
		for r := range t.column {
			t.column[r] = y[r*gistFull+c]
		}
		one(t.column, t.column)
		for r, v := range t.column {
			y[r*gistFull+c] = v
		}
	}
	return y
}
