package tracenorm

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/vec"
)

// TestRankOne: the paper's descent comes to the optimum that Fit finds, with true certificates.
func TestRankOne(t *testing.T) {
	for _, p := range truths(t) {
		if p.Lambda1 < .05 {
			continue // thousands of steps
		}
		q := Problem[float64]{X: features[float64](t, p), Y: p.Y}
		c := Config{Lambda1: p.Lambda1, Lambda2: p.Lambda2, Raw: true, Tol: 1e-5, Workers: 1}
		r, steps, err := q.RankOne(t.Context(), c, RankOneOptions{})
		if err != nil || r.Status != solvers.Converged {
			t.Fatalf("%s: %s, %v", p.ID, told(r), err)
		}
		if off := (r.Certificate.Primal - p.Optimum) / p.Optimum; !(off >= -1e-12 && off <= 1e-5) {
			t.Errorf("%s: %v, %.3g from the optimum %v", p.ID, r.Outcome, off, p.Optimum)
		}
		best := fit(t, q, c).Certificate.Primal
		if off := math.Abs(best-r.Certificate.Primal) / best; !(off <= 2e-5) {
			t.Errorf("%s: %v, but %v by Fit", p.ID, r.Certificate.Primal, best)
		}
		last := steps[len(steps)-1]
		if last.Primal != r.Certificate.Primal || last.Dual != r.Certificate.Dual || last.Passes != r.Passes ||
			last.Atoms < p.Rank {
			t.Errorf("%s: the last of the steps is %+v, the outcome %v", p.ID, last, r.Outcome)
		}
		for q, s := range steps[1:] {
			if s.Steps <= steps[q].Steps || s.Passes < steps[q].Passes || s.Primal > steps[q].Primal*(1+1e-12) {
				t.Errorf("%s: after %+v comes %+v", p.ID, steps[q], s)
			}
		}
		honest(t, p.ID, q, c, r)
	}
}

// TestRankOneForms: in each storage and both types, with weights, mean and bias, and with one of the penalties alone.
func TestRankOneForms(t *testing.T) {
	prove.Both(t, testRankOneForms[float32], testRankOneForms[float64])
}

func testRankOneForms[T vec.Float](t *testing.T) {
	s := draw(3, 40, 5, 3)
	for form, x := range forms[T](t, s) {
		for _, c := range []Config{{Lambda1: .05, Lambda2: .01, Bias: 1}, {Lambda1: .1}, {Lambda2: .1, Raw: true}, {}} {
			c.Tol, c.Workers = .01, 2
			p := Problem[T]{X: x, Y: s.y, Weights: uneven(40)}
			r, _, err := p.RankOne(t.Context(), c, RankOneOptions{})
			if err != nil || r.Status != solvers.Converged {
				t.Fatalf("%s, %+v: %s, %v", form, c, told(r), err)
			}
			honest(t, form, p, c, r)
		}
	}
}

// TestRankOneStops: at the last step and where the context ends, with a true certificate; a certificate each so many
// steps.
func TestRankOneStops(t *testing.T) {
	s := draw(4, 40, 5, 3)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	c := Config{Lambda1: .01, Lambda2: .001, Tol: 1e-9, Workers: 1}
	r, steps, err := p.RankOne(t.Context(), c, RankOneOptions{Steps: 7, Every: 2})
	if err != nil || r.Status != solvers.EpochLimit {
		t.Fatalf("%s, %v", told(r), err)
	}
	honest(t, "at the last step", p, c, r)
	var at []int
	for _, s := range steps {
		at = append(at, s.Steps)
	}
	if !slices.Equal(at, []int{2, 4, 6, 7}) && !slices.Equal(at, []int{0, 2, 4, 6, 7}) {
		t.Errorf("certificates after %d steps", at)
	}
	for _, left := range []int64{0, 1, 5} {
		r, _, err := p.RankOne(statetest.Soon(left), c, RankOneOptions{})
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled {
			t.Fatalf("%s, %v", told(r), err)
		}
		honest(t, "canceled", p, c, r)
	}
	for _, o := range []RankOneOptions{{Steps: -1}, {Every: -2}} {
		r, steps, err := p.RankOne(t.Context(), c, o)
		if r != nil || steps != nil || err == nil || !strings.HasPrefix(err.Error(), "tracenorm: Steps = ") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
