package tracenorm

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// pairsOf are the weights of the points, in their order.
func pairsOf[T vec.Float](points []Point[T]) (all [][2]float64) {
	for _, p := range points {
		all = append(all, [2]float64{p.Lambda1, p.Lambda2})
	}
	return all
}

// TestPath: Lambda1 descends, Lambda2 goes to and fro; each result has a true certificate within the tolerance and
// keeps it while the training goes on; all together cost less than each alone.
func TestPath(t *testing.T) { prove.Both(t, testPath[float32], testPath[float64]) }

func testPath[T vec.Float](t *testing.T) {
	s := draw(27, 80, 6, 4)
	for form, x := range forms[T](t, s) {
		for _, c := range []Config{{Tol: 1e-3, Workers: 1}, {Tol: 1e-3, Raw: true, Bias: 1, Rank: 4, Workers: 2}} {
			p := Problem[T]{X: x, Y: s.y, Weights: familytest.Uneven(80)}
			points, err := p.Path(t.Context(), c, PathConfig{Lambda1s: []float64{.01, .3, .02},
				Lambda2s: []float64{.001, 0, .01}})
			if err != nil {
				t.Fatal(err)
			}
			want := [][2]float64{{.3, .01}, {.3, .001}, {.3, 0}, {.02, 0}, {.02, .001}, {.02, .01}, {.01, .01},
				{.01, .001}, {.01, 0}}
			if got := pairsOf(points); !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", form, got, want)
			}
			warm, cold := 0.0, 0.0
			for _, q := range points {
				c := c
				c.Lambda1, c.Lambda2 = q.Lambda1, q.Lambda2
				if q.Result.Status != solvers.Converged || q.Measures != nil {
					t.Errorf("%s: %v: %s, measures %v", form, want, told(q.Result), q.Measures)
				}
				honest(t, form, p, c, q.Result)
				alone := fit(t, p, c)
				if q.Result.Certificate.Dual > alone.Certificate.Primal ||
					alone.Certificate.Dual > q.Result.Certificate.Primal {
					t.Errorf("%s: %s, alone %s", form, told(q.Result), told(alone))
				}
				warm, cold = warm+q.Result.Passes, cold+alone.Passes
			}
			if !(warm < .8*cold) {
				t.Errorf("%s: %.1f passes, alone %.1f", form, warm, cold)
			}
		}
	}
}

// TestPathFree: a point whose optimum the model is within the tolerance of costs no pass, and is true nevertheless.
func TestPathFree(t *testing.T) {
	s := draw(28, 80, 6, 4)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	c := Config{Tol: 1e-2, Workers: 1}
	points, err := p.Path(t.Context(), c, PathConfig{Lambda1s: []float64{.1, .1 * (1 - 1e-9), 50, 60},
		Lambda2s: []float64{.001, .001 * (1 + 1e-9)}})
	if err != nil || len(points) != 8 {
		t.Fatal(len(points), err)
	}
	free := 0
	for q, at := range points {
		c.Lambda1, c.Lambda2 = at.Lambda1, at.Lambda2
		honest(t, "free", p, c, at.Result)
		if at.Result.Status != solvers.Converged || !(at.Result.Certificate.RelativeGap() <= c.Tol) {
			t.Errorf("point %d: %s", q, told(at.Result))
		}
		if at.Result.Passes == 0 && at.Result.Epochs == 0 {
			free++
		}
	}
	if free != 6 || points[0].Result.Epochs == 0 || points[4].Result.Epochs == 0 {
		t.Errorf("%d points cost nothing", free)
	}
}

// TestPathFolds: the measures are the measures of trainings without each fold, with means and standard deviations,
// whatever the workers.
func TestPathFolds(t *testing.T) {
	s := draw(29, 90, 6, 4)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	path := PathConfig{Lambda1s: []float64{.05, .01}, Lambda2s: []float64{.01},
		CrossValidation: solvers.CrossValidation{Folds: 3}, Tops: 2}
	c := Config{Tol: 1e-6, Seed: 3, Workers: 1}
	points, err := p.Path(t.Context(), c, path)
	if err != nil {
		t.Fatal(err)
	}
	fold, err := solvers.Folds(s.y, 90, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range points {
		var accuracy [2][3]float64
		var loss [3]float64
		for f := range 3 {
			var train, test []int
			for i, g := range fold {
				if g == f {
					test = append(test, i)
				} else {
					train = append(train, i)
				}
			}
			pick := func(rows []int) (y []int) {
				for _, i := range rows {
					y = append(y, s.y[i])
				}
				return y
			}
			c := c
			c.Lambda1, c.Lambda2, c.Classes = at.Lambda1, at.Lambda2, 4
			r := fit(t, Problem[float64]{X: design.Subset(p.X, train), Y: pick(train)}, c)
			scores := vec.NewMatrix[float64](len(test), 4)
			if err := r.Scores(scores, p.X, test); err != nil {
				t.Fatal(err)
			}
			top, err := metrics.TopK(scores, pick(test), 2)
			if err != nil {
				t.Fatal(err)
			}
			accuracy[0][f], accuracy[1][f] = top[0], top[1]
			for q, y := range pick(test) {
				loss[f] += (vec.LogSumExp(scores.Row(q)) - scores.Row(q)[y]) / float64(len(test))
			}
		}
		for k := range accuracy {
			mean, spread := 0.0, 0.0
			for _, v := range accuracy[k] {
				mean += v / 3
			}
			for _, v := range accuracy[k] {
				spread += (v - mean) * (v - mean) / 3
			}
			// The path's models are other ones within the tolerance: an example that is between two classes may differ.
			if got := at.Measures[k]; !(math.Abs(got.Mean-mean) <= 1.01/90) ||
				!(math.Abs(got.Spread-math.Sqrt(spread)) <= 1.01/30) {
				t.Errorf("%v: top-%d accuracy %v, want %v +- %v", pairsOf(points), k+1, got, mean, math.Sqrt(spread))
			}
		}
		// Of strong convexity: lambda2 |W - W*|² is at most the gap, so a score is off by |x - mean| sqrt(2
		// gap/lambda2) and the loss by twice that.
		longest := 0.0
		for i := range 90 {
			longest = max(longest, 2*math.Sqrt(vec.SquaredNorm(s.x.Row(i))))
		}
		if mean := (loss[0] + loss[1] + loss[2]) / 3; !(math.Abs(at.Measures[2].Mean-mean) <= 4*longest*math.Sqrt(
			2*c.Tol*2/at.Lambda2)) {
			t.Errorf("loss %v, want %v", at.Measures[2], mean)
		}
	}
	c.Workers = 3
	again, err := p.Path(t.Context(), c, path)
	if err != nil {
		t.Fatal(err)
	}
	for q, at := range again {
		if !reflect.DeepEqual(at.Measures, points[q].Measures) {
			t.Errorf("by 3 workers %v, by one %v", at.Measures, points[q].Measures)
		}
	}
}

// TestPathDefaults: five Lambda1 from a half to a two thousandth of the largest, three Lambda2; the first point starts
// from Start.
func TestPathDefaults(t *testing.T) {
	s := draw(30, 60, 5, 3)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	c := Config{Workers: 1}
	points, err := p.Path(t.Context(), c, PathConfig{})
	if err != nil || len(points) != 15 {
		t.Fatal(len(points), err)
	}
	largest, err := p.LargestLambda1(c)
	if err != nil {
		t.Fatal(err)
	}
	at := pairsOf(points)
	middle := largest / 2 / math.Sqrt(1000) / 10
	for q, want := range map[int][2]float64{0: {largest / 2, middle * 10}, 2: {largest / 2, middle / 10},
		14: {largest / 2000, middle / 10}} {
		if !(math.Abs(at[q][0]/want[0]-1) < 1e-12 && math.Abs(at[q][1]/want[1]-1) < 1e-12) {
			t.Errorf("point %d: %v, want %v", q, at[q], want)
		}
	}
	p.Start = points[0].Result
	warm, err := p.Path(t.Context(), c, PathConfig{})
	if err != nil || !(warm[0].Result.Passes < points[0].Result.Passes) {
		t.Errorf("from its end: %s, from nothing: %s, %v", told(warm[0].Result), told(points[0].Result), err)
	}
}

// TestPathStops: when the context ends the points that were reached are there, and the error.
func TestPathStops(t *testing.T) {
	s := draw(31, 60, 5, 3)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	path := PathConfig{Lambda1s: []float64{.1, .01}, Lambda2s: []float64{.01, .001},
		CrossValidation: solvers.CrossValidation{Folds: 2}}
	asked := statetest.Soon(1 << 60)
	c := Config{Tol: 1e-4, Workers: 1}
	all, err := p.Path(asked, c, path)
	if err != nil {
		t.Fatal(err)
	}
	questions := 1<<60 - asked.Left()
	for _, left := range []int64{0, questions / 6, questions - 1} {
		points, err := p.Path(statetest.Soon(left), c, path)
		if !errors.Is(err, context.Canceled) || left == 0 && len(points) > 0 || left == questions-1 &&
			len(points) != 4 {
			t.Errorf("asked %d times of %d: %d points, %v", left, questions, len(points), err)
		}
		for q, at := range points {
			if at.Measures != nil || !sameResult(at.Result, all[q].Result) {
				t.Errorf("point %d: %s, want %s, and no measures", q, told(at.Result), told(all[q].Result))
			}
		}
	}
}
