package loss

import "math"

// Line is a + b s of a score s.
type Line struct{ A, B float64 }

// Kink is a score from which on a slope has a line more.
type Kink struct {
	At   float64
	More Line
}

// Slope is the derivative of a convex loss of one score: Left up to the first kink, and More from each kink on.
type Slope struct {
	Left  Line
	Kinks [2]Kink // ascending; one without More is none
}

// Sloped is a loss of one output whose derivative is piecewise linear: so much is known of it that an offset of all
// scores can be chosen at once.
type Sloped interface {
	// Slope returns the derivative of the loss of example i. isTrue says whether its label is true.
	Slope(i int, isTrue bool) Slope
}

// Interval returns the interval of the dual variable of weight r: -r times what the derivative can be. Ends may be
// infinite.
func (s *Slope) Interval(r float64) (low, high float64) {
	left, right := s.Left, s.Left
	for _, k := range s.Kinks {
		right.A, right.B = right.A+k.More.A, right.B+k.More.B
	}
	low, high = math.Inf(-1), math.Inf(1)
	if left.B == 0 {
		high = 0 - r*left.A
	}
	if right.B == 0 {
		low = 0 - r*right.A
	}
	return low, high
}

// Slope of max(0, 1 - t s). A loss with costs, margins or a coupling has another one.
func (LabelHinge[T]) Slope(_ int, isTrue bool) Slope {
	if isTrue {
		return Slope{Left: Line{A: -1}, Kinks: [2]Kink{{1, Line{A: 1}}}}
	}
	return Slope{Kinks: [2]Kink{{-1, Line{A: 1}}}}
}

// Slope of max(0, 1 - t s)². A loss with costs, margins or a coupling has another one.
func (SquaredHinge[T]) Slope(_ int, isTrue bool) Slope {
	if isTrue {
		return Slope{Left: Line{-2, 2}, Kinks: [2]Kink{{1, Line{2, -2}}}}
	}
	return Slope{Kinks: [2]Kink{{-1, Line{2, 2}}}}
}

// Slope of max(0, -s).
func (OneClass[T]) Slope(int, bool) Slope {
	return Slope{Left: Line{A: -1}, Kinks: [2]Kink{{0, Line{A: 1}}}}
}

// Slope of max(0, |s - y| - epsilon).
func (l EpsilonInsensitive[T]) Slope(i int, _ bool) Slope {
	y, free := l.target(i, 1, 0), l.epsilon()
	return Slope{Left: Line{A: -1}, Kinks: [2]Kink{{y - free, Line{A: 1}}, {y + free, Line{A: 1}}}}
}

// Slope of max(0, |s - y| - epsilon)².
func (l SquaredEpsilonInsensitive[T]) Slope(i int, _ bool) Slope {
	y, free := l.target(i, 1, 0), l.epsilon()
	low, high := y-free, y+free
	return Slope{Left: Line{-2 * low, 2}, Kinks: [2]Kink{{low, Line{2 * low, -2}}, {high, Line{-2 * high, 2}}}}
}
