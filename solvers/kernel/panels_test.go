package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// single counts the calls of Gather for one example.
type single[T vec.Float] struct {
	design.Matrix[T]
	calls atomic.Int64
}

func (x *single[T]) Gather(dst vec.Matrix[T], rows []int) {
	if len(rows) == 1 {
		x.calls.Add(1)
	}
	x.Matrix.Gather(dst, rows)
}

// Examples far from the origin, of mean 1000 and deviation 1, are near none but themselves.
//
// With the mean m, a = x-m, b = z-m and S = |a|² + |b|², the difference of the rounded a and b is off by u(|a|+|b|),
// its square by 2u(|a|+|b|)² <= 4uS at most to first order; both norms together by (d+3)uS, twice the product by as
// much, the sum and the difference by 2uS more: d̂ is off by e = (2d+12)uS, and a sixteenth of that is left for terms
// of second order. The exponential is good to 4 ulp, 8u.
func TestFarFromOrigin(t *testing.T) { prove.Both(t, farFromOrigin[float32], farFromOrigin[float64]) }

func farFromOrigin[T vec.Float](t *testing.T) {
	const n, d = 150, 20
	rng := rand.New(rand.NewPCG(31, 32))
	x := vec.NewMatrix[T](n, d)
	mean := [d]float64{}
	for i := range n {
		for j := range d {
			x.Row(i)[j] = T(1000 + rng.NormFloat64())
			mean[j] += float64(x.Row(i)[j]) / n
		}
	}
	unit := prove.Unit[T]()
	for _, budget := range []int64{0, 1 << 20} {
		for _, k := range []Kernel{
			Gaussian{Gamma: .02}, Sum{{1, Gaussian{Gamma: .01}}, {2, Sum{{.5, Gaussian{Gamma: .03}}}}},
		} {
			counter := &single[T]{Matrix: &dataset.Dense[T]{Matrix: x}}
			m, err := New[T](counter, k, budget)
			if err != nil {
				t.Fatal(err)
			}
			all := vec.NewMatrix[T](n, n)
			rows := make([]int, n)
			for i := range rows {
				rows[i] = i
			}
			m.prepare(1)
			counter.calls.Store(0)
			m.Rows(all, rows, 1)
			terms := int64(1)
			if s, ok := k.(Sum); ok {
				terms = int64(len(s))
			}
			if got := counter.calls.Load(); got != terms*n {
				t.Errorf("%#v: %d distances number by number for %d examples, want those to themselves", k, got, n)
			}
			for i := range n {
				for j := range n {
					want, bound, size := 0.0, 0.0, 0.0
					for l := range d {
						a, b := float64(x.Row(i)[l])-mean[l], float64(x.Row(j)[l])-mean[l]
						want += (a - b) * (a - b)
						size += a*a + b*b
					}
					want, bound = gaussians(k, want, 17./16*(2*d+12)*unit*size, unit)
					if i == j && all.At(i, j) != T(want) {
						t.Fatalf("%#v: %v of row %d with itself, want %v", k, all.At(i, j), i, want)
					}
					if got := float64(all.At(i, j)); math.Abs(got-want) > bound {
						t.Fatalf("%#v: %v of rows %d and %d, want %v within %v", k, got, i, j, want, bound)
					}
				}
			}
		}
	}
}

// gaussians is the value of k for a squared distance, and the bound of its error where that is off by e. A sum of
// Gaussians rounds three times more a term.
func gaussians(k Kernel, distance, e, unit float64) (want, bound float64) {
	switch k := k.(type) {
	case Gaussian:
		want = math.Exp(-k.Gamma * distance)
		return want, want * (8*unit + math.Expm1(k.Gamma*e))
	case Sum:
		for _, t := range k {
			v, b := gaussians(t.Kernel, distance, e, unit)
			want, bound = want+t.Weight*v, bound+t.Weight*(b+3*unit*v)
		}
	}
	return want, bound
}

// Some columns of rows have the bits of whole rows.
func TestComputeColumns(t *testing.T) {
	prove.Both(t, computeColumns[float32], computeColumns[float64])
}

func computeColumns[T vec.Float](t *testing.T) {
	const n = 150
	rng := rand.New(rand.NewPCG(33, 34))
	for _, density := range []float64{.03, 1} {
		for name, x := range draw[T](rng, n, 40, density) {
			for _, k := range kernels {
				m, err := New(x, k, int64(rng.IntN(1<<16)))
				if err != nil {
					t.Fatal(err)
				}
				for range 3 {
					rows, cols := make([]int, 1+rng.IntN(64)), make([]int, 1+rng.IntN(120))
					whole, part := make([][]T, len(rows)), make([][]T, len(rows))
					for p := range rows {
						rows[p], whole[p], part[p] = rng.IntN(n), make([]T, n), make([]T, len(cols))
					}
					for q := range cols {
						cols[q] = rng.IntN(n)
					}
					m.compute(2, rows, nil, whole)
					m.compute(3, rows, cols, part)
					for p := range rows {
						for q, j := range cols {
							if part[p][q] != whole[p][j] {
								t.Fatalf("%s, %#v, row %d, column %d: %v, in the whole row %v",
									name, k, rows[p], j, part[p][q], whole[p][j])
							}
						}
					}
				}
			}
		}
	}
}

// The copy of the examples is kept where the budget has twice its size, and what is left is for rows.
func TestKeepPanels(t *testing.T) {
	const n, d = 70, 30 // two panels of 64 float32
	x := draw[float32](rand.New(rand.NewPCG(35, 36)), n, d, 1)["dense"]
	for budget, want := range map[int64]int64{0: 0, 30719: 30719, 30720: 15360, 1 << 20: 1<<20 - 15360} {
		m, err := New(x, Gaussian{Gamma: 1}, 0)
		if err != nil {
			t.Fatal(err)
		}
		left := m.keepPanels(budget)
		m.prepare(2)
		if kept := m.panels.kept != nil; left != want || kept != (want != budget) {
			t.Errorf("budget %d: %d left, want %d; kept: %v", budget, left, want, kept)
		}
	}
	thin, err := New(draw[float32](rand.New(rand.NewPCG(35, 36)), n, d, .02)["csr"], Gaussian{Gamma: 1}, 1<<20)
	if err != nil || thin.panels.keep > 0 {
		t.Errorf("panels of sparse examples: %v", err)
	}
}

// Examples are refused whose squared distances might overflow, and taken where they cannot.
func TestDistancesOverflow(t *testing.T) {
	for v, want := range map[float32]string{
		4e18: "", 5e18: "kernel: |x|² = 2.5e+37 of row 1, want at most 2.13e+37 for distances in float32",
	} {
		x := design.Matrix[float32](&dataset.Dense[float32]{Matrix: vec.MatrixOf(3, 1, []float32{-4e18, v, v})})
		m, err := New(x, Sum{{1, Gaussian{Gamma: 1e-38}}}, 1<<20)
		if want != "" {
			if err == nil || err.Error() != want {
				t.Errorf("%v: %v, want %q", v, err, want)
			}
			continue
		}
		dst := vec.NewMatrix[float32](1, 3)
		m.Rows(dst, []int{1}, 1)
		far := math.Exp(-1e-38 * 64e36)
		if math.Abs(float64(dst.Data[0])-far) > 1e-6 || dst.Data[1] != 1 || dst.Data[2] != 1 {
			t.Errorf("%v: %v, want %v 1 1", v, dst.Data, far)
		}
	}
}

// A column that is out of range is an error, not a panic.
func TestSparseColumns(t *testing.T) {
	x := &dataset.CSR[float64]{Rows: 2, Cols: 50, Ptr: []int{0, 1, 2}, Idx: []int32{3, 50}, Val: []float64{1, 1}}
	_, err := New(design.Matrix[float64](x), Linear{}, 0)
	if err == nil || err.Error() != "kernel: dataset: row 1 has column 50, value 1: want a column in 0..49" {
		t.Error(err)
	}
}

// TestPrepareSome: products have the same bits whether panels of all examples are kept, of the first ones, or of none.
func TestPrepareSome(t *testing.T) { prove.Both(t, prepareSome[float32], prepareSome[float64]) }

func prepareSome[T vec.Float](t *testing.T) {
	const n, d = 150, 30
	x := draw[T](rand.New(rand.NewPCG(37, 38)), n, d, 1)["dense"]
	want := make([][]T, 3)
	for _, keep := range []int{0, 1, 40, 64, 100, n} {
		p, err := NewProducts(x, []Kernel{Gaussian{Gamma: .1}}, 0)
		if err != nil {
			t.Fatal(err)
		}
		p.Prepare(keep)
		for _, count := range []int{n, 40, max(keep, 1)} {
			r := p.Open(nil, []int{3, 149, 70}, count)
			for q := range want {
				r.At(q, 0, count)
				row := slices.Clone(r.Values(make([]T, count), 0))
				if want[q] == nil {
					want[q] = row
				}
				if !slices.Equal(row, want[q][:count]) {
					t.Errorf("%T: other bits of %d columns with %d panels kept", row[0], count, keep)
				}
			}
			r.Close()
		}
	}
}
