package interior

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
)

// TestState: a Solver that loads a state takes the same steps to the bit, with any number of workers; what is damaged,
// or of another problem, is refused.
func TestState(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	draw, other := ranktruth.Draw(rng, 40, 3), ranktruth.Draw(rng, 41, 3)
	for v, p := range draw.Variants() {
		k := p.Gram()
		fresh := func(workers int) *Solver {
			s, err := New(problemOf(p, dense(t, k, workers)))
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		steps := func(s *Solver, n int) {
			for range n {
				if err := s.Step(); err != nil {
					t.Fatal(err)
				}
			}
		}
		first := fresh(1)
		steps(first, 3)
		load := func(to *Solver, change func(s *Solver)) error {
			s := fresh(1)
			steps(s, 3)
			change(s)
			var file bytes.Buffer
			w := container.NewWriter(&file, "state", 1)
			s.Save(w)
			if _, err := w.Close(); err != nil {
				t.Fatal(err)
			}
			r, err := container.Open(&file)
			if err != nil {
				t.Fatal(err)
			}
			to.Load(r)
			return r.Close()
		}
		second := fresh(3)
		if err := load(second, func(*Solver) {}); err != nil {
			t.Fatal(err)
		}
		steps(first, 3)
		steps(second, 3)
		for i := range first.sides {
			same := slices.Equal(first.sides[i].state.Data, second.sides[i].state.Data) && first.mu == second.mu
			if !same || !slices.Equal(first.s, second.s) || !slices.Equal(first.y, second.y) {
				t.Errorf("%s: other bits after a resumption", p.Name)
			}
		}
		for what, change := range map[string]func(s *Solver){
			"number 2 of a point is -1":       func(s *Solver) { s.sides[0].v[2] = -1 },
			"number 1 of a point is NaN":      func(s *Solver) { s.sides[1].v[1] = math.NaN() },
			"holds +Inf, want finite numbers": func(s *Solver) { s.y[0][0] = math.Inf(1) },
			"for 14 variables": func(s *Solver) {
				q, err := New(problemOf(other.Variants()[v], dense(t, other.Gram(), 1)))
				if err != nil {
					t.Fatal(err)
				}
				s.sides[0].set(q.sides[1].state)
			},
		} {
			if err := load(fresh(1), change); !errors.Is(err, container.ErrCorrupt) ||
				!strings.Contains(err.Error(), what) {
				t.Errorf("%s: error %v, want %q", p.Name, err, what)
			}
		}
	}
}
