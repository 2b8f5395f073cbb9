package container

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestFields: what fields of every type wrote comes back by the same list, also from sections that Ints and Floats
// wrote; numbers that cannot be are errors.
func TestFields(t *testing.T) {
	type state struct {
		epoch, visits int
		begun         bool
		gap           float64
		x             []float64
	}
	list := func(s *state, do func(tag string, of ...any)) {
		do("i", &s.epoch, &s.begun, &s.visits)
		do("f", s.x, &s.gap)
	}
	want := state{3, 7, true, .5, []float64{1, -2}}
	for _, write := range []func(w *Writer){
		func(w *Writer) { list(&want, w.Fields) },
		func(w *Writer) { w.Ints("i", 3, 1, 7); Floats(w, "f", []float64{1, -2, .5}) },
	} {
		r, err := Open(file(t, write))
		if err != nil {
			t.Fatal(err)
		}
		got := state{x: make([]float64, 2)}
		list(&got, r.FiniteFields)
		if r.Close() != nil || got.epoch != 3 || got.visits != 7 || !got.begun || got.gap != .5 ||
			!slices.Equal(got.x, want.x) {
			t.Errorf("%+v, error %v", got, r.Err())
		}
	}
	for text, s := range map[string]state{
		`section "i" holds -1, want at least 0`:      {visits: -1, x: want.x},
		`section "f" holds NaN, want finite numbers`: {gap: math.NaN(), x: want.x},
		`section "f" has 4 elements, want 3`:         {x: make([]float64, 3)},
	} {
		r, err := Open(file(t, func(w *Writer) { list(&s, w.Fields) }))
		if err != nil {
			t.Fatal(err)
		}
		got := state{x: make([]float64, 2)}
		list(&got, r.FiniteFields)
		if !errors.Is(r.Err(), ErrCorrupt) || !strings.Contains(r.Err().Error(), text) || got.visits != 0 ||
			got.gap != 0 {
			t.Errorf("%+v, error %v, want %q", got, r.Err(), text)
		}
	}
	r, err := Open(file(t, func(w *Writer) { Floats(w, "f", []float64{math.NaN()}) }))
	v := 0.0
	if err == nil {
		r.Fields("f", &v)
	}
	if err != nil || r.Err() != nil || v == v {
		t.Errorf("%v, errors %v, %v, want NaN", v, err, r.Err())
	}
}
