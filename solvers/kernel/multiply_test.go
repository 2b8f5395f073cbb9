package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

func ExampleMatrix_Multiply() {
	x := &dataset.Dense[float32]{Matrix: vec.MatrixOf(3, 1, []float32{0, 1, 3})}
	k, err := New(design.Matrix[float32](x), Polynomial{Degree: 2, Offset: 1}, 0)
	if err != nil {
		panic(err)
	}
	a := vec.MatrixOf(3, 1, []float64{1, -1, .5})
	dst := vec.NewMatrix[float64](3, 1)
	k.Multiply64(dst, a, 0)
	fmt.Println(dst.Data, vec.Dot(a.Data, dst.Data))
	// Output: [0.5 5 35] 13
}

// Products are what the numbers of Rows give, within the bound of the sums, with the same bits for any number of
// goroutines and whatever is kept.
func TestMultiply(t *testing.T) {
	t.Run("float32", multiplied[float32])
	t.Run("float64", multiplied[float64])
}

func multiplied[T vec.Float](t *testing.T) {
	sizes := [][2]int{{1, 1}, {33, 5}, {200, 70}, {70, 33000}}
	if testing.Short() {
		sizes = [][2]int{{1, 1}, {150, 70}}
	}
	rng := rand.New(rand.NewPCG(51, 52))
	for _, size := range sizes {
		n, d := size[0], size[1]
		for name, x := range draw[T](rng, n, d, .05) {
			for _, k := range []Kernel{kernels[3], kernels[4]} {
				whole, err := New(x, k, 0)
				if err != nil {
					t.Fatal(err)
				}
				all := vec.NewMatrix[T](n, n)
				whole.Rows(all, every(n), 1)
				some, err := New(x, k, budget(whole, int64(n)/2))
				if err != nil {
					t.Fatal(err)
				}
				some.Rows(all, every(n), 1)
				given, err := Precomputed(all)
				if err != nil {
					t.Fatal(err)
				}
				rows := rng.Perm(n)[:(n+1)/2]
				subset, err := some.Subset(rows)
				if err != nil {
					t.Fatal(err)
				}
				part := vec.NewMatrix[T](len(rows), len(rows))
				subset.Rows(part, every(len(rows)), 1)
				for _, zero := range []float64{0, .4, .95, 1} {
					what := fmt.Sprintf("%s %d-by-%d, %#v, %v zero", name, n, d, k, zero)
					checkMultiply(t, what, []*Matrix[T]{whole, some}, all, zero)
					checkMultiply(t, what+", given", []*Matrix[T]{given}, all, zero)
					checkMultiply(t, what+", subset", []*Matrix[T]{subset}, part, zero)
				}
			}
		}
	}
}

// checkMultiply compares the products of equal matrices with exact sums.
func checkMultiply[T vec.Float](t *testing.T, name string, same []*Matrix[T], k vec.Matrix[T], zero float64) {
	t.Helper()
	const outputs = 3
	rng := rand.New(rand.NewPCG(53, 54))
	n := k.Rows
	a, wide := vec.NewMatrix[T](n, outputs+2).Slice(0, n, 1, outputs+1), vec.NewMatrix[float64](n, outputs)
	nonZero := 0
	for i := range n {
		if rng.Float64() >= zero {
			nonZero++
			for c := range outputs {
				a.Row(i)[c] = T(rng.NormFloat64())
				wide.Row(i)[c] = float64(a.Row(i)[c])
			}
		}
	}
	var first vec.Matrix[T]
	var first64 vec.Matrix[float64]
	for _, m := range same {
		for _, workers := range []int{0, 1, 2, 3, math.MaxInt} {
			dst, dst64 := vec.NewMatrix[T](n, outputs), vec.NewMatrix[float64](n, outputs)
			dst.Data[0], dst64.Data[0] = T(math.NaN()), math.NaN()
			m.Multiply(dst, a, workers)
			m.Multiply64(dst64, wide, workers)
			if first.Rows == 0 {
				first, first64 = dst, dst64
				checkSums(t, name+", Multiply", dst, k, wide, nonZero)
				checkSums(t, name+", Multiply64", dst64, k, wide, nonZero)
			}
			if !slices.Equal(dst.Data, first.Data) || !slices.Equal(dst64.Data, first64.Data) {
				t.Fatalf("%s: other bits with %d workers or other rows kept", name, workers)
			}
		}
		if m.cache.pinned != 0 {
			t.Errorf("%s: %d rows are still pinned", name, m.cache.pinned)
		}
	}
}

// checkSums compares with sums in float64 whose errors, of n 2^-52, are added to the bound.
func checkSums[T, S vec.Float](t *testing.T, name string, got vec.Matrix[S], k vec.Matrix[T], a vec.Matrix[float64],
	terms int) {
	t.Helper()
	u := 0x1p-24
	if _, is64 := any(S(0)).(float64); is64 {
		u = 0x1p-53
	}
	for i := range got.Rows {
		for c, v := range got.Row(i) {
			want, size, other := 0.0, 0.0, 0.0
			for j, kij := range k.Row(i) {
				term := float64(kij) * a.Row(j)[c]
				want, size = want+term, size+math.Abs(term)
				other += math.Abs((float64(kij) - float64(k.Row(j)[i])) * a.Row(j)[c]) // K_ji in place of K_ij
			}
			bound := (float64(terms+8)*u+float64(k.Rows)*0x1p-52)*size + other
			if !(math.Abs(float64(v)-want) <= bound) {
				t.Fatalf("%s: row %d, output %d: %v, want %v within %v", name, i, c, v, want, bound)
			}
		}
	}
}

// With 8400 examples groups have several blocks, and stripes come after another.
func TestMultiplyGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("a matrix of 8400 rows")
	}
	const n, d = 8400, 3
	rng := rand.New(rand.NewPCG(55, 56))
	x := draw[float32](rng, n, d, 1)["dense"]
	m, err := New(x, kernels[3], 0)
	if err != nil {
		t.Fatal(err)
	}
	a, dst, again := vec.NewMatrix[float64](n, 1), vec.NewMatrix[float64](n, 1), vec.NewMatrix[float64](n, 1)
	for i := range a.Data {
		if i%100 > 0 {
			a.Data[i] = rng.NormFloat64()
		}
	}
	m.Multiply64(dst, a, 1)
	m.Multiply64(again, a, 3)
	if !slices.Equal(dst.Data, again.Data) {
		t.Error("other bits with 3 workers")
	}
	row := vec.NewMatrix[float32](1, n)
	for i := 0; i < n; i += 73 {
		m.Rows(row, []int{i}, 1)
		want, size := 0.0, 0.0
		for j, k := range row.Data {
			term := float64(k) * a.Data[j]
			want, size = want+term, size+math.Abs(term)
		}
		if math.Abs(dst.Data[i]-want) > 2*n*0x1p-52*size {
			t.Errorf("row %d: %v, want %v", i, dst.Data[i], want)
		}
	}
}

func TestMultiplyPanics(t *testing.T) {
	m, _ := pinned(t, 3, 1)
	a, b := vec.NewMatrix[float32](3, 2), vec.NewMatrix[float32](3, 1)
	for want, call := range map[string]func(){
		"kernel: Matrix.Multiply: dst is 3-by-2 and a 3-by-1 for 3 examples": func() { m.Multiply(a, b, 1) },
		"kernel: Matrix.Multiply64: dst is 3-by-2 and a 2-by-2 for 3 examples": func() {
			m.Multiply64(vec.NewMatrix[float64](3, 2), vec.NewMatrix[float64](2, 2), 1)
		},
		"kernel: Matrix.Multiply: -1 workers, want at least 0": func() { m.Multiply(a, a, -1) },
	} {
		panics(t, want, call)
	}
	m.Multiply(vec.NewMatrix[float32](3, 0), vec.NewMatrix[float32](3, 0), 1)
}

// BenchmarkMultiply is the product with 20 columns, half of whose rows are not 0, with nothing kept: by tiles, and in
// turn by rows as a comparison, with the least times and their ratio.
func BenchmarkMultiply(b *testing.B) {
	const n, outputs = 4000, 20
	for _, d := range []int{34, 784} {
		b.Run(fmt.Sprintf("type=f64/n=%d/d=%d", n, d), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			x := vec.NewMatrix[float64](n, d)
			for i := range x.Data {
				x.Data[i] = rng.NormFloat64()
			}
			m, err := New(design.Matrix[float64](&dataset.Dense[float64]{Matrix: x}),
				Gaussian{Gamma: 1 / float64(d)}, 0)
			if err != nil {
				b.Fatal(err)
			}
			for _, share := range []float64{.5, 1} {
				b.Run(fmt.Sprintf("nonzero=%v", share), func(b *testing.B) { compareMultiply(b, m, outputs, share) })
			}
		})
	}
}

func compareMultiply(b *testing.B, m *Matrix[float64], outputs int, share float64) {
	n := m.Len()
	rng := rand.New(rand.NewPCG(3, 4))
	a, dst := vec.NewMatrix[float64](n, outputs), vec.NewMatrix[float64](n, outputs)
	var rows []int
	for i := range n {
		if rng.Float64() < share {
			rows = append(rows, i)
			for c := range outputs {
				a.Row(i)[c] = rng.NormFloat64()
			}
		}
	}
	block, part := vec.NewMatrix[float64](64, n), vec.NewMatrix[float64](64, outputs)
	byTiles := func() { m.Multiply(dst, a, 0) }
	byRows := func() {
		clear(dst.Data)
		for some := range slices.Chunk(rows, 64) {
			k, part := block.Slice(0, len(some), 0, n), part.Slice(0, len(some), 0, outputs)
			m.Rows(k, some, 0)
			for p, i := range some {
				copy(part.Row(p), a.Row(i))
			}
			vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, k, part, 1, dst, 0)
		}
	}
	compare(b, []string{"tiles", "rows"}, byTiles, byRows)
}

// compare runs functions in turn, reports their least times, in ms, and the ratio of the first to the second, and
// returns the times.
func compare(b *testing.B, names []string, functions ...func()) []time.Duration {
	least := make([]time.Duration, len(functions))
	for b.Loop() {
		for i, f := range functions {
			start := time.Now()
			f()
			if took := time.Since(start); least[i] == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	for i, name := range names {
		b.ReportMetric(least[i].Seconds()*1e3, name+"-ms")
	}
	b.ReportMetric(float64(least[0])/float64(least[1]), names[0]+"/"+names[1])
	return least
}

// BenchmarkMultiplyKept is the product in float64 with a matrix of 64 MB that is kept in float32, in turn with one of
// package vec after conversion: the least times, and their ratio.
func BenchmarkMultiplyKept(b *testing.B) {
	const n = 4000
	k, wide := vec.NewMatrix[float32](n, n), vec.NewMatrix[float64](n, n)
	for i := range n {
		for j := range n {
			k.Row(i)[j] = 1 / float32(1+max(i, j))
		}
		vec.Convert(wide.Row(i), k.Row(i))
	}
	m, err := Precomputed(k)
	if err != nil {
		b.Fatal(err)
	}
	for _, outputs := range []int{1, 20} {
		b.Run(fmt.Sprintf("n=%d/m=%d", n, outputs), func(b *testing.B) {
			a, dst := vec.NewMatrix[float64](n, outputs), vec.NewMatrix[float64](n, outputs)
			for i := range a.Data {
				a.Data[i] = float64(i%13) + 1
			}
			compare(b, []string{"multiply", "gemm"},
				func() { m.Multiply64(dst, a, 1) },
				func() { vec.Gemm(vec.NoTrans, vec.NoTrans, 1, wide, a, 0, dst) })
		})
	}
}
