package kernel

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

func ExampleMatrix_Rows() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 1, []float64{0, 1, 3})}
	k, err := New(design.Matrix[float64](x), Gaussian{Gamma: 1}, 1<<20)
	if err != nil {
		panic(err)
	}
	rows := vec.NewMatrix[float64](1, 3)
	k.Rows(rows, []int{1}, 1)
	fmt.Printf("%.4f\n", rows.Row(0))
	// Output: [0.3679 1.0000 0.0183]
}

var kernels = []Kernel{
	Linear{}, Polynomial{Degree: 1, Scale: .5}, Polynomial{Degree: 5, Offset: 1},
	Polynomial{Degree: 2, Scale: .1, Offset: .3}, Gaussian{Gamma: .3},
	Constant{Value: 2}, Sum{{1, Gaussian{Gamma: .3}}, {.5, Constant{Value: 3}}},
	Sum{{.5, Gaussian{Gamma: .1}}, {2, Gaussian{Gamma: 2}}, {.25, Linear{}}},
}

// value is k(x, z) by the formula, and size what its error is relative to.
func value(k Kernel, x, z []float64) (v, size float64) {
	dot, distance, sizes := 0.0, 0.0, 0.0
	for j := range x {
		dot += x[j] * z[j]
		sizes += math.Abs(x[j] * z[j])
		distance += (x[j] - z[j]) * (x[j] - z[j])
	}
	switch k := k.(type) {
	case Linear:
		return dot, sizes
	case Polynomial:
		scale := k.Scale
		if scale == 0 {
			scale = 1
		}
		degree := float64(k.Degree)
		return math.Pow(scale*dot+k.Offset, degree), (degree + 1) * math.Pow(scale*sizes+k.Offset, degree)
	case Gaussian:
		v = math.Exp(-k.Gamma * distance)
		return v, v * (1 + 8*k.Gamma*distance)
	case Constant:
		return k.Value, k.Value
	case Sum:
		for _, t := range k {
			a, b := value(t.Kernel, x, z)
			v, size = v+t.Weight*a, size+t.Weight*b
		}
	}
	return v, size
}

// draw returns n examples of d features, a fraction of them not 0 and some alike or almost, as storages.
func draw[T vec.Float](rng *rand.Rand, n, d int, density float64) map[string]design.Matrix[T] {
	x := vec.NewMatrix[T](n, d)
	sparse := &dataset.CSR[T]{Rows: n, Cols: d, Ptr: []int{0}}
	for i := range n {
		row := x.Row(i)
		for j := range row {
			if rng.Float64() < density {
				row[j] = T(rng.NormFloat64())
			}
		}
		if i%5 == 4 {
			copy(row, x.Row(i-1))
			row[rng.IntN(d)] += T(1e-3 * float64(i%2))
		}
		for j, v := range row {
			if v != 0 {
				sparse.Idx, sparse.Val = append(sparse.Idx, int32(j)), append(sparse.Val, v)
			}
		}
		sparse.Ptr = append(sparse.Ptr, len(sparse.Val))
	}
	return map[string]design.Matrix[T]{"dense": &dataset.Dense[T]{Matrix: x}, "csr": sparse}
}

func TestRows(t *testing.T) {
	t.Run("float32", func(t *testing.T) { rows[float32](t, 0x1p-23) })
	t.Run("float64", func(t *testing.T) { rows[float64](t, 0x1p-52) })
}

func rows[T vec.Float](t *testing.T, epsilon float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {7, 3}, {33, 40}, {300, 90}} {
		n, d := size[0], size[1]
		if testing.Short() && n > 100 {
			continue
		}
		for _, density := range []float64{.03, 1} {
			for name, x := range draw[T](rng, n, d, density) {
				at := make([][]float64, n)
				for i := range at {
					row := vec.NewMatrix[T](1, d)
					x.Gather(row, []int{i})
					for _, v := range row.Data {
						at[i] = append(at[i], float64(v))
					}
				}
				for _, k := range kernels {
					m, err := New(x, k, 1<<20)
					if err != nil {
						t.Fatal(err)
					}
					index, relative := []int{n - 1, 0, n / 2, n - 1}, 4*float64(d+3)*epsilon
					dst, diagonal := vec.NewMatrix[T](4, n+3).Slice(0, 4, 1, n+1), make([]T, n)
					m.Rows(dst, index, 1)
					m.Diagonal(diagonal)
					for p, i := range index {
						for j := range n {
							want, scale := value(k, at[i], at[j])
							if got := dst.At(p, j); math.Abs(float64(got)-want) > relative*scale {
								t.Fatalf("%s %d-by-%d, %#v, row %d, column %d: %v, want %v", name, n, d, k, i, j, got,
									want)
							}
						}
						if want, scale := value(k, at[i], at[i]); math.Abs(float64(diagonal[i])-want) > relative*scale {
							t.Errorf("%#v: diagonal %v, want %v", k, diagonal[i], want)
						}
					}
				}
			}
		}
	}
}

// In float64 the numbers of float32 examples are taken as they are.
func TestFloat64(t *testing.T) {
	const n, d = 40, 60
	for name, x := range draw[float32](rand.New(rand.NewPCG(9, 10)), n, d, .04) {
		narrow, err := New(x, kernels[5], 0)
		if err != nil {
			t.Fatal(err)
		}
		m, err := narrow.Float64()
		if err != nil {
			t.Fatal(err)
		}
		if same, err := m.Float64(); same != m || err != nil {
			t.Errorf("%p of %p, %v", same, m, err)
		}
		dst, at := vec.NewMatrix[float64](1, n), vec.NewMatrix[float64](n, d)
		design.Float64(x).Gather(at, nil)
		for i := range n {
			m.Rows(dst, []int{i}, 1)
			for j, v := range dst.Data {
				if want, scale := value(kernels[5], at.Row(i), at.Row(j)); math.Abs(v-want) > 1e-13*scale {
					t.Fatalf("%s: row %d, column %d: %v, want %v", name, i, j, v, want)
				}
			}
		}
	}
}

// Rows have the same bits in whatever company they are computed, and whatever the cache holds.
func TestSameBits(t *testing.T) {
	t.Run("float32", sameBits[float32])
	t.Run("float64", sameBits[float64])
}

func sameBits[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	sizes, budgets, calls := []int{3, 150, 270}, []int64{0, 1, 20, 150, 1 << 20}, 12
	if testing.Short() {
		sizes, budgets, calls = []int{3, 150}, []int64{0, 20}, 4
	}
	for _, n := range sizes {
		for name, x := range draw[T](rng, n, 70, .06) {
			for _, k := range []Kernel{kernels[2], kernels[5]} {
				all := vec.NewMatrix[T](n, n)
				whole, err := New(x, k, 0)
				if err != nil {
					t.Fatal(err)
				}
				every := make([]int, n)
				for i := range every {
					every[i] = i
				}
				whole.Rows(all, every, 1)
				for _, keep := range budgets {
					m, err := New(x, k, budget(whole, keep))
					if err != nil {
						t.Fatal(err)
					}
					var wait sync.WaitGroup
					for g := range 3 {
						wait.Go(func() {
							rng := rand.New(rand.NewPCG(uint64(g), 5))
							for range calls {
								index := make([]int, rng.IntN(90))
								for p := range index {
									index[p] = rng.IntN(n)
								}
								dst := vec.NewMatrix[T](len(index), n)
								m.Rows(dst, index, []int{0, 1, 2, 3, 1 << (bits.UintSize - 7),
									math.MaxInt}[rng.IntN(6)])
								for p, i := range index {
									if !slices.Equal(dst.Row(p), all.Row(i)) {
										t.Errorf("%s, %#v, %d rows kept: row %d of %d has other bits", name, k, keep, i,
											len(index))
										return
									}
								}
							}
						})
					}
					wait.Wait()
					if got := int64(len(m.cache.kept)); got > keep || got > int64(n) {
						t.Errorf("%d rows kept, want %d at most", got, keep)
					}
					if keep == 1<<20 {
						m.Rows(all, every, 1)
						before := m.Computed()
						if m.Rows(all, every, 1); m.Computed() != before || before < int64(n) {
							t.Errorf("%d rows computed and %d again, for %d", before, m.Computed()-before, n)
						}
					}
				}
			}
		}
	}
}

// budget is the bytes that New needs to keep some rows of a matrix like m, in one slab.
func budget[T vec.Float](m *Matrix[T], rows int64) int64 {
	if rows == 0 {
		return 0
	}
	all := rows*rowBytes[T](m.n) + 64
	if size := int64(panelBytes[T](m.n, m.d)); !m.thin && size <= all {
		all += size
	}
	return m.scratch() + all
}

// The cache gives up the rows that are not asked for.
func TestClock(t *testing.T) {
	x := draw[float64](rand.New(rand.NewPCG(5, 6)), 20, 3, 1)["dense"]
	m, err := New(x, Linear{}, 0)
	if err == nil {
		m, err = New(x, Linear{}, budget(m, 4))
	}
	if err != nil {
		t.Fatal(err)
	}
	dst := vec.NewMatrix[float64](1, 20)
	for i := range 20 {
		m.Rows(dst, []int{0}, 1)
		m.Rows(dst, []int{i}, 1)
	}
	if got := m.Computed(); got != 20 {
		t.Errorf("%d rows computed, want 20: row 0 once", got)
	}
}

func TestPrecomputed(t *testing.T) {
	x := draw[float32](rand.New(rand.NewPCG(7, 8)), 30, 5, 1)["dense"]
	m, err := New(x, Gaussian{Gamma: .2}, 0)
	if err != nil {
		t.Fatal(err)
	}
	k := vec.NewMatrix[float32](30, 30)
	for i := range 30 {
		m.Rows(k.Slice(i, i+1, 0, 30), []int{i}, 1)
	}
	same, err := Precomputed(k)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := same.Float64()
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := vec.NewMatrix[float32](2, 30), make([]float32, 30), vec.NewMatrix[float64](1, 30)
	same.Rows(a, []int{4, 7}, 1)
	same.Diagonal(b)
	wide.Rows(c, []int{4}, 1)
	for j := range 30 {
		if a.Row(0)[j] != k.Row(4)[j] || a.Row(1)[j] != k.Row(7)[j] || b[j] != 1 || c.Data[j] != float64(k.Row(4)[j]) {
			t.Errorf("column %d: %v %v %v %v", j, a.Row(0)[j], a.Row(1)[j], b[j], c.Data[j])
		}
	}
}

func TestErrors(t *testing.T) {
	x := design.Matrix[float64](&dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{1, 1e80})})
	nan := design.Matrix[float64](&dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{1, math.NaN()})})
	empty := design.Matrix[float64](&dataset.Dense[float64]{})
	for _, c := range []struct {
		x      design.Matrix[float64]
		k      Kernel
		budget int64
		want   string
	}{
		{x, nil, 0, "no kernel"},
		{nil, Linear{}, 0, "design: no examples"},
		{(*dataset.Dense[float64])(nil), Linear{}, 0, "design: no examples"},
		{x, &Gaussian{Gamma: 1}, 0, "unknown kernel *kernel.Gaussian"},
		{x, Sum{{1, (*Gaussian)(nil)}}, 0, "unknown kernel *kernel.Gaussian"},
		{x, Linear{}, -1, "a budget of -1 bytes"},
		{x, Polynomial{}, 0, "Degree 0, want at least 1"},
		{x, Polynomial{Degree: 2, Scale: -1}, 0, "Scale -1"},
		{x, Polynomial{Degree: 2, Offset: math.Inf(1)}, 0, "Offset +Inf"},
		{x, Polynomial{Degree: 2}, 0, "row 1 and itself, |x|² = 1e+160, exceeds the largest float64"},
		{x, Gaussian{}, 0, "Gamma 0, want a finite number above 0"},
		{x, Constant{Value: -1}, 0, "constant of Value -1"},
		{x, Constant{Value: math.Inf(1)}, 0, "constant of Value +Inf"},
		{x, Sum{}, 0, "a sum of no kernels"},
		{x, Sum{{-1, Linear{}}}, 0, "weight -1 of term 0"},
		{x, Sum{{1, nil}}, 0, "term 0 has no kernel"},
		{x, Sum{{1, Gaussian{Gamma: math.NaN()}}}, 0, "Gamma NaN"},
		{nan, Linear{}, 0, "row 1, column 0: value NaN"},
		{empty, Linear{}, 0, "0 examples of 0 features"},
		{design.Matrix[float64](&dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](3, 0)}), Linear{}, 0,
			"3 examples of 0 features"},
		{design.Matrix[float64](&dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](0, 3)}), Linear{}, 0,
			"0 examples of 3 features"},
	} {
		if _, err := New(c.x, c.k, c.budget); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%#v: %v, want %q", c.k, err, c.want)
		}
	}
	// With parameters beyond float32, products with 0 would be NaN, such as the kernels of zeros or of tiny numbers.
	single := design.Matrix[float32](&dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](2, 1)})
	for want, k := range map[string]Kernel{
		"kernel: Gaussian of Gamma 1e+40 is beyond float32":   Gaussian{Gamma: 1e40},
		"kernel: polynomial of Scale 1e+60 is beyond float32": Polynomial{Degree: 1, Scale: 1e60},
		"kernel: weight 1e+39 is beyond float32":              Sum{{1, Linear{}}, {1e39, Linear{}}},
	} {
		if _, err := New(single, k, 0); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%#v: %v, want %q", k, err, want)
		}
	}
	for want, k := range map[string]vec.Matrix[float64]{
		"a 1-by-2 matrix":                    vec.NewMatrix[float64](1, 2),
		"a 0-by-0 matrix":                    vec.NewMatrix[float64](0, 0),
		"value -1 of row 1, column 1":        vec.MatrixOf(2, 2, []float64{1, 0, 0, -1}),
		"value 0.5 of row 1, column 0, but ": vec.MatrixOf(2, 2, []float64{1, .4, .5, 1}),
		"want a finite number":               vec.MatrixOf(2, 2, []float64{1, math.NaN(), .5, 1}),
	} {
		if _, err := Precomputed(k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	m, err := New(x, Linear{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	two := vec.NewMatrix[float64](2, 2)
	for want, call := range map[string]func(){
		"kernel: Matrix.Rows: example 2 at place 1, want one in 0..1": func() { m.Rows(two, []int{0, 2}, 1) },
		"kernel: Matrix.Rows: dst is 2-by-2 for 1 rows of 2 examples": func() { m.Rows(two, []int{0}, 1) },
		"kernel: Matrix.Rows: -1 workers, want at least 0":            func() { m.Rows(two, []int{0, 1}, -1) },
		"kernel: Matrix.Diagonal: 3 numbers for 2 examples":           func() { m.Diagonal(make([]float64, 3)) },
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

// TestScratch: a call of Rows by two cores takes 192 d numbers, and 128 d more and 2^19 bytes for each core. A budget
// counts that, whatever number of cores there are, and keeps the same rows.
func TestScratch(t *testing.T) { prove.Both(t, testScratch[float32], testScratch[float64]) }

func testScratch[T vec.Float](t *testing.T) {
	const d = 10
	for name, x := range draw[T](rand.New(rand.NewPCG(5, 6)), 20, d, 1) {
		m, err := New(x, Linear{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		number := int64(unsafe.Sizeof(T(0)))
		want := 192*d*number + 2*(128*d*number+524288)
		if m.thin {
			want = 0
		}
		if got := m.scratch(); got != want {
			t.Errorf("%s: %d bytes, want %d", name, got, want)
		}
		var room [3]int
		for k := range room {
			before := runtime.GOMAXPROCS(1 + 4*k)
			m, err := New(x, Linear{}, want+1000)
			runtime.GOMAXPROCS(before)
			if err != nil {
				t.Fatal(err)
			}
			room[k] = m.Room()
		}
		if room[0] == 0 || room[1] != room[0] || room[2] != room[0] {
			t.Errorf("%s: 1, 5 and 9 cores keep %v rows", name, room)
		}
	}
}
