package l1

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// TestShapes: an example of each class, two examples, a feature, more classes than features, classes without examples,
// every example twice, examples that are all the same.
func TestShapes(t *testing.T) { prove.Both(t, testShapes[float32], testShapes[float64]) }

func testShapes[T vec.Float](t *testing.T) {
	twice, same := draw(9, 20, 4, 3), draw(10, 12, 4, 3)
	twice.x, twice.y = vec.MatrixOf(40, 4, append(twice.x.Data, twice.x.Data...)), append(twice.y, twice.y...)
	for i := range same.x.Rows {
		copy(same.x.Row(i), same.x.Row(0))
	}
	for name, s := range map[string]struct {
		sample
		m int
	}{
		"one a class": {draw(12, 5, 4, 5), 5}, "n = 2": {draw(13, 2, 3, 2), 2}, "m = 2": {draw(14, 30, 5, 2), 2},
		"d = 1": {draw(15, 30, 1, 3), 3}, "m > d": {draw(16, 40, 3, 8), 8}, "n < d": {draw(17, 8, 20, 3), 3},
		"twice": {twice, 3}, "all the same": {same, 3}, "empty classes": {draw(11, 20, 4, 3), 6},
	} {
		for _, c := range []Config{{}, {Loss: Logistic}, {Bias: 2, C: 10}, {Loss: Logistic, Bias: 2, C: .01}} {
			c.Classes, c.Tol = s.m, 1e-4
			p := Problem[T]{X: dense[T](s.sample), Y: s.y}
			r := fit(t, p, c)
			honest(t, fmt.Sprintf("%s, %+v", name, c), p, c, r)
			if _, classes := r.Dims(); classes != s.m {
				t.Errorf("%s: a model of %d classes", name, classes)
			}
		}
	}
}

// TestWeights: every example twice is the same as a C of twice as much, as weights of 2, and as class weights of 2;
// examples without weight count for nothing.
func TestWeights(t *testing.T) {
	s := draw(18, 30, 4, 3)
	for _, loss := range []Loss{SquaredHinge, Logistic} {
		p, c := Problem[float64]{X: dense[float64](s), Y: s.y}, Config{C: 2, Loss: loss, Tol: 1e-9, Workers: 1}
		want := fit(t, p, c).Certificate.Primal
		double := slices.Concat(s.x.Data, s.x.Data)
		twice := Problem[float64]{X: &dataset.Dense[float64]{Matrix: vec.MatrixOf(60, 4, double)},
			Y: slices.Concat(s.y, s.y)}
		ones, halves := c, twice
		ones.C, ones.ClassWeights = 1, []float64{2, 2, 2}
		halves.Weights = slices.Concat(slices.Repeat([]float64{2}, 30), make([]float64, 30))
		weighted := p
		weighted.Weights = slices.Repeat([]float64{2}, 30)
		plain := c
		plain.C = 1
		for name, got := range map[string]*Result[float64]{
			"twice": fit(t, twice, plain), "weights": fit(t, weighted, plain), "class weights": fit(t, p, ones),
			"half without": fit(t, halves, plain),
		} {
			if v := got.Certificate.Primal; !(math.Abs(v-want) <= 2e-9*want) {
				t.Errorf("%v, %s: %v, want %v", loss, name, v, want)
			}
		}
	}
}

// TestTwoClasses: they have one vector, the weights of class 1, and class 0 has these with the other sign; classes that
// change their names change signs alone.
func TestTwoClasses(t *testing.T) {
	s := draw(21, 50, 6, 2)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	for _, loss := range []Loss{SquaredHinge, Logistic} {
		c := Config{Loss: loss, Bias: 1, Tol: 1e-10}
		r := fit(t, p, c)
		if r.Duals.Rows != 50 || r.Duals.Cols != 1 {
			t.Errorf("dual variables of %d by %d", r.Duals.Rows, r.Duals.Cols)
		}
		other := p
		other.Y = make([]int, 50)
		for i, y := range s.y {
			other.Y[i] = 1 - y
		}
		swapped := fit(t, other, c)
		for j := range 6 {
			w, v := r.Weights().Row(j), swapped.Weights().Row(j)
			if w[0] != -w[1] || !(math.Abs(w[0]-v[1]) <= 1e-4) {
				t.Errorf("%v: weights %v, of classes the other way round %v", loss, w, v)
			}
		}
	}
}

// TestNames: the model has them, and as many as there are classes.
func TestNames(t *testing.T) {
	s := draw(22, 20, 4, 3)
	p := Problem[float64]{X: dense[float64](s), Y: s.y, Names: []string{"a", "b", "c", "nobody's"}}
	r := fit(t, p, Config{})
	if _, classes := r.Dims(); classes != 4 || !slices.Equal(r.Names(), p.Names) {
		t.Errorf("%d classes, %q", classes, r.Names())
	}
	if n := r.Notes(); n["solver"] != "l1" || n["outcome"] != r.Outcome.String() || n["settings"] == "" {
		t.Errorf("notes %q", n)
	}
}

// TestZeros: examples that are all 0 have nothing that W could use: W = 0 is the optimum, without an epoch's step.
func TestZeros(t *testing.T) {
	s := draw(20, 12, 4, 3)
	clear(s.x.Data)
	for _, loss := range []Loss{SquaredHinge, Logistic} {
		c := Config{Loss: loss}
		p := Problem[float64]{X: dense[float64](s), Y: s.y}
		r := fit(t, p, c)
		honest(t, "zeros", p, c, r)
		if r.Nonzeros() > 0 || r.Certificate.RelativeGap() > 1e-12 {
			t.Errorf("%v: %s", loss, told(r))
		}
	}
}

// TestTinyAndHuge: data times s with a C that goes with it is the same problem, and so LargestC goes with 1/s.
func TestTinyAndHuge(t *testing.T) {
	s := draw(18, 30, 4, 3)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	for _, loss := range []Loss{SquaredHinge, Logistic} {
		c := Config{Loss: loss, Tol: 1e-6, Workers: 1}
		largest, err := p.LargestC(c)
		if err != nil {
			t.Fatal(err)
		}
		c.C = 10 * largest
		want := fit(t, p, c).Certificate.Primal
		for _, scale := range []float64{0x1p-250, 0x1p-100, 0x1p100, 0x1p250} {
			x := dense[float64](s)
			vec.Scale(scale, x.Data)
			q := Problem[float64]{X: x, Y: s.y}
			got, err := q.LargestC(c)
			if err != nil || math.Abs(got-largest/scale) > 1e-12*largest/scale {
				t.Errorf("%g times the data: LargestC %v, want %v, %v", scale, got, largest/scale, err)
			}
			c := c
			c.C = 10 * largest / scale
			r, err := q.Fit(context.Background(), c)
			if err != nil || math.Abs(r.Certificate.Primal*scale-want) > 1e-6*want {
				t.Errorf("%v, %g times the data: %v %v, want %v", loss, scale, told(r), err, want/scale)
			}
		}
	}
}

// TestStart: a training that starts from the optimum takes no more than an epoch, and one from another C ends at the
// same optimum.
func TestStart(t *testing.T) {
	for _, m := range []int{2, 4} {
		s := draw(25, 70, 10, m)
		for name, x := range forms[float64](t, s) {
			p, c := Problem[float64]{X: x, Y: s.y}, Config{Loss: Logistic, Bias: 1, Tol: 1e-8}
			want := fit(t, p, c)
			p.Start = want
			if r := fit(t, p, c); r.Epochs > 1 {
				t.Errorf("%s: from the optimum: %v", name, r.Outcome)
			}
			other := c
			other.C, other.Loss = .1, SquaredHinge
			q := p
			q.Start = fit(t, p, other)
			if r := fit(t, q, c); math.Abs(r.Certificate.Primal-want.Certificate.Primal) > 1e-8*r.Certificate.Primal {
				t.Errorf("%s: %v, want %v", name, r.Outcome, want.Outcome)
			}
		}
	}
}

// TestPath: the default grid begins where hardly any feature has a weight, and the number of these grows.
func TestPath(t *testing.T) {
	s := draw(26, 120, 30, 2)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	points, err := p.Path(context.Background(), Config{Loss: Logistic}, PathConfig{
		CrossValidation: solvers.CrossValidation{Folds: 4}})
	if err != nil || len(points) != 7 {
		t.Fatal(len(points), err)
	}
	first, last := points[0].Result.Nonzeros(), points[6].Result.Nonzeros()
	if first < 1 || first > 10 || last < 20 || points[3].Measures[0].Mean < .6 {
		t.Errorf("%d features first, %d last, accuracy %v in the middle", first, last, points[3].Measures[0].Mean)
	}
}
