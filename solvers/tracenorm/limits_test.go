package tracenorm

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

// TestShapes: an example of each class, two examples, two classes, a feature, more classes than features, classes
// without examples, every example twice, examples that are all the same.
func TestShapes(t *testing.T) { prove.Both(t, testShapes[float32], testShapes[float64]) }

func testShapes[T vec.Float](t *testing.T) {
	twice, same, empty := draw(9, 20, 4, 3), draw(10, 12, 4, 3), draw(11, 20, 4, 3)
	twice.x, twice.y = vec.MatrixOf(40, 4, append(twice.x.Data, twice.x.Data...)), append(twice.y, twice.y...)
	for i := range same.x.Rows {
		copy(same.x.Row(i), same.x.Row(0))
	}
	empty.k = 6
	for name, s := range map[string]sample{
		"one a class": draw(12, 5, 4, 5), "n = 2": draw(13, 2, 3, 2), "m = 2": draw(14, 30, 5, 2),
		"d = 1": draw(15, 30, 1, 3),
		"m > d": draw(16, 40, 3, 8), "n < d": draw(17, 8, 20, 3), "twice": twice, "all the same": same,
		"empty classes": empty,
	} {
		for _, c := range []Config{{}, {Raw: true}, {Bias: 2}, {Lambda1: .01}, {Lambda2: .01}} {
			if name == "all the same" && !c.Raw && c.Bias == 0 && c.Lambda1 == 0 && c.Lambda2 == 0 {
				continue // nothing is left of them without the mean, and so no default of Lambda1 to speak of
			}
			c.Classes, c.Tol = s.k, 1e-4
			p := Problem[T]{X: dense[T](s), Y: s.y}
			r := fit(t, p, c)
			honest(t, fmt.Sprintf("%s, %+v", name, c), p, c, r)
			if _, classes := r.Dims(); classes != s.k {
				t.Errorf("%s: a model of %d classes", name, classes)
			}
		}
	}
}

// TestTwice: every example twice is the same problem, and so are weights of 2 with half of both lambdas.
func TestTwice(t *testing.T) {
	s := draw(18, 30, 4, 3)
	c := Config{Lambda1: .02, Lambda2: .004, Tol: 1e-9, Workers: 1}
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	want := fit(t, p, c).Certificate.Primal
	s.x, s.y = vec.MatrixOf(60, 4, append(s.x.Data, s.x.Data...)), append(s.y, s.y...)
	twice := Problem[float64]{X: dense[float64](s), Y: s.y}
	if got := fit(t, twice, c).Certificate.Primal; !(math.Abs(got-want) <= 1e-9*want) {
		t.Errorf("every example twice: %v, want %v", got, want)
	}
	p.Weights = slices.Repeat([]float64{2}, 30)
	c.Lambda1, c.Lambda2 = 2*c.Lambda1, 2*c.Lambda2
	if got := fit(t, p, c).Certificate.Primal; !(math.Abs(got-2*want) <= 2e-9*want) {
		t.Errorf("weights of 2: %v, want %v", got, 2*want)
	}
	none := slices.Repeat([]float64{0}, 30)
	half := Problem[float64]{X: twice.X, Y: twice.Y, Weights: append(none, p.Weights...)} // the mean is over all
	c.Lambda1, c.Lambda2 = c.Lambda1/2, c.Lambda2/2
	if got := fit(t, half, c).Certificate.Primal; !(math.Abs(got-want) <= 1e-9*want) {
		t.Errorf("half of the examples without weight: %v, want %v", got, want)
	}
}

// TestScale: features of 1e15 and of 1e-15 with lambdas that go with them are the same problem.
func TestScale(t *testing.T) {
	s := draw(19, 40, 5, 4)
	c := Config{Lambda1: .02, Lambda2: .004, Tol: 1e-8, Workers: 1}
	want := fit(t, Problem[float64]{X: dense[float64](s), Y: s.y}, c)
	for _, scale := range []float64{1e15, 1e-15} {
		x := dense[float64](s)
		vec.Scale(scale, x.Data)
		for _, raw := range []bool{false, true} {
			c, free := c, c
			c.Lambda1, c.Lambda2 = c.Lambda1*scale, c.Lambda2*scale*scale
			free.Lambda1, free.Lambda2, free.Raw = 0, 0, raw
			p := Problem[float64]{X: x, Y: s.y}
			best := want.Certificate.Primal
			if got := fit(t, p, c); !(math.Abs(got.Certificate.Primal-best) <= 1e-8*best) {
				t.Errorf("features times %g: %s, want %s", scale, told(got), told(want))
			}
			honest(t, fmt.Sprint(scale), p, c, fit(t, p, c))
			honest(t, fmt.Sprint(scale, ", defaults"), p, free, fit(t, p, free))
		}
	}
}

// TestZeros: examples that are all 0, or all the same, have nothing that W could use: W = 0 is the optimum.
func TestZeros(t *testing.T) {
	s := draw(20, 12, 4, 3)
	x := dense[float64](s)
	clear(x.Data)
	for i := range s.y {
		s.y[i] = i % 3
	}
	p := Problem[float64]{X: x, Y: s.y}
	for _, c := range []Config{{}, {Raw: true}, {Lambda2: 1}, {Lambda1: 1}} {
		r := fit(t, p, c)
		if len(r.Spectrum) > 0 || !(math.Abs(r.Certificate.Primal-math.Log(3)) < 1e-14) {
			t.Errorf("%+v: %s", c, told(r))
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
	if n := r.Notes(); n["solver"] != "tracenorm" || n["outcome"] != r.Outcome.String() || n["settings"] == "" {
		t.Errorf("notes %q", n)
	}
}

// TestLargestLambda1Prior: of one feature the largest singular value is the length of the gradient g - 2 Lambda2 W0,
// and the squares for W0 and -W0 add up to 2|g|² + 8|Lambda2 W0|².
func TestLargestLambda1Prior(t *testing.T) {
	s := draw(18, 30, 1, 3)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	largest := func(sign float64) float64 {
		if sign != 0 {
			p.Prior = vec.MatrixOf(1, 3, []float64{3 * sign, -1 * sign, 2 * sign})
		}
		v, err := p.LargestLambda1(Config{Lambda2: .25})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	g, plus, minus := largest(0), largest(1), largest(-1)
	if want := 2*g*g + 8*14*.25*.25; !(math.Abs(plus*plus+minus*minus-want) <= 1e-12*want) || plus == minus {
		t.Errorf("%v, and with a prior %v and %v", g, plus, minus)
	}
}

// TestTinyAndHuge: data times s with weights of the penalties that go with it is the same problem, from the least
// numbers whose squares are above 0 to the largest, and LargestLambda1 goes with s.
func TestTinyAndHuge(t *testing.T) {
	s := draw(18, 30, 4, 3)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	c := Config{Tol: 1e-6, Workers: 1}
	largest, err := p.LargestLambda1(c)
	if err != nil {
		t.Fatal(err)
	}
	c.Lambda1 = largest / 10
	want := fit(t, p, c)
	for _, scale := range []float64{0x1p-300, 0x1p-250, 0x1p-100, 0x1p100, 0x1p250} {
		x := vec.NewMatrix[float64](30, 4)
		copy(x.Data, s.x.Data)
		vec.Scale(scale, x.Data)
		p.X = &dataset.Dense[float64]{Matrix: x}
		got, err := p.LargestLambda1(c)
		if err != nil || math.Abs(got-scale*largest) > 1e-12*scale*largest {
			t.Errorf("%g times the data: LargestLambda1 %v, want %v, %v", scale, got, scale*largest, err)
		}
		c.Lambda1 = scale * largest / 10
		r, err := p.Fit(context.Background(), c)
		if err != nil || math.Abs(r.Certificate.Primal-want.Certificate.Primal) > 1e-6*want.Certificate.Primal {
			t.Errorf("%g times the data: %v %v, want %v", scale, r, err, want.Outcome)
		}
		if _, err := p.Path(context.Background(), c, PathConfig{}); err != nil {
			t.Errorf("%g times the data: %v", scale, err)
		}
	}
}

// TestRounding: where the objective is below the rounding of losses next to 0 no gap is believed.
func TestRounding(t *testing.T) {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{1e15, -1e15})}
	p := Problem[float64]{X: x, Y: []int{0, 1}}
	c := Config{Lambda1: 1e-6, Raw: true, Tol: .01}
	r, err := p.Fit(t.Context(), c)
	if err != nil || r.Status != solvers.Stalled || r.Certificate.RelativeGap() < c.Tol {
		t.Errorf("%s, %v, want that it stalls", told(r), err)
	}
	honest(t, "rounding", p, c, r)
}

// TestTinyDuals: dual variables that are scaled into their domain stay there where T has few digits for them.
func TestTinyDuals(t *testing.T) { prove.Both(t, testTinyDuals[float32], testTinyDuals[float64]) }

func testTinyDuals[T vec.Float](t *testing.T) {
	for seed := range uint64(20) {
		s := draw(seed, 4, 2, 4)
		s.y = []int{0, 1, 2, 3}
		for _, lambda1 := range []float64{1e-45, 4e-45, 1e-44, 1e-42, 1e-38} {
			p, c := Problem[T]{X: dense[T](s), Y: s.y}, Config{Lambda1: lambda1, Epochs: 60, Workers: 1}
			r, err := p.Fit(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			honest(t, fmt.Sprintf("seed %d, Lambda1 %g", seed, lambda1), p, c, r)
		}
	}
}
