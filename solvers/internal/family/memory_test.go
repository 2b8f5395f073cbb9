package family

import "testing"

// TestNumbers: a part of a Memory has the bytes of its formula.
func TestNumbers(t *testing.T) {
	for want, p := range map[string]struct {
		text  string
		bytes float64
	}{
		"weights": {"7 features x 3 classes x 4 bytes x 2.5", 210},
		"duals":   {"7 features x 8 bytes", 56},
	} {
		got := Numbers("duals", 1, 8, 7, "features", 1, "")
		if want == "weights" {
			got = Numbers("weights", 2.5, 4, 7, "features", 3, "classes")
		}
		if got.What != want || got.Formula != p.text || got.Bytes != p.bytes {
			t.Errorf("%+v, want %+v", got, p)
		}
	}
}
