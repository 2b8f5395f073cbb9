package parallel

import (
	"runtime"
	"testing"
)

func TestCores(t *testing.T) {
	for workers, want := range map[int]int{0: runtime.GOMAXPROCS(0), 1: 1, 1 << 20: 1 << 20} {
		if got, err := Cores(workers); got != want || err != nil {
			t.Errorf("Cores(%d) = %d, %v, want %d", workers, got, err, want)
		}
	}
	if _, err := Cores(-3); err == nil || err.Error() != "-3 workers, need at least 0" {
		t.Errorf("Cores(-3): %v", err)
	}
}
