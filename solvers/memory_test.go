package solvers

import "testing"

func TestMemory(t *testing.T) {
	m := Memory{{"small", "1 x 1", 1}, {"labels", "3 examples x 8 bytes", 24},
		{"weights", "2 features x 1000 classes x 4 bytes", 8000}, {"scores", "a", 8000}}
	if got := m.Bytes(); got != 16025 {
		t.Errorf("%v bytes", got)
	}
	if got, want := m.String(), "8 KB: weights, 2 features x 1000 classes x 4 bytes\n8 KB: scores, a"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := (Memory{}).String(); got != "" {
		t.Errorf("none: %q", got)
	}
	for v, want := range map[float64]string{0: "0 B", 999.6: "1 KB", 123456: "123 KB", 2.5e19: "2.5e+04 PB"} {
		if got := bytesText(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
