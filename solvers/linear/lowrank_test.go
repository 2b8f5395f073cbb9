package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// integers draws a matrix of small integers, on which all orders of summation agree.
func integers[T vec.Float](rng *rand.Rand, rows, cols int) vec.Matrix[T] {
	a := vec.NewMatrix[T](rows, cols)
	for i := range a.Data {
		a.Data[i] = T(rng.IntN(7) - 3)
	}
	return a
}

func drawLowRank[T vec.Float](t testing.TB, rng *rand.Rand, d, m, r int, offsets bool) *LowRank[T] {
	t.Helper()
	var bias []T
	if offsets {
		bias = integers[T](rng, 1, m).Data
	}
	model, err := NewLowRank(integers[T](rng, d, r), integers[T](rng, m, r), bias, nil)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// TestLowRank: the scores are W's, W = U Vᵀ, from every storage and wrapper, for all rows and for lists of them, by any
// number of workers.
func TestLowRank(t *testing.T) { prove.Both(t, testLowRank[float32], testLowRank[float64]) }

func testLowRank[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][4]int{{1, 1, 1, 1}, {9, 4, 3, 3}, {2500, 6, 9, 2}, {30, 3, 8, 3}} {
		n, d, m := size[0], size[1], size[2]
		for _, offsets := range []bool{false, true} {
			model := drawLowRank[T](t, rng, d, m, size[3], offsets)
			dense, err := model.Dense()
			if err != nil {
				t.Fatal(err)
			}
			x := &dataset.Dense[T]{Matrix: integers[T](rng, n, d)}
			csr, err := x.CSR()
			if err != nil {
				t.Fatal(err)
			}
			columns, err := design.WithColumns[T](csr)
			if err != nil {
				t.Fatal(err)
			}
			backwards, numbers := make([]int, n), make([]T, d)
			for i := range backwards {
				backwards[i] = n - 1 - i
			}
			for j := range numbers {
				numbers[j] = T(j + 1)
			}
			forms := map[string]design.Matrix[T]{
				"dense": x, "sparse": csr, "columns": columns, "subset": design.Subset[T](x, backwards),
				"subset of sparse": design.Subset[T](csr, backwards),
				"window":           design.Window[T](csr, 0, n), "scaled": design.Scaled[T](csr, numbers),
				"centered": design.Centered[T](csr, numbers),
			}
			if d > 1 {
				left, right := &dataset.Dense[T]{Matrix: x.Slice(0, n, 0, 1)},
					&dataset.Dense[T]{Matrix: x.Slice(0, n, 1, d)}
				forms["concat"] = design.Concat[T](left, right)
				forms["bias"] = design.WithBias[T](&dataset.Dense[T]{Matrix: x.Slice(0, n, 0, d-1)}, 2)
			}
			for name, x := range forms {
				plain, want := vec.NewMatrix[T](n, d), vec.NewMatrix[T](n, m)
				x.Gather(plain, nil)
				u, v := model.Factors()
				for i := range n {
					for l := range m {
						sum := T(0)
						if offsets {
							sum = model.Bias()[l]
						}
						for j, a := range plain.Row(i) {
							for c := range u.Cols {
								sum += a * u.Row(j)[c] * v.Row(l)[c]
							}
						}
						want.Row(i)[l] = sum
					}
				}
				all, listed := vec.NewMatrix[T](n, m), vec.Matrix[T]{Rows: n, Cols: m, Stride: m + 2,
					Data: make([]T, n*(m+2))}
				for _, workers := range []int{0, 1, 2, 5} {
					for i := range all.Data {
						all.Data[i] = T(math.NaN()) // whatever it was
					}
					if err := model.ScoresWorkers(all, x, nil, workers); err != nil {
						t.Fatal(err)
					}
					if err := model.ScoresWorkers(listed, x, backwards, workers); err != nil {
						t.Fatal(err)
					}
					for i := range n {
						if !slices.Equal(all.Row(i), want.Row(i)) || !slices.Equal(listed.Row(n-1-i), want.Row(i)) {
							t.Fatalf("%s, %v, row %d: %v, in a list %v, want %v", name, size, i, all.Row(i),
								listed.Row(n-1-i), want.Row(i))
						}
					}
				}
				if err := dense.Scores(all, x, nil); err != nil || !slices.Equal(all.Data, want.Data) {
					t.Errorf("%s, %v: the dense model has other scores, %v", name, size, err)
				}
				some := vec.NewMatrix[T](0, m)
				if err := model.Scores(some, x, []int{}); err != nil {
					t.Error(err)
				}
			}
			if got, err := solvers.Predict(solvers.Scorer[T](model), design.Matrix[T](x), 2); err != nil ||
				len(got) != n {
				t.Errorf("%d classes, %v", len(got), err)
			}
		}
	}
}

// TestNewLowRank: what it is given is copied, and told.
// TestLowRankRank: columns of 0 have no part in the rank. A model of rank 0 has one, as its factors must.
func TestLowRankRank(t *testing.T) {
	for _, c := range []struct {
		u, v []float64 // 2-by-2
		want int
	}{
		{[]float64{1, 0, 2, 3}, []float64{0, 4, 5, 0}, 2},
		{[]float64{1, 0, 2, 0}, []float64{0, 4, 5, 0}, 1},
		{[]float64{0, 1, 0, 2}, []float64{1, 0, 5, 0}, 0},
		{make([]float64, 4), make([]float64, 4), 0},
	} {
		m, err := NewLowRank(vec.MatrixOf(2, 2, c.u), vec.MatrixOf(2, 2, c.v), nil, nil)
		if err != nil || m.Rank() != c.want {
			t.Errorf("%+v: rank %d, %v", c, m.Rank(), err)
		}
	}
}

func TestNewLowRank(t *testing.T) {
	wide := vec.NewMatrix[float32](4, 16)
	for i := range wide.Data {
		wide.Data[i] = float32(i)
	}
	u, v, bias, names := wide.Slice(0, 4, 0, 2), wide.Slice(0, 3, 4, 6), []float32{1, 2, 3}, []string{"a", "b", "c"}
	m, err := NewLowRank(u, v, bias, names)
	if err != nil {
		t.Fatal(err)
	}
	noted := m.WithNotes(map[string]string{"k": "v"})
	wide.Data[0], wide.Data[4], bias[0], names[0] = 99, 99, 99, "z"
	gotU, gotV := m.Factors()
	if d, outputs := m.Dims(); d != 4 || outputs != 3 || m.Rank() != 2 ||
		!slices.Equal(gotU.Data, []float32{0, 1, 16, 17, 32, 33, 48, 49}) ||
		!slices.Equal(gotV.Data, []float32{4, 5, 20, 21, 36, 37}) {
		t.Errorf("%d by %d, %v, %v", d, outputs, gotU, gotV)
	}
	m.Bias()[1] = 99
	noted.Notes()["k"] = "other"
	if !slices.Equal(m.Bias(), []float32{1, 2, 3}) || !slices.Equal(m.Names(), []string{"a", "b", "c"}) ||
		m.Notes() != nil || noted.Notes()["k"] != "v" {
		t.Errorf("%v, %q, %q, %q", m.Bias(), m.Names(), m.Notes(), noted.Notes())
	}
	dense, err := noted.Dense()
	if err != nil || !slices.Equal(dense.Names(), m.Names()) || dense.Notes()["k"] != "v" ||
		!slices.Equal(dense.Bias(), m.Bias()) {
		t.Errorf("%v, %v", dense, err)
	}
}

func TestNewLowRankErrors(t *testing.T) {
	matrix := func(rows, cols int) vec.Matrix[float64] { return vec.NewMatrix[float64](rows, cols) }
	bad := func(v float64) vec.Matrix[float64] {
		m := matrix(3, 2)
		m.Row(1)[1] = v
		return m
	}
	for _, c := range []struct {
		u, v  vec.Matrix[float64]
		bias  []float64
		names []string
		want  string
	}{
		{matrix(3, 2), matrix(4, 1), nil, nil, "linear: factors of 3 by 2 and 4 by 1"},
		{matrix(3, 0), matrix(4, 0), nil, nil, "linear: factors of 3 by 0 and 4 by 0"},
		{matrix(0, 1), matrix(4, 1), nil, nil, "linear: factors of 0 by 1 and 4 by 1"},
		{matrix(3, 1), matrix(0, 1), nil, nil, "linear: factors of 3 by 1 and 0 by 1"},
		{matrix(9, 5), matrix(4, 5), nil, nil,
			"linear: factors of 5 columns, weights of 9 features and an offset for 4 outputs have at most 4"},
		{matrix(3, 5), matrix(9, 5), nil, nil,
			"linear: factors of 5 columns, weights of 3 features and an offset for 9 outputs have at most 4"},
		{vec.Matrix[float64]{Rows: 3, Cols: 2, Stride: 1}, matrix(3, 2), nil, nil, "linear: U: vec: stride 1"},
		{matrix(3, 2), vec.Matrix[float64]{Rows: -1}, nil, nil, "linear: V: vec: matrix of -1 rows"},
		{bad(math.NaN()), matrix(3, 2), nil, nil, "linear: U has NaN in row 1, column 1"},
		{matrix(3, 2), bad(math.Inf(-1)), nil, nil, "linear: V has -Inf in row 1, column 1"},
		{matrix(3, 2), matrix(3, 2), []float64{1}, nil, "linear: 1 offsets for 3 outputs"},
		{matrix(3, 2), matrix(3, 2), []float64{1, 2, math.NaN()}, nil, "linear: offset NaN of output 2"},
		{matrix(3, 2), matrix(3, 2), nil, []string{"a"}, "1 names for 3 outputs"},
		{matrix(3, 2), matrix(3, 2), nil, []string{"a", "b", "a"}, `outputs 0 and 2 have the same name "a"`},
	} {
		if m, err := NewLowRank(c.u, c.v, c.bias, c.names); m != nil || err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestLowRankErrors: sizes and rows that do not fit are errors with the numbers that clash.
func TestLowRankErrors(t *testing.T) {
	m := drawLowRank[float64](t, rand.New(rand.NewPCG(3, 4)), 4, 3, 2, true)
	x := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](5, 4)}
	for _, c := range []struct {
		rows, cols int
		x          design.Matrix[float64]
		list       []int
		workers    int
		want       string
	}{
		{4, 3, x, nil, 1, "a 4-by-3 matrix for the scores of 5 examples for 3 outputs"},
		{5, 2, x, nil, 1, "a 5-by-2 matrix for the scores of 5 examples for 3 outputs"},
		{5, 3, x, []int{1}, 1, "a 5-by-3 matrix for the scores of 1 examples"},
		{1, 3, x, []int{5}, 1, "row 5 at place 0, want one in 0..4"},
		{5, 3, nil, nil, 1, "no examples"},
		{5, 3, &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](5, 7)}, nil, 1,
			"examples of 7 features for a model of 4"},
		{5, 3, x, nil, -2, "-2"},
	} {
		err := m.ScoresWorkers(vec.NewMatrix[float64](c.rows, c.cols), c.x, c.list, c.workers)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	var none *LowRank[float64]
	if err := none.Scores(vec.NewMatrix[float64](5, 3), x, nil); err == nil ||
		!strings.Contains(err.Error(), "no model") {
		t.Error(err)
	}
	var zero LowRank[float64]
	if d, outputs := zero.Dims(); d != 0 || outputs != 0 || zero.Rank() != 0 || zero.Names() != nil ||
		zero.Bias() != nil || zero.Notes() != nil {
		t.Errorf("%+v", &zero)
	}
	if err := zero.Scores(vec.NewMatrix[float64](5, 0), x, nil); err != errZeroLowRank {
		t.Error(err)
	}
	if _, err := zero.Dense(); err != errZeroLowRank {
		t.Error(err)
	}
	if _, err := solvers.Predict(solvers.Scorer[float64](&zero), design.Matrix[float64](x), 1); err == nil {
		t.Error("the zero model predicts")
	}
}
