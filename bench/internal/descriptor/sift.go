package descriptor

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Dense SIFT: patches of 4-by-4 cells of 8 directions, siftStep pixels apart.
const (
	siftCells, siftTurns = 4, 8
	siftCell, siftStep   = 4, 6 // pixels
	siftSide             = siftCells * siftCell
	siftSize             = siftCells * siftCells * siftTurns
	siftLeast            = 0.1 // norm of a patch with contrast: its gradient is about a grey level of 255
)

// Patches are descriptors of patches of an image, a row each, and the pixels at their middles.
type Patches struct {
	X      vec.Matrix[float32]
	At     [][2]int // right, down
	Width  int
	Height int
}

// SIFT returns the descriptors of Lowe (Distinctive image features from scale-invariant keypoints, 2004) at the points
// of a grid, upright and on one scale: histograms of the gradients' directions in 4-by-4 cells of 4 pixels, each
// gradient by its magnitude, shared with the cells and directions next to it, under a Gaussian of half the patch's
// width, scaled to norm 1, cut at 0.2, and scaled again. Number (4 row + column) 8 + o of a descriptor is of the
// direction 45 o degrees from right downwards. Patches without contrast are left out.
func SIFT(p Plane) Patches {
	out := Patches{Width: p.W, Height: p.H}
	maps := cellMaps(p.blur(math.Sqrt(siftCell*siftCell/9. - 0.25))) // Lowe: a cell has 3 deviations, an image 0.5
	var weight [siftCells * siftCells]float32
	for c := range weight {
		x, y := float64(c%siftCells)-1.5, float64(c/siftCells)-1.5
		weight[c] = float32(math.Exp(-(x*x + y*y) / (2 * siftCells * siftCells / 4)))
	}
	for y := (p.H - siftSide) % siftStep / 2; y >= 0 && y+siftSide <= p.H; y += siftStep {
		for x := (p.W - siftSide) % siftStep / 2; x >= 0 && x+siftSide <= p.W; x += siftStep {
			var d [siftSize]float32
			for c, w := range weight {
				at := (y+c/siftCells*siftCell+siftCell/2-1)*p.W + x + c%siftCells*siftCell + siftCell/2 - 1
				for o := range maps {
					d[c*siftTurns+o] = w * maps[o].At[at]
				}
			}
			if vec.Norm(d[:]) < siftLeast {
				continue
			}
			vec.Normalize(d[:])
			vec.Clip(d[:], d[:], 0, 0.2)
			vec.Normalize(d[:])
			out.X.Data = append(out.X.Data, d[:]...)
			out.At = append(out.At, [2]int{x + siftSide/2, y + siftSide/2})
		}
	}
	out.X = vec.MatrixOf(len(out.At), siftSize, out.X.Data)
	return out
}

// cellMaps returns for each direction what a cell has whose middle is half a pixel right of and below a pixel.
func cellMaps(p Plane) (maps [siftTurns]Plane) {
	dx, dy := p.sobel()
	for o := range maps {
		maps[o] = NewPlane(p.W, p.H)
	}
	for i := range p.At {
		x, y := float64(dx.At[i]), float64(dy.At[i])
		a := math.Atan2(y, x) / (2 * math.Pi) * siftTurns
		b := math.Floor(a)
		m, part := math.Hypot(x, y), a-b
		maps[modulo(int(b), siftTurns)].At[i] += float32(m * (1 - part))
		maps[modulo(int(b)+1, siftTurns)].At[i] += float32(m * part)
	}
	taps := make([]float32, 2*siftCell+1) // at -cell, ..., cell; the first is 0
	for k := 1; k < len(taps); k++ {
		taps[k] = float32(1 - math.Abs(float64(k-siftCell)-0.5)/siftCell)
	}
	for o := range maps {
		maps[o] = maps[o].rows(taps).transpose().rows(taps).transpose()
	}
	return maps
}
