package bundle

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// manyOf returns a bundle of two groups of features and a given matrix, and the matrices of all its kernels. keep says
// whether products of all examples are kept.
func manyOf[T vec.Float](t testing.TB, rng *rand.Rand, n int, storage string, keep bool) (*Bundle[T], []reference) {
	t.Helper()
	b, groups, square := groupsOf[T](t, rng, n, storage, keep)
	var want []reference
	for _, g := range groups {
		_, d := g.X.Dims()
		x, wide := vec.NewMatrix[T](n, d), vec.NewMatrix[float64](n, d)
		g.X.Gather(x, nil)
		vec.Convert(wide.Data, x.Data)
		for _, k := range g.Kernels {
			want = append(want, referenceOf(k, wide))
		}
	}
	given := vec.NewMatrix[float64](n, n)
	for i := range n {
		vec.Convert(given.Row(i), square.Row(i))
	}
	return b, append(want, reference{given, given})
}

// TestBundleWhole: matrices of all pairs are the sums of the formulas, of all examples or of some, for any number of
// goroutines, whatever is kept.
func TestBundleWhole(t *testing.T) { prove.Both(t, bundleWhole[float32], bundleWhole[float64]) }

func bundleWhole[T vec.Float](t *testing.T) {
	for _, storage := range []string{"dense", "csr"} {
		for _, keep := range []bool{false, true} {
			rng := rand.New(rand.NewPCG(81, 82))
			n := 150
			b, each := manyOf[T](t, rng, n, storage, keep)
			rows := make([]int, n)
			for i := range rows {
				rows[i] = i
			}
			checkWhole(t, b, each, rows)
			part := []int{7, 149, 3, 3, 80}
			for i := 20; i < 100; i++ {
				part = append(part, i)
			}
			checkWhole(t, b.Compact(part), each, part)
			again := []int{5, 1, 60}
			checkWhole(t, b.Compact(part).Compact(again), each, []int{part[5], part[1], part[60]})
			wide, err := b.Float64()
			if err != nil {
				t.Fatal(err)
			}
			checkWhole(t, wide, each, rows)
			checkWhole(t, wide.Compact(part), each, part)
		}
	}
}

// checkWhole compares Mix, Forms, Diagonal and Combine of a bundle with the matrices of the examples rows.
func checkWhole[T vec.Float](t *testing.T, b *Bundle[T], each []reference, rows []int) {
	t.Helper()
	rng, n := rand.New(rand.NewPCG(83, 84)), len(rows)
	if b.Len() != n || b.Kernels() != len(each) {
		t.Fatalf("%d examples and %d kernels, want %d and %d", b.Len(), b.Kernels(), n, len(each))
	}
	unit := 8 * (40 + 3) * prove.Unit[T]() // of a value: see referenceOf
	size := func(k, i, j int) float64 { return each[k].scale.Row(rows[i])[rows[j]] }
	mix, err := b.Mix(0)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, len(each))
	for k := range weights {
		weights[k] = rng.Float64()
	}
	weights[1] = 0
	var first []T
	for _, workers := range []int{1, 3, math.MaxInt} {
		mix.Weigh(weights, workers)
		got := vec.NewMatrix[T](n, n)
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		mix.Rows(got, all, 1)
		for i := range n {
			for j := range n {
				want, bound := 0.0, 0.0
				for k, w := range weights {
					want += float64(T(w)) * each[k].k.Row(rows[i])[rows[j]]
					bound += w * size(k, i, j)
				}
				if v := float64(got.Row(i)[j]); !(math.Abs(v-want) <= (unit+8*prove.Unit[T]())*bound) {
					t.Fatalf("mixture: row %d, column %d: %v, want %v", i, j, v, want)
				}
				if got.Row(i)[j] != got.Row(j)[i] {
					t.Fatalf("row %d, column %d is not the transpose's", i, j)
				}
			}
		}
		if first == nil {
			first = slices.Clone(got.Data)
		} else if !slices.Equal(first, got.Data) {
			t.Error("two goroutines make other bits than one")
		}
	}
	checkRows(t, b, each, rows, unit)
	checkForms(t, b, each, rows, unit, size)
	diagonal := make([]T, n)
	for k := range each {
		b.Diagonal(diagonal, k)
		for i, v := range diagonal {
			if want := each[k].k.Row(rows[i])[rows[i]]; math.Abs(float64(v)-want) > unit*size(k, i, i) {
				t.Errorf("kernel %d: diagonal %v of example %d, want %v", k, v, i, want)
			}
		}
	}
}

// checkRows compares more rows than are taken at a time, of all kernels but one.
func checkRows[T vec.Float](t *testing.T, b *Bundle[T], each []reference, rows []int, unit float64) {
	t.Helper()
	n := b.Len()
	list, dst := make([]int, 70), make([]vec.Matrix[T], len(each))
	for p := range list {
		list[p] = (7 * p) % n
	}
	for k := range dst {
		if k != 2 {
			dst[k] = vec.NewMatrix[T](len(list), n)
		}
	}
	b.Rows(dst, list)
	for k, d := range dst {
		for p := range d.Rows {
			for j, v := range d.Row(p) {
				want, scale := each[k].k.Row(rows[list[p]])[rows[j]], each[k].scale.Row(rows[list[p]])[rows[j]]
				if !(math.Abs(float64(v)-want) <= unit*scale) {
					t.Fatalf("kernel %d: row %d, column %d: %v, want %v", k, list[p], j, v, want)
				}
			}
		}
	}
}

func checkForms[T vec.Float](t *testing.T, b *Bundle[T], each []reference, rows []int, unit float64,
	size func(k, i, j int) float64) {
	t.Helper()
	rng, n := rand.New(rand.NewPCG(85, 86)), len(rows)
	for _, every := range []int{1, 2, 5} { // of which one row is not 0
		as := []vec.Matrix[T]{vec.NewMatrix[T](n, 3), vec.NewMatrix[T](n, 1)}
		for _, a := range as {
			for i := 0; i < n; i += every {
				for c := range a.Row(i) {
					a.Row(i)[c] = T(rng.NormFloat64())
				}
			}
		}
		one, two := b.Forms(as, 1), b.Forms(as, 2)
		weights := slices.Repeat([]float64{.5}, len(each))
		scores := vec.NewMatrix[T](n, 3)
		if _, err := b.ScoresAndForms(scores, weights, as[0], as, 2); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for c, v := range scores.Row(i) {
				want, bound := 0.0, 0.0
				for j := range n {
					for k := range each {
						want += .5 * each[k].k.Row(rows[i])[rows[j]] * float64(as[0].Row(j)[c])
						bound += .5 * size(k, i, j) * math.Abs(float64(as[0].Row(j)[c]))
					}
				}
				// A value is off by unit, a sum of the kernels by 8 u, one of n terms by n u.
				if !(math.Abs(float64(v)-want) <= (unit+float64(n+8)*prove.Unit[T]())*bound) {
					t.Fatalf("score %v of row %d and output %d, want %v", v, i, c, want)
				}
			}
		}
		for p, a := range as {
			if !slices.Equal(one[p], two[p]) {
				t.Error("two goroutines make other bits than one")
			}
			for k := range each {
				want, bound := 0.0, 0.0
				for i := range n {
					for j := range n {
						product, terms := 0.0, 0.0
						for c := range a.Cols {
							product += float64(a.Row(i)[c]) * float64(a.Row(j)[c])
							terms += math.Abs(float64(a.Row(i)[c]) * float64(a.Row(j)[c]))
						}
						want += product * each[k].k.Row(rows[i])[rows[j]]
						bound += terms * size(k, i, j)
					}
				}
				// A value is off by unit, a product by 5 u, a sum of n terms by n u.
				if !(math.Abs(one[p][k]-want) <= (unit+float64(n+5)*prove.Unit[T]())*bound) {
					t.Errorf("kernel %d, matrix %d: %v, want %v", k, p, one[p][k], want)
				}
			}
		}
	}
}

// TestCombination: scores are the sums of the formulas, of features and of examples of the bundle, and files give the
// same bits back.
func TestCombination(t *testing.T) { prove.Both(t, combinations[float32], combinations[float64]) }

func combinations[T vec.Float](t *testing.T) {
	for _, storage := range []string{"dense", "csr"} {
		rng := rand.New(rand.NewPCG(87, 88))
		n := 90
		b, each := manyOf[T](t, rng, n, storage, false)
		a := vec.NewMatrix[T](n, 3)
		for i := 0; i < n; i += 2 {
			for c := range a.Row(i) {
				a.Row(i)[c] = T(rng.NormFloat64())
			}
		}
		for name, weights := range map[string][]float64{
			"all": {.5, .1, 2, .25, 1, .7}, "some": {0, 0, 1, 0, 0, .5}, "features": {1, 0, 0, 0, .5, 0},
			"none": {0, 0, 0, 0, 0, 0},
		} {
			m, err := NewCombination(b, weights, a, []string{"x", "y", "z"})
			if err != nil {
				t.Fatal(err)
			}
			want, bound := vec.NewMatrix[float64](n, 3), vec.NewMatrix[float64](n, 3)
			for i := range n {
				for j := range n {
					for k, w := range weights {
						for c, v := range a.Row(j) {
							want.Row(i)[c] += w * each[k].k.Row(i)[j] * float64(v)
							bound.Row(i)[c] += math.Abs(w * each[k].scale.Row(i)[j] * float64(v))
						}
					}
				}
			}
			check := func(what string, got vec.Matrix[T], rows []int) {
				t.Helper()
				for p, i := range rows {
					for c, v := range got.Row(p) {
						if !(math.Abs(float64(v)-want.Row(i)[c]) <= (8*(40+3)+float64(n+10))*prove.Unit[T]()*bound.Row(
							i)[c]) {
							t.Fatalf("%s, %s: %s: score %d of example %d is %v, want %v", storage, name, what, c, i, v,
								want.Row(i)[c])
						}
					}
				}
			}
			all, some := make([]int, n), []int{3, 88, 41}
			for i := range all {
				all[i] = i
			}
			got := vec.NewMatrix[T](n, 3)
			m.ScoresOf(got, b, nil, nil, 2)
			check("in the bundle", got, all)
			x := b.features()
			if d, outputs := m.Dims(); d != 40+33+n || outputs != 3 || m.Len() != n ||
				!slices.Equal(m.Weights(), weights) {
				t.Errorf("%d features, %d outputs, weights %v", d, outputs, m.Weights())
			}
			if err := m.Scores(got, x, nil); err != nil {
				t.Fatal(err)
			}
			check("of features", got, all)
			part := vec.NewMatrix[T](len(some), 3)
			if err := m.ScoresWorkers(part, x, some, 1); err != nil {
				t.Fatal(err)
			}
			check("of some", part, some)
			checkTrainedOnPart(t, b, weights, a)
			reread(t, m, x)
		}
	}
}

// features are the features of all groups, side by side; of a given matrix its rows.
func (b *Bundle[T]) features() design.Matrix[T] {
	var parts []design.Matrix[T]
	for _, g := range b.Groups() {
		if g.X != nil {
			parts = append(parts, g.X)
			continue
		}
		k, all := vec.NewMatrix[T](b.Len(), b.Len()), make([]int, b.Len())
		for i := range all {
			all[i] = i
		}
		g.Matrix.Rows(k, all, 1)
		parts = append(parts, &dataset.Dense[T]{Matrix: k})
	}
	return design.Concat(parts...)
}

// checkTrainedOnPart: a model of some examples of a bundle scores the others as one of all does whose other
// coefficients are 0.
func checkTrainedOnPart[T vec.Float](t *testing.T, b *Bundle[T], weights []float64, a vec.Matrix[T]) {
	t.Helper()
	var of, others []int
	for i := range b.Len() {
		if i%3 == 0 {
			others = append(others, i)
		} else {
			of = append(of, i)
		}
	}
	small, full := vec.NewMatrix[T](len(of), a.Cols), vec.NewMatrix[T](b.Len(), a.Cols)
	for p, i := range of {
		copy(small.Row(p), a.Row(i))
		copy(full.Row(i), a.Row(i))
	}
	m, err := NewCombination(b.Compact(of), weights, small, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := NewCombination(b, weights, full, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, want := vec.NewMatrix[T](len(others), a.Cols), vec.NewMatrix[T](len(others), a.Cols)
	m.ScoresOf(got, b, others, of, 1)
	whole.ScoresOf(want, b, others, nil, 1)
	if !slices.Equal(got.Data, want.Data) {
		t.Error("a model of some examples has other scores")
	}
}

func TestBundleWholeErrors(t *testing.T) {
	b, _ := manyOf[float64](t, rand.New(rand.NewPCG(1, 2)), 5, "dense", false)
	mix, err := b.Mix(0)
	if err != nil {
		t.Fatal(err)
	}
	a := vec.NewMatrix[float64](5, 2)
	weights := make([]float64, 6)
	m, err := NewCombination(b, weights, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	for want, call := range map[string]func(){
		"bundle: Mixture.Weigh: 1 weights for 6 kernels": func() {
			mix.Weigh([]float64{1}, 1)
		},
		"bundle: Mixture.Weigh: -1 workers, want at least 0": func() {
			mix.Weigh(weights, -1)
		},
		"bundle: Mixture.Extend: -1 workers, want at least 0": func() {
			mix.Extend(b, -1)
		},
		"bundle: Mixture.Extend: 2 examples and 6 kernels for a mixture of 5 and 6": func() {
			mix.Extend(b.Compact([]int{1, 2}), 1)
		},
		"bundle: Bundle.Rows: 1 matrices for 6 kernels": func() {
			b.Rows(make([]vec.Matrix[float64], 1), nil)
		},
		"bundle: Bundle.Rows: dst is 5-by-2 for 2 rows of 5 examples": func() {
			b.Rows(slices.Repeat([]vec.Matrix[float64]{a}, 6), []int{0, 1})
		},
		"bundle: Bundle.Rows: dst is 2-by-0 for 2 rows of 5 examples": func() {
			dst := make([]vec.Matrix[float64], 6)
			dst[3].Rows = 2
			b.Rows(dst, []int{0, 1})
		},
		"bundle: Bundle.Rows: dst is 0-by-5 for 2 rows of 5 examples": func() {
			dst := make([]vec.Matrix[float64], 6)
			dst[3].Cols = 5
			b.Rows(dst, []int{0, 1})
		},
		"bundle: Bundle.Rows: row 5 at place 0, want one in 0..4": func() {
			b.Rows(make([]vec.Matrix[float64], 6), []int{5})
		},
		"bundle: Bundle.Diagonal: 2 numbers for 5 examples": func() {
			b.Diagonal(make([]float64, 2), 0)
		},
		"bundle: Bundle.Diagonal: kernel 6 of 6": func() {
			b.Diagonal(make([]float64, 5), 6)
		},
		"bundle: Bundle.Forms: 4 rows for 5 examples": func() {
			b.Forms([]vec.Matrix[float64]{vec.NewMatrix[float64](4, 1)}, 1)
		},
		"bundle: Bundle.Forms: -1 workers, want at least 0": func() {
			b.Forms(nil, -1)
		},
		"bundle: Bundle.ScoresAndForms: dst is 4-by-2 for 5 examples, a is 5-by-2, 6 weights of 6 kernels": func() {
			b.ScoresAndForms(vec.NewMatrix[float64](4, 2), make([]float64, 6), a, nil, 1)
		},
		"bundle: Bundle.ScoresAndForms: dst is 5-by-2 for 5 examples, a is 5-by-2, 2 weights of 6 kernels": func() {
			b.ScoresAndForms(a, make([]float64, 2), a, nil, 1)
		},
		"bundle: Bundle.ScoresAndForms: 4 rows for 5 examples": func() {
			b.ScoresAndForms(a, make([]float64, 6), a, []vec.Matrix[float64]{vec.NewMatrix[float64](4, 1)}, 1)
		},
		"bundle: Bundle.ScoresAndForms: -1 workers, want at least 0": func() {
			b.ScoresAndForms(a, make([]float64, 6), a, nil, -1)
		},
		"bundle: Bundle.Compact: no examples": func() {
			b.Compact(nil)
		},
		"bundle: Bundle.Compact: row 5 at place 0, want one in 0..4": func() {
			b.Compact([]int{5})
		},
		"bundle: Combination.ScoresOf: row 9 at place 0, want one in 0..4": func() {
			m.ScoresOf(a, b, []int{9}, nil, 1)
		},
		"bundle: Combination.ScoresOf: -1 workers, want at least 0": func() {
			m.ScoresOf(a, b, nil, nil, -1)
		},
		"bundle: Combination.ScoresOf: dst is 5-by-2 for 1 examples and 2 outputs, 3 groups for a model of 3, 5 " +
			"training examples for one of 5": func() {
			m.ScoresOf(a, b, []int{1}, nil, 1)
		},
		"bundle: Combination.ScoresOf: training example -1 at place 0, want one in 0..4": func() {
			m.ScoresOf(a, b, nil, []int{-1}, 1)
		},
		"bundle: Combination.ScoresOf: dst is 5-by-2 for 5 examples and 2 outputs, 3 groups for a model of 3, 2 " +
			"training examples for one of 5": func() {
			m.ScoresOf(a, b, nil, []int{1, 2}, 1)
		},
	} {
		panics(t, want, call)
	}
	nan := vec.NewMatrix[float64](5, 2)
	nan.Row(3)[1] = math.NaN()
	for _, c := range []struct {
		b            *Bundle[float64]
		weights      []float64
		coefficients vec.Matrix[float64]
		names        []string
		want         string
	}{
		{nil, weights, a, nil, "bundle: no bundle"},
		{b, weights[:2], a, nil, "bundle: 2 weights for 6 kernels, want as many"},
		{b, weights, vec.NewMatrix[float64](4, 2), nil, "bundle: 4-by-2 coefficients for 5 examples"},
		{b, weights, a, []string{"a"}, "solvers: 1 names"},
		{b, weights, nan, nil, "bundle: coefficient NaN of row 3 for output 1, want a finite number"},
		{b, []float64{0, -1, 0, 0, 0, 0}, a, nil,
			"bundle: weight -1 of kernel 1, want a finite number of at least 0, in group 0"},
		{b, []float64{0, 0, 0, 0, 0, math.Inf(1)}, a, nil,
			"bundle: weight +Inf of kernel 0, want a finite number of at least 0, in group 2"},
	} {
		if _, err := NewCombination(c.b, c.weights, c.coefficients, c.names); err == nil ||
			len(err.Error()) < len(c.want) || err.Error()[:len(c.want)] != c.want {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func TestNewErrors(t *testing.T) {
	given, err := kernel.Precomputed(vec.MatrixOf(1, 1, []float64{1}))
	if err != nil {
		t.Fatal(err)
	}
	examples := func(x ...float64) design.Matrix[float64] {
		return &dataset.Dense[float64]{Matrix: vec.MatrixOf(len(x), 1, x)}
	}
	two, linear := examples(1, 1e80), []kernel.Kernel{kernel.Linear{}}
	computed, err := kernel.New(two, kernel.Linear{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	type groups = []Group[float64]
	for _, c := range []struct {
		budget int64
		groups groups
		want   string
	}{
		{0, nil, "bundle: no groups"},
		{-1, groups{{X: two, Kernels: linear}}, "bundle: a budget of -1 bytes, want at least 0"},
		{0, groups{{X: two, Kernels: linear}, {X: two}}, "bundle: group 1: kernel: no kernels"},
		{0, groups{{Kernels: linear}}, "bundle: group 0: kernel: design: no examples"},
		{0, groups{{X: two, Kernels: linear}, {X: examples(1), Kernels: linear}},
			"bundle: 1 examples in group 1, but 2 in group 0"},
		{0, groups{{X: two, Kernels: []kernel.Kernel{kernel.Linear{},
			kernel.Sum{{Weight: 1, Kernel: kernel.Linear{}}}}}},
			"bundle: group 0: kernel: kernel 1 is a Sum"},
		{0, groups{{X: two, Kernels: []kernel.Kernel{kernel.Gaussian{}}}},
			"bundle: group 0: kernel: Gaussian of Gamma 0, want a finite number above 0, in kernel 0"},
		{0, groups{{X: two, Kernels: []kernel.Kernel{nil}}}, "bundle: group 0: kernel: no kernel, in kernel 0"},
		{0, groups{{X: two, Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Polynomial{Degree: 4}}}},
			"bundle: group 0: kernel: the value of kernel.Polynomial for row 1"},
		{0, groups{{X: examples(1), Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: math.Inf(1)}}}},
			"bundle: group 0: kernel: Gaussian of Gamma +Inf, want a finite number above 0, in kernel 1"},
		{0, groups{{X: two, Matrix: given}},
			"bundle: group 0: a matrix beside features or 0 kernels, want one or the other"},
		{0, groups{{Matrix: given, Kernels: linear}},
			"bundle: group 0: a matrix beside features or 1 kernels, want one or the other"},
		{0, groups{{Matrix: computed}},
			"bundle: group 0: kernel: the matrix of a kernel.Linear, want one that is given"},
	} {
		if _, err := New(c.budget, c.groups...); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
