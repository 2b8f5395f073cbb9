package design_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Full passes by any number of workers are within the bound of any order of summation, and have the same bits each
// time.
func TestPasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for _, n := range []int{0, 1, 5, 1100} {
		for name, x := range passStorages(rng, n) {
			n, d := x.Dims()
			for _, m := range []int{0, 1, 3} {
				w, a := matrix[float32](rng, d, m), matrix[float32](rng, n, m)
				plain := vec.NewMatrix[float32](n, d)
				x.Gather(plain, nil)
				for _, workers := range []int{0, 1, 2, 7, 1 << (bits.UintSize - 7), math.MaxInt} {
					var once, twice [2]vec.Matrix[float32]
					for _, got := range []*[2]vec.Matrix[float32]{&once, &twice} {
						got[0], got[1] = vec.NewMatrix[float32](n, m+2).Slice(0, n, 1, m+1), copied(w)
						design.ScoresAll(got[0], w, x, workers)
						design.AccumulateAll(got[1], a, x, workers)
					}
					if !equal(once[0], twice[0]) || !equal(once[1], twice[1]) {
						t.Errorf("%s, %d workers: other bits the second time", name, workers)
					}
					place := fmt.Sprintf("%s, n = %d, m = %d, %d workers", name, n, m, workers)
					proveScores(t, place, once[0], plain, w)
					proveSums(t, place, once[1], plain, w, a)
				}
			}
		}
	}
}

// passStorages are storages of n examples, and in float64 by themselves.
func passStorages(rng *rand.Rand, n int) map[string]design.Matrix[float32] {
	if n > 4 {
		return storages(rng, n)
	}
	csr := sparse(rng, n, 20)
	plain := vec.NewMatrix[float32](n, 20)
	csr.Gather(plain, nil)
	return map[string]design.Matrix[float32]{
		"csr": csr, "dense": &dataset.Dense[float32]{Matrix: plain}, "bias": design.WithBias(csr, 1),
	}
}

func copied(a vec.Matrix[float32]) vec.Matrix[float32] {
	return vec.MatrixOf(a.Rows, a.Cols, slices.Clone(a.Data))
}

func equal(a, b vec.Matrix[float32]) bool {
	for i := range a.Rows {
		if !slices.Equal(a.Row(i), b.Row(i)) {
			return false
		}
	}
	return true
}

func proveScores(t *testing.T, place string, got, x, w vec.Matrix[float32]) {
	t.Helper()
	var sum prove.Sum[float32]
	for i := 0; i < got.Rows; i += max(1, got.Rows/97) {
		for c := range got.Cols {
			sum.Reset()
			for j, v := range x.Row(i) {
				sum.Add(v, w.At(j, c), 1)
			}
			if err := sum.Check(got.At(i, c)); err != nil {
				t.Fatalf("%s: score of row %d, output %d: %v", place, i, c, err)
			}
		}
	}
}

func proveSums(t *testing.T, place string, got, x, w, a vec.Matrix[float32]) {
	t.Helper()
	var sum prove.Sum[float32]
	for j := range got.Rows {
		for c := range got.Cols {
			sum.Reset()
			sum.Add(w.At(j, c), 1, 1)
			for i := range x.Rows {
				sum.Add(x.At(i, j), a.At(i, c), 1)
			}
			if err := sum.Check(got.At(j, c)); err != nil {
				t.Fatalf("%s: sum of feature %d, output %d: %v", place, j, c, err)
			}
		}
	}
}

// In float64 the wrapper's blocks are shared by the workers.
func TestPassesFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	for name, narrow := range storages(rng, 700) {
		x, all := design.Float64(narrow), decoded(narrow)
		n, d := x.Dims()
		w, a := matrix[float64](rng, d, 2), matrix[float64](rng, n, 2)
		s, sums := vec.NewMatrix[float64](n, 2), vec.MatrixOf(d, 2, slices.Clone(w.Data))
		design.ScoresAll(s, w, x, 3)
		design.AccumulateAll(sums, a, x, 3)
		var sum prove.Sum[float64]
		for c := range 2 {
			for i := 0; i < n; i += 50 {
				sum.Reset()
				for j, v := range all.Row(i) {
					sum.Add(v, w.At(j, c), 1)
				}
				if err := sum.Check(s.At(i, c)); err != nil {
					t.Fatalf("%s: score of row %d: %v", name, i, err)
				}
			}
			for j := range d {
				sum.Reset()
				sum.Add(w.At(j, c), 1, 1)
				for i := range n {
					sum.Add(all.At(i, j), a.At(i, c), 1)
				}
				if err := sum.Check(sums.At(j, c)); err != nil {
					t.Fatalf("%s: sum of feature %d: %v", name, j, err)
				}
			}
		}
	}
}

// Sums of a goroutine's own cost memory only where they pay.
func TestAccumulateAllMemory(t *testing.T) {
	const d = 1 << 18
	x := &dataset.CSR[float32]{Rows: 50, Cols: d, Ptr: make([]int, 51)}
	for i := range 50 {
		x.Idx, x.Val = append(x.Idx, int32(i*i)), append(x.Val, 1)
		x.Ptr[i+1] = i + 1
	}
	w, a := vec.NewMatrix[float32](d, 2), matrix[float32](rand.New(rand.NewPCG(1, 1)), 50, 2)
	for name, x := range map[string]design.Matrix[float32]{"csr": x, "bias": design.Window(design.WithBias(x, 1),
		0, 40)} {
		n, d := x.Dims()
		own := vec.NewMatrix[float32](d, 2)
		if allocs := prove.Allocs(3, func() {
			design.AccumulateAll(own, a.Slice(0, n, 0, 2), x, 1<<30)
		}); allocs > 2 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
	design.AccumulateAll(w, a, x, 7)
}

func TestPassesPanic(t *testing.T) {
	x := sparse(rand.New(rand.NewPCG(9, 10)), 4, 6)
	for want, call := range map[string]func(){
		"design: ScoresAll: -1 workers, want at least 0": func() {
			design.ScoresAll(matrix32(4, 2), matrix32(6, 2), x, -1)
		},
		"design: AccumulateAll: -2 workers, want at least 0": func() {
			design.AccumulateAll(matrix32(6, 2), matrix32(4, 2), x, -2)
		},
		"design: ScoresAll: W is 5-by-2, expected 6-by-2": func() {
			design.ScoresAll(matrix32(4, 2), matrix32(5, 2), x, 0)
		},
		"design: ScoresAll: dst is 4-by-3, expected 4-by-2": func() {
			design.ScoresAll(matrix32(4, 3), matrix32(6, 2), x, 0)
		},
		"design: AccumulateAll: A is 3-by-2, expected 4-by-2": func() {
			design.AccumulateAll(matrix32(6, 2), matrix32(3, 2), x, 0)
		},
		"design: AccumulateAll: W is 4-by-2, expected 6-by-2": func() {
			design.AccumulateAll(matrix32(4, 2), matrix32(4, 2), x, 0)
		},
		"design: Subset: row 3 of 2 examples":  func() { design.Window(x, 1, 3).Gather(matrix32(1, 6), []int{3}) },
		"design: Window: [2, 5) of 4 examples": func() { design.Window(x, 2, 5) },
		"design: SquaredNorms: 3 numbers for 2 examples": func() {
			design.Window(x, 1, 3).SquaredNorms(make([]float32, 3))
		},
	} {
		func() {
			defer func() {
				if got, ok := recover().(vec.ShapeError); !ok || got.Error() != want {
					t.Errorf("panic %v, want a ShapeError %q", got, want)
				}
			}()
			call()
		}()
	}
}
