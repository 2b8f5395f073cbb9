package container

import "testing"

// TestCounts: counts are neither negative nor so large that steps would not fit in 32 bits.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		of   []int
		want bool
	}{
		{nil, true}, {[]int{0}, true}, {[]int{1<<30 - 1, 0}, true}, {[]int{5, 1 << 30}, false}, {[]int{-1, 5}, false},
	} {
		if got := Counts(c.of...); got != c.want {
			t.Errorf("%d: %t", c.of, got)
		}
	}
}
