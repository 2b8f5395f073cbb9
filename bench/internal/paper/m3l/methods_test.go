package m3l

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// random returns n examples of d features, whose label l is the sign of feature l.
func random(n, d, labels int, r *rand.Rand) part {
	p := part{}
	x := vec.NewMatrix[float32](n, d)
	for i := range n {
		for j := range x.Row(i) {
			x.Row(i)[j] = float32(r.NormFloat64())
		}
		var set []int
		for l := range labels {
			if x.Row(i)[l] > 0 {
				set = append(set, l)
			}
		}
		p.sets = append(p.sets, set)
	}
	p.x = &dataset.Dense[float32]{Matrix: x}
	return p
}

// The threshold has as few faults as any, among the values halfway between two scores and one that nothing is above.
func TestThreshold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n, labels := 1+r.IntN(5), 1+r.IntN(4)
		s, sets := vec.NewMatrix[float32](n, labels), make([][]int, n)
		for i := range sets {
			for l := range labels {
				s.Row(i)[l] = float32(r.IntN(6))
				if r.IntN(2) == 0 {
					sets[i] = append(sets[i], l)
				}
			}
		}
		faults := func(above float32) (count int) {
			for i, set := range sets {
				for l, v := range s.Row(i) {
					if v > above != slices.Contains(set, l) {
						count++
					}
				}
			}
			return count
		}
		least := faults(5)
		for k := range 5 {
			// What is below all scores is left out: then every label is predicted.
			if v := float32(k) + .5; v > slices.Min(s.Data) {
				least = min(least, faults(v))
			}
		}
		if got := faults(threshold(s, sets)); got != least {
			t.Errorf("%d faults, %d can be had: %v, %v", got, least, s.Data, sets)
		}
	}
}

// Neighbours are those at the least distance, and the majority of five decides.
func TestNeighbours(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	train, test := random(40, 3, 2, r), random(20, 3, 2, r)
	predicted, err := neighbours(train, 2)(test.x)
	if err != nil {
		t.Fatal(err)
	}
	a, b := train.x.(*dataset.Dense[float32]), test.x.(*dataset.Dense[float32])
	for i := range test.sets {
		order := make([]int, len(train.sets))
		for j := range order {
			order[j] = j
		}
		distance := func(j int) float32 { return vec.SquaredDistance(a.Row(j), b.Row(i)) }
		slices.SortFunc(order, func(j, k int) int { return cmp.Compare(distance(j), distance(k)) })
		var want []int
		for l := range 2 {
			votes := 0
			for _, j := range order[:5] {
				if slices.Contains(train.sets[j], l) {
					votes++
				}
			}
			if votes >= 3 {
				want = append(want, l)
			}
		}
		if !slices.Equal(predicted[i], want) {
			t.Errorf("example %d: %v, want %v", i, predicted[i], want)
		}
	}
}

// Every method learns labels that are signs of features, far better than guessing, and R = I is 1-vs-all.
func TestMethods(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	train, test := random(300, 4, 3, r), random(200, 4, 3, r)
	c := &task{train: train, labels: 3, tol: 1e-4, workers: 1,
		r: vec.MatrixOf(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})}
	losses := map[string]float64{}
	for _, m := range methods {
		loss, err := c.loss(context.Background(), m, train, 1, test)
		if err != nil {
			t.Fatal(err)
		}
		if losses[m.name] = loss; !(loss < .2) {
			t.Errorf("%s: a loss of %v", m.name, loss)
		}
	}
	if d := losses["M3L"] - losses["1-vs-All"]; d > .01 || d < -.01 {
		t.Errorf("with R = I %v, without a prior %v", losses["M3L"], losses["1-vs-All"])
	}
}

// A subset drawn by the weight of a pair has its correlation turned down or up, by the sign, and what is left over is
// all the rest.
func TestDraw(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var sets [][]int
	for range 4000 {
		var set []int
		first := r.IntN(2) == 0
		if first {
			set = append(set, 0)
		}
		if first != (r.IntN(4) == 0) {
			set = append(set, 1)
		}
		sets = append(sets, set)
	}
	pairs, err := frequentPairs(sets, 2)
	if err != nil || len(pairs) != 1 || pairs[0].weight < .4 || pairs[0].weight > .6 {
		t.Fatalf("%v, %v", pairs, err)
	}
	for _, sign := range []float64{1, -1} {
		subset, left, err := draw(sets, 2, 300, []pair{{0, 1, sign * pairs[0].weight}}, 1, r)
		if err != nil {
			t.Fatal(err)
		}
		all := slices.Sorted(slices.Values(slices.Concat(subset, left)))
		if len(subset) != 300 || len(all) != 4000 || len(slices.Compact(all)) != 4000 {
			t.Errorf("%d drawn, %d left over", len(subset), len(left))
		}
		rho, err := m3l.Correlations((part{x: random(4000, 1, 0, r).x, sets: sets}).of(subset).sets, 2, 0)
		if err != nil || sign*(rho.At(0, 1)-pairs[0].weight) > -.2 {
			t.Errorf("weight %v: a correlation of %.2f, of all %.2f; %v", sign, rho.At(0, 1), pairs[0].weight, err)
		}
	}
	if p, ok := reversible(sets, 2, 300); !ok || p != pairs[0] {
		t.Errorf("%v, %v", p, ok)
	}
	if _, ok := reversible(sets, 2, 3000); ok {
		t.Error("enough examples of all kinds for a subset of 3000")
	}
	if _, _, err := draw(sets, 2, 300, nil, 1, r); err == nil {
		t.Error("drew by no pairs")
	}
}

// TestRegression: its scores solve the normal equations of ridge regression, here solved by hand for one feature
// beside the constant one.
func TestRegression(t *testing.T) {
	p := part{x: &dataset.Dense[float32]{Matrix: vec.MatrixOf(4, 1, []float32{-2, -1, 1, 4})},
		sets: [][]int{nil, nil, {0}, {0}}}
	predict, err := fitRegression(context.Background(), &task{labels: 1, workers: 1}, p, .5)
	if err != nil {
		t.Fatal(err)
	}
	// (XᵀX + I) w = Xᵀy with XᵀX = [22 2; 2 4] and Xᵀy = [8 0]: w = (40, -16)/111, 0 at x = .4
	got, err := predict(&dataset.Dense[float32]{Matrix: vec.MatrixOf(2, 1, []float32{.39, .41})})
	if err != nil || len(got[0]) != 0 || len(got[1]) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}
