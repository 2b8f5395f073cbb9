package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// A model made of its parts has the scores of the model, bit for bit, for dense, sparse and precomputed ones.
func TestParts(t *testing.T) {
	for name, x := range draw[float64](rand.New(rand.NewPCG(51, 52)), 9, 40, 1) {
		for _, k := range []Kernel{Linear{}, Gaussian{.1}, Sum{{1, Polynomial{Degree: 2}}, {1, Constant{2}}}, nil} {
			matrix, err := New(x, Linear{}, 0)
			if k != nil {
				matrix, err = New(x, k, 0)
			}
			if err != nil {
				t.Fatal(err)
			}
			test := x
			if k == nil {
				values := vec.NewMatrix[float64](9, 9)
				matrix.Rows(values, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, 1)
				if matrix, err = Precomputed(values); err != nil {
					t.Fatal(err)
				}
			}
			a := vec.NewMatrix[float64](9, 2)
			for i := range a.Data {
				a.Data[i] = float64(i%5) - 2
			}
			clear(a.Row(4))
			m, err := NewExpansion(matrix, a, []string{"a", "b"})
			if err != nil {
				t.Fatal(err)
			}
			same, err := FromParts(m.Parts())
			if err != nil {
				t.Fatalf("%s, %v: %v", name, k, err)
			}
			if !slices.Equal(same.Support(), m.Support()) || !slices.Equal(same.Names(), m.Names()) || k == nil {
				continue
			}
			one, other := vec.NewMatrix[float64](9, 2), vec.NewMatrix[float64](9, 2)
			if err := m.Scores(one, test, nil); err != nil {
				t.Fatal(err)
			}
			if err := same.Scores(other, test, nil); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(one.Data, other.Data) {
				t.Errorf("%s, %v: %v, want %v", name, k, other.Data, one.Data)
			}
		}
	}
}

// TestPartsErrors: parts that do not fit are errors.
func TestPartsErrors(t *testing.T) {
	sound := func() Parts[float32] {
		return Parts[float32]{Kernel: Linear{}, Features: 2, Examples: 3, Support: []int{0, 2},
			Coefficients: vec.NewMatrix[float32](2, 1), Dense: vec.NewMatrix[float32](2, 2)}
	}
	if _, err := FromParts(sound()); err != nil {
		t.Fatal(err)
	}
	none := sound()
	none.Support, none.Coefficients, none.Dense = nil, vec.NewMatrix[float32](0, 1), vec.Matrix[float32]{}
	none.Ptr = []int{0}
	if m, err := FromParts(none); err != nil || len(m.Support()) != 0 {
		t.Errorf("sparse parts without a support vector: %v", err)
	}
	nan := float32(math.NaN())
	for want, change := range map[string]func(p *Parts[float32]){
		"example 3 of 3":      func(p *Parts[float32]) { p.Support[1] = 3 },
		"0 features":          func(p *Parts[float32]) { p.Features = 0 },
		"2-by-2 matrix":       func(p *Parts[float32]) { p.Features = 3 },
		"number 0 of support": func(p *Parts[float32]) { p.Dense.Data[0] = nan },
		"coefficient 0":       func(p *Parts[float32]) { p.Coefficients.Data[0] = nan },
		"Gamma 0":             func(p *Parts[float32]) { p.Kernel = Gaussian{} },
		"precomputed":         func(p *Parts[float32]) { p.Kernel, p.Features = nil, 3 },
		"column 2 at place 0": func(p *Parts[float32]) {
			p.Ptr, p.Columns, p.Values = []int{0, 1, 1}, []int32{2}, []float32{1}
		},
		"1-by-1 coefficients":     func(p *Parts[float32]) { p.Coefficients = vec.NewMatrix[float32](1, 1) },
		"names":                   func(p *Parts[float32]) { p.Names = []string{"a", "b"} },
		"0 features and 3 traini": func(p *Parts[float32]) { p.Kernel, p.Features = nil, 0 },
	} {
		p := sound()
		change(&p)
		if _, err := FromParts(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
