package active

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
)

// TestLevels: levels are nested, four times as large each, and end with all examples; what is active has its place.
func TestLevels(t *testing.T) {
	for _, n := range []int{1, 2, 99, 100, 201, 1000, 4321} {
		all := rand.New(rand.NewPCG(1, 2)).Perm(n + 5)[:n]
		s, seen, sizes := New(n+5, slices.Clone(all), 50), 0, 0
		for {
			check(t, s, all)
			if fresh := len(s.at); sizes == 0 {
				seen, sizes = fresh, 1
				if fresh > 100 || n >= 100 && fresh < 25 {
					t.Errorf("%d examples: %d at first", n, fresh)
				}
			}
			if s.Last() {
				break
			}
			fresh := s.Advance()
			if !slices.Equal(fresh, all[seen:seen+len(fresh)]) || len(fresh) < 3*seen {
				t.Fatalf("%d examples: %v after %d", n, fresh, seen)
			}
			seen, sizes = seen+len(fresh), sizes+1
			s.Activate(append(slices.Clone(s.at[:len(s.at)/2]), fresh[:len(fresh)/3]...))
		}
		if seen != n {
			t.Errorf("%d examples: %d in the end", n, seen)
		}
	}
}

func check(t *testing.T, s *Set, all []int) {
	t.Helper()
	for _, i := range all {
		if p := s.Place(i); (p >= 0) != slices.Contains(s.At(), i) || p >= 0 && s.At()[p] != i ||
			(p < 0) != slices.Contains(s.Others(), i) {
			t.Fatalf("example %d is at %d of %v, others %v", i, p, s.At(), s.Others())
		}
	}
	if len(s.Others())+len(s.At()) != len(s.All()) {
		t.Fatalf("%d active, %d others of %d", len(s.At()), len(s.Others()), len(s.All()))
	}
}

// TestFile: a Set comes back from a file as it was; one of other examples does not.
func TestFile(t *testing.T) {
	fresh := func(seed uint64, n int) *Set {
		return New(500, rand.New(rand.NewPCG(seed, 3)).Perm(450)[:n], 20)
	}
	s := fresh(1, 450)
	s.Activate(append([]int{s.all[3], s.all[1]}, s.Advance()[5:9]...))
	write := func(change func()) *container.Reader {
		var file bytes.Buffer
		w := container.NewWriter(&file, "state", 1)
		change()
		s.Save(w)
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := container.Open(&file)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	got := fresh(2, 450)
	r := write(func() {})
	if got.Load(r); r.Close() != nil || !slices.Equal(got.all, s.all) || !slices.Equal(got.at, s.at) ||
		!slices.Equal(got.place, s.place) || got.size != s.size {
		t.Errorf("%v, %+v, want %+v", r.Close(), got, s)
	}
	all, at, size := slices.Clone(s.all), slices.Clone(s.at), s.size
	for what, change := range map[string]func(){
		"an example twice":        func() { s.all[0] = s.all[1] },
		"an example too large":    func() { s.all[0] = 470 },
		"active twice":            func() { s.at[0] = s.at[1] },
		"active but none of them": func() { s.at[0] = 499 },
		"none active":             func() { s.at = nil },
		"no level":                func() { s.size = 0 },
		"a level too large":       func() { s.size = 451 },
	} {
		r := write(change)
		if fresh(2, 450).Load(r); !errors.Is(r.Err(), solvers.ErrCorrupt) {
			t.Errorf("%s: %v", what, r.Err())
		}
		s.all, s.at, s.size = slices.Clone(all), slices.Clone(at), size
	}
	r = write(func() {})
	if fresh(2, 449).Load(r); r.Err() == nil {
		t.Error("a set of other examples")
	}
}
