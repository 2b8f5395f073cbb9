package loss

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// falling draws blocks for weights that fall, and tells how far a block is outside.
type falling struct{ weights []float64 }

// ordered has k weights of sum 1, of which step places have the same.
func ordered(k, step int) falling {
	weights, sum := make([]float64, k), 0.0
	for j := range weights {
		weights[j] = 1 / float64(1+j/step)
		sum += weights[j]
	}
	for j := range weights {
		weights[j] /= sum
	}
	return falling{weights}
}

func weighted[T vec.Float](k, step int, smoothing float64) Usunier[T] {
	l, err := NewUsunier[T](ordered(k, step).weights)
	if err != nil {
		panic(err)
	}
	l.Smoothing = smoothing
	return l
}

// draw mixes vertices: the first weights, any number of them, in any order.
func (o falling) draw(rng *rand.Rand, m int, y []int, r float64) []float64 {
	a, left := make([]float64, m), r
	for range 1 + rng.IntN(3) {
		part := left * rng.Float64()
		left -= part
		places := others(m, y)
		rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
		for j, v := range o.weights[:rng.IntN(len(o.weights)+1)] {
			a[places[j]] -= part * v
			a[y[0]] += part * v
		}
	}
	return a
}

func (o falling) outside(a []float64, y []int, r float64) float64 {
	x := make([]float64, 0, len(a))
	for _, c := range others(len(a), y) {
		x = append(x, -a[c])
	}
	slices.Sort(x)
	slices.Reverse(x)
	worst, sum, most := math.Abs(vec.Sum(a))/r, 0.0, 0.0
	for j, v := range x {
		if sum += v; j < len(o.weights) {
			most += r * o.weights[j]
		}
		worst = max(worst, -v/r, (sum-most)/r)
	}
	return worst
}

// TestUsunierPrimal: the sum over sorted margins, and the same as a mean of TopKUsunier over K: sum_k k (beta_k -
// beta_k+1) times the one with K = k.
func TestUsunierPrimal(t *testing.T) {
	rng := prove.Rand(61)
	var w Workspace[float64]
	for range 3000 {
		m := 2 + rng.IntN(40)
		k, y := 1+rng.IntN(m+2), []int{rng.IntN(m)} // more weights than classes, too
		weights := make([]float64, k)
		for j := range weights {
			weights[j] = math.Round(8*rng.Float64()) / 4
		}
		slices.Sort(weights)
		slices.Reverse(weights)
		weights[0]++
		l, err := NewUsunier[float64](weights)
		if err != nil {
			t.Fatal(err)
		}
		s := draw[float64](rng, m, math.Pow(10, float64(rng.IntN(5)-2)))
		var h []float64
		for _, c := range others(m, y) {
			h = append(h, 1+s[c]-s[y[0]])
		}
		slices.Sort(h)
		slices.Reverse(h)
		want, mean := 0.0, 0.0
		for j, v := range h {
			if j < k {
				next := 0.0
				if j+1 < min(k, len(h)) {
					next = weights[j+1]
				}
				want += weights[j] * max(0, v)
				mean += float64(j+1) * (weights[j] - next) * TopKUsunier[float64]{K: j + 1}.Primal(s, y, &w)
			}
		}
		got := l.Primal(s, y, &w)
		// m sums, the margins rounded relative to the largest score.
		bound := 0x1p-50 * float64(m*m) * weights[0] * (1 + math.Abs(vec.Max(s)) + math.Abs(vec.Min(s)))
		if !(math.Abs(got-want) <= bound && math.Abs(got-mean) <= bound) {
			t.Fatalf("weights %v, scores %v, class %d: %v, want %v, by means %v", weights, s, y[0], got, want, mean)
		}
	}
}

// TestUsunierEqual: with K equal weights each method is TopKUsunier's, to the rounding of a block's numbers.
func TestUsunierEqual(t *testing.T) {
	rng := prove.Rand(62)
	var w Workspace[float64]
	for range 3000 {
		m := 2 + rng.IntN(20)
		k, y, r := 1+rng.IntN(m-1), []int{rng.IntN(m)}, rng.ExpFloat64()+.01
		l, err := NewUsunier[float64](slices.Repeat([]float64{1 / float64(k)}, k))
		if err != nil {
			t.Fatal(err)
		}
		l.Smoothing = float64(rng.IntN(2)) / 2
		same := TopKUsunier[float64]{K: k, Smoothing: l.Smoothing}
		s, h := draw[float64](rng, m, 2), rng.ExpFloat64()+.01
		a := form[float64]{k: k}.point(rng, m, y[0], r)
		b, delta := slices.Clone(a), make([]float64, m)
		// s, 1 and h r are divided by h: m² roundings of each.
		bound := 0x1p-52 * float64(m*m) * (10 + vec.AbsSum(s)) * (r + 1/h)
		near := func(what string, got, want, bound float64) {
			if !(math.Abs(got-want) <= bound) && got != want {
				t.Fatalf("k = %d, smoothing %v, scores %v: %s %v, want %v", k, l.Smoothing, s, what, got, want)
			}
		}
		near("loss", l.Primal(s, y, &w), same.Primal(s, y, &w), bound/(r+1/h))
		near("dual term", l.Dual(a, y, r, &w), same.Dual(a, y, r, &w), 0)
		reach := same.Reach(a, y, 2*r)
		near("reach", l.Reach(a, y, 2*r), reach, 1e-14*reach)
		optimize[float64](l, a, s, y, h, r, delta, &w)
		optimize[float64](same, b, s, y, h, r, delta, &w)
		for c := range a {
			near("element", a[c], b[c], bound)
		}
		l.At(a, s, y, r, &w)
		same.At(b, s, y, r, &w)
		for c := range a {
			near("gradient", a[c], b[c], bound)
		}
	}
}

// TestNewUsunier: what are no weights is an error that names the number; the caller's slice is copied; the zero value
// is the multiclass hinge.
func TestNewUsunier(t *testing.T) {
	for want, weights := range map[string][]float64{
		"[]": nil, "[0 0]": {0, 0}, "[-1]": {-1}, "[NaN]": {math.NaN()}, "[+Inf]": {math.Inf(1)},
		"weight 2 of place 1 after 1":  {1, 2},
		"weight -1 of place 2 after 1": {1, 1, -1},
		"weight NaN of place 1":        {1, math.NaN()},
	} {
		if _, err := NewUsunier[float32](weights); err == nil || !strings.HasPrefix(err.Error(), "loss: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", weights, err, want)
		}
	}
	weights, s, y := []float64{2, 1}, []float64{1, 3, 2}, []int{0}
	l, err := NewUsunier[float64](weights)
	var w Workspace[float64]
	if weights[0] = 5; err != nil || l.Primal(s, y, &w) != 2*3+2 {
		t.Errorf("%v, %v", l, err)
	}
	if got := (Usunier[float64]{}).Primal(s, y, &w); got != 3 {
		t.Errorf("zero value: %v, want 3", got)
	}
	if a, b := l.Traits().Name, weighted[float64](2, 1, .5).Traits().Name; a != "Usunier with weights [2 1]" || a == b {
		t.Errorf("%q, %q", a, b)
	}
}
