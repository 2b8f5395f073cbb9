package solvers

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// noisy returns scores of n examples for m outputs, of which the true class's are larger by a margin as a rule, and the
// truth in all forms that fit.
func noisy(r *rand.Rand, n, m int, margin, size float64) (vec.Matrix[float64], Truth, Truth) {
	s := vec.NewMatrix[float64](n, m)
	y, sets := make([]int, n), make([][]int, n)
	for i := range n {
		y[i] = r.IntN(m)
		for c := range m {
			s.Row(i)[c] = r.NormFloat64() - margin/2
		}
		s.Row(i)[y[i]] += margin
		sets[i] = []int{}
		for l := range m {
			if l == y[i] || r.IntN(4) == 0 {
				sets[i] = append(sets[i], l)
			}
		}
		vec.Scale(size, s.Row(i))
	}
	return s, Truth{Y: y}, Truth{Sets: sets}
}

// logLossOf is the log loss of the calibration, by its probabilities.
func logLossOf(c *Calibration, scores vec.Matrix[float64], t Truth) (sum float64) {
	p := make([]float64, scores.Cols)
	for i := range scores.Rows {
		c.Apply(p, scores.Row(i))
		if t.Y != nil {
			sum -= math.Log(p[t.Y[i]])
			continue
		}
		is := make([]bool, len(p))
		t.has(i, is)
		for l, v := range p {
			if !is[l] {
				v = 1 - v
			}
			sum -= math.Log(v)
		}
	}
	return sum
}

// TestTemperatureOptimum: no temperature of a fine grid over ten decades has a smaller log loss, which the test
// computes by the probabilities.
func TestTemperatureOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, m := range []int{2, 3, 10} {
		for _, size := range []float64{1e-150, 1e-3, 1, 1e6, 1e150} {
			scores, classes, sets := noisy(r, 200, m, 1, size)
			for _, truth := range []Truth{classes, sets} {
				c, err := FitTemperature(scores, truth)
				if err != nil {
					t.Fatal(err)
				}
				best := logLossOf(c, scores, truth)
				for k := -50; k <= 50; k++ {
					for _, step := range []float64{1e-4, .01, .1} {
						other := &Calibration{Link: c.Link, Slope: []float64{c.Slope[0] * math.Exp(step*float64(k))}}
						if got := logLossOf(other, scores, truth); got < best*(1-1e-12) {
							t.Fatalf("m = %d, size %v: slope %v has the loss %v, %v has %v", m, size, c.Slope[0], best,
								other.Slope[0], got)
						}
					}
				}
				if (truth.Y != nil) != (c.Link == Softmax) || c.Temperature() != 1/c.Slope[0] {
					t.Errorf("%v: temperature %v", c, c.Temperature())
				}
			}
		}
	}
}

// TestTemperatureOfKnown: scores that are the logarithms of the probabilities that the labels are drawn by have the
// temperature 1, 3 where they are three times as large.
func TestTemperatureOfKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n, m = 40000, 5
	s, y := vec.NewMatrix[float64](n, m), make([]int, n)
	p := make([]float64, m)
	for i := range n {
		for c := range m {
			s.Row(i)[c] = 2 * r.NormFloat64()
		}
		vec.Softmax(p, s.Row(i))
		for u := r.Float64(); u > p[y[i]] && y[i] < m-1; y[i]++ {
			u -= p[y[i]]
		}
		vec.Scale(3, s.Row(i))
	}
	c, err := FitTemperature(s, Truth{Y: y})
	if err != nil {
		t.Fatal(err)
	}
	// The standard error of b is 1/sqrt(n v), v about 1 the mean variance of s under p: 3 times some .005.
	if got := c.Temperature(); math.Abs(got-3) > .1 {
		t.Errorf("temperature %v, want 3", got)
	}
}

// TestTemperatureBounds: what no finite number of examples proves, and what no temperature helps.
func TestTemperatureBounds(t *testing.T) {
	matrix := func(cols int, data ...float64) vec.Matrix[float64] { return vec.MatrixOf(len(data)/cols, cols, data) }
	right := matrix(2, 1, 0, 0, 1, 1, 0, 0, 1)
	for name, c := range map[string]struct {
		scores vec.Matrix[float64]
		truth  Truth
		slope  float64
	}{
		// 4 log(1 + e^-b) = log 2
		"all right":        {right, Truth{Y: []int{0, 1, 0, 1}}, -math.Log(math.Exp2(.25) - 1)},
		"all right, large": {matrix(2, 1e10, 0, 0, 1e10), Truth{Y: []int{0, 1}}, -math.Log(math.Sqrt2-1) / 1e10},
		"one":              {matrix(2, 1, 0), Truth{Y: []int{0}}, 0},
		"all wrong":        {right, Truth{Y: []int{1, 0, 1, 0}}, 0},
		"half":             {right, Truth{Y: []int{0, 1, 1, 0}}, 0},
		"equal":            {matrix(2, 3, 3, 3, 3), Truth{Y: []int{0, 0}}, 1},
		// a tie is no decision that is right
		"a tie": {matrix(2, 1, 0, 0, 1, 5, 5), Truth{Y: []int{0, 1, 0}}, -math.Log(math.Sqrt2 - 1)},
		"one class": {matrix(3, 2, 0, 0, 2, 0, 0), Truth{Y: []int{0, 0}},
			-math.Log((math.Sqrt2-1)/2) / 2}, // 2 log(1 + 2 e^-2b) = log 2
		"signs": {matrix(1, 1, -1, 1, -1), Truth{Positive: []bool{true, false, true, false}},
			-math.Log(math.Exp2(.25) - 1)},
		"no label": {matrix(2, -1, -1, -1, -1), Truth{Sets: [][]int{{}, nil}}, -math.Log(math.Exp2(.25) - 1)},
	} {
		got, err := FitTemperature(c.scores, c.truth)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if math.Abs(got.Slope[0]-c.slope) > 1e-9*c.slope {
			t.Errorf("%s: slope %v, want %v", name, got.Slope[0], c.slope)
		}
	}
	// 1 wrong answer that hardly is, 1000 right ones: the loss alone would have the slope log(1000/.0005) and more.
	data, y := []float64{0, .001}, make([]int, 1001)
	for range 1000 {
		data = append(data, 1, 0)
	}
	got, err := FitTemperature(matrix(2, data...), Truth{Y: y})
	if want := -math.Log(math.Exp2(.001) - 1); err != nil || math.Abs(got.Slope[0]-want) > 1e-9*want {
		t.Errorf("slope %v, %v, want %v", got, err, want)
	}
}

// TestPlattOptimum: the gradient by A and by B vanishes, and no pair of a grid around it, nor from far away, has a
// smaller loss.
func TestPlattOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, size := range []float64{1e-100, 1, 1e5, 1e100} {
		for _, margin := range []float64{-1, 0, 1, 100} {
			scores, _, _ := noisy(r, 60, 2, margin, size)
			s, has := make([]float64, 60), make([]bool, 60)
			for i := range s {
				s[i], has[i] = scores.Row(i)[0], r.IntN(3) == 0
				if margin == 100 { // told apart without a fault
					has[i] = s[i] > 0
				}
			}
			c, err := FitPlatt(vec.MatrixOf(60, 1, s), Truth{Positive: has})
			if err != nil || c.Link != Sigmoid {
				t.Fatal(c, err)
			}
			// by the definition, from has alone
			plus := 0.
			for _, is := range has {
				if is {
					plus++
				}
			}
			loss := func(a, b float64) (sum float64) {
				for i, is := range has {
					p, q := 1/(1+math.Exp(-a*s[i]-b)), 1/(1+math.Exp(a*s[i]+b))
					target := 1 / (60 - plus + 2)
					if is {
						target = (plus + 1) / (plus + 2)
					}
					sum -= target*math.Log(p) + (1-target)*math.Log(q)
				}
				return sum
			}
			a, b := c.Slope[0], c.Offset[0]
			best := loss(a, b)
			for range 2000 {
				step := math.Pow(10, -6+6*r.Float64())
				if other := loss(a+r.NormFloat64()*step*(math.Abs(a)+.1/size),
					b+r.NormFloat64()*step); other < best*(1-1e-12) {
					t.Fatalf("size %v, margin %v: %v has the loss %v, another %v", size, margin, c, best, other)
				}
			}
			for range 2000 {
				if other := loss(r.NormFloat64()*10/size, r.NormFloat64()*10); other < best*(1-1e-12) {
					t.Fatalf("size %v, margin %v: %v has the loss %v, another %v", size, margin, c, best, other)
				}
			}
		}
	}
}

// TestPlattForms: two classes are one sigmoid of the difference, more of them sigmoids over their sum, labels a sigmoid
// each; one kind of examples and constants are finite.
func TestPlattForms(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	scores, classes, _ := noisy(r, 100, 2, 1, 1)
	c, err := FitPlatt(scores, classes)
	if err != nil {
		t.Fatal(err)
	}
	difference, positive := vec.NewMatrix[float64](100, 1), make([]bool, 100)
	for i := range positive {
		difference.Data[i], positive[i] = scores.Row(i)[1]-scores.Row(i)[0], classes.Y[i] == 1
	}
	alone, err := FitPlatt(difference, Truth{Positive: positive})
	if err != nil {
		t.Fatal(err)
	}
	two, one := make([]float64, 2), make([]float64, 1)
	for i := range positive {
		c.Apply(two, scores.Row(i))
		alone.Apply(one, difference.Row(i))
		if math.Abs(two[1]-one[0]) > 1e-14 || math.Abs(two[0]+two[1]-1) > 1e-15 {
			t.Fatalf("row %d: %v and %v", i, two, one)
		}
	}
	scores, classes, sets := noisy(r, 100, 4, 1, 1)
	c, err = FitPlatt(scores, classes)
	labels, err2 := FitPlatt(scores, sets)
	if err != nil || err2 != nil || c.Link != Normalized || labels.Link != Sigmoid {
		t.Fatal(c, labels, err, err2)
	}
	p, has, column := make([]float64, 4), make([]bool, 100), vec.NewMatrix[float64](100, 1)
	for l := range 4 {
		for i := range has {
			has[i], column.Data[i] = classes.Y[i] == l, scores.Row(i)[l]
		}
		alone, err := FitPlatt(column, Truth{Positive: has})
		if err != nil || alone.Slope[0] != c.Slope[l] || alone.Offset[0] != c.Offset[l] {
			t.Fatalf("class %d: %v, %v, want what is in %v", l, alone, err, c)
		}
	}
	for i := range 100 {
		c.Apply(p, scores.Row(i))
		sum := 0.
		for l, v := range p {
			sum += v
			if want := sigmoid(c.Slope[l]*scores.Row(i)[l] + c.Offset[l]); math.Abs(want/p[0]-
				sigmoid(c.Slope[0]*scores.Row(i)[0]+c.Offset[0])*v/p[0]/p[0]) > 1e-12*want/p[0] {
				t.Fatalf("row %d: %v", i, p)
			}
		}
		if math.Abs(sum-1) > 1e-14 {
			t.Fatalf("row %d: sum %v", i, sum)
		}
	}
	// Far from 0 the slope is the same: differences of scores are exact. A rounding of the mean, 2^-13 of a unit, moves
	// the offset alone.
	for i := range difference.Data {
		difference.Data[i] = math.Ldexp(math.Round(math.Ldexp(difference.Data[i], 10)), -10)
	}
	near, err := FitPlatt(difference, Truth{Positive: positive})
	if err != nil {
		t.Fatal(err)
	}
	for i := range difference.Data {
		difference.Data[i] += 0x1p40
	}
	far, err := FitPlatt(difference, Truth{Positive: positive})
	if err != nil || math.Abs(far.Slope[0]-near.Slope[0]) > 1e-3*near.Slope[0] {
		t.Errorf("slope %v far from 0, %v; %v near", far, err, near)
	}
	for _, c := range []struct {
		scores []float64
		has    []bool
		a, p   float64 // of each
	}{
		{[]float64{1, 2, 3}, []bool{true, true, true}, 0, .8}, // 4/5
		{[]float64{1, 2, 3}, []bool{false, false, false}, 0, .2},
		{[]float64{7, 7, 7, 7}, []bool{true, false, false, false}, 0, (2./3 + 3./5) / 4},
		{[]float64{0, 0}, []bool{true, false}, 0, .5},
	} {
		got, err := FitPlatt(vec.MatrixOf(len(c.scores), 1, c.scores), Truth{Positive: c.has})
		if err != nil || math.Abs(got.Slope[0]-c.a) > 1e-9 {
			t.Fatalf("%+v: %v, %v", c, got, err)
		}
		if got.Apply(one, c.scores[:1]); math.Abs(one[0]-c.p) > 1e-9 {
			t.Errorf("%+v: probability %v", c, one[0])
		}
	}
}

// TestCalibrationErrors: what does not fit is an error that tells the numbers.
func TestCalibrationErrors(t *testing.T) {
	two := vec.MatrixOf(2, 2, []float64{1, 2, 3, 4})
	one := vec.MatrixOf(2, 1, []float64{1, 2})
	for want, c := range map[string]struct {
		scores vec.Matrix[float64]
		truth  Truth
	}{
		"with 0 of them set":                 {two, Truth{}},
		"with 2 of them set":                 {two, Truth{Y: []int{0, 1}, Sets: [][]int{{0}, {1}}}},
		"truth of 3 examples":                {two, Truth{Y: []int{0, 1, 1}}},
		"truth of 0 examples":                {vec.MatrixOf[float64](0, 2, nil), Truth{Y: []int{}}},
		"class 2 of row 1, want one in 0..1": {one, Truth{Y: []int{0, 2}}},
		"of 2 outputs, want":                 {two, Truth{Positive: []bool{true, false}}},
		"class 2 of row 1":                   {two, Truth{Y: []int{0, 2}}},
		"class -1 of row 0":                  {two, Truth{Y: []int{-1, 0}}},
		"label 2 of row 0":                   {two, Truth{Sets: [][]int{{2}, {}}}},
		"label 1 of row 1":                   {two, Truth{Sets: [][]int{{1}, {1, 1}}}},
		"row 0 for output 1":                 {vec.MatrixOf(1, 2, []float64{1, math.NaN()}), Truth{Y: []int{0}}},
		"row 1 for output 0": {vec.MatrixOf(2, 1, []float64{1, math.Inf(1)}),
			Truth{Positive: []bool{true, false}}},
		"scores: ": {vec.Matrix[float64]{Rows: 2, Cols: 2, Stride: 2}, Truth{Y: []int{0, 1}}},
		"apart":    {vec.MatrixOf(1, 2, []float64{1.7e308, -1.7e308}), Truth{Y: []int{0}}},
	} {
		_, err := FitTemperature(c.scores, c.truth)
		_, err2 := FitPlatt(c.scores, c.truth)
		if err == nil || err2 == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err2.Error(), want) {
			t.Errorf("%s: %v; %v", want, err, err2)
		}
	}
}

// TestCalibrationText: what String writes reads back to the bit, and what it does not write is an error.
func TestCalibrationText(t *testing.T) {
	for _, c := range []*Calibration{
		{Link: Softmax, Slope: []float64{1. / 3}}, {Link: Softmax, Slope: []float64{0}},
		{Link: Sigmoid, Slope: []float64{1e-300, -2}, Offset: []float64{.1, 3}},
		{Link: Normalized, Slope: []float64{1, 2, 3}, Offset: []float64{0, 0, -1}},
		{Link: Softmax, Slope: []float64{2}, Offset: []float64{0, -1}},
	} {
		got, err := ParseCalibration(c.String())
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%v: %v, %v", c, got, err)
		}
		notes := c.Note(map[string]string{"solver": "topk"})
		if got, err = CalibrationOf(notes); err != nil || !reflect.DeepEqual(got, c) || notes["solver"] != "topk" {
			t.Errorf("%v: of notes %v, %v", c, got, err)
		}
	}
	for _, text := range []string{"", "softmax", "softmax slope", "sofmax slope 1", "softmax 1", "softmax slope x",
		"softmax slope NaN", "softmax slope Inf", "softmax slope 1 offset", "softmax offset 1 slope 2",
		"softmax slope offset 1", "softmax slope 1 offset 1 offset 2", "slope softmax 1"} {
		if c, err := ParseCalibration(text); err == nil {
			t.Errorf("%q: %v", text, c)
		}
	}
	if c, err := CalibrationOf(nil); c != nil || err != nil {
		t.Error(c, err)
	}
	for want, c := range map[string]struct {
		of      Calibration
		outputs int
	}{
		"2 slopes for 3":  {Calibration{Slope: []float64{1, 2}}, 3},
		"0 slopes":        {Calibration{}, 3},
		"1 offsets for 3": {Calibration{Slope: []float64{1}, Offset: []float64{1}}, 3},
		"of 1 outputs":    {Calibration{Slope: []float64{1}}, 1},
		"of 0 outputs":    {Calibration{Link: Sigmoid, Slope: []float64{1}}, 0},
		"Link(3)":         {Calibration{Link: 3, Slope: []float64{1}}, 2},
		"+Inf of output":  {Calibration{Slope: []float64{math.Inf(1)}}, 2},
	} {
		if err := c.of.Check(c.outputs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestCalibrationApply: probabilities are in 0..1 and sum to 1, whatever the finite scores.
func TestCalibrationApply(t *testing.T) {
	for _, c := range []*Calibration{
		{Link: Softmax, Slope: []float64{2}}, {Link: Sigmoid, Slope: []float64{2}},
		{Link: Normalized, Slope: []float64{1e300}, Offset: []float64{0, -5, 1}},
		{Link: Softmax, Slope: []float64{-1e300, 1e300, 1}, Offset: []float64{1e308, -1e308, 1}},
	} {
		for _, s := range [][]float64{{1, 2, 3}, {1e308, -1e308, 0}, {-800, -900, -1000}, {0, 0, 0}, {-1e308, -1e308,
			-1e308}} {
			p, sum := make([]float64, 3), 0.
			c.Apply(p, s)
			for _, v := range p {
				sum += v
				if !(v >= 0 && v <= 1) {
					t.Errorf("%v of %v: %v", c, s, p)
				}
			}
			if c.Link != Sigmoid && math.Abs(sum-1) > 1e-14 {
				t.Errorf("%v of %v: %v, whose sum is %v", c, s, p, sum)
			}
			own := append([]float64{}, s...)
			c.Apply(own, own)
			if fmt.Sprint(own) != fmt.Sprint(p) {
				t.Errorf("%v in place: %v, want %v", c, own, p)
			}
		}
	}
	one := vec.MatrixOf(4, 1, []float64{-2, 1, -.5, 3})
	for _, fit := range []func(vec.Matrix[float64], Truth) (*Calibration, error){FitTemperature[float64],
		FitPlatt[float64]} {
		c, err := fit(one, Truth{Y: []int{0, 0, 1, 1}})
		same, err2 := fit(one, Truth{Positive: []bool{false, false, true, true}})
		if err != nil || err2 != nil || !reflect.DeepEqual(c, same) {
			t.Errorf("classes of one output: %v, %v, want %v, %v", c, err, same, err2)
		}
	}
	defer func() {
		if wrong, ok := recover().(vec.ShapeError); !ok || !strings.Contains(wrong.Error(),
			"2 probabilities of 3 scores") {
			t.Error(wrong)
		}
	}()
	(&Calibration{Slope: []float64{1}}).Apply(make([]float64, 2), make([]float64, 3))
}
