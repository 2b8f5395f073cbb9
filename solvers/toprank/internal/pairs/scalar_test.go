package pairs

import (
	"math"
	"testing"
)

// TestScalar: the search passes a guess by a little, so that the solution lies between two values from then on, and
// comes to the root of a falling slope, with a guess and without one, below the largest value.
func TestScalar(t *testing.T) {
	for _, c := range []struct{ at, slope, guess, most, from, to float64 }{
		{10, -1, 2, 100, 1.8, 1.95}, {1, 1, 5, 100, 5.1, 5.5}, {1, 1, 5, 5.05, 5.05, 5.05},
		{10, -1, 9.9, 100, 5, 5}, {1, 1, 1.01, 100, 2, 2}, {1, 1, 500, 1000, 2, 2}, {1, -1, 1e-3, 10, .5, .5},
	} {
		s := scalar{at: c.at}
		if got := s.next(c.slope, c.guess, c.most); got < c.from || got > c.to {
			t.Errorf("%+v: %v", c, got)
		}
	}
	for _, root := range []float64{1e-6, .3, 1, 40} {
		for _, guess := range []float64{0, root, root * 1.01} {
			s, nearest := scalar{at: 1}, math.Inf(1)
			for range 60 { // where there is nothing left to find it begins anew
				nearest = min(nearest, math.Abs(s.at-root))
				s.at = s.next(math.Log(root/s.at), guess, 50)
			}
			if nearest > 1e-12*root {
				t.Errorf("guess %v: off by %v from %v", guess, nearest, root)
			}
		}
	}
}
