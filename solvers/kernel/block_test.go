package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

func ExampleMatrix_Block() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 1, []float64{0, 1, 3, 4})}
	k, err := New(design.Matrix[float64](x), Polynomial{Degree: 2}, 0)
	if err != nil {
		panic(err)
	}
	active := []int{1, 3}
	dst := vec.NewMatrix[float64](2, 2)
	k.Block(dst, active, active, 1)
	fmt.Println(dst.Row(0), dst.Row(1))
	// Output: [1 16] [16 256]
}

func ExampleMatrix_Subset() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 1, []float64{0, 1, 3, 4})}
	k, err := New(design.Matrix[float64](x), Polynomial{Degree: 2}, 1<<20)
	if err != nil {
		panic(err)
	}
	train, err := k.Subset([]int{0, 1, 3})
	if err != nil {
		panic(err)
	}
	rows := vec.NewMatrix[float64](1, 3)
	train.Rows(rows, []int{2}, 1)
	fmt.Println(rows.Row(0))
	// Output: [0 16 256]
}

// list returns rows or columns, with repetitions, in no order.
func list(rng *rand.Rand, n, count int) []int {
	list := make([]int, count)
	for p := range list {
		list[p] = rng.IntN(n)
	}
	return list
}

// A number of a block has the bits of Rows, whatever is kept, whatever it is computed with, and by any number of
// goroutines.
func TestBlock(t *testing.T) {
	t.Run("float32", blocks[float32])
	t.Run("float64", blocks[float64])
}

func blocks[T vec.Float](t *testing.T) {
	sizes := [][2]int{{1, 1}, {20, 3}, {150, 70}, {300, 600}, {40, 9000}}
	if testing.Short() {
		sizes = [][2]int{{20, 3}, {150, 70}}
	}
	for _, size := range sizes {
		n, d := size[0], size[1]
		for name, x := range draw[T](rand.New(rand.NewPCG(31, uint64(n))), n, d, .06) {
			for _, k := range []Kernel{kernels[2], kernels[4], kernels[5]} {
				whole, err := New(x, k, 0)
				if err != nil {
					t.Fatal(err)
				}
				all := vec.NewMatrix[T](n, n)
				whole.Rows(all, every(n), 1)
				for _, keep := range []int64{0, int64(n) / 2, int64(n)} {
					m, err := New(x, k, budget(whole, keep))
					if err != nil {
						t.Fatal(err)
					}
					m.Rows(vec.NewMatrix[T](n, n), every(n), 1)
					checkBlocks(t, fmt.Sprintf("%s %d-by-%d, %#v, %d kept", name, n, d, k, keep), m, all)
				}
			}
			given, err := Precomputed(vec.NewMatrix[T](n, n))
			if err != nil {
				t.Fatal(err)
			}
			checkBlocks(t, "given", given, vec.NewMatrix[T](n, n))
		}
	}
}

func checkBlocks[T vec.Float](t *testing.T, name string, m *Matrix[T], all vec.Matrix[T]) {
	t.Helper()
	n := m.Len()
	var wait sync.WaitGroup
	for g, workers := range []int{0, 2, math.MaxInt} {
		wait.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 32))
			for _, size := range [][2]int{{0, 3}, {3, 0}, {1, 1}, {2, 140}, {130, 5}, {17, 33}, {200, 50}} {
				rows, cols := list(rng, n, size[0]), list(rng, n, size[1])
				dst := vec.NewMatrix[T](size[0], size[1]+3).Slice(0, size[0], 1, size[1]+1)
				m.Block(dst, rows, cols, workers)
				for p, i := range rows {
					for q, j := range cols {
						if dst.Row(p)[q] != all.Row(i)[j] {
							t.Errorf("%s: block %v, row %d, column %d: %v, want %v", name, size, i, j, dst.Row(p)[q],
								all.Row(i)[j])
							return
						}
					}
				}
			}
		})
	}
	wait.Wait()
	if m.cache.pinned != 0 {
		t.Errorf("%s: %d rows are still pinned", name, m.cache.pinned)
	}
}

func TestBlockPanics(t *testing.T) {
	m, _ := pinned(t, 3, 1)
	two := vec.NewMatrix[float32](2, 2)
	for want, call := range map[string]func(){
		"kernel: Matrix.Block: dst is 2-by-2 for 1 rows and 2 columns": func() {
			m.Block(two, []int{0}, []int{0, 1}, 1)
		},
		"kernel: Matrix.Block: example 3 at place 1, want one in 0..2": func() {
			m.Block(two, []int{0, 3}, []int{0, 1}, 1)
		},
		"kernel: Matrix.Block: example -1 at place 0, want one in 0..2": func() {
			m.Block(two, []int{0, 1}, []int{-1, 1}, 1)
		},
		"kernel: Matrix.Block: -1 workers, want at least 0": func() {
			m.Block(two, []int{0, 1}, []int{0, 1}, -1)
		},
	} {
		panics(t, want, call)
	}
}

// A subset has the numbers of its parent, whether the parent keeps rows or not.
func TestSubset(t *testing.T) {
	t.Run("float32", subsets[float32])
	t.Run("float64", subsets[float64])
}

func subsets[T vec.Float](t *testing.T) {
	const n, d = 120, 50
	rng := rand.New(rand.NewPCG(41, 42))
	for name, x := range draw[T](rng, n, d, .06) {
		for _, k := range []Kernel{kernels[1], kernels[4]} {
			whole, err := New(x, k, 0)
			if err != nil {
				t.Fatal(err)
			}
			all := vec.NewMatrix[T](n, n)
			whole.Rows(all, every(n), 1)
			for _, keep := range []int64{0, 20, n} {
				for _, size := range []int{1, 40, 90} {
					m, err := New(x, k, budget(whole, keep))
					if err != nil {
						t.Fatal(err)
					}
					rows := rng.Perm(n)[:size]
					s, err := m.Subset(rows)
					if err != nil {
						t.Fatal(err)
					}
					checkSubset(t, fmt.Sprintf("%s, %#v, %d kept, %d examples", name, k, keep, size), s, all, rows)
					kept := len(m.cache.kept) > 0
					if want := keep > 0 && 2*size >= n; kept != want {
						t.Errorf("%s, %d kept, %d examples: rows kept %v, want %v", name, keep, size, kept, want)
					}
					again := rng.Perm(size)[:(size+1)/2]
					s2, err := s.Subset(again)
					if err != nil {
						t.Fatal(err)
					}
					rows2 := make([]int, len(again))
					core.Choose(rows2, rows, again)
					checkSubset(t, name+", subset of a subset", s2, all, rows2)
				}
			}
			given, err := Precomputed(all)
			if err != nil {
				t.Fatal(err)
			}
			rows := rng.Perm(n)[:30]
			s, err := given.Subset(rows)
			if err != nil {
				t.Fatal(err)
			}
			checkSubset(t, "given", s, all, rows)
		}
	}
}

func checkSubset[T vec.Float](t *testing.T, name string, s *Matrix[T], all vec.Matrix[T], rows []int) {
	t.Helper()
	size := len(rows)
	want := vec.NewMatrix[T](size, size)
	for p, i := range rows {
		core.Choose(want.Row(p), all.Row(i), rows)
	}
	checkBlocks(t, name, s, want)
	got, diagonal := vec.NewMatrix[T](size, size), make([]T, size)
	for workers := range 3 {
		s.Rows(got, every(size), workers)
		for p := range size {
			if !slices.Equal(got.Row(p), want.Row(p)) {
				t.Fatalf("%s: row %d, example %d: %v, want %v", name, p, rows[p], got.Row(p), want.Row(p))
			}
		}
	}
	s.Diagonal(diagonal)
	parent := s.source.(subset[T]).whole
	whole := make([]T, parent.n)
	parent.Diagonal(whole)
	wide, err := s.Float64()
	if err != nil {
		t.Fatal(err)
	}
	row := vec.NewMatrix[float64](1, size)
	wide.Rows(row, []int{size - 1}, 1)
	for p, i := range rows {
		if diagonal[p] != whole[i] {
			t.Errorf("%s: diagonal %v of example %d, want %v", name, diagonal[p], i, whole[i])
		}
		a, b := row.Data[p], float64(want.Row(size - 1)[p])
		if scale := float64(whole[i]) + float64(diagonal[size-1]); a-b > 1e-5*scale || b-a > 1e-5*scale {
			t.Errorf("%s: in float64 %v, column %d, want %v", name, a, p, b)
		}
	}
	if !slices.Equal(s.Pin(0), want.Row(0)) {
		t.Errorf("%s: pinned row differs", name)
	}
	s.Release(0)
	if s.Len() != size || s.Kernel() != parent.Kernel() {
		t.Errorf("%s: %d examples, %v", name, s.Len(), s.Kernel())
	}
	if x := s.Features(); s.k != nil {
		if n, d := x.Dims(); n != size || d != s.d {
			t.Errorf("%s: %d examples of %d features", name, n, d)
		}
	}
}

// The model of a subset is one of its examples.
func TestSubsetExpansion(t *testing.T) {
	const n, d = 60, 30
	rng := rand.New(rand.NewPCG(43, 44))
	for name, x := range draw[float64](rng, n, d, .05) {
		m, err := New(x, kernels[4], 1<<24)
		if err != nil {
			t.Fatal(err)
		}
		rows := rng.Perm(n)[:35]
		s, err := m.Subset(rows)
		if err != nil {
			t.Fatal(err)
		}
		coefficients := vec.NewMatrix[float64](len(rows), 2)
		for i := range coefficients.Data {
			coefficients.Data[i] = rng.NormFloat64()
		}
		model, err := NewExpansion(s, coefficients, nil)
		if err != nil {
			t.Fatal(err)
		}
		scores, want := vec.NewMatrix[float64](n, 2), vec.NewMatrix[float64](n, 2)
		if err := model.Scores(scores, x, nil); err != nil {
			t.Fatal(err)
		}
		block := vec.NewMatrix[float64](n, len(rows))
		m.Block(block, every(n), rows, 1)
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, block, coefficients, 0, want)
		for i, v := range scores.Data {
			if u := want.Data[i]; v-u > 1e-12 || u-v > 1e-12 {
				t.Fatalf("%s: score %d: %v, want %v", name, i, v, u)
			}
		}
	}
}

func TestSubsetErrors(t *testing.T) {
	m, _ := pinned(t, 3, 1)
	for want, rows := range map[string][]int{
		"kernel: a subset of no examples":                               {},
		"kernel: example 3 at place 1 of the subset, want one in 0..2":  {0, 3},
		"kernel: example -1 at place 0 of the subset, want one in 0..2": {-1},
	} {
		if _, err := m.Subset(rows); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
