package ascent

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
)

// TestOrderOfState: a state whose epoch goes through other examples than those with a weight is refused.
func TestOrderOfState(t *testing.T) {
	p, o := gaussian[float64](t, 60, 1e-2), Options{Options: solvers.Options{Tol: 1e-3, Workers: 1}}
	for want, change := range map[string]func(order []int){
		"names one that is not visited": func(order []int) { order[7] = 3 }, // whose r_i is 0
		`has the index 1 twice`:         func(order []int) { order[7] = 1 },
		"want one in 0..59":             func(order []int) { order[7] = 60 },
		"":                              slices.Reverse[[]int],
	} {
		s, err := newKernelSolver(p, o)
		if err != nil {
			t.Fatal(err)
		}
		change(s.order)
		var state bytes.Buffer
		w := container.NewWriter(&state, "state", 1)
		s.Save(w)
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := container.Open(&state)
		if err != nil {
			t.Fatal(err)
		}
		got, err := newKernelSolver(p, o)
		if err != nil {
			t.Fatal(err)
		}
		switch got.Load(r); {
		case want == "" && (r.Close() != nil || !slices.Equal(got.order, s.order)):
			t.Errorf("another order: %v", r.Close())
		case want != "" && (!errors.Is(r.Err(), container.ErrCorrupt) || !strings.Contains(r.Err().Error(), want)):
			t.Errorf("error %v, want %q", r.Err(), want)
		}
	}
}
