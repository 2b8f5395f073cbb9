package interior

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// TestSystems: both kinds of K multiply alike, exactly on small integers, and solve their equations: of dense, sparse
// and float32 examples, with more features than examples or fewer. The residual of the formula of Sherman, Morrison and
// Woodbury grows with |K|/d, by which its difference cancels.
func TestSystems(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, size := range [][2]int{{1, 1}, {3, 7}, {40, 5}, {65, 4}, {700, 20}} {
		n, d := size[0], size[1]
		x, narrow := vec.NewMatrix[float64](n, d), vec.NewMatrix[float32](n, d)
		for i := range x.Data {
			x.Data[i] = float64(rng.IntN(7) - 3)
		}
		vec.Convert(narrow.Data, x.Data)
		k := vec.NewMatrix[float64](n, n)
		vec.Gram(k, x)
		most := float64(n*d) * 9
		shift, c := make([]float64, n), make([]float64, n)
		for i := range c {
			shift[i], c[i] = math.Exp2(float64(rng.IntN(10))), float64(rng.IntN(9)-4)
		}
		want := make([]float64, n)
		vec.Gemv(1, k, c, 0, want)
		wide := &dataset.Dense[float64]{Matrix: x}
		systems := map[string]System{"dense": dense(t, k, 2)}
		for name, x := range map[string]design.Matrix[float64]{"features": wide,
			"subset": design.Subset(wide, identity(n))} {
			s, err := NewFeatures(x, 2)
			if err != nil {
				t.Fatal(err)
			}
			systems[name] = s
		}
		s, err := NewFeatures(&dataset.Dense[float32]{Matrix: narrow}, 2)
		if err != nil {
			t.Fatal(err)
		}
		systems["float32"] = s
		for name, s := range systems {
			got := make([]float64, n)
			s.Multiply(got, c)
			for i, v := range got {
				if v != want[i] {
					t.Errorf("%s, n = %d: Kc of %d is %v, want %v", name, n, i, v, want[i])
				}
			}
			if err := s.Factor(shift); err != nil {
				t.Fatal(err)
			}
			b := vec.NewMatrix[float64](n, 2)
			for i := range n {
				b.Row(i)[0], b.Row(i)[1] = c[i], 1
			}
			s.Solve(b)
			for i := range n {
				for q, right := range []float64{c[i], 1} {
					sum, size := shift[i]*b.Row(i)[q], 0.0
					for j, v := range k.Row(i) {
						sum += v * b.Row(j)[q]
						size += math.Abs(v * b.Row(j)[q])
					}
					// d >= 1, so that no cancellation loses more than 1 + |K| times what sums round.
					bound := float64(3*n+d+10) * math.Ldexp((1+most)*(size+shift[i]*math.Abs(b.Row(i)[q])+4), -53)
					if !(math.Abs(sum-right) <= bound) {
						t.Errorf("%s, n = %d: equation %d gives %v, want %v up to %v", name, n, i, sum, right, bound)
					}
				}
			}
		}
	}
}

func identity(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// TestRefused: what is no problem is an error that names the numbers.
func TestRefused(t *testing.T) {
	k := dense(t, vec.NewMatrix[float64](3, 3), 1)
	sound := func() Problem {
		return Problem{K: k, Plus: Side{Examples: []int{0}, Linear: 1, Quadratic: 1},
			Minus: Side{Examples: []int{1, 2}}}
	}
	for want, change := range map[string]func(p *Problem){
		"a side without variables":     func(p *Problem) { p.Minus.Examples = nil },
		"of example 3 of 3":            func(p *Problem) { p.Minus.Examples[1] = 3 },
		"variable 1 is of example 1":   func(p *Problem) { p.Minus.Examples[1] = 1 },
		"example 2 has no variable":    func(p *Problem) { p.Minus.Examples = []int{1} },
		"a coefficient of NaN":         func(p *Problem) { p.Plus.Linear = math.NaN() },
		"a cost of -1":                 func(p *Problem) { p.Cost = -1 },
		"or a ratio where there is no": func(p *Problem) { p.Curve = .5 },
		"a ratio where there is no s":  func(p *Problem) { p.Plus.Ratio = .5 },
		"ratio where there is no scal": func(p *Problem) { p.Minus.Ratio = .5 },
		"2 variables of at most 0.4 s": func(p *Problem) { p.Tied, p.Minus.Ratio = true, .4 },
	} {
		p := sound()
		change(&p)
		if _, err := New(p); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "interior: ") {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := NewDense(vec.NewMatrix[float64](3, 2), 1); err == nil || !strings.Contains(err.Error(), "3-by-2") {
		t.Error(err)
	}
	if _, err := NewFeatures[float64](nil, 1); err == nil {
		t.Error("no features")
	}
}

// TestSums: one sum for each 256 examples that are begun, up to 16 and to 2^23 numbers, and one where there are none.
func TestSums(t *testing.T) {
	for _, c := range []struct{ n, d, want int }{
		{0, 1, 1}, {1, 1, 1}, {256, 1, 1}, {257, 1, 2}, {15 * 256, 1, 15}, {15*256 + 1, 1, 16}, {1 << 20, 1, 16},
		{1 << 20, 724, 16}, {1 << 20, 725, 15}, {1 << 20, 1024, 7}, {1 << 20, 2000, 2}, {1 << 20, 2896, 1},
		{1 << 20, 3000, 1}, {512, 1024, 2},
	} {
		if got := Sums(c.n, c.d); got != c.want {
			t.Errorf("%d sums for %d examples of %d features, want %d", got, c.n, c.d, c.want)
		}
		if x := (&dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](min(c.n, 512), c.d)}); c.d < 1000 {
			s, err := NewFeatures(x, 1)
			if err != nil || len(s.own) != Sums(x.Rows, c.d) {
				t.Errorf("%d sums, %v, want %d", len(s.own), err, Sums(x.Rows, c.d))
			}
		}
	}
}
