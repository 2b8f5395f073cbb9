package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

func ExampleBundle() {
	colour := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 2, []float64{1, 0, 0, 1, .5, .5})}
	shape := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 1, []float64{1, 1, 3})}
	b, err := NewBundle(1<<20,
		Group[float64]{X: colour, Kernels: []Kernel{Gaussian{Gamma: .5}, Gaussian{Gamma: 2}}},
		Group[float64]{X: shape, Kernels: []Kernel{Polynomial{Degree: 2}}})
	if err != nil {
		panic(err)
	}
	sum := vec.NewMatrix[float64](1, 3)
	b.Combine(sum, []float64{1, 0, .1}, []int{0}, 0)
	fmt.Printf("%d kernels: %.3f\n", b.Kernels(), sum.Row(0))
	// Output: 3 kernels: [1.100 0.468 1.679]
}

// bundleOf returns a bundle of two groups of n examples, the matrices of their kernels, and the examples.
func bundleOf[T vec.Float](t *testing.T, rng *rand.Rand, n int, storage string, rows int64) (*Bundle[T], []Kernel,
	[]vec.Matrix[T]) {
	t.Helper()
	groups := []Group[T]{
		{X: draw[T](rng, n, 40, .05)[storage], Kernels: []Kernel{Gaussian{Gamma: .1}, Polynomial{Degree: 3, Offset: 1},
			Linear{}}},
		{X: draw[T](rng, n, 33, 1)["dense"], Kernels: []Kernel{Gaussian{Gamma: .02}, Gaussian{Gamma: .3}}},
	}
	budgets := int64(0)
	if rows > 0 {
		for _, g := range groups {
			m, err := New(g.X, Linear{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			budgets = max(budgets, budget(m, rows))
		}
	}
	b, err := NewBundle(2*budgets, groups...)
	if err != nil {
		t.Fatal(err)
	}
	var kernels []Kernel
	var examples []vec.Matrix[T]
	for _, g := range groups {
		_, d := g.X.Dims()
		x := vec.NewMatrix[T](n, d)
		g.X.Gather(x, nil)
		for _, k := range g.Kernels {
			kernels, examples = append(kernels, k), append(examples, x)
		}
	}
	return b, kernels, examples
}

// The rows of each kernel are what the formula says, and what is made of them has their bits, whatever is kept and in
// whatever company.
func TestBundle(t *testing.T) { prove.Both(t, bundles[float32], bundles[float64]) }

func bundles[T vec.Float](t *testing.T) {
	n := 2300 // more than a piece
	if testing.Short() {
		n = 150
	}
	for _, storage := range []string{"dense", "csr"} {
		var first []vec.Matrix[T]
		for _, keep := range []int64{0, 20, int64(n)} {
			b, kernels, x := bundleOf[T](t, rand.New(rand.NewPCG(71, 72)), n, storage, keep)
			rng := rand.New(rand.NewPCG(73, 74))
			rows := list(rng, n, 70)
			all := make([]vec.Matrix[T], len(kernels))
			for k := range all {
				all[k] = vec.NewMatrix[T](len(rows), n)
			}
			b.Rows(all, rows, 2)
			if first == nil {
				first = all
				for k := range all {
					checkFormula(t, fmt.Sprintf("%s, kernel %d", storage, k), kernels[k], all[k], x[k], rows)
				}
			}
			for k := range all {
				if !slices.Equal(all[k].Data, first[k].Data) {
					t.Errorf("%s, %d kept: kernel %d has other bits", storage, keep, k)
				}
			}
			checkCompany(t, b, all, rows)
			checkDiagonals(t, b, all, rows)
		}
	}
}

// checkFormula compares rows with the formula.
func checkFormula[T vec.Float](t *testing.T, name string, k Kernel, got, x vec.Matrix[T], rows []int) {
	t.Helper()
	relative := 8 * float64(x.Cols+3) * prove.Unit[T]()
	wide := vec.NewMatrix[float64](x.Rows, x.Cols)
	vec.Convert(wide.Data, x.Data)
	for p, i := range rows {
		for j := range x.Rows {
			want, scale := value(k, wide.Row(i), wide.Row(j))
			if v := float64(got.Row(p)[j]); math.Abs(v-want) > relative*scale {
				t.Fatalf("%s: row %d, column %d: %v, want %v", name, i, j, v, want)
			}
		}
	}
}

// checkCompany asks for some of the kernels, rows and columns, from several goroutines.
func checkCompany[T vec.Float](t *testing.T, b *Bundle[T], all []vec.Matrix[T], rows []int) {
	t.Helper()
	var wait sync.WaitGroup
	for g := range 3 {
		wait.Go(func() {
			rng := rand.New(rand.NewPCG(75, uint64(g)))
			n := b.Len()
			for range 3 {
				places, cols := list(rng, len(rows), 1+rng.IntN(80)), list(rng, n, 1+rng.IntN(2*n))
				some := make([]int, len(places))
				choose(some, rows, places)
				dst, block := make([]vec.Matrix[T], len(all)), make([]vec.Matrix[T], len(all))
				weights := make([]float64, len(all))
				for k := range dst {
					if rng.IntN(2) == 0 {
						dst[k], block[k] = vec.NewMatrix[T](len(some), n), vec.NewMatrix[T](len(some), len(cols))
						weights[k] = rng.NormFloat64()
					}
				}
				sum, sums := vec.NewMatrix[T](len(some), n), vec.NewMatrix[T](len(some), len(cols))
				sum.Row(0)[0] = T(math.NaN())
				workers := []int{0, 1, 2, 3, math.MaxInt}[rng.IntN(5)]
				b.Rows(dst, some, workers)
				b.Block(block, some, cols, workers)
				b.Combine(sum, weights, some, workers)
				b.CombineBlock(sums, weights, some, cols, workers)
				for p, place := range places {
					for k := range dst {
						want := all[k].Row(place)
						if weights[k] == 0 {
							continue
						}
						if !slices.Equal(dst[k].Row(p), want) {
							t.Errorf("kernel %d: row %d has other bits", k, some[p])
							return
						}
						for q, j := range cols {
							if block[k].Row(p)[q] != want[j] {
								t.Errorf("kernel %d: row %d, column %d of a block has other bits", k, some[p], j)
								return
							}
						}
					}
					for q, j := range cols {
						if sums.Row(p)[q] != sum.Row(p)[j] {
							t.Errorf("sum: row %d, column %d of a block has other bits", some[p], j)
							return
						}
					}
					for j, v := range sum.Row(p) {
						want, size := 0.0, 0.0
						for k, w := range weights {
							want += w * float64(all[k].Row(place)[j])
							size += math.Abs(w * float64(all[k].Row(place)[j]))
						}
						// Weights in T, products and sums are off by u each.
						if !(math.Abs(float64(v)-want) <= float64(len(weights)+3)*prove.Unit[T]()*size) {
							t.Errorf("sum: row %d, column %d: %v, want %v", some[p], j, v, want)
							return
						}
					}
				}
			}
		})
	}
	wait.Wait()
	for _, g := range b.groups {
		if g.products.cache.pinned != 0 {
			t.Errorf("%d rows are still pinned", g.products.cache.pinned)
		}
	}
}

func checkDiagonals[T vec.Float](t *testing.T, b *Bundle[T], all []vec.Matrix[T], rows []int) {
	t.Helper()
	diagonal := make([]T, b.Len())
	for k := range all {
		b.Diagonal(diagonal, k)
		for p, i := range rows {
			got, want := float64(diagonal[i]), float64(all[k].Row(p)[i])
			if math.Abs(got-want) > 200*prove.Unit[T]()*want {
				t.Errorf("kernel %d: diagonal %v of example %d, want %v", k, got, i, want)
			}
		}
	}
}

// Products are computed once for all kernels of a group, and not for kernels that nobody asks for.
func TestBundleComputes(t *testing.T) {
	const n = 60
	b, kernels, _ := bundleOf[float32](t, rand.New(rand.NewPCG(76, 77)), n, "dense", n)
	dst := make([]vec.Matrix[float32], len(kernels))
	dst[1], dst[2] = vec.NewMatrix[float32](3, n), vec.NewMatrix[float32](3, n)
	sum, weights := vec.NewMatrix[float32](3, n), make([]float64, len(kernels))
	for _, c := range []struct {
		call func()
		want int64
	}{
		{func() { b.Rows(dst, []int{1, 2, 3}, 1) }, 3},
		{func() { b.Combine(sum, weights, []int{1, 2, 3}, 1) }, 3},
		{func() { weights[0] = 1; b.Combine(sum, weights, []int{1, 2, 3}, 1) }, 3},
		{func() { weights[4] = 1; b.Combine(sum, weights, []int{1, 2, 4}, 1) }, 7},
	} {
		if c.call(); b.Computed() != c.want {
			t.Errorf("%d rows of products, want %d", b.Computed(), c.want)
		}
	}
}

func TestBundleErrors(t *testing.T) {
	x := design.Matrix[float64](&dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{1, 1e80})})
	one := design.Matrix[float64](&dataset.Dense[float64]{Matrix: vec.MatrixOf(1, 1, []float64{1})})
	linear := []Kernel{Linear{}}
	for _, c := range []struct {
		budget int64
		groups []Group[float64]
		want   string
	}{
		{0, nil, "kernel: a bundle of no groups"},
		{-1, []Group[float64]{{X: x, Kernels: linear}}, "kernel: a budget of -1 bytes"},
		{0, []Group[float64]{{X: x, Kernels: linear}, {X: x, Kernels: nil}}, "kernel: no kernels, in group 1"},
		{0, []Group[float64]{{X: nil, Kernels: linear}}, "kernel: design: no examples"},
		{0, []Group[float64]{{X: x, Kernels: linear}, {X: one, Kernels: linear}},
			"kernel: 1 examples in group 1, but 2 in group 0"},
		{0, []Group[float64]{{X: x, Kernels: []Kernel{Linear{}, Sum{{1, Linear{}}}}}}, "kernel: kernel 1 is a Sum"},
		{0, []Group[float64]{{X: x, Kernels: []Kernel{Gaussian{}}}},
			"kernel: Gaussian of Gamma 0, need a finite number above 0, in kernel 0, in group 0"},
		{0, []Group[float64]{{X: x, Kernels: []Kernel{nil}}}, "kernel: no kernel, in kernel 0, in group 0"},
		{0, []Group[float64]{{X: x, Kernels: []Kernel{Linear{}, Polynomial{Degree: 2}}}},
			"kernel: the value of kernel.Polynomial for row 1"},
	} {
		if _, err := NewBundle(c.budget, c.groups...); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	b, err := NewBundle(0, Group[float64]{X: one, Kernels: linear})
	if err != nil {
		t.Fatal(err)
	}
	row, two := []vec.Matrix[float64]{vec.NewMatrix[float64](1, 1)}, vec.NewMatrix[float64](2, 1)
	for want, call := range map[string]func(){
		"kernel: Bundle.Rows: 0 matrices for 1 kernels":               func() { b.Rows(nil, []int{0}, 1) },
		"kernel: Bundle.Rows: dst is 1-by-1 for 2 rows and 1 columns": func() { b.Rows(row, []int{0, 0}, 1) },
		"kernel: Bundle.Rows: row 1 at place 0, need one in 0..0":     func() { b.Rows(row, []int{1}, 1) },
		"kernel: Bundle.Rows: -1 workers, need at least 0":            func() { b.Rows(row, []int{0}, -1) },
		"kernel: Bundle.Block: column 2 at place 0, need one in 0..0": func() {
			b.Block(row, []int{0}, []int{2}, 1)
		},
		"kernel: Bundle.Block: dst is 1-by-1 for 1 rows and 0 columns": func() {
			b.Block(row, []int{0}, nil, 1)
		},
		"kernel: Bundle.Combine: 2 weights for 1 kernels": func() {
			b.Combine(two, []float64{1, 2}, []int{0}, 1)
		},
		"kernel: Bundle.CombineBlock: dst is 2-by-1 for 1 rows and 1 columns": func() {
			b.CombineBlock(two, []float64{1}, []int{0}, []int{0}, 1)
		},
		"kernel: Bundle.Diagonal: 2 numbers for 1 examples": func() { b.Diagonal(make([]float64, 2), 0) },
		"kernel: Bundle.Diagonal: kernel 1 of 1":            func() { b.Diagonal(make([]float64, 1), 1) },
	} {
		panics(t, want, call)
	}
}

// BenchmarkBundle computes 64 rows of 12 kernels on 4 groups of features, nothing kept, in turn with the products of
// the groups alone, and with a pass of the Gaussian over a row for each kernel: the least times, and how many times the
// products take what the bundle takes beyond the passes.
func BenchmarkBundle(b *testing.B) {
	const n, groups = 20000, 4
	for _, d := range []int{34, 196} {
		b.Run(fmt.Sprintf("type=f32/n=%d/d=%d", n, d), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			parts, products := make([]Group[float32], groups), make([]*Matrix[float32], groups)
			memory := int64(groups * (n*d*4*2 + 1<<24)) // for copies of the examples
			for g := range parts {
				x := vec.NewMatrix[float32](n, d)
				for i := range x.Data {
					x.Data[i] = float32(rng.NormFloat64())
				}
				features := design.Matrix[float32](&dataset.Dense[float32]{Matrix: x})
				scale := 1 / float64(d)
				parts[g] = Group[float32]{X: features, Kernels: []Kernel{Gaussian{.1 * scale}, Gaussian{.5 * scale},
					Gaussian{2 * scale}}}
				m, err := New(features, Linear{}, memory/groups)
				if err != nil {
					b.Fatal(err)
				}
				products[g] = m
			}
			bundle, err := NewBundle(memory, parts...)
			if err != nil {
				b.Fatal(err)
			}
			compareBundle(b, bundle, products)
		})
	}
}

func compareBundle(b *testing.B, bundle *Bundle[float32], products []*Matrix[float32]) {
	n, count := bundle.Len(), bundle.Kernels()
	dst := make([]vec.Matrix[float32], count)
	for k := range dst {
		dst[k] = vec.NewMatrix[float32](64, n)
	}
	sum, weights, near := vec.NewMatrix[float32](64, n), make([]float64, count), make([]int32, n)
	for k := range weights {
		weights[k] = 1
	}
	next := 0
	rows := func() []int {
		list := make([]int, 64)
		for p := range list {
			list[p], next = next, (next+1)%n
		}
		return list
	}
	least := compare(b, []string{"rows", "products", "passes", "combine"},
		func() { bundle.Rows(dst, rows(), 1) },
		func() {
			list := rows()
			for g, m := range products {
				m.Rows(dst[g], list)
			}
		},
		func() {
			norms := products[0].norms
			for k := range dst {
				for p := range 64 {
					unchecked.Gaussian(dst[k].Row(p), sum.Row(p), norms, norms[p], .01, near)
				}
			}
		},
		func() { bundle.Combine(sum, weights, rows(), 1) })
	b.ReportMetric(float64(least[0]-least[2])/float64(least[1]), "beyond-passes/products")
}
