package prove

import "testing"

// TestThinned: of 131 lengths and 16 places every length and every place is taken, by every part up to all 16 places,
// and every remainder of a length by 8 with 4 places at least.
func TestThinned(t *testing.T) {
	for of := 1; of <= 16; of++ {
		var lengths [131]int
		var places [16]int
		remainders := map[int]map[int]bool{}
		for i := range lengths {
			for j := range places {
				if !Thinned(i, j, of) {
					continue
				}
				lengths[i]++
				places[j]++
				if remainders[i%8] == nil {
					remainders[i%8] = map[int]bool{}
				}
				remainders[i%8][j] = true
			}
		}
		for i, n := range lengths {
			if n < 16/of || n > (15+of)/of {
				t.Errorf("of = %d: length %d at %d places", of, i, n)
			}
		}
		for j, n := range places {
			if n < 131/of-2 || n > 131/of+2 {
				t.Errorf("of = %d: place %d for %d lengths", of, j, n)
			}
		}
		for r, at := range remainders {
			if len(at) < 4 {
				t.Errorf("of = %d: lengths that are %d mod 8 at %d places", of, r, len(at))
			}
		}
	}
}

// TestQuick: without the variable all cases are taken.
func TestQuick(t *testing.T) {
	for want, value := range map[bool]string{true: "", false: "1"} {
		t.Setenv("DUALGAP_QUICK", value)
		if got := Visits(1, 1, 16); got != want || Quick() == want {
			t.Errorf("DUALGAP_QUICK=%s: %t", value, got)
		}
	}
}
