package solvers_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// TestSplit: the test part has its share of the examples and of every class, rounded, and both parts are all.
func TestSplit(t *testing.T) {
	y := make([]int, 203)
	for i := range y {
		y[i] = []int{0, 7, math.MinInt, math.MaxInt, 7, 7}[i*i%6]
	}
	for _, share := range []float64{.01, .1, .2, 1. / 3, .5, .9, .99} {
		parts, err := solvers.Strata{Y: y}.Split(share, 3)
		if err != nil {
			t.Fatal(err)
		}
		if want := math.Round(share * 203); float64(len(parts.Test)) != want {
			t.Errorf("share %v: %d of 203 examples to test on, want %v", share, len(parts.Test), want)
		}
		train, test := parts.Train, parts.Test
		mustBeParts(t, 203, train, test)
		all, tested := map[int]float64{}, map[int]float64{}
		for _, k := range y {
			all[k]++
		}
		for _, i := range test {
			tested[y[i]]++
		}
		for k, n := range all {
			// Each class is a run of the deal, whose two ends are off by 1/2 at most.
			if off := math.Abs(tested[k] - float64(len(test))/203*n); off > 1 {
				t.Errorf("share %v: %v of %v examples of class %d", share, tested[k], n, k)
			}
		}
		again, _ := solvers.Strata{Y: y}.Split(share, 3)
		other, _ := solvers.Strata{Y: y}.Split(share, 4)
		if !slices.Equal(test, again.Test) || slices.Equal(test, other.Test) {
			t.Errorf("share %v: the seed decides the draw", share)
		}
	}
	parts, err := solvers.Strata{N: 10}.Split(.25, 0)
	if err != nil || len(parts.Test) != 3 {
		t.Errorf("%v, %v", parts, err)
	}
	mustBeParts(t, 10, parts.Train, parts.Test)
}

func mustBeParts(t *testing.T, n int, train, test []int) {
	t.Helper()
	all := slices.Concat(train, test)
	slices.Sort(all)
	for i, v := range all {
		if i != v {
			t.Fatalf("parts %v and %v of %d examples", train, test, n)
		}
	}
	if len(all) != n || !slices.IsSorted(train) || !slices.IsSorted(test) || len(train) == 0 || len(test) == 0 {
		t.Errorf("parts %v and %v of %d examples", train, test, n)
	}
}

// TestGroups: groups stay together, no part is empty, and sizes differ by no more than the largest group.
func TestGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 50 {
		n := 20 + rng.IntN(300)
		s := solvers.Strata{Groups: make([]int, n)}
		many := 2 + rng.IntN(20)
		for i := range s.Groups {
			s.Groups[i] = rng.IntN(1+rng.IntN(many))*1000 - 3
		}
		s.Groups[0], s.Groups[1] = -3, 5
		if round%3 == 1 {
			s.Y = make([]int, n)
			for i := range s.Y {
				s.Y[i] = s.Groups[i] % 3
			}
		}
		if round%3 == 2 {
			s.Sets = make([][]int, n)
			for i := range s.Sets {
				s.Sets[i] = []int{i % 2, s.Groups[i]}
			}
		}
		size := map[int]int{}
		for _, g := range s.Groups {
			size[g]++
		}
		largest := 0
		for _, k := range size {
			largest = max(largest, k)
		}
		for _, count := range []int{2, (len(size) + 2) / 2, len(size)} {
			fold, err := s.Folds(count, uint64(round))
			if err != nil {
				t.Fatal(err)
			}
			sizes, of := make([]int, count), map[int]int{}
			for i, f := range fold {
				sizes[f]++
				if first, known := of[s.Groups[i]]; known && first != f {
					t.Fatalf("group %d is in the folds %d and %d", s.Groups[i], first, f)
				}
				of[s.Groups[i]] = f
			}
			if slices.Min(sizes) == 0 || slices.Max(sizes)-slices.Min(sizes) > largest {
				t.Errorf("%d folds of %v, groups of %v", count, sizes, size)
			}
		}
		share := .2 + .6*rng.Float64()
		parts, err := s.Split(share, uint64(round))
		if err != nil {
			t.Fatal(err)
		}
		train, test := parts.Train, parts.Test
		mustBeParts(t, n, train, test)
		for _, i := range test {
			for _, j := range train {
				if s.Groups[i] == s.Groups[j] {
					t.Fatalf("group %d is in both parts", s.Groups[i])
				}
			}
		}
		if off := math.Abs(float64(len(test)) - share*float64(n)); off > float64(largest)+.5 {
			t.Errorf("%d of %d examples to test on for %v, groups of %v", len(test), n, share, size)
		}
	}
	// All groups would go to one part but for the rule that none is empty.
	for _, share := range []float64{.01, .99} {
		groups := make([]int, 100)
		groups[41] = 1
		for seed := range uint64(500) { // the small group is dealt first in a hundredth of the draws
			parts, err := solvers.Strata{Groups: groups}.Split(share, seed)
			if err != nil || len(parts.Train)*len(parts.Test) != 99 {
				t.Fatalf("%v, seed %d: %v, %v", share, seed, parts, err)
			}
		}
	}
}

// TestLabelSetFolds: folds are of one size; the label that is rarest in all its examples is even, the others nearly so.
func TestLabelSetFolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n, m, count = 2000, 12, 5
	sets, total := make([][]int, n), make([]int, m)
	for i := range sets {
		for c := range m {
			if rng.IntN(2*c+2) == 0 {
				sets[i] = append(sets[i], c)
				total[c]++
			}
		}
	}
	fold, err := solvers.Strata{Sets: sets}.Folds(count, 1)
	if err != nil {
		t.Fatal(err)
	}
	size, of := make([]int, count), make([][]int, m)
	for c := range of {
		of[c] = make([]int, count)
	}
	for i, f := range fold {
		size[f]++
		for _, c := range sets[i] {
			of[c][f]++
		}
	}
	if slices.Max(size) != n/count || slices.Min(size) != n/count {
		t.Errorf("folds of %v", size)
	}
	rarest := slices.Index(total, slices.Min(total))
	for c, folds := range of {
		spread := slices.Max(folds) - slices.Min(folds)
		// By chance alone it would be about 2.3 standard deviations of one fold, sqrt(total/5 4/5).
		if c == rarest && spread > 1 || float64(spread) > 2.3*math.Sqrt(float64(total[c])/5*4/5) {
			t.Errorf("label %d: %v in the folds", c, folds)
		}
	}
}

func TestStrataErrors(t *testing.T) {
	y, sets, groups := make([]int, 4), make([][]int, 4), []int{1, 1, 1, 1}
	for want, call := range map[string]func() error{
		"solvers: 4 classes and 4 label sets for folds, want one of both": func() error {
			_, err := solvers.Strata{Y: y, Sets: sets}.Folds(2, 0)
			return err
		},
		"solvers: 4 label sets and 3 groups for folds, want one of each for an example": func() error {
			_, err := solvers.Strata{Sets: sets, Groups: groups[:3]}.Folds(2, 0)
			return err
		},
		"solvers: 4 groups for the folds of 5 examples": func() error {
			_, err := solvers.Strata{N: 5, Groups: groups}.Folds(2, 0)
			return err
		},
		"solvers: 2 folds of 1 groups, want at most as many as groups": func() error {
			_, err := solvers.Strata{Groups: groups}.Folds(2, 0)
			return err
		},
		"solvers: 5 folds of 4 examples": func() error {
			_, err := solvers.Strata{Y: y}.Folds(5, 0)
			return err
		},
		"solvers: folds of -1 examples": func() error {
			_, err := solvers.Strata{N: -1}.Folds(2, 0)
			return err
		},
		"solvers: 2 folds of 0 examples": func() error {
			_, err := solvers.Strata{}.Folds(2, 0)
			return err
		},
		"solvers: a share of 0.1 of 4 examples to test on leaves a part empty": func() error {
			_, err := solvers.Strata{Y: y}.Split(.1, 0)
			return err
		},
		"solvers: a share of 0.9 of 4 examples to test on leaves a part empty": func() error {
			_, err := solvers.Strata{Y: y}.Split(.9, 0)
			return err
		},
		"solvers: a share of NaN of 4 examples to test on leaves a part empty": func() error {
			_, err := solvers.Strata{Y: y}.Split(math.NaN(), 0)
			return err
		},
		"solvers: a share of -1 of 4 examples to test on leaves a part empty": func() error {
			_, err := solvers.Strata{Y: y}.Split(-1, 0)
			return err
		},
		"solvers: 1 group of examples, want 2 at least to split them": func() error {
			_, err := solvers.Strata{Groups: groups}.Split(.5, 0)
			return err
		},
	} {
		if err := call(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A tenth of the examples to test on, in which the classes have their shares.
func ExampleStrata_Split() {
	y := slices.Concat(slices.Repeat([]int{0}, 30), slices.Repeat([]int{1}, 70))
	parts, err := solvers.Strata{Y: y}.Split(.1, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	ones := 0
	for _, i := range parts.Test {
		ones += y[i]
	}
	fmt.Println(len(parts.Train), "examples to train on,", len(parts.Test), "to test on, of which", ones, "of class 1")
	// Output: 90 examples to train on, 10 to test on, of which 7 of class 1
}

// TestOrder: every part from the start on has its share of each class. With the examples before a share x of each class
// it has between x n_c and x n_c + 1 of class c, and between x n and x n + 4 in all: 4 classes are off by 4 at most,
// downwards.
func TestOrder(t *testing.T) {
	const n = 203
	y, size := make([]int, n), map[int]float64{}
	for i := range y {
		y[i] = []int{0, 7, math.MinInt, math.MaxInt, 7, 7}[i*i%6]
		size[y[i]]++
	}
	order, err := solvers.Strata{Y: y}.Order(3)
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Sorted(slices.Values(order))
	mustBeParts(t, n, all[:1], all[1:])
	count := map[int]float64{}
	for p, i := range order {
		count[y[i]]++
		for class, all := range size {
			if off := count[class] - float64(p+1)*all/n; off > 1 || off < -4*all/n {
				t.Errorf("%v of class %d among %d, which are %v of %d", count[class], class, p+1, all, n)
			}
		}
	}
	again, _ := solvers.Strata{Y: y}.Order(3)
	other, _ := solvers.Strata{Y: y}.Order(4)
	if !slices.Equal(order, again) || slices.Equal(order, other) {
		t.Error("the seed decides the draw")
	}
	plain, err := solvers.Strata{N: 10}.Order(1)
	if err != nil || slices.IsSorted(plain) {
		t.Errorf("%v, %v", plain, err)
	}
	all = slices.Sorted(slices.Values(plain))
	mustBeParts(t, 10, all[:1], all[1:])
	if _, err := (solvers.Strata{N: 3, Y: y}).Order(1); err == nil {
		t.Error("203 classes of 3 examples are no error")
	}
}
