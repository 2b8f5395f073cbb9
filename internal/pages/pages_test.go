package pages

import "testing"

func TestInside(t *testing.T) {
	for _, c := range [][4]uintptr{
		{0, 2 * size, 0, 2 * size},
		{8, 2 * size, size - 8, 2*size - 8},
		{size - 8, 2*size + 8, 8, 2*size + 8},
		{size + 8, 2*size + 4096, size - 8, 2*size - 8},
		{3 * size, 2*size + 4096, 0, 2 * size},
	} {
		if from, to := inside(c[0], c[1]); from != c[2] || to != c[3] {
			t.Errorf("%d bytes at %d: [%d, %d), want [%d, %d)", c[1], c[0], from, to, c[2], c[3])
		}
	}
}

// Memory holds what it held, is written and read as before.
func TestHuge(t *testing.T) {
	Huge([]float32(nil))
	Huge(make([]float32, 100))
	memory := make([]float64, 3*size/8+17)
	memory[0], memory[len(memory)-1] = 1, 2
	Huge(memory)
	for i := range memory {
		memory[i] += float64(i)
	}
	for i, v := range memory {
		want := float64(i)
		switch i {
		case 0:
			want++
		case len(memory) - 1:
			want += 2
		}
		if v != want {
			t.Fatalf("%v at %d, want %v", v, i, want)
		}
	}
}
