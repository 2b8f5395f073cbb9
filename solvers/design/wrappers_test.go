package design_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// compressed returns n examples of 20 features, product-quantized.
func compressed(t testing.TB, rng *rand.Rand, n int) *pq.Matrix {
	t.Helper()
	x := matrix[float32](rng, n, 20)
	q, err := pq.Train(context.Background(), x, pq.Config{M: 5, NBits: 4, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	codes := make([]byte, n*q.CodeSize())
	if err := q.Encode(codes, x, 1); err != nil {
		t.Fatal(err)
	}
	m, err := pq.NewMatrix(q, n, codes, pq.MatrixOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// wrapper is a Matrix with the numbers that it stands for, and the magnitude of what these are computed from:
// |x| + |mean|, times |factor|.
type wrapper struct {
	x          design.Matrix[float32]
	want, size vec.Matrix[float64]
}

// wrappers are Concat, Centered and Scaled of every storage.
func wrappers(t testing.TB, rng *rand.Rand, n int) map[string]wrapper {
	t.Helper()
	all := storages(rng, n)
	if n < 16 {
		all["long"] = sparse(rng, n, 700) // rows of more than a piece
	} else {
		all["pq"] = compressed(t, rng, n)
	}
	out := map[string]wrapper{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		x := all[name]
		plain := wrapper{x, decoded(x), apply(decoded(x), func(_ int, v float64) float64 { return math.Abs(v) })}
		rows, d := x.Dims()
		other := sparse(rng, rows, 7)
		otherSize := apply(decoded(other), func(_ int, v float64) float64 { return math.Abs(v) })
		mean, factors := make([]float32, d), make([]float32, d)
		for j := range mean {
			mean[j], factors[j] = float32(rng.NormFloat64()), float32(1+rng.Float64())
		}
		factors[0], mean[1] = -2, 0
		center := func(w wrapper) wrapper {
			return wrapper{
				design.Centered(w.x, mean),
				apply(w.want, func(j int, v float64) float64 { return v - float64(mean[j]) }),
				apply(w.size, func(j int, v float64) float64 { return v + math.Abs(float64(mean[j])) }),
			}
		}
		scale := func(w wrapper) wrapper {
			return wrapper{
				design.Scaled(w.x, factors),
				apply(w.want, func(j int, v float64) float64 { return v * float64(factors[j]) }),
				apply(w.size, func(j int, v float64) float64 { return v * math.Abs(float64(factors[j])) }),
			}
		}
		out[name+" centered"], out[name+" scaled"] = center(plain), scale(plain)
		out[name+" standardized"] = scale(center(plain))
		out[name+" and sparse"] = wrapper{
			design.Concat(x, design.Matrix[float32](other)), beside(plain.want, decoded(other)),
			beside(plain.size, otherSize),
		}
		some := scale(plain)
		out["sparse, nothing, "+name+" scaled"] = wrapper{
			design.Concat(other, design.Matrix[float32](sparse(rng, rows, 0)), some.x),
			beside(decoded(other), some.want), beside(otherSize, some.size),
		}
	}
	return out
}

func apply(a vec.Matrix[float64], f func(j int, v float64) float64) vec.Matrix[float64] {
	b := vec.NewMatrix[float64](a.Rows, a.Cols)
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			b.Row(i)[j] = f(j, v)
		}
	}
	return b
}

func beside(a, b vec.Matrix[float64]) vec.Matrix[float64] {
	c := vec.NewMatrix[float64](a.Rows, a.Cols+b.Cols)
	for i := range a.Rows {
		copy(c.Row(i), a.Row(i))
		copy(c.Row(i)[a.Cols:], b.Row(i))
	}
	return c
}

// TestWrappers: every method of every wrapper, its windows and subsets and their twins in float64 returns what plain
// loops over the numbers do.
func TestWrappers(t *testing.T) {
	for _, n := range []int{5, 40} {
		for name, w := range wrappers(t, rand.New(rand.NewPCG(41, 42)), n) {
			nested := strings.Contains(name, "window") || strings.Contains(name, "subset") ||
				strings.Contains(name, "bias")
			if n == 40 && !strings.Contains(name, "pq") && (testing.Short() || nested) || nested && testing.Short() {
				continue
			}
			t.Run(fmt.Sprint(name, n), func(t *testing.T) {
				n, d := w.x.Dims()
				bounded(t, w.x, w.want, w.size)
				bounded(t, design.Float64(w.x), w.want, w.size)
				from, to := n/3, n-n/5
				want, size := w.want.Slice(from, to, 0, d), w.size.Slice(from, to, 0, d)
				bounded(t, design.Window(w.x, from, to), want, size)
				bounded(t, design.Window(design.Float64(w.x), from, to), want, size)
				rows := []int{n - 1, 0, n / 2, 0}
				bounded(t, design.Subset(w.x, rows), pick(w.want, rows...), pick(w.size, rows...))
				if _, ok := w.x.(design.DenseRows[float32]); ok {
					t.Error("offers rows that are not in memory")
				}
				if _, ok := w.x.(design.SparseRows[float32]); ok {
					t.Error("offers sparse rows that are not in memory")
				}
				sparse := !strings.Contains(name, "dense") && !strings.Contains(name, "codes") &&
					!strings.Contains(name, "pq") && !strings.Contains(name, "centered") &&
					!strings.Contains(name, "standard")
				if design.IsSparse(w.x) != sparse {
					t.Errorf("sparse: %v", design.IsSparse(w.x))
				}
				wrapperAllocates(t, name, w.x)
			})
		}
	}
}

// bounded compares the methods of x with sums in float64. With d features each term of a score or inner product meets
// at most 2d+8 roundings: two sums of d terms, of x and of the mean, then a few of their difference, of scaling and of
// parts side by side; each term of a sum over p examples likewise 2p+8. The sums in float64 that they are compared with
// are off by as much in their own precision.
func bounded[T vec.Float](t *testing.T, x design.Matrix[T], want, size vec.Matrix[float64]) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	n, d := x.Dims()
	if n != want.Rows || d != want.Cols {
		t.Fatalf("%d-by-%d, want %d-by-%d", n, d, want.Rows, want.Cols)
	}
	near := func(what string, i, j int, got T, want, magnitude float64, terms int) {
		t.Helper()
		k := float64(2*terms+8) * (prove.Unit[T]() + 0x1p-53)
		if bound := k / (1 - k) * magnitude; !(math.Abs(float64(got)-want) <= bound) {
			t.Fatalf("%s[%d,%d] = %v, want %v within %v", what, i, j, got, want, bound)
		}
	}
	norms := make([]T, n)
	x.SquaredNorms(norms)
	for i, v := range norms {
		near("norm", i, i, v, vec.SquaredNorm(want.Row(i)), vec.SquaredNorm(size.Row(i)), d)
	}
	for _, rows := range [][]int{nil, {}, {n / 2}, {n - 1, 0, n - 1, n / 2}} {
		list := rows
		if rows == nil {
			list = make([]int, n)
			for i := range list {
				list[i] = i
			}
		}
		g := matrix[T](rng, len(list), d)
		x.Gather(g, rows)
		for p, i := range list {
			for j := range d {
				near("gathered", p, j, g.Row(p)[j], want.Row(i)[j], size.Row(i)[j], 0)
			}
		}
		for _, m := range []int{0, 1, 3, 50} {
			if m == 50 && d > 100 {
				continue
			}
			w, s := matrix[T](rng, d, m+2).Slice(0, d, 1, m+1), matrix[T](rng, len(list), m)
			x.Scores(s, w, rows)
			for p, i := range list {
				for c := range m {
					score, magnitude := 0.0, 0.0
					for j := range d {
						score += want.Row(i)[j] * float64(w.Row(j)[c])
						magnitude += size.Row(i)[j] * math.Abs(float64(w.Row(j)[c]))
					}
					near("score", p, c, s.Row(p)[c], score, magnitude, d)
				}
			}
			a, before := matrix[T](rng, len(list), m), vec.NewMatrix[T](d, m)
			for j := range d {
				copy(before.Row(j), w.Row(j))
			}
			x.Accumulate(w, a, rows)
			for j := range d {
				for c := range m {
					sum := float64(before.Row(j)[c])
					magnitude := math.Abs(sum)
					for p, i := range list {
						sum += want.Row(i)[j] * float64(a.Row(p)[c])
						magnitude += size.Row(i)[j] * math.Abs(float64(a.Row(p)[c]))
					}
					near("accumulated", j, c, w.Row(j)[c], sum, magnitude, len(list)+1)
				}
			}
		}
		for _, cols := range [][]int{nil, {}, {n / 3, 0, n / 3}} {
			others := cols
			if cols == nil {
				others = make([]int, n)
				for i := range others {
					others[i] = i
				}
			}
			k := matrix[T](rng, len(list), len(others))
			x.Gram(k, rows, cols)
			for p, i := range list {
				for q, j := range others {
					near("gram", p, q, k.Row(p)[q], vec.Dot(want.Row(i), want.Row(j)),
						vec.Dot(size.Row(i), size.Row(j)), d)
				}
			}
		}
	}
}

// wrapperAllocates: calls allocate nothing once warm, as long as the wrapped storage allocates nothing.
func wrapperAllocates(t *testing.T, name string, x design.Matrix[float32]) {
	t.Helper()
	if strings.Contains(name, "codes") {
		return
	}
	n, d := x.Dims()
	norms, some := make([]float32, n), []int{n / 2, 0, n - 1}
	g, w := vec.NewMatrix[float32](3, d), vec.NewMatrix[float32](d, 2)
	s, k := vec.NewMatrix[float32](3, 2), vec.NewMatrix[float32](3, 3)
	wide, scores := vec.NewMatrix[float32](d, 4), vec.NewMatrix[float32](3, 4)
	if allocs := prove.Allocs(5, func() {
		x.SquaredNorms(norms)
		x.Gather(g, some)
		x.Scores(s, w, some)
		x.Scores(scores, wide, some)
		x.Accumulate(w, s, some)
		x.Accumulate(wide, scores, some)
		x.Gram(k, some, some)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// Several goroutines call at a time.
func TestWrappersConcurrent(t *testing.T) {
	for name, w := range wrappers(t, rand.New(rand.NewPCG(43, 44)), 9) {
		if !strings.HasPrefix(name, "csr bias") && !strings.HasPrefix(name, "dense s") {
			continue
		}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() { bounded(t, w.x, w.want, w.size) })
		}
		group.Wait()
	}
}

// TestWrappersPasses: full passes by several goroutines take windows of the wrappers.
func TestWrappersPasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	for name, w := range wrappers(t, rng, 1100) {
		if strings.Contains(name, "window") || strings.Contains(name, "bias") || strings.Contains(name, "long") {
			continue
		}
		n, d := w.x.Dims()
		c, a := matrix[float32](rng, d, 2), matrix[float32](rng, n, 2)
		one, two := vec.NewMatrix[float32](n, 2), vec.NewMatrix[float32](n, 2)
		w.x.Scores(one, c, nil)
		design.ScoresAll(two, c, w.x, 3)
		sums := vec.NewMatrix[float32](d, 2)
		design.AccumulateAll(sums, a, w.x, 3)
		k := float64(2*max(n, d)+8) * 0x1p-24
		for i := range n {
			for o := range 2 {
				magnitude := 0.0
				for j := range d {
					magnitude += w.size.Row(i)[j] * math.Abs(float64(c.Row(j)[o]))
				}
				if off := math.Abs(float64(one.Row(i)[o] - two.Row(i)[o])); !(off <= 2*k/(1-k)*magnitude) {
					t.Fatalf("%s: score %d is %v by several, %v by one", name, i, two.Row(i)[o], one.Row(i)[o])
				}
			}
		}
		for j := range d {
			for o := range 2 {
				sum, magnitude := 0.0, 0.0
				for i := range n {
					sum += w.want.Row(i)[j] * float64(a.Row(i)[o])
					magnitude += w.size.Row(i)[j] * math.Abs(float64(a.Row(i)[o]))
				}
				if off := math.Abs(float64(sums.Row(j)[o]) - sum); !(off <= k/(1-k)*magnitude) {
					t.Fatalf("%s: sum %d is %v, want %v", name, j, sums.Row(j)[o], sum)
				}
			}
		}
	}
}

// Centred and scaled examples train like a copy of them, and models of parts side by side are one model.
func TestWrappersTrain(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	w := wrappers(t, rng, 120)
	for _, name := range []string{"csr standardized", "csr scaled", "dense centered", "sparse, nothing, csr scaled",
		"dense and sparse", "pq standardized"} {
		n, d := w[name].x.Dims()
		y := make([]int, n)
		for i := range y {
			y[i] = i % 3
			if w[name].want.Row(i)[d-1] > w[name].want.Row(n / 2)[d-1] {
				y[i] = 3
			}
		}
		plain := vec.NewMatrix[float32](n, d)
		vec.Convert(plain.Data, w[name].want.Data)
		c := topk.Config{Lambda: .01, Tol: 1e-4, Epochs: 1 << 20}
		got, err := topk.Fit(context.Background(), w[name].x, y, c)
		if err != nil {
			t.Fatal(err)
		}
		raw := design.Matrix[float32](&dataset.Dense[float32]{Matrix: plain})
		want, err := topk.Fit(context.Background(), raw, y, c)
		if err != nil {
			t.Fatal(err)
		}
		a, b := got.Certificate, want.Certificate
		if got.Status != solvers.Converged || a.Dual > b.Primal*(1+1e-5) || b.Dual > a.Primal*(1+1e-5) {
			t.Errorf("%s: %v, %v; a copy %v", name, got.Status, a, b)
		}
	}
}
