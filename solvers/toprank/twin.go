package toprank

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

type scanned struct{ A, B, P, Least, U0, U2 float64 }

func scan[T vec.Float](row, q []T, f, x []float64, p *scanned) (best int, gain, d float64) {
	best = -1
	for l := range row {
		a := max(p.A+float64(q[l])-2*float64(row[l]), p.Least)
		b := p.B + f[l] + p.P*x[l]
		D := min(max(b/a, 0), min(p.U0, x[l]+p.U2))
		if g := D * (b - a*D/2); g > gain {
			best, gain, d = l, g, D
		}
	}
	return
}

func move[T vec.Float](f []float64, p, q []T, d float64) {
	for l := range f {
		f[l] += d * (float64(p[l]) - float64(q[l]))
	}
}

func axpy[T vec.Float](d float64, p []T, f []float64) {
	for l := range f {
		f[l] += d * float64(p[l])
	}
}

func slopes(f, x []float64, p, lo, hi float64) (least float64, at int, most float64) {
	least, at, most = math.Inf(1), -1, math.Inf(-1)
	for l, x := range x {
		g := f[l] + p*x
		if x < hi && g < least {
			least, at = g, l
		}
		if x > lo && g > most {
			most = g
		}
	}
	return
}
