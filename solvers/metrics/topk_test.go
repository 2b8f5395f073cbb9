package metrics_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

func ExampleTopK() {
	scores := vec.MatrixOf(3, 4, []float64{
		.9, .1, .3, .2, // class 0 first
		.4, .1, .3, .2, // class 2 second
		.1, .1, .1, .1, // class 3 last: ties go by number
	})
	accuracy, err := metrics.TopK(scores, []int{0, 2, 3}, 4)
	fmt.Printf("%.2f %v\n", accuracy, err)
	// Output: [0.33 0.67 0.67 1.00] <nil>
}

func TestTopK(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		n, m := 1+rng.IntN(20), 1+rng.IntN(9)
		k := 1 + rng.IntN(m)
		scores, y := vec.NewMatrix[float32](n, m), make([]int, n)
		ranked, want := make([][]int, n), make([]float64, k)
		for i := range n {
			y[i] = rng.IntN(m)
			s := scores.Row(i)
			for c := range s {
				s[c] = float32(rng.IntN(4)) // ties
				if s[c] == 3 {
					s[c] = float32(math.NaN())
				}
				ranked[i] = append(ranked[i], c)
			}
			key := func(c int) float32 {
				if s[c] != s[c] {
					return -1
				}
				return s[c]
			}
			slices.SortStableFunc(ranked[i], func(a, b int) int { return int(key(b) - key(a)) })
			if s[y[i]] != s[y[i]] { // no rank holds the true class
				for place := range ranked[i] {
					ranked[i][place] = -1
				}
				continue
			}
			for j := slices.Index(ranked[i], y[i]); j < k; j++ {
				want[j] += 1 / float64(n)
			}
		}
		got, err := metrics.TopK(scores, y, k)
		if err != nil {
			t.Fatal(err)
		}
		same, err := metrics.TopKRanked(ranked, y, k)
		if err != nil {
			t.Fatal(err)
		}
		for j := range want {
			if math.Abs(got[j]-want[j]) > 1e-12 || got[j] != same[j] {
				t.Fatalf("scores %v, labels %v: %v, ranked %v, want %v", scores.Data, y, got, same, want)
			}
		}
	}
}

// A model whose scores are NaN is right about nothing, class 0 included.
func TestTopKOfNaN(t *testing.T) {
	nan := float32(math.NaN())
	scores := vec.MatrixOf(3, 2, []float32{nan, nan, 1, nan, nan, 1})
	got, err := metrics.TopK(scores, []int{0, 0, 0}, 2)
	if err != nil || !slices.Equal(got, []float64{1. / 3, 1. / 3}) {
		t.Errorf("%v, %v, want 1/3 twice", got, err)
	}
}

func TestErrors(t *testing.T) {
	s := vec.NewMatrix[float64](2, 3)
	for _, c := range []struct {
		y    []int
		k    int
		want string
	}{
		{[]int{0}, 1, "scores of 2 examples and 1 labels"},
		{[]int{0, 1}, 4, "top-4 accuracy of 3 classes"},
		{[]int{0, 1}, 0, "top-0 accuracy"},
		{[]int{0, 3}, 1, "label 3 of row 1, want one in 0..2"},
		{[]int{-1, 2}, 1, "label -1 of row 0"},
	} {
		if _, err := metrics.TopK(s, c.y, c.k); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	for _, c := range []struct {
		scores vec.Matrix[float64]
		y      []int
		want   string
	}{
		{vec.NewMatrix[float64](0, 3), nil, "scores of 0 examples and 0 labels"},
		{vec.Matrix[float64]{}, nil, "scores of 0 examples"},
		{s, nil, "scores of 2 examples and 0 labels"},
		{vec.NewMatrix[float64](2, 0), []int{0, 0}, "top-1 accuracy of 0 classes"},
		{vec.Matrix[float64]{Rows: 2, Cols: 3, Stride: 3, Data: make([]float64, 5)}, []int{0, 0},
			"5 numbers are too few"},
		{vec.Matrix[float64]{Rows: 2, Cols: 3, Stride: 2, Data: make([]float64, 9)}, []int{0, 0},
			"stride 2 is less than 3"},
	} {
		if _, err := metrics.TopK(c.scores, c.y, 1); err == nil || !strings.HasPrefix(err.Error(), "metrics: ") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := metrics.TopKRanked(nil, nil, 1); err == nil ||
		!strings.Contains(err.Error(), "0 examples and 0 labels") {
		t.Errorf("%v for no predictions", err)
	}
	for _, c := range []struct {
		ranked [][]int
		k      int
		want   string
	}{
		{[][]int{{1}}, 1, "predictions for 1 examples and 2 labels"},
		{[][]int{{1, 0}, {1}}, 2, "top-2 accuracy of 1 predictions for row 1"},
		{[][]int{{1}, {1}}, 0, "top-0 accuracy"},
	} {
		if _, err := metrics.TopKRanked(c.ranked, []int{0, 1}, c.k); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
