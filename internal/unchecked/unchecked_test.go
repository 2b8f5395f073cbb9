package unchecked

import (
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestNamesakes: each function is its namesake in vec, on small integers, where every order of summation gives the
// same.
func TestNamesakes(t *testing.T) { prove.Both(t, testNamesakes[float32], testNamesakes[float64]) }

func testNamesakes[T vec.Float](t *testing.T) {
	draw := func(n, by int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = T(i*by%7 - 3)
		}
		return x
	}
	const rows, cols, stride = 5, 16, 19
	matrix := func() *vec.Matrix[T] {
		return &vec.Matrix[T]{Rows: rows, Cols: cols, Stride: stride, Data: draw((rows-1)*stride+cols, 3)}
	}
	x, y, idx, val := draw(rows, 2), draw(cols, 5), []int32{4, 0, 3}, draw(3, 4)
	a, got, want := matrix(), make([]T, cols), make([]T, cols)
	same := func(name string, got, want []T) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, vec says %v", name, got, want)
		}
	}
	GemvT(a, x, got)
	vec.GemvT(1, *a, x, 0, want)
	same("GemvT", got, want)
	SparseGemvT(a, idx, val, got)
	vec.SparseGemvT(1, *a, idx, val, 0, want)
	same("SparseGemvT", got, want)
	u, v := draw(rows, 6), draw(rows, 6)
	same("SparseDot", []T{SparseDot(idx, val, u)}, []T{vec.SparseDot(idx, val, v)})
	same("SparseDotAhead", []T{SparseDotAhead(idx, val, u, idx, val, nil, nil, nil)}, []T{vec.SparseDot(idx, val, v)})
	SparseAxpy(3, idx, val, u)
	vec.SparseAxpy(3, idx, val, v)
	same("SparseAxpy", u, v)
	wide, u64, v64 := make([]float64, len(val)), make([]float64, len(u)), make([]float64, len(u))
	vec.Convert(wide, val)
	vec.Convert(u64, u)
	vec.Convert(v64, u)
	same("SparseDot64", []T{T(SparseDot64(idx, val, u64))}, []T{T(vec.SparseDot(idx, wide, v64))})
	SparseAxpy64(3, idx, val, u64)
	vec.SparseAxpy(3, idx, wide, v64)
	vec.Convert(u, u64)
	vec.Convert(v, v64)
	same("SparseAxpy64", u, v)
	for name, f := range map[string]func(x, y []T, a *vec.Matrix[T]){"Ger": Ger[T], "GerSome": GerSome[T]} {
		a, b := matrix(), matrix()
		f(x, y, a)
		vec.Ger(1, x, y, *b)
		same(name, a.Data, b.Data)
	}
	b := matrix()
	SparseGer(idx, val, y, a)
	vec.SparseGer(1, idx, val, y, *b)
	same("SparseGer", a.Data, b.Data)
}

func TestMaxIndex(t *testing.T) {
	for _, c := range []struct {
		idx  []int32
		want uint32
	}{{nil, 0}, {[]int32{3}, 3}, {[]int32{1, 7, 2}, 7}, {[]int32{1, -1}, math.MaxUint32}} {
		if got := MaxIndex(c.idx); got != c.want {
			t.Errorf("%v: %d, want %d", c.idx, got, c.want)
		}
	}
}

// TestPrefetch: nothing changes and nothing allocates, whatever the type.
func TestPrefetch(t *testing.T) {
	structs := make([]struct {
		a float64
		b *int
		c byte
	}, 3)
	x, idx := []float32{1, 2, 3}, []int32{1}
	if allocs := prove.Allocs(10, func() {
		Prefetch(structs[1:2])
		Prefetch(x)
		Prefetch(idx)
		Prefetch(x[:0])
		Prefetch([]float64(nil))
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
