package unchecked

import (
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestKernelRows holds the rows against the pieces that vec has, on numbers for which d is exact.
func TestKernelRows(t *testing.T) { prove.Both(t, kernelRows[float32], kernelRows[float64]) }

func kernelRows[T vec.Float](t *testing.T) {
	const n, nx, gamma, weight = 70, 5, 0.25, 0.5
	v, nz, d, e, near := make([]T, n), make([]T, n), make([]T, n), make([]T, n), make([]int32, n)
	var places []int32
	for j := range v {
		nz[j] = T(1 + j%4)
		v[j] = T(j%7) - 2
		if d[j] = nx + nz[j] - 2*v[j]; d[j] < (nx+nz[j])/16 {
			places = append(places, int32(j))
		}
	}
	vec.ExpScaled(e, -gamma, d)
	for _, j := range places {
		e[j] = 0
	}
	if len(places) == 0 || len(places) > n/4 {
		t.Fatalf("%d of %d places are near", len(places), n)
	}
	got := make([]T, n)
	if count := Gaussian(got, v, nz, nx, gamma, near); !slices.Equal(near[:count], places) || !slices.Equal(got, e) {
		t.Errorf("Gaussian: %v with %v near, want %v with %v", got, near[:count], e, places)
	}
	want := make([]T, n)
	for j := range want {
		got[j] = T(j)
		want[j] = T(j) + weight*e[j]
	}
	clear(near)
	count := GaussianAdd(got, v, nz, nx, gamma, weight, near)
	if !slices.Equal(near[:count], places) || !slices.Equal(got, want) {
		t.Errorf("GaussianAdd: %v with %v near, want %v with %v", got, near[:count], want, places)
	}
	for j, v := range v {
		b := 2*v + 1
		want[j] = b * b * b
	}
	Power(got, v, 2, 1, 3)
	if !slices.Equal(got, want) {
		t.Errorf("Power: %v, want %v", got, want)
	}
	PowerAdd(got, v, 2, 1, 3, 4)
	for j := range want {
		want[j] *= 5
	}
	if !slices.Equal(got, want) {
		t.Errorf("PowerAdd: %v, want %v", got, want)
	}
	if allocs := prove.Allocs(10, func() {
		Gaussian(got, v, nz, nx, gamma, near)
		GaussianAdd(got, v, nz, nx, gamma, weight, near)
		Power(got, v, 1, 1, 2)
		PowerAdd(got, v, 1, 1, 2, 1)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
