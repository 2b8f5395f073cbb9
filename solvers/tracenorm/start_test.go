package tracenorm

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestStart: a training that starts from the result of another one ends at the same optimum, and sooner where the two
// are much alike.
func TestStart(t *testing.T) { prove.Both(t, testStart[float32], testStart[float64]) }

func testStart[T vec.Float](t *testing.T) {
	s := draw(24, 80, 6, 4)
	for _, c := range []Config{{Lambda1: .02, Lambda2: .002}, {Lambda1: .02, Bias: 1}, {Lambda2: .01, Bias: -2},
		{Lambda1: .02, Lambda2: .002, Raw: true, Bias: .5}} {
		if c.Workers, c.Tol = 1, 1e-6; prove.IsF32[T]() {
			c.Tol = 1e-4
		}
		p := Problem[T]{X: dense[T](s), Y: s.y}
		cold := fit(t, p, c)
		p.Start = cold
		again := fit(t, p, c)
		if again.Passes > .6*cold.Passes { // only the memory of L-BFGS is new
			t.Errorf("from its own end, %+v: %s, cold %s", c, told(again), told(cold))
		}
		honest(t, "again", p, c, again)

		near := c // not so far that nothing is gained
		near.Lambda1, near.Lambda2 = c.Lambda1*.9, c.Lambda2*.9
		warm := fit(t, p, near)
		honest(t, "warm", p, near, warm)
		p.Start = nil
		if cold := fit(t, p, near); warm.Passes >= cold.Passes || !prove.IsF32[T]() &&
			warm.Certificate.Dual > cold.Certificate.Primal {
			t.Errorf("%+v: %s, but %s from 0", near, told(warm), told(cold))
		}

		p.Start = warm
		for _, other := range []Config{{Lambda1: .2, Lambda2: .01}, {Lambda1: .005, Lambda2: .005}, {Lambda1: 1e3},
			{Lambda2: .1, Raw: true}, {Lambda1: .02, Bias: 3}, {Lambda1: .02, Rank: 2}} {
			other.Tol, other.Workers, other.Epochs = c.Tol, 1, 300
			r, err := p.Fit(t.Context(), other)
			if err != nil || other.Rank == 0 && !(r.Certificate.RelativeGap() <= c.Tol) {
				t.Fatalf("%+v: %s, %v", other, told(r), err)
			}
			honest(t, "other", p, other, r)
		}
	}
}

// TestStartAtZero: from a model whose W is 0 a training begins as from nothing.
func TestStartAtZero(t *testing.T) {
	s := draw(25, 60, 5, 4)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	p.Start = fit(t, p, Config{Lambda1: 100})
	if len(p.Start.Spectrum) != 0 {
		t.Fatal(told(p.Start))
	}
	c := Config{Lambda1: .02, Tol: 1e-6}
	honest(t, "from 0", p, c, fit(t, p, c))
}

// TestStartElsewhere: the examples of the other training may be others, as many or not.
func TestStartElsewhere(t *testing.T) {
	s := draw(26, 90, 6, 4)
	half := sample{vec.MatrixOf(40, 6, s.x.Data[:240]), s.y[:40], 4}
	c := Config{Lambda1: .02, Lambda2: .002, Tol: 1e-6, Classes: 4, Bias: 1}
	p := Problem[float64]{X: dense[float64](s), Y: s.y,
		Start: fit(t, Problem[float64]{X: dense[float64](half), Y: half.y}, c)}
	honest(t, "of a part", p, c, fit(t, p, c))
}

// TestStartBalanced: the factors that a training starts with are as long as each other, column by
// column.
func TestStartBalanced(t *testing.T) {
	s := draw(24, 80, 6, 4)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	c := Config{Lambda1: .02, Lambda2: .002, Workers: 1}
	p.Start = fit(t, p, c)
	begun, err := p.prepare(c, c.options())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := begun.Begin(); err != nil {
		t.Fatal(err)
	}
	u, v := begun.t.split(begun.t.descent.Z)
	for k := range p.Start.Spectrum {
		if a, b := column(u, k), column(v, k); math.Abs(a-b) > 1e-9*a {
			t.Errorf("column %d: |u|² = %v, |v|² = %v", k, a, b)
		}
	}
}
