package toprank

import (
	"math"
	"slices"
	"testing"
)

// TestSplit: the parts have the sizes of the paper's Table 2 but for one example, as many positive ones in proportion,
// and together all examples of the set. Another seed draws other parts.
func TestSplit(t *testing.T) {
	for _, s := range openSets() {
		a, err := s.split(1)
		if err != nil {
			t.Fatal(err)
		}
		printed := printedSets[s.name]
		if s.test != nil {
			printed = [6]float64{2000, 9.4, 1000, 9.4, 1000, 10.7}
		}
		var sums []float64
		for k, p := range a.parts() {
			n := float64(len(p.positive))
			// One example more or less, and rounding to a tenth of a percent.
			if p.x.Rows != len(p.positive) || math.Abs(n-printed[2*k]) > 1 ||
				math.Abs(p.percent()-printed[2*k+1]) > 100/n+.05 {
				t.Errorf("%s: %v examples, %v%% positive, want %v", s.name, n, p.percent(), printed[2*k:2*k+2])
			}
			if s.test == nil || k < 2 {
				sums = append(sums, rows(*p)...)
			}
		}
		all := rows(s.train)
		slices.Sort(all)
		slices.Sort(sums)
		if !slices.Equal(all, sums) {
			t.Errorf("%s: the parts together are not the set", s.name)
		}
		if b, err := s.split(2); err != nil || slices.Equal(rows(a.train), rows(b.train)) {
			t.Errorf("%s: seeds 1 and 2 draw the same examples: %v", s.name, err)
		}
	}
}

// rows returns a number for each example that tells it from others.
func rows(p part) (sums []float64) {
	for i, y := range p.positive {
		sum := 0.0
		for j, v := range p.x.Row(i) {
			sum += float64(v) * math.Sqrt(float64(j+2))
		}
		if y {
			sum += 1e6
		}
		sums = append(sums, sum)
	}
	return sums
}

// TestStandardized: mean 0 and variance 1 in the training part, up to the rounding of its n float32 numbers, and the
// same map in the others.
func TestStandardized(t *testing.T) {
	raw, err := openSets()[3].split(1)
	if err != nil {
		t.Fatal(err)
	}
	some := []int{5, 3, 17}
	raw.valid, raw.test = raw.train.of(some), raw.train.of(some)
	s, err := raw.standardized()
	if err != nil {
		t.Fatal(err)
	}
	for j := range s.train.x.Cols {
		mean, square := 0.0, 0.0
		for i := range s.train.x.Rows {
			v := float64(s.train.x.Row(i)[j])
			mean, square = mean+v/float64(s.train.x.Rows), square+v*v/float64(s.train.x.Rows)
		}
		if math.Abs(mean) > 0x1p-20 || math.Abs(square-1) > 0x1p-20 {
			t.Errorf("column %d: mean %v, variance %v", j, mean, square)
		}
	}
	for _, p := range []part{s.valid, s.test} {
		if !slices.Equal(rows(p), rows(s.train.of(some))) {
			t.Errorf("the same examples in another part are scaled in another way")
		}
	}
}
