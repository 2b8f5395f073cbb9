package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

func TestModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, constant := range []float64{0, .5} {
		const n, d, m = 1300, 4, 7
		model := drawModel(rng, d, m, constant)
		x := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](n, d)}
		for i := range x.Data {
			x.Data[i] = math.Round(3 * rng.NormFloat64())
		}
		want, ranked := plainScores(model, x)
		scores, chosen := vec.NewMatrix[float64](n, m), vec.NewMatrix[float64](n, m)
		var backwards []int
		for i := range n {
			backwards = append(backwards, n-1-i)
		}
		for _, workers := range []int{0, 1, 2, 7} {
			if err := model.ScoresWorkers(scores, sparse(x), nil, workers); err != nil {
				t.Fatal(err)
			}
			if err := model.ScoresWorkers(chosen, x, backwards, workers); err != nil {
				t.Fatal(err)
			}
			for i := range n {
				if !slices.Equal(scores.Row(i), want.Row(i)) || !slices.Equal(chosen.Row(n-1-i), want.Row(i)) {
					t.Fatalf("row %d: %v, %v, want %v", i, scores.Row(i), chosen.Row(n-1-i), want.Row(i))
				}
			}
		}
		top, err := solvers.TopK(model, design.Matrix[float64](x), 3, 0)
		if err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for g := range 4 {
			wait.Go(func() {
				s, best := make([]float64, m), make([]int, 3)
				for i := g; i < n; i += 4 {
					model.ScoresOf(s, x.Row(i))
					model.TopK(best, x.Row(i))
					if !slices.Equal(s, want.Row(i)) {
						t.Errorf("row %d: scores %v, want %v", i, s, want.Row(i))
					}
					if !slices.Equal(best, ranked[i][:3]) || !slices.Equal(best, top[i]) {
						t.Errorf("row %d: top 3 %v, batch %v, want %v", i, best, top[i], ranked[i])
					}
					if p := model.Predict(x.Row(i)); p != ranked[i][0] {
						t.Errorf("row %d: class %d, want %d", i, p, ranked[i][0])
					}
				}
			})
		}
		wait.Wait()
		s, best := make([]float64, m), make([]int, 3)
		if allocs := prove.Allocs(20, func() {
			model.ScoresOf(s, x.Row(0))
			model.TopK(best, x.Row(0))
			model.Predict(x.Row(0))
		}); allocs != 0 {
			t.Errorf("%v allocations", allocs)
		}
	}
}

// plainScores is the scores of small integers, which are exact, and the outputs by falling scores.
func plainScores(model *Model[float64], x *dataset.Dense[float64]) (want vec.Matrix[float64], ranked [][]int) {
	_, m := model.Dims()
	want, ranked = vec.NewMatrix[float64](x.Rows, m), make([][]int, x.Rows)
	for i := range x.Rows {
		s := want.Row(i)
		for c := range m {
			for j, v := range x.Row(i) {
				s[c] += v * model.Weights().At(j, c)
			}
			if b := model.Bias(); b != nil {
				s[c] += b[c]
			}
			ranked[i] = append(ranked[i], c)
		}
		slices.SortStableFunc(ranked[i], func(a, b int) int {
			switch {
			case s[a] > s[b]:
				return -1
			case s[a] < s[b]:
				return 1
			}
			return 0
		})
	}
	return want, ranked
}

// New copies what it is given; WithConstant keeps weights that are next to each other.
func TestNew(t *testing.T) {
	wide := vec.NewMatrix[float32](3, 16)
	for i := range wide.Data {
		wide.Data[i] = float32(i)
	}
	w, bias, names := wide.Slice(0, 3, 0, 2), []float32{5, 6}, []string{"b", "a"}
	for _, bias := range [][]float32{nil, bias} {
		m, err := New(w, bias, names)
		if err != nil {
			t.Fatal(err)
		}
		wide.Data[0], names[0] = 99, "c"
		got := m.Weights()
		if got.Rows != 3 || got.Stride != 2 || !slices.Equal(got.Data, []float32{0, 1, 16, 17, 32, 33}) {
			t.Errorf("weights %v", got)
		}
		if d, outputs := m.Dims(); d != 3 || outputs != 2 || !slices.Equal(m.Names(), []string{"b", "a"}) {
			t.Errorf("%d features, %d outputs %q", d, outputs, m.Names())
		}
		if !slices.Equal(m.Bias(), bias) || (bias == nil) != (m.Constant() == 0) {
			t.Errorf("bias %v, constant %v; want %v", m.Bias(), m.Constant(), bias)
		}
		wide.Data[0], names[0] = 0, "b"
	}
	own := vec.MatrixOf(3, 2, []float32{1, 2, 3, 4, 5, 6})
	m, err := WithConstant(own, -2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Weights(); &got.Data[0] != &own.Data[0] || len(got.Data) != 4 ||
		!slices.Equal(m.Bias(), []float32{-10, -12}) {
		t.Errorf("weights %v, bias %v", got, m.Bias())
	}
	if m, err = WithConstant(w, 1, nil); err != nil || m.Weights().Stride != 2 || m.Bias()[1] != 33 {
		t.Errorf("%v, %v", m, err)
	}
}

func TestNewErrors(t *testing.T) {
	good := vec.NewMatrix[float64](3, 2)
	bad := func(i int, v float64) vec.Matrix[float64] {
		m := vec.NewMatrix[float64](3, 2)
		m.Data[i] = v
		return m
	}
	for _, c := range []struct {
		w     vec.Matrix[float64]
		bias  []float64
		names []string
		want  string
	}{
		{vec.Matrix[float64]{Rows: 3, Cols: 2, Stride: 1}, nil, nil, "linear: vec: stride 1"},
		{vec.Matrix[float64]{Rows: 3}, nil, nil, "linear: a 3-by-0 matrix"},
		{vec.Matrix[float64]{Cols: 3}, []float64{1, 2, 3}, nil, "linear: a 0-by-3 matrix"},
		{vec.Matrix[float64]{Rows: -1}, nil, nil, "linear: vec: matrix of -1 rows"},
		{vec.Matrix[float64]{Rows: math.MaxInt, Cols: 0}, nil, nil, "-by-0 matrix"},
		{good, []float64{1}, nil, "linear: 1 offsets for 2 outputs"},
		{good, []float64{}, nil, "linear: 0 offsets for 2 outputs"},
		{good, nil, []string{"a"}, "1 names for 2 outputs"},
		{good, nil, []string{}, "0 names for 2 outputs"},
		{good, nil, []string{"a", "a"}, `outputs 0 and 1 have the same name "a"`},
		{bad(3, math.NaN()), nil, nil, "linear: weight NaN of feature 1 for output 1"},
		{bad(4, math.Inf(-1)), []float64{0, 0}, nil, "linear: weight -Inf of feature 2 for output 0"},
		{good, []float64{0, math.Inf(1)}, nil, "linear: offset +Inf of output 1"},
	} {
		if m, err := New(c.w, c.bias, c.names); m != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	for _, c := range []struct {
		w    vec.Matrix[float64]
		b    float64
		want string
	}{
		{good, math.NaN(), "linear: constant feature NaN"},
		{vec.NewMatrix[float64](1, 2), 1, "a 1-by-2 matrix of weights for 0 features"},
		{vec.NewMatrix[float64](0, 2), 0, "a 0-by-2 matrix"},
	} {
		if m, err := WithConstant(c.w, c.b, nil); m != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestModelLarge: weights whose squares overflow are finite, in a matrix with numbers between its rows too.
func TestModelLarge(t *testing.T) {
	w := vec.NewMatrix[float64](3, 4)
	w.Data[5], w.Data[11] = 1e300, math.NaN()
	if _, err := WithConstant(w.Slice(0, 3, 0, 3), 1, nil); err != nil {
		t.Error(err)
	}
	if _, err := WithConstant(w.Slice(0, 2, 0, 4), 0, nil); err != nil {
		t.Error(err)
	}
	_, err := WithConstant(w, 1, nil)
	if want := "linear: offset NaN of output 3, want a finite number"; err == nil || err.Error() != want {
		t.Error(err)
	}
}

// A score that is NaN leaves no class.
func TestModelNaN(t *testing.T) {
	model := drawModel(rand.New(rand.NewPCG(3, 4)), 2, 3, 1)
	for _, x := range [][]float64{{math.NaN(), 0}, {math.Inf(1), math.NaN()}} {
		best := []int{7, 7}
		if model.TopK(best, x); model.Predict(x) != -1 || best[0] != -1 || best[1] != -1 {
			t.Errorf("%v: class %d, best %v", x, model.Predict(x), best)
		}
	}
	huge, err := New(vec.MatrixOf(1, 3, []float64{-1, 1, 2}), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := huge.Predict([]float64{math.Inf(1)}); got != 1 {
		t.Errorf("class %d of -Inf, +Inf, +Inf", got)
	}
}

func TestModelErrors(t *testing.T) {
	model := drawModel(rand.New(rand.NewPCG(3, 4)), 4, 3, 1)
	features := func(d int) design.Matrix[float64] {
		return &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](5, d)}
	}
	scores := vec.NewMatrix[float64](5, 3)
	for want, err := range map[string]error{
		"examples of 3 features for a model of 4": model.Scores(scores, features(3), nil),
		"examples of 5 features for a model of 4": model.Scores(scores, design.WithBias(features(4), 1), nil),
		"a 5-by-2 matrix for the scores of 5 exa": model.Scores(vec.NewMatrix[float64](5, 2), features(4), nil),
		"row 5 at place 0, want one in 0..4":      model.Scores(vec.NewMatrix[float64](1, 3), features(4), []int{5}),
		"no examples":                             model.Scores(scores, nil, nil),
		"linear: -1 workers, want at least 0":     model.ScoresWorkers(scores, features(4), nil, -1),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	const sizes = "linear: Model.ScoresOf: 3 features and 3 scores for a model of 4 features and 3 outputs"
	for _, c := range []struct {
		want string
		call func()
	}{
		{sizes, func() { model.ScoresOf(make([]float64, 3), make([]float64, 3)) }},
		{sizes, func() { model.Predict(make([]float64, 3)) }},
		{sizes, func() { model.TopK(make([]int, 1), make([]float64, 3)) }},
		{"linear: Model.TopK: 4 best of 3 outputs", func() { model.TopK(make([]int, 4), make([]float64, 4)) }},
	} {
		func() {
			defer func() {
				if got, ok := recover().(vec.ShapeError); !ok || got.Error() != c.want {
					t.Errorf("panic %v, want a ShapeError %q", got, c.want)
				}
			}()
			c.call()
		}()
	}
}
