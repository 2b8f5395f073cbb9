package metrics

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// bruteChoice tries each score as a threshold, and none, by counting.
func bruteChoice(scores []float64, positive []bool, kind string, bound float64) (at float64, right, wrong int,
	found bool) {
	all := 0
	for _, is := range positive {
		if is {
			all++
		}
	}
	tries := append(slices.Clone(scores), math.Nextafter(slices.Max(scores), math.Inf(1)))
	slices.Sort(tries)
	slices.Reverse(tries)
	bestRight, bestWrong := -1, 0
	for _, try := range tries {
		r, w := 0, 0
		for i, s := range scores {
			if s >= try && positive[i] {
				r++
			} else if s >= try {
				w++
			}
		}
		var meets, better bool
		switch kind {
		case "recall":
			meets = float64(r)/float64(all) >= bound
			better = r*(bestRight+bestWrong) > bestRight*(r+w) || r*(bestRight+bestWrong) == bestRight*(r+w) &&
				r > bestRight
		case "precision":
			meets = r+w > 0 && float64(r)/float64(r+w) >= bound
			better = r > bestRight || r == bestRight && w < bestWrong
		case "false-rate":
			meets = w == 0 || float64(w)/float64(len(scores)-all) <= bound
			better = r > bestRight || r == bestRight && w < bestWrong
		}
		if meets && (bestRight < 0 || better) {
			at, bestRight, bestWrong, found = try, r, w, true
		}
	}
	return at, bestRight, bestWrong, found
}

// TestThreshold: the choice is the one of all thresholds, tried one by one, with scores that are often equal.
func TestThreshold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	reached := map[string]int{}
	for range 5000 {
		n := 1 + r.IntN(12)
		scores, positive := make([]float64, n), make([]bool, n)
		for i := range scores {
			scores[i], positive[i] = float64(r.IntN(8))-4, r.IntN(2) == 0
		}
		bound := []float64{.07, .25, .5, 2. / 3, .9, 1}[r.IntN(6)]
		for kind, c := range map[string]Constraint{"recall": RecallAtLeast(bound), "precision": PrecisionAtLeast(bound),
			"false-rate": FalseRateAtMost(1 - bound)} {
			b := bound
			if kind == "false-rate" {
				b = 1 - bound
			}
			at, right, wrong, found := bruteChoice(scores, positive, kind, b)
			got, err := Threshold(scores, positive, c)
			if !slices.Contains(positive, true) {
				if err == nil || errors.Is(err, ErrUnreachable) {
					t.Fatal("none is positive: ", got, err)
				}
				continue
			}
			if !found {
				if !errors.Is(err, ErrUnreachable) {
					t.Fatal(scores, positive, c, got, err)
				}
				reached["not "+kind]++
				continue
			}
			if reached[kind]++; err != nil || got.At != at || got.Right != right || got.Wrong != wrong {
				t.Fatalf("%v %v, %v: %+v, %v, want %v, %d, %d", scores, positive, c, got, err, at, right, wrong)
			}
			narrow := make([]float32, n)
			vec.Convert(narrow, scores)
			if half, err := Threshold(narrow, positive, c); err != nil || half.Right != right || half.Wrong != wrong {
				t.Fatalf("in float32: %+v, %v", half, err)
			}
		}
	}
	if len(reached) != 4 || reached["not recall"]+reached["not false-rate"] > 0 {
		t.Error(reached)
	}
}

// TestThresholdShares: what the choice says of itself.
func TestThresholdShares(t *testing.T) {
	scores, positive := []float64{5, 4, 3, 2, 1}, []bool{true, false, true, true, false}
	for _, c := range []struct {
		by   Constraint
		want Choice[float64]
	}{
		{RecallAtLeast(.3), Choice[float64]{At: 5, Right: 1, Recall: 1. / 3, Precision: 1}},
		{RecallAtLeast(.5), Choice[float64]{At: 2, Right: 3, Wrong: 1, Recall: 1, Precision: .75, FalseRate: .5}},
		{PrecisionAtLeast(.7), Choice[float64]{At: 2, Right: 3, Wrong: 1, Recall: 1, Precision: .75, FalseRate: .5}},
		{FalseRateAtMost(0), Choice[float64]{At: 5, Right: 1, Recall: 1. / 3, Precision: 1}},
		{FalseRateAtMost(.99), Choice[float64]{At: 2, Right: 3, Wrong: 1, Recall: 1, Precision: .75, FalseRate: .5}},
	} {
		if got, err := Threshold(scores, positive, c.by); err != nil || got != c.want {
			t.Errorf("%v: %+v, %v, want %+v", c.by, got, err, c.want)
		}
	}
	none, err := Threshold([]float64{1, 1}, []bool{true, false}, FalseRateAtMost(.5))
	if want := (Choice[float64]{At: math.Nextafter(1, 2), Precision: 1}); err != nil || none != want {
		t.Errorf("%+v, %v, want %+v", none, err, want)
	}
	_, err = Threshold([]float64{1, 1}, []bool{true, false}, PrecisionAtLeast(.9))
	if !errors.Is(err, ErrUnreachable) || !strings.Contains(err.Error(),
		"precision>=0.9 on 2 examples, 1 of them positive") ||
		!strings.Contains(err.Error(), "the largest precision is 0.5") {
		t.Error(err)
	}
	if all, err := Threshold([]float64{1, 2}, []bool{true, true}, FalseRateAtMost(0)); err != nil || all.At != 1 {
		t.Errorf("all positive: %+v, %v", all, err)
	}
}

// TestLabelThresholds: each label's is the threshold of its column; one that cannot be reached, or that no example has,
// is above all scores.
func TestLabelThresholds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n, m = 40, 5
	scores, sets := vec.NewMatrix[float32](n, m), make([][]int, n)
	for i := range n {
		for l := range m {
			scores.Row(i)[l] = float32(r.IntN(20))
			if l != 3 && r.IntN(3) == 0 {
				sets[i] = append(sets[i], l)
			}
		}
	}
	for _, c := range []Constraint{RecallAtLeast(.8), PrecisionAtLeast(.6), PrecisionAtLeast(1), FalseRateAtMost(.1)} {
		all, err := LabelThresholds(scores, sets, c)
		if err != nil || len(all) != m {
			t.Fatal(all, err)
		}
		for l, got := range all {
			column, positive := make([]float32, n), make([]bool, n)
			for i := range n {
				column[i], positive[i] = scores.Row(i)[l], slices.Contains(sets[i], l)
			}
			want, err := Threshold(column, positive, c)
			if err != nil {
				want = Choice[float32]{At: math.Nextafter32(slices.Max(column), 100), Precision: 1, Unreachable: true}
			}
			if got != want || got.Unreachable != (l == 3 || errors.Is(err, ErrUnreachable)) {
				t.Errorf("%v, label %d: %+v, want %+v", c, l, got, want)
			}
		}
	}
}

func TestConstraints(t *testing.T) {
	for text, want := range map[string]Constraint{
		"recall>=0.95": RecallAtLeast(.95), " recall >= .95 ": RecallAtLeast(.95), "precision>=1": PrecisionAtLeast(1),
		"recall=0.95": RecallAtLeast(.95), "false-rate=0.1": FalseRateAtMost(.1),
		"false-rate<=0": FalseRateAtMost(0), "false-rate <= 1e-3": FalseRateAtMost(.001),
	} {
		got, err := ParseConstraint(text)
		if err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
		if again, err := ParseConstraint(got.String()); err != nil || again != got {
			t.Errorf("%q: %v reads back as %v, %v", text, got, again, err)
		}
	}
	for text, want := range map[string]string{
		"": "want recall>=R", "recall": "want recall>=R", "recall>=": "want recall>=R", "recall<=.5": "want recall>=R",
		"recall>=x": "want recall>=R", "recall>=1.5": "recall>=1.5, want a number above 0", "recall>=0": "above 0",
		"precision>=NaN": "precision>=NaN, want", "false-rate<=1": "at most 1, want", "false-rate<=-1": "at most -1",
	} {
		if c, err := ParseConstraint(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %q", text, c, err, want)
		}
	}
	nan, two, sets := []float64{math.NaN(), 1}, vec.MatrixOf(2, 1, []float64{1, 2}), [][]int{{0}, {}}
	for want, err := range map[string]error{
		"no constraint":  second(Threshold([]float64{1}, []bool{true}, Constraint{})),
		"no constraint,": second(LabelThresholds(two, sets, Constraint{})),
		"row 0 is NaN":   second(Threshold(nan, []bool{true, true}, RecallAtLeast(1))),
		"label 0 is NaN": second(LabelThresholds(vec.MatrixOf(2, 1, nan), sets, RecallAtLeast(1))),
		"row 1 is +Inf":  second(Threshold([]float64{1, math.Inf(1)}, []bool{true, true}, RecallAtLeast(1))),
		"label 0 is -Inf": second(LabelThresholds(vec.MatrixOf(2, 1, []float64{1, math.Inf(-1)}), sets,
			RecallAtLeast(1))),
		"1 scores for 2":                     second(Threshold([]float64{1}, []bool{true, true}, RecallAtLeast(1))),
		"of 2 examples and":                  second(LabelThresholds(two, sets[:1], RecallAtLeast(1))),
		"label 1 of row 0, want one in 0..0": second(LabelThresholds(two, [][]int{{1}, {}}, RecallAtLeast(1))),
		"none of 1":                          second(Threshold([]float64{1}, []bool{false}, RecallAtLeast(1))),
		"none of 0":                          second(Threshold([]float64{}, nil, RecallAtLeast(1))),
	} {
		if err == nil || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

func second[V any](_ V, err error) error { return err }
