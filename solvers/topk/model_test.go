package topk

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// drawModel returns a model with weights of few values, so that scores tie.
func drawModel(rng *rand.Rand, d, m int, bias float64) *Model[float64] {
	rows := d
	if bias != 0 {
		rows++
	}
	w := vec.NewMatrix[float64](rows, m)
	for i := range w.Data {
		w.Data[i] = float64(rng.IntN(3) - 1)
	}
	return &Model[float64]{w: w, d: d, bias: bias}
}

func TestModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, bias := range []float64{0, .5} {
		n, d, m := 300, 4, 7
		model := drawModel(rng, d, m, bias)
		x, _ := blobs[float64](rng, n, d, m)
		for i := range x.Data {
			x.Data[i] = math.Round(x.Data[i])
		}
		want := vec.NewMatrix[float64](n, m)
		ranked := make([][]int, n)
		for i := range n {
			for c := range m {
				for j, v := range x.Row(i) {
					want.Row(i)[c] += v * model.w.Row(j)[c]
				}
				if bias != 0 {
					want.Row(i)[c] += bias * model.w.Row(d)[c]
				}
				ranked[i] = append(ranked[i], c)
			}
			slices.SortStableFunc(ranked[i], func(a, b int) int {
				if want.Row(i)[a] > want.Row(i)[b] {
					return -1
				} else if want.Row(i)[a] < want.Row(i)[b] {
					return 1
				}
				return 0
			})
		}
		scores := vec.NewMatrix[float64](n, m)
		if err := model.ScoresAll(x, scores); err != nil {
			t.Fatal(err)
		}
		top, err := model.TopKAll(sparse(x), 3)
		if err != nil {
			t.Fatal(err)
		}
		y, err := model.PredictAll(x)
		if err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for g := range 4 {
			wait.Go(func() {
				s, best := make([]float64, m), make([]int, 3)
				for i := g; i < n; i += 4 {
					model.Scores(s, x.Row(i))
					model.TopK(best, x.Row(i))
					if !slices.Equal(s, want.Row(i)) || !slices.Equal(s, scores.Row(i)) {
						t.Errorf("row %d: scores %v, batch %v, want %v", i, s, scores.Row(i), want.Row(i))
					}
					if !slices.Equal(best, ranked[i][:3]) || !slices.Equal(best, top[i]) {
						t.Errorf("row %d: top 3 %v, batch %v, want %v", i, best, top[i], ranked[i])
					}
					if p := model.Predict(x.Row(i)); p != ranked[i][0] || p != y[i] {
						t.Errorf("row %d: class %d, batch %d, want %d", i, p, y[i], ranked[i][0])
					}
				}
			})
		}
		wait.Wait()
		s, best := make([]float64, m), make([]int, 3)
		if allocs := prove.Allocs(20, func() {
			model.Scores(s, x.Row(0))
			model.TopK(best, x.Row(0))
			model.Predict(x.Row(0))
		}); allocs != 0 {
			t.Errorf("%v allocations", allocs)
		}
	}
}

func TestRankNaN(t *testing.T) {
	nan := math.NaN()
	model := &Model[float64]{}
	for _, c := range []struct {
		scores []float64
		want   []int
	}{
		{[]float64{nan, 1, nan, 2, 1}, []int{3, 1, 4, 0, 2}},
		{[]float64{0, nan, math.Inf(-1), math.Inf(1)}, []int{3, 0, 2, 1}},
	} {
		for k := range len(c.want) + 1 {
			dst := make([]int, k)
			if model.rank(dst, c.scores); !slices.Equal(dst, c.want[:k]) {
				t.Errorf("%v: %v, want %v", c.scores, dst, c.want[:k])
			}
		}
	}
}

func TestModelErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	model := drawModel(rng, 4, 3, 1)
	narrow, _ := blobs[float64](rng, 5, 3, 3)
	good, _ := blobs[float64](rng, 5, 4, 3)
	contains := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	_, err := model.PredictAll(narrow)
	contains(err, "examples of 3 features for a model of 4")
	_, err = model.PredictAll(solvers.WithBias(solvers.Features[float64](good), 1))
	contains(err, "examples of 5 features for a model of 4")
	_, err = model.TopKAll(good, 4)
	contains(err, "4 best of 3 classes")
	_, err = model.TopKAll(good, 0)
	contains(err, "0 best of 3 classes")
	contains(model.ScoresAll(good, vec.NewMatrix[float64](5, 2)), "a 5-by-2 matrix for the scores of 5 examples in 3 classes")
	for want, call := range map[string]func(){
		"topk: 3 features and 3 scores for a model of 4 features and 3 classes": func() { model.Scores(make([]float64, 3), make([]float64, 3)) },
		"topk: 4 best of 3 classes": func() { model.TopK(make([]int, 4), make([]float64, 4)) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %q", got, want)
				}
			}()
			call()
		}()
	}
}
