package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

func ExampleFromDistances() {
	// Squared distances of strings: the numbers of places in which they differ.
	names := []string{"karolin", "kathrin", "kerstin"}
	d := vec.NewMatrix[float64](3, 3)
	for i, a := range names {
		for j, b := range names {
			for p := range a {
				if a[p] != b[p] {
					d.Row(i)[j]++
				}
			}
		}
	}
	k, err := FromDistances(d, .5)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.3f\n", k.Pin(0))
	k.Release(0)
	// Output: [1.000 0.223 0.223]
}

func TestFromDistances(t *testing.T) { prove.Both(t, fromDistances[float32], fromDistances[float64]) }

func fromDistances[T vec.Float](t *testing.T) {
	const n, gamma = 150, .3
	rng := rand.New(rand.NewPCG(61, 62))
	x := draw[T](rng, n, 9, 1)["dense"]
	points := vec.NewMatrix[T](n, 9)
	x.Gather(points, nil)
	d := vec.NewMatrix[T](n, n+1).Slice(0, n, 0, n)
	vec.SquaredDistances(d, points, points)
	before := slices.Clone(d.Data)
	k, err := FromDistances(d, gamma)
	if err != nil {
		t.Fatal(err)
	}
	rows := vec.NewMatrix[T](n, n)
	k.Rows(rows, every(n), 1)
	for i := range n {
		for j, v := range rows.Row(i) {
			want := math.Exp(-gamma * float64(d.Row(max(i, j))[min(i, j)]))
			if i == j {
				want = 1
			}
			// ExpScaled is off by a unit in the last place, 2u at most, and -gamma in T by u, that is -ln(want) u in
			// the power; the rest is for math.Exp.
			if math.Abs(float64(v)-want) > (3-math.Log(want))*prove.Unit[T]()*want || v != rows.Row(j)[i] {
				t.Fatalf("row %d, column %d: %v, want %v; row %d: %v", i, j, v, want, j, rows.Row(j)[i])
			}
		}
	}
	if !slices.Equal(before, d.Data) {
		t.Error("the distances have changed")
	}
	if k.Kernel() != nil || k.Features() != nil || k.Len() != n {
		t.Errorf("%v, %v, %d", k.Kernel(), k.Features(), k.Len())
	}
}

func TestFromDistancesErrors(t *testing.T) {
	of := func(v ...float64) vec.Matrix[float64] { return vec.MatrixOf(2, 2, v) }
	for _, c := range []struct {
		d     vec.Matrix[float64]
		gamma float64
		want  string
	}{
		{of(0, 1, 1, 0), 0, "kernel: Gaussian of Gamma 0, want a finite number above 0"},
		{of(0, 1, 1, 0), math.NaN(), "kernel: Gaussian of Gamma NaN"},
		{vec.NewMatrix[float64](0, 0), 1, "kernel: a 0-by-0 matrix of distances"},
		{vec.NewMatrix[float64](2, 3), 1, "kernel: a 2-by-3 matrix of distances"},
		{vec.Matrix[float64]{Rows: 2, Cols: 2, Stride: 2, Data: make([]float64, 3)}, 1,
			"kernel: vec: 3 numbers are too few"},
		{of(0, 1, -1, 0), 1, "kernel: distance -1 of row 1, column 0, want a finite number of at least 0"},
		{of(0, math.Inf(1), 1, 0), 1, "kernel: distance +Inf of row 0, column 1, want a finite number"},
		{of(0, 1, 1, math.NaN()), 1, "kernel: distance NaN of row 1, column 1, want a finite number"},
		{of(0, 1, 1.001, 0), 1, "kernel: distance 1.001 of row 1, column 0, but 1 of row 0, column 1: not symmetric"},
		{of(0, 1, 1, 1e-9), 1, "kernel: distance 1e-09 of row 1 and itself, want 0"},
	} {
		if _, err := FromDistances(c.d, c.gamma); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := FromDistances(of(1e-12, 1, 1+1e-12, 0), 1); err != nil {
		t.Errorf("rounding errors: %v", err)
	}
}
