package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// TestExactProducts: the least bit and the largest norm decide, at their very limit.
func TestExactProducts(t *testing.T) {
	tiny := float32(math.SmallestNonzeroFloat32)
	for _, c := range []struct {
		rows [][]float32
		want bool
	}{
		{[][]float32{{0, 0}, {0, 0}}, true},
		{[][]float32{{1, 0}, {0, 1}}, true},
		{[][]float32{{255, 3}, {-7, 1}}, true},
		{[][]float32{{.0625, .5}, {-.9375, 0}}, true},
		{[][]float32{{0x1p-62, 0}, {0x3p-63, 0x1p-63}}, true},
		{[][]float32{{0x1p-64, 0}, {0, 0}}, false}, // products of 2^-128 have few bits
		{[][]float32{{tiny, 0}, {1, 0}}, false},
		{[][]float32{{1, 0}, {.1, 0}}, false},
		{[][]float32{{4095, 1}, {1, 1}}, true},   // 2^24 - 8190
		{[][]float32{{4096, 0}, {1, 1}}, false},  // 2^24
		{[][]float32{{4096, 2}, {2, 2}}, true},   // in units of 2
		{[][]float32{{4096, 2}, {2, .5}}, false}, // in units of 1/2
		{[][]float32{{0, 0}, {0x1p60, 0}}, true}, // in units of itself
		{[][]float32{{0x1p60, 0}, {1, 0}}, false},
		{[][]float32{{0x1.8p12, 0}, {0, 1}}, false}, // 2.25 2^24
	} {
		x := vec.NewMatrix[float32](2, 2)
		copy(x.Row(0), c.rows[0])
		copy(x.Row(1), c.rows[1])
		norms := make([]float32, 2)
		d := &dataset.Dense[float32]{Matrix: x}
		d.SquaredNorms(norms)
		if got := exactProducts(d, norms); got != c.want {
			t.Errorf("%v: %v", c.rows, got)
		}
	}
}

// TestExactMultiply: of whole numbers the values in float64 by products in float32 have the bits of those by products
// in float64, for rows near each other too, and for any number of goroutines.
func TestExactMultiply(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n, d = 300, 19
	x := vec.NewMatrix[float32](n, d)
	for i := range n {
		for j := range d {
			x.Row(i)[j] = float32(rng.IntN(200)-100) / 16
		}
	}
	for i := 100; i < 130; i++ { // of the norms a distance is a small part
		for j := range d {
			x.Row(i)[j] = 12
		}
		x.Row(i)[i%d] += .0625
	}
	wide := vec.NewMatrix[float64](n, d)
	for i := range n {
		vec.Convert(wide.Row(i), x.Row(i))
	}
	for _, k := range []Kernel{Linear{}, Polynomial{Scale: .1, Offset: 1, Degree: 3}, Gaussian{Gamma: .03},
		Sum{{1, Gaussian{Gamma: .5}}, {2, Linear{}}}} {
		want := vec.NewMatrix[float64](n, n)
		Between(want, k, wide, wide)
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("%T/%d", k, workers), func(t *testing.T) {
				m, err := New(design.Matrix[float32](&dataset.Dense[float32]{Matrix: x}), k, 0)
				if err != nil {
					t.Fatal(err)
				}
				f, err := m.Float64()
				if err != nil {
					t.Fatal(err)
				}
				if f.single == nil {
					t.Fatal("products in float64")
				}
				a, got := vec.NewMatrix[float64](n, n), vec.NewMatrix[float64](n, n)
				for i := range n {
					a.Row(i)[i] = 1
				}
				f.Multiply(got, a, workers)
				for i := range n {
					for j, v := range got.Row(i) {
						if v != want.Row(i)[j] {
							t.Fatalf("K[%d, %d] = %v, want %v", i, j, v, want.Row(i)[j])
						}
					}
				}
			})
		}
	}
}

// TestExactRefused: numbers that are not whole have products in float64.
func TestExactRefused(t *testing.T) {
	x := &dataset.Dense[float32]{Matrix: normal[float32](20, 5)}
	m, err := New(design.Matrix[float32](x), Gaussian{Gamma: 1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := m.Float64(); err != nil || f.single != nil {
		t.Errorf("%v, products in float32: %t", err, f.single != nil)
	}
}
