package main

import (
	"math"

	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/vec"
)

// tellsInside reports whether the model is of one class, whose texts have no labels.
func tellsInside(p *predictor.Predictor) bool {
	return p.Task() == predictor.Top && p.Notes()[svm.NotePredicts] == "inside"
}

// aboveZero returns the offset c for texts, which decide by scores above 0: a sum s + c is above 0 where s + b, of the
// offset b, is at least t. It is b - t, and as much more as takes in the scores that are t itself, but not the next
// ones below that.
func aboveZero[T vec.Float](b T, t float64) T {
	below := math.Nextafter(t, math.Inf(-1)) // what is at least t is above it
	c := float64(b) - below
	back := c - float64(b)
	if rest := (float64(b) - (c - back)) + (-below - back); rest > 0 { // what rounding took away
		c = math.Nextafter(c, math.Inf(1))
	}
	to := T(c)
	if float64(to) >= c {
		return to
	}
	if _, single := any(to).(float32); single {
		return T(math.Nextafter32(float32(to), float32(math.Inf(1))))
	}
	return to
}
