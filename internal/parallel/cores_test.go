package parallel

import (
	"math"
	"math/bits"
	"runtime"
	"testing"
)

func TestCores(t *testing.T) {
	const many = math.MaxInt32
	for _, c := range []struct{ workers, pieces, want int }{
		{0, many, runtime.GOMAXPROCS(0)}, {1, many, 1}, {1 << 20, many, 1 << 20}, {0, 1, 1},
		{math.MaxInt, 5, 5}, {1<<(bits.UintSize-2) + 3, 5, 5}, {math.MaxInt, 0, 1}, {0, 0, 1},
	} {
		if got, err := Cores(c.workers, c.pieces); got != c.want || err != nil {
			t.Errorf("Cores(%d, %d) = %d, %v, want %d", c.workers, c.pieces, got, err, c.want)
		}
	}
	if _, err := Cores(-3, 1); err == nil || err.Error() != "-3 workers, want at least 0" {
		t.Errorf("Cores(-3): %v", err)
	}
}

func TestWorth(t *testing.T) {
	for _, c := range []struct {
		workers     int
		nanoseconds float64
		want        int
	}{{1, 1e9, 1}, {2, 0, 1}, {2, 79e3, 1}, {2, 81e3, 2}, {8, 130e3, 3}, {8, 1e12, 8},
		{math.MaxInt, math.MaxFloat64, math.MaxInt}, {0, 1e9, 1}} {
		if got := Worth(c.workers, c.nanoseconds); got != c.want {
			t.Errorf("Worth(%d, %v) = %d, want %d", c.workers, c.nanoseconds, got, c.want)
		}
	}
}
