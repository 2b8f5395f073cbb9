package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

func ExampleNewExpansion() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 1, []float64{0, 1, 3})}
	k, err := New(design.Matrix[float64](x), Gaussian{Gamma: 1}, 0)
	if err != nil {
		panic(err)
	}
	// Coefficients of two classes: the example 1 is no support vector.
	m, err := NewExpansion(k, vec.MatrixOf(3, 2, []float64{1, -1, 0, 0, -1, 1}), []string{"near 0", "near 3"})
	if err != nil {
		panic(err)
	}
	y, err := solvers.Predict(m, design.Matrix[float64](x), 0)
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Support(), y, m.Names()[y[1]])
	// Output: [0 2] [0 0 1] near 0
}

// coefficients draws n-by-m of them, a third of the rows 0.
func coefficients[T vec.Float](rng *rand.Rand, n, m int) vec.Matrix[T] {
	a := vec.NewMatrix[T](n, m+2).Slice(0, n, 1, m+1)
	for i := range n {
		if i%3 != 1 {
			for c := range m {
				a.Row(i)[c] = T(rng.NormFloat64())
			}
		}
	}
	return a
}

// storages are x as it is and in wrappers that hide how.
func storages[T vec.Float](x map[string]design.Matrix[T]) map[string]design.Matrix[T] {
	all := map[string]design.Matrix[T]{}
	for name, x := range x {
		n, _ := x.Dims()
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		all[name], all[name+" subset"], all[name+" hidden"] = x, design.Subset(x, rows), hidden[T]{x}
	}
	return all
}

// hidden has no Row.
type hidden[T vec.Float] struct{ design.Matrix[T] }

func TestExpansion(t *testing.T) {
	prove.Both(t, func(t *testing.T) { expansion[float32](t, 0x1p-23) },
		func(t *testing.T) { expansion[float64](t, 0x1p-52) })
}

// A kernel value is off by 4(d+3) eps of its size at most, as in TestRows, and a sum of s of them by (s+3) eps of its
// terms more.
func expansion[T vec.Float](t *testing.T, epsilon float64) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, size := range [][3]int{{1, 1, 1}, {9, 40, 3}, {70, 90, 2}, {420, 7, 2}} {
		n, d, m := size[0], size[1], size[2]
		if testing.Short() && n > 50 {
			continue
		}
		for _, density := range []float64{.03, 1} {
			train, test := draw[T](rng, n, d, density), draw[T](rng, n+5, d, density)
			a := coefficients[T](rng, n, m)
			z, x := vec.NewMatrix[T](n, d), vec.NewMatrix[T](n+5, d)
			train["dense"].Gather(z, nil)
			copy(test["dense"].(*dataset.Dense[T]).Data, z.Row(0)) // one that is a support vector
			csr(test, n+5, d)
			test["dense"].Gather(x, nil)
			for _, k := range kernels {
				want, bound := expected(k, x, z, a, epsilon)
				for name, train := range train {
					matrix, err := New(train, k, 0)
					if err != nil {
						t.Fatal(err)
					}
					e, err := NewExpansion(matrix, a, nil)
					if err != nil {
						t.Fatal(err)
					}
					for testName, test := range storages(test) {
						for _, workers := range []int{0, 1, 2, math.MaxInt} {
							for _, rows := range [][]int{nil, {}, {n + 4, 0, 0}} {
								list := rows
								for i := 0; rows == nil && i < n+5; i++ {
									list = append(list, i)
								}
								dst := vec.NewMatrix[T](len(list), m+3).Slice(0, len(list), 2, m+2)
								if err := e.ScoresWorkers(dst, test, rows, workers); err != nil {
									t.Fatal(err)
								}
								for p, i := range list {
									for c, got := range dst.Row(p) {
										if math.Abs(float64(got)-want.At(i, c)) > bound.At(i, c) {
											t.Fatalf("%s, examples %s, %#v, row %d, output %d: %v, want %v",
												name, testName, k, i, c, got, want.At(i, c))
										}
									}
								}
							}
						}
					}
				}
			}
		}
	}
}

// csr makes test["csr"] the sparse form of test["dense"] again.
func csr[T vec.Float](test map[string]design.Matrix[T], n, d int) {
	x, s := test["dense"].(*dataset.Dense[T]), &dataset.CSR[T]{Rows: n, Cols: d, Ptr: []int{0}}
	for i := range n {
		for j, v := range x.Row(i) {
			if v != 0 {
				s.Idx, s.Val = append(s.Idx, int32(j)), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	test["csr"] = s
}

// expected is the scores by the formula, and the bounds of their errors.
func expected[T vec.Float](k Kernel, x, z, a vec.Matrix[T], epsilon float64) (want, bound vec.Matrix[float64]) {
	wide := func(row []T) []float64 {
		r := make([]float64, len(row))
		vec.Convert(r, row)
		return r
	}
	want, bound = vec.NewMatrix[float64](x.Rows, a.Cols), vec.NewMatrix[float64](x.Rows, a.Cols)
	for i := range x.Rows {
		for p := range z.Rows {
			v, size := value(k, wide(x.Row(i)), wide(z.Row(p)))
			for c, w := range wide(a.Row(p)) {
				want.Row(i)[c] += v * w
				bound.Row(i)[c] += math.Abs(w) * epsilon * (4*float64(x.Cols+3)*size + float64(z.Rows+3)*math.Abs(v))
			}
		}
	}
	return want, bound
}

// Of a precomputed kernel the features are its values; ScoresOf takes them as a matrix, of any kernel.
func TestExpansionPrecomputed(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	const n, m = 40, 3
	x := draw[float64](rng, n, 5, 1)["dense"]
	k, err := New(x, Gaussian{Gamma: .1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	values, all := vec.NewMatrix[float64](n, n), make([]int, n)
	for i := range all {
		all[i] = i
	}
	k.Rows(values, all, 1)
	given, err := Precomputed(values)
	if err != nil {
		t.Fatal(err)
	}
	a := coefficients[float64](rng, n, m)
	e, err := NewExpansion(k, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewExpansion(given, a, []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	if d, outputs := p.Dims(); d != n || outputs != m || p.Kernel() != nil || p.Len() != n || p.Names()[1] != "b" {
		t.Errorf("%d features, %d outputs, kernel %v, %d examples, names %v", d, outputs, p.Kernel(), p.Len(),
			p.Names())
	}
	want, got := vec.NewMatrix[float64](n, m), vec.NewMatrix[float64](n, m)
	if err := e.ScoresOf(want, values); err != nil {
		t.Fatal(err)
	}
	for _, rows := range [][]int{nil, all} {
		if err := p.Scores(got, &dataset.Dense[float64]{Matrix: values}, rows); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Data, want.Data) {
			t.Errorf("rows %v: %v, want %v", rows, got.Data, want.Data)
		}
	}
	if err := e.Scores(got, x, nil); err != nil {
		t.Fatal(err)
	}
	for i, v := range got.Data {
		// two sums of at most n products of numbers up to 1 and 4, each off by 2(n+3) eps of its terms
		if math.Abs(v-want.Data[i]) > 4*(n+3)*0x1p-52*4*n {
			t.Errorf("score %d: %v, by ScoresOf %v", i, v, want.Data[i])
		}
	}
}

// Memory and time of sparse examples have nothing to do with d.
func TestExpansionManyFeatures(t *testing.T) {
	const n, d, m = 200, 1 << 20, 2
	rng := rand.New(rand.NewPCG(15, 16))
	x := &dataset.CSR[float64]{Rows: n, Cols: d, Ptr: []int{0}}
	for range n {
		at := map[int32]bool{}
		for len(at) < 6 {
			at[int32(rng.IntN(d))] = true
			at[int32(rng.IntN(4))] = true
		}
		var columns []int32
		for c := range at {
			columns = append(columns, c)
		}
		slices.Sort(columns)
		for _, c := range columns {
			x.Idx, x.Val = append(x.Idx, c), append(x.Val, rng.NormFloat64())
		}
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	a := coefficients[float64](rng, n, m)
	for _, k := range kernels {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		matrix, err := New(design.Matrix[float64](x), k, 0)
		if err != nil {
			t.Fatal(err)
		}
		e, err := NewExpansion(matrix, a, nil)
		if err != nil {
			t.Fatal(err)
		}
		y, err := solvers.Predict(e, design.Matrix[float64](x), 2)
		if err != nil || len(y) != n {
			t.Fatal(y, err)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > d { // a dense row has 8 d bytes
			t.Errorf("%#v: took %d bytes", k, took)
		}
	}
}

func TestExpansionNone(t *testing.T) {
	x := draw[float32](rand.New(rand.NewPCG(17, 18)), 6, 4, 1)
	for name, x := range x {
		k, err := New(x, Linear{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		m, err := NewExpansion(k, vec.NewMatrix[float32](6, 2), nil)
		if err != nil {
			t.Fatal(err)
		}
		dst := vec.MatrixOf(6, 2, slices.Repeat([]float32{7}, 12))
		if err := m.Scores(dst, x, nil); err != nil || vec.SquaredNorm(dst.Data) != 0 || len(m.Support()) != 0 {
			t.Errorf("%s: %v, %v, %v", name, dst.Data, m.Support(), err)
		}
	}
}

func TestExpansionErrors(t *testing.T) {
	x := draw[float64](rand.New(rand.NewPCG(19, 20)), 5, 4, 1)["dense"]
	k, err := New(x, Linear{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	nan := vec.NewMatrix[float64](5, 2)
	nan.Row(3)[1] = math.NaN()
	for _, c := range []struct {
		k     *Matrix[float64]
		a     vec.Matrix[float64]
		names []string
		want  string
	}{
		{nil, nan, nil, "no kernel matrix"},
		{k, vec.Matrix[float64]{Rows: 5, Cols: 2, Stride: 1}, nil, "coefficients: vec: stride 1"},
		{k, vec.NewMatrix[float64](4, 2), nil, "4-by-2 coefficients for 5 examples"},
		{k, vec.NewMatrix[float64](5, 0), nil, "5-by-0 coefficients"},
		{k, nan, nil, "coefficient NaN of row 3 for output 1"},
		{k, vec.NewMatrix[float64](5, 2), []string{"a"}, "1 names for 2 outputs"},
		{k, vec.NewMatrix[float64](5, 2), []string{"a", "a"}, `outputs 0 and 1 have the same name "a"`},
	} {
		if _, err := NewExpansion(c.k, c.a, c.names); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	m, err := NewExpansion(k, vec.NewMatrix[float64](5, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	good, values := vec.NewMatrix[float64](5, 2), vec.NewMatrix[float64](5, 5)
	narrow := draw[float64](rand.New(rand.NewPCG(19, 20)), 5, 3, 1)["dense"]
	for want, err := range map[string]error{
		"no examples": m.Scores(good, nil, nil),
		"examples of 3 features for a model of 4":  m.Scores(good, narrow, nil),
		"a 5-by-2 matrix for the scores of 1":      m.Scores(good, x, []int{0}),
		"row 5 at place 1":                         m.Scores(vec.NewMatrix[float64](2, 2), x, []int{0, 5}),
		"-2 workers":                               m.ScoresWorkers(good, x, nil, -2),
		"kernel's values with 4 of 5 training exa": m.ScoresOf(good, vec.NewMatrix[float64](5, 4)),
		"a 5-by-2 matrix for the scores of 4 exam": m.ScoresOf(good, vec.NewMatrix[float64](4, 5)),
		"a 5-by-3 matrix for the scores of 5 exam": m.ScoresOf(vec.NewMatrix[float64](5, 3), values),
		"vec: stride 1":                            m.ScoresOf(good, vec.Matrix[float64]{Rows: 5, Cols: 5, Stride: 1}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
