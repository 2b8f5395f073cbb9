package interior

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/kernel"
)

// grouped are problems of two and of four groups, in rows that alternate.
func grouped() (all []ranktruth.Problem) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, groups := range []int{2, 4} {
		draw := ranktruth.Draw(rng, 60, 4)
		draw.Kernel = kernel.Linear{}
		for i := range draw.X {
			draw.Groups = append(draw.Groups, i%groups)
		}
		for _, p := range draw.Variants() {
			if !p.PatMat && p.K < 10 {
				all = append(all, p)
			}
		}
	}
	return all
}

// TestGroups: problems within queries come to a gap of 1e-8.
func TestGroups(t *testing.T) {
	for _, p := range grouped() {
		for _, p.C = range []float64{1e-8, 1, 1e8} {
			optimal(t, p, p.Gram(), features(t, p, 2), 1e-8)
		}
	}
}

// TestGroupStates: a state that is loaded goes on to the same bits.
func TestGroupStates(t *testing.T) {
	for _, p := range grouped() {
		first, err := New(problemOf(p, features(t, p, 2)))
		if err != nil {
			t.Fatal(err)
		}
		second, err := New(problemOf(p, features(t, p, 2)))
		if err != nil {
			t.Fatal(err)
		}
		steps := func(s *Solver) {
			for range 4 {
				if err := s.Step(); err != nil {
					t.Fatal(p.Name, err)
				}
			}
		}
		steps(first)
		var file bytes.Buffer
		w := container.NewWriter(&file, "test", 1)
		first.Save(w)
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := container.Open(&file)
		if err != nil {
			t.Fatal(err)
		}
		if second.Load(r); r.Close() != nil {
			t.Fatal(p.Name, r.Err())
		}
		steps(first)
		steps(second)
		if first.mu != second.mu || !slices.Equal(first.sides[0].v, second.sides[0].v) ||
			!slices.Equal(first.s, second.s) {
			t.Errorf("%s: other bits after a resumption", p.Name)
		}
	}
}

// TestGroupsRefused: groups that cannot be are errors.
func TestGroupsRefused(t *testing.T) {
	p := grouped()[1]
	for want, change := range map[string]func(q *Problem){
		"in none of 2 groups":     func(q *Problem) { q.Plus.GroupOf[0] = 2 },
		"or its second":           func(q *Problem) { q.Minus.GroupOf = q.Minus.GroupOf[:1] },
		"side without variables":  func(q *Problem) { clear(q.Minus.GroupOf) },
		"a K that is no Features": func(q *Problem) { q.K = dense(t, p.Gram(), 1) },
		"of at most 0.01 s":       func(q *Problem) { q.Minus.Ratios[1] = .01 },
	} {
		q := problemOf(p, features(t, p, 2))
		change(&q)
		if _, err := New(q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
