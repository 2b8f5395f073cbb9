package vec

import "testing"

// TestByteSize: sizes are in the largest unit of which they are whole numbers.
func TestByteSize(t *testing.T) {
	for n, want := range map[int]string{0: "0 B", 1: "1 B", 1023: "1023 B", 1024: "1 KiB", 1025: "1025 B",
		2048:    "2 KiB",
		1 << 20: "1 MiB", 1<<20 + 1024: "1025 KiB", 1<<20 - 1024: "1023 KiB", 3 << 20: "3 MiB"} {
		if got := byteSize(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
