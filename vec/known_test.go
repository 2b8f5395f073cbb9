package vec

import "testing"

// TestKnown: a size that cpuid does not know is 0.
func TestKnown(t *testing.T) {
	for size, want := range map[int]int{-1: 0, 0: 0, 32 << 10: 32 << 10} {
		if got := known(size); got != want {
			t.Errorf("a cache of %d bytes, want %d", got, want)
		}
	}
}
