package solvers_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

func ExamplePredict() {
	// Two features, three classes: the scores of x are x1, x2 and -x1 - x2 + 1/2.
	m, err := linear.New(vec.MatrixOf(2, 3, []float64{1, 0, -1, 0, 1, -1}), []float64{0, 0, .5}, nil)
	if err != nil {
		panic(err)
	}
	x, err := dataset.NewDense(vec.MatrixOf(3, 2, []float64{2, 1, 1, 2, -1, 0}))
	if err != nil {
		panic(err)
	}
	y, err := solvers.Predict(m, design.Matrix[float64](x), 0)
	if err != nil {
		panic(err)
	}
	two, err := solvers.TopK(m, design.Matrix[float64](x), 2, 0)
	if err != nil {
		panic(err)
	}
	fmt.Println(y, two)
	// Output: [0 1 2] [[0 1] [1 0] [2 1]]
}

// given is a Scorer whose scores are the features.
type given struct {
	m   int
	err error
}

func (g given) Dims() (features, outputs int) { return g.m, g.m }

func (g given) Scores(dst vec.Matrix[float32], x design.Matrix[float32], rows []int) error {
	if err := solvers.CheckScores(dst, g, x, rows); err != nil {
		return err
	}
	x.Gather(dst, rows)
	return g.err
}

// givenWorkers is one that takes workers, and remembers how many.
type givenWorkers struct {
	given
	workers *int
}

func (g givenWorkers) ScoresWorkers(dst vec.Matrix[float32], x design.Matrix[float32], rows []int,
	workers int) error {
	*g.workers = workers
	return g.Scores(dst, x, rows)
}

func TestPredict(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 30))
	var asked int
	for _, size := range [][2]int{{0, 3}, {1, 1}, {40, 2}, {65, 3}, {300, 7}, {5000, 300}} {
		n, m := size[0], size[1]
		if testing.Short() && n > 1000 {
			continue
		}
		scores := vec.NewMatrix[float32](n, m)
		for i := range scores.Data {
			scores.Data[i] = float32(rng.IntN(7) - 3) // many ties
			if rng.IntN(20) == 0 {
				scores.Data[i] = float32(math.Inf(rng.IntN(2) - 1))
			}
		}
		x := &dataset.Dense[float32]{Matrix: scores}
		order, positive := make([][]int, n), make([][]int, n)
		for i := range n {
			order[i], positive[i] = stable(scores.Row(i))
		}
		for _, model := range []solvers.Scorer[float32]{given{m: m}, givenWorkers{given{m: m}, &asked}} {
			for _, workers := range []int{0, 1, 2, 7, math.MaxInt} {
				y, err := solvers.Predict(model, x, workers)
				if err != nil {
					t.Fatal(err)
				}
				k := min((m+1)/2, 5)
				ranked, err := solvers.TopK(model, x, k, workers)
				if err != nil {
					t.Fatal(err)
				}
				sets, err := solvers.LabelSets(model, x, workers)
				if err != nil {
					t.Fatal(err)
				}
				if len(y) != n || len(ranked) != n || len(sets) != n {
					t.Fatalf("%d classes, %d rankings, %d sets for %d rows", len(y), len(ranked), len(sets), n)
				}
				for i := range n {
					want, set := order[i], positive[i]
					if y[i] != want[0] || !slices.Equal(ranked[i], want[:k]) || !slices.Equal(sets[i], set) {
						t.Fatalf("%v: class %d, ranked %v, set %v; want %v, %v", scores.Row(i), y[i], ranked[i],
							sets[i], want[:k], set)
					}
				}
				if _, ok := model.(givenWorkers); ok && n > 0 && workers > 0 && asked != min(workers, n) {
					t.Errorf("asked to work with %d, want %d", asked, min(workers, n))
				}
			}
		}
	}
}

// stable is the outputs by falling scores, and those above 0.
func stable(scores []float32) (ranked, set []int) {
	for c, v := range scores {
		ranked = append(ranked, c)
		if v > 0 {
			set = append(set, c)
		}
	}
	slices.SortStableFunc(ranked, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	return ranked, set
}

func TestRank(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		scores []float64
		want   []int
	}{
		{nil, nil},
		{[]float64{nan, 1, nan, 2, 1}, []int{3, 1, 4, -1, -1}},
		{[]float64{0, nan, -inf, inf}, []int{3, 0, 2, -1}},
		{[]float64{nan, nan}, []int{-1, -1}},
		{[]float64{-inf, -inf, math.Copysign(0, -1), 0}, []int{2, 3, 0, 1}},
	} {
		for k := range len(c.want) + 1 {
			dst := make([]int, k)
			if solvers.Rank(dst, c.scores); !slices.Equal(dst, c.want[:k]) {
				t.Errorf("%v: %v, want %v", c.scores, dst, c.want[:k])
			}
		}
	}
}

// A NaN is an error that names the first row with one, whoever finds it.
func TestPredictNaN(t *testing.T) {
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](900, 3)}
	for _, i := range []int{899, 700, 130} {
		x.Row(i)[2], x.Row(i)[i%2] = float32(math.NaN()), float32(math.NaN())
	}
	const want = "solvers: the score of row 130 for output 0 is NaN"
	for _, workers := range []int{1, 4} {
		y, err := solvers.Predict(given{m: 3}, design.Matrix[float32](x), workers)
		ranked, err2 := solvers.TopK(given{m: 3}, design.Matrix[float32](x), 3, workers)
		sets, err3 := solvers.LabelSets(given{m: 3}, design.Matrix[float32](x), workers)
		for _, err := range []error{err, err2, err3} {
			if err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		}
		if y != nil || ranked != nil || sets != nil {
			t.Errorf("%v, %v, %v beside an error", y, ranked, sets)
		}
	}
}

func TestPredictErrors(t *testing.T) {
	x := design.Matrix[float32](&dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](4, 3)})
	narrow := design.Matrix[float32](&dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](4, 2)})
	broken := errors.New("broken")
	scores := given{m: 3}
	for _, c := range []struct {
		m          solvers.Scorer[float32]
		x          design.Matrix[float32]
		k, workers int
		want       string
	}{
		{nil, x, 1, 0, "solvers: no model"},
		{(*linear.Model[float32])(nil), x, 1, 0, "solvers: no model"},
		{scores, nil, 1, 0, "design: no examples"},
		{scores, (*dataset.Dense[float32])(nil), 1, 0, "design: no examples"},
		{scores, narrow, 1, 0, "solvers: examples of 2 features for a model of 3"},
		{scores, x, 1, -1, "solvers: -1 workers, want at least 0"},
		{scores, x, 0, 0, "solvers: 0 best of 3 outputs"},
		{scores, x, 4, 0, "solvers: 4 best of 3 outputs"},
		{given{3, broken}, x, 1, 0, "broken"},
	} {
		errs := []error{second(solvers.TopK(c.m, c.x, c.k, c.workers))}
		if c.k == 1 {
			errs = append(errs, second(solvers.Predict(c.m, c.x, c.workers)),
				second(solvers.LabelSets(c.m, c.x, c.workers)))
		}
		for _, err := range errs {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		}
	}
	defer func() {
		want := "solvers: Rank: 2 best of 1 outputs"
		if got, ok := recover().(vec.ShapeError); !ok || got.Error() != want {
			t.Errorf("panic %v, want a ShapeError %q", got, want)
		}
	}()
	for want, err := range map[string]error{
		"row -1 at place 1, want one in 0..3":                scores.Scores(numbers(2, 3), x, []int{0, -1}),
		"row 4 at place 0, want one in 0..3":                 scores.Scores(numbers(1, 3), x, []int{4}),
		"a 4-by-2 matrix for the scores of 4 examples for 3": scores.Scores(numbers(4, 2), x, nil),
		"a 4-by-3 matrix for the scores of 1 examples":       scores.Scores(numbers(4, 3), x, []int{0}),
		"vec: stride 1": scores.Scores(vec.Matrix[float32]{Rows: 4, Cols: 3, Stride: 1}, x,
			nil),
		"1 names for 2 outputs":                  solvers.CheckNames([]string{"a"}, 2),
		`name "\xff" of output 1 is not UTF-8`:   solvers.CheckNames([]string{"a", "\xff"}, 2),
		`outputs 0 and 2 have the same name "a"`: solvers.CheckNames([]string{"a", "b", "a"}, 3),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	solvers.Rank(make([]int, 2), []float32{1})
}

func second[A any](_ A, err error) error { return err }

func numbers(rows, cols int) vec.Matrix[float32] { return vec.NewMatrix[float32](rows, cols) }

// TestPredictOneScore: of one output the class is 1 above 0, and 0 for 0 and below.
func TestPredictOneScore(t *testing.T) {
	x := &dataset.Dense[float32]{Matrix: vec.MatrixOf(5, 1,
		[]float32{1e-30, 0, -1, float32(math.Inf(1)), float32(math.Inf(-1))})}
	y, err := solvers.Predict(given{m: 1}, x, 1)
	if err != nil || !slices.Equal(y, []int{1, 0, 0, 1, 0}) {
		t.Error(y, err)
	}
}
