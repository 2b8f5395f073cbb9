package solvers_test

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// at is a point whose measures are: on each part, of the given place in the order.
type at struct{ solvers.Validation }

func newAt(order int, smaller bool, folds ...[]float64) at {
	v := solvers.Validation{Order: order}
	for _, f := range folds {
		v.Measures = append(v.Measures, solvers.NewMeasured(solvers.Measure{Name: "m", Smaller: smaller}, f))
	}
	return at{v}
}

// TestNewMeasured: mean, standard deviation and standard error are the ones of the parts.
func TestNewMeasured(t *testing.T) {
	m := solvers.NewMeasured(solvers.Measure{Name: "loss", Smaller: true}, []float64{1, 3, 5, 7})
	if m.Name != "loss" || !m.Smaller || m.Mean != 4 || m.Spread != math.Sqrt(5) ||
		m.StandardError() != math.Sqrt(5)/2 {
		t.Errorf("%+v, standard error %v", m, m.StandardError())
	}
}

// TestBest: the largest mean, or the smallest; of equal ones the most regularized point, then the first; -1 where there
// is none.
func TestBest(t *testing.T) {
	one := func(v float64) []float64 { return []float64{v} }
	none := at{}
	for name, c := range map[string]struct {
		points        []at
		measure, want int
	}{
		"nothing":              {nil, 0, -1},
		"no measures":          {[]at{none, none}, 0, -1},
		"no such measure":      {[]at{newAt(0, false, one(1))}, 1, -1},
		"negative":             {[]at{newAt(0, false, one(1))}, -1, -1},
		"largest":              {[]at{newAt(0, false, one(1)), newAt(1, false, one(3)), newAt(2, false, one(2))}, 0, 1},
		"smallest":             {[]at{newAt(0, true, one(1)), newAt(1, true, one(3)), newAt(2, true, one(2))}, 0, 0},
		"second measure":       {[]at{newAt(0, false, one(9), one(1)), newAt(1, false, one(3), one(2))}, 1, 1},
		"equal":                {[]at{newAt(2, false, one(1)), newAt(1, false, one(1)), newAt(1, false, one(1))}, 0, 1},
		"some without":         {[]at{none, newAt(1, false, one(1)), none}, 0, 1},
		"NaN is never best":    {[]at{newAt(0, false, one(math.NaN())), newAt(1, false, one(1))}, 0, 1},
		"NaN is never best, 2": {[]at{newAt(1, true, one(1)), newAt(0, true, one(math.NaN()))}, 0, 0},
	} {
		if got := solvers.Best(c.points, c.measure); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestOneStandardError: the most regularized point within the standard error of the best; larger or smaller.
func TestOneStandardError(t *testing.T) {
	// Mean m with standard error 1: spread 2 over 4 parts.
	folds := func(m float64) []float64 { return []float64{m - 2, m + 2, m - 2, m + 2} }
	for _, sign := range []float64{1, -1} {
		point := func(order int, m float64) at { return newAt(order, sign < 0, folds(sign*m)) }
		for name, c := range map[string]struct {
			points []at
			want   int
		}{
			"alone":          {[]at{point(0, 1)}, 0},
			"within":         {[]at{point(0, 8), point(1, 9.5), point(2, 10)}, 1},
			"at the edge":    {[]at{point(0, 9), point(1, 9.5), point(2, 10)}, 0},
			"beyond":         {[]at{point(0, 8.9), point(1, 10)}, 1},
			"by the order":   {[]at{point(3, 10), point(2, 9.5), point(0, 5), point(1, 9.4)}, 3},
			"equal":          {[]at{point(1, 9.5), point(0, 9.5), point(0, 10)}, 1},
			"some without":   {[]at{{}, point(1, 9.5), point(2, 10)}, 1},
			"less regular":   {[]at{point(1, 10), point(2, 9.9)}, 0},
			"nothing at all": {nil, -1},
		} {
			if got := solvers.OneStandardError(c.points, 0); got != c.want {
				t.Errorf("%s, sign %v: %d, want %d", name, sign, got, c.want)
			}
		}
	}
}
