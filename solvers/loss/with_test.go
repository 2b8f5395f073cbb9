package loss

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestWith: a loss takes the parameters that are its fields, and refuses others and those out of range.
func TestWith(t *testing.T) {
	names := map[string]bool{}
	for _, e := range entries[float64](3) {
		name := e.Traits().Name
		names[name] = true
		has := func(field string) bool { return reflect.ValueOf(e.Loss).FieldByName(field).IsValid() }
		for _, p := range []struct {
			k         int
			smoothing float64
			number    string // that the error names; "" for none
		}{
			{1, 0, ""}, {7, 0, unless(has("K"), "7")}, {1, 0.5, unless(has("Smoothing"), "0.5")},
			{0, 0, "0"}, {-1, 0, "-1"},
			{1, -2, "-2"}, {1, math.NaN(), "NaN"}, {1, math.Inf(1), "+Inf"}, {1, math.Inf(-1), "-Inf"},
		} {
			l, err := e.With(p.k, p.smoothing)
			if p.number != "" {
				message := fmt.Sprint(err)
				if l != nil || !strings.HasPrefix(message, "loss: ") || !strings.Contains(message, p.number) {
					t.Errorf("%s: K = %d, smoothing %v: %v, error %v", name, p.k, p.smoothing, l, err)
				}
				continue
			}
			plain, _, _ := strings.Cut(name, " and smoothing") // which a name may tell
			if err != nil || !strings.HasPrefix(l.Traits().Name, plain) {
				t.Errorf("%s: K = %d, smoothing %v: %v, error %v", name, p.k, p.smoothing, l, err)
				continue
			}
			for field, want := range map[string]any{"K": p.k, "Smoothing": p.smoothing} {
				if got := reflect.ValueOf(l).FieldByName(field); has(field) && fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s: %s = %v, want %v", name, field, got, want)
				}
			}
		}
	}
	for _, name := range []string{
		"top-k hinge", "top-k Usunier", "top-k entropy", "multilabel hinge", "multilabel softmax",
	} {
		if !names[name] {
			t.Errorf("no %s", name)
		}
	}
}

func unless(has bool, number string) string {
	if has {
		return ""
	}
	return number
}
