package loss

import (
	"slices"
	"strings"
	"testing"
)

// TestNamed: every loss is found by its name, with its parameters, in both types; the table has all that the tests
// know, but for weights of one's own.
func TestNamed(t *testing.T) {
	names := Names()
	for _, e := range entries[float64](1) {
		name := e.Traits().Name
		if !slices.Contains(names, name) && !strings.HasPrefix(name, "Usunier with weights") {
			t.Errorf("%q is not in %q", name, names)
		}
	}
	for k, name := range names {
		if slices.Index(names, name) != k {
			t.Errorf("%q twice", name)
		}
		double, err := Named[float64](name, 1, 0)
		single, err32 := Named[float32](name, 1, 0)
		if err != nil || err32 != nil || double.Traits().Name != name || double.Traits() != single.Traits() {
			t.Errorf("%q: %v, %v, %v, %v", name, double, single, err, err32)
		}
	}
	if l, err := Named[float32]("top-k Usunier", 4, .5); err != nil || l != (TopKUsunier[float32]{4, .5}) {
		t.Error(l, err)
	}
	for name, want := range map[string]string{"top-k": "top-k hinge, top-k Usunier", "": `no loss ""`,
		"top-k entropy": "Smoothing = 0.5 with the top-k entropy"} {
		if l, err := Named[float64](name, 1, .5); l != nil || err == nil || !strings.HasPrefix(err.Error(), "loss: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %q", name, l, err, want)
		}
	}
}
