package report

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestVerdicts: claims and targets are one line each, in one wording.
func TestVerdicts(t *testing.T) {
	var text strings.Builder
	r, err := New(&text, io.Discard, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Claim(true, "Table 1", "more is better", "%d%% against %d%%", 3, 2),
		r.Target(false, "within 2 s", "%.1f s", 2.5)); err != nil {
		t.Fatal(err)
	}
	want := "claim, Table 1: more is better: found 3% against 2%: HOLDS\n" +
		"target: within 2 s: found 2.5 s: DOES NOT HOLD\n"
	if text.String() != want {
		t.Errorf("printed\n%s, want\n%s", text.String(), want)
	}
}
