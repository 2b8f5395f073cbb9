package active

import (
	"errors"
	"slices"
	"testing"
)

// trainee wants the multiples of a number.
type trainee struct {
	*Levels
	multiple int
	gap      float64
	fresh    []bool // of each look
	err      error
}

func (t *trainee) Support() []int { return t.At()[:1] }

func (t *trainee) Look(rows []int, fresh bool) (wanted []int, err error) {
	t.fresh = append(t.fresh, fresh)
	for _, i := range rows {
		if i%t.multiple == 0 {
			wanted = append(wanted, i)
		}
	}
	return wanted, t.err
}

func (t *trainee) Gap() float64 { return t.gap }

func (t *trainee) Activate(rows []int) error { t.Levels.Activate(rows); return nil }

// TestWiden: a level that is over is followed by the next one's support vectors and what Look returns of its fresh
// examples; at the last one what is wanted of all others comes in while the gap of all is too large, and where nothing
// is, the goal is halved.
func TestWiden(t *testing.T) {
	const tol = 1e-3
	all := make([]int, 400)
	for i := range all {
		all[i] = i
	}
	for tol, policy := range map[float64]Policy{.5: Ascent, tol: Pairs} {
		if l := NewLevels(policy, tol, 400, all, false); !l.Last() || l.Goal != l.Look*tol {
			t.Errorf("levels that do not pay: last %t, goal %v", l.Last(), l.Goal)
		}
	}
	policy := Many
	policy.First = 25
	l := NewLevels(policy, tol, 400, all, true)
	s := &trainee{Levels: l, multiple: 10}
	if l.Last() || l.Goal != policy.Loose {
		t.Fatalf("last %t, goal %v", l.Last(), l.Goal)
	}
	for size := len(l.Level()); !l.Last(); size = len(l.Level()) {
		first := l.At()[0]
		if err := l.Widen(s, tol); err != nil || !s.fresh[len(s.fresh)-1] || l.At()[0] != first {
			t.Fatalf("%v, fresh %t, %v active", err, s.fresh, l.At())
		}
		for i := size; i < len(l.Level()); i++ {
			if slices.Contains(l.At(), i) != (i%10 == 0) {
				t.Fatalf("%v active of a level of %d", l.At(), len(l.Level()))
			}
		}
	}
	if l.Goal != policy.Look*tol {
		t.Errorf("goal %v", l.Goal)
	}
	at, goal := slices.Clone(l.At()), l.Goal
	s.gap, s.multiple = .8*tol, 7
	if err := l.Widen(s, tol); err != nil || s.fresh[len(s.fresh)-1] || !slices.Equal(l.At(), at) || l.Goal != goal {
		t.Errorf("%v: a gap of %v made %v active, goal %v", err, s.gap, l.At(), l.Goal)
	}
	s.gap = tol
	if err := l.Widen(s, tol); err != nil || !slices.Contains(l.At(), 49) || !slices.Equal(l.At()[:len(at)], at) {
		t.Errorf("%v: %v active, before %v", err, l.At(), at)
	}
	at = slices.Clone(l.At())
	if err := l.Widen(s, tol); err != nil || !slices.Equal(l.At(), at) || l.Goal != goal/2 {
		t.Errorf("%v: nothing is wanted, goal %v, %v active", err, l.Goal, l.At())
	}
	s.err, s.multiple = errors.New("broken"), 3
	if err := l.Widen(s, tol); err != s.err || !slices.Equal(l.At(), at) {
		t.Errorf("%v, %v active", err, l.At())
	}
}
