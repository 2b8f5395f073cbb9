package alternate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// TestFlagsAreSaved: a state says whether the other examples were looked at, and whether the last step was the one that
// is known to descend.
func TestFlagsAreSaved(t *testing.T) {
	p := blobs[float64](t, 40, 3, 1.25, 1)
	for _, flags := range [][2]bool{{false, false}, {true, false}, {false, true}} {
		s, again := solver(t, p), solver(t, p)
		s.Epoch(context.Background())
		s.looked, s.last.known = flags[0], flags[1]
		if err := reload(t, s, again); err != nil || again.looked != flags[0] || again.last.known != flags[1] {
			t.Errorf("looked %t, known %t, want %v, %v", again.looked, again.last.known, flags, err)
		}
	}
}

// TestCountsAreRefused: a state with a count below 0 is refused, whichever it is.
func TestCountsAreRefused(t *testing.T) {
	p := blobs[float64](t, 40, 3, 1.25, 1)
	for k := range 5 {
		s := solver(t, p)
		s.Epoch(context.Background())
		*[]*int{&s.epoch, &s.before, &s.steps, &s.since, &s.rounds}[k] = -1
		if err := reload(t, s, solver(t, p)); !errors.Is(err, container.ErrCorrupt) {
			t.Errorf("count %d below 0: %v", k, err)
		}
	}
}

// reload saves the state of one solver and loads it into another.
func reload(t *testing.T, from, to *Solver[float64]) error {
	t.Helper()
	var file bytes.Buffer
	w := container.NewWriter(&file, "test", 1)
	from.Save(w)
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

// TestActivateKeeps: examples that stay active keep their dual variables, wherever they stand, the first included.
func TestActivateKeeps(t *testing.T) {
	s := solver(t, blobs[float64](t, 40, 3, 1.25, 1))
	s.Epoch(context.Background())
	at, want := slices.Clone(s.levels.At()), map[int]string{}
	for p, i := range at {
		row := s.in.Duals().Row(p)
		row[(i+1)%3], row[i%3] = row[(i+1)%3]-.125, row[i%3]+.125
		s.in.Set(p, row)
		want[i] = fmt.Sprint(s.in.Duals().Row(p))
	}
	for _, to := range [][]int{slices.Clone(at[:len(at)/2]), slices.Clone(at)} {
		before := slices.Clone(s.levels.At())
		if err := s.Activate(to); err != nil {
			t.Fatal(err)
		}
		for p, i := range s.levels.At() {
			if slices.Contains(before, i) && fmt.Sprint(s.in.Duals().Row(p)) != want[i] {
				t.Errorf("example %d, in place %d: %v, want %s", i, p, s.in.Duals().Row(p), want[i])
			}
		}
	}
}

// TestEvaluateRepairs: the dual value is the value of dual variables in their domain, whatever rounding has made of the
// given ones; the primal value is the value of the model alone.
func TestEvaluateRepairs(t *testing.T) {
	p := blobs[float64](t, 12, 3, 1.25, 1)
	s := solver(t, p)
	off, in := vec.NewMatrix[float64](12, 3), vec.NewMatrix[float64](12, 3)
	var work loss.Workspace[float64]
	for i := 1; i < 12; i++ { // the first does not count
		row := off.Row(i)
		row[(i+1)%3], row[(i+2)%3], row[i%3] = -.25, -.125, .375+.03125*float64(i)
		copy(in.Row(i), row)
		s.inner.Exact.Repair(in.Row(i), s.inner.Labels.Of(i), 1, &work)
	}
	if slices.Equal(off.Data, in.Data) {
		t.Fatal("nothing to repair: this test cannot fail")
	}
	eta := slices.Repeat([]float64{1}, s.b.Kernels())
	got, err := s.Evaluate(eta, in, off)
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.Evaluate(eta, in, in)
	if err != nil || got != want {
		t.Errorf("%v, of variables in their domain %v, %v", got, want, err)
	}
}
