package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

func ExamplePerLabel() {
	predicted := [][]int{{0, 2}, {}, {1}}
	truth := [][]int{{0, 1}, {}, {1}}
	hamming, _ := HammingLoss(predicted, truth, 3)
	exact, _ := SubsetAccuracy(predicted, truth, 3)
	labels, err := PerLabel(predicted, truth, 3)
	fmt.Printf("Hamming loss %.3f, subset accuracy %.3f\n", hamming, exact)
	fmt.Printf("micro F1 %.3f, macro F1 %.3f %v\n", MicroF1(labels), MacroF1(labels), err)
	// Output:
	// Hamming loss 0.222, subset accuracy 0.667
	// micro F1 0.667, macro F1 0.556 <nil>
}

func ExamplePrecisionAtK() {
	scores := vec.MatrixOf(2, 3, []float64{.9, .1, .8, .2, .2, .1})
	truth := [][]int{{0, 2}, {1}}
	p, _ := PrecisionAtK(scores, truth, 2)
	loss, err := RankingLoss(scores, truth)
	fmt.Println(p, loss, err)
	// Output: [0.5 0.75] 0.25 <nil>
}

// randomSet returns a set of labels in 0..m-1 in random order, empty and full ones among them.
func randomSet(rng *rand.Rand, m int) []int {
	return rng.Perm(m)[:rng.IntN(m+1)]
}

// The definitions, decision by decision. All sums are of integers, so that the one division rounds as in the code.
func TestSetsAgainstDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 500 {
		n, m := 1+rng.IntN(8), 1+rng.IntN(6)
		p, y := make([][]int, n), make([][]int, n)
		wrong, same := 0, 0
		want := make([]Class, m)
		for i := range n {
			p[i], y[i] = randomSet(rng, m), randomSet(rng, m)
			if rng.IntN(3) == 0 {
				p[i] = slices.Clone(y[i])
			}
			faults := 0
			for c := range m {
				a, b := slices.Contains(p[i], c), slices.Contains(y[i], c)
				if a != b {
					faults++
				}
				if a {
					want[c].Predicted++
				}
				if b {
					want[c].Count++
				}
				if a && b {
					want[c].Correct++
				}
			}
			if wrong += faults; faults == 0 {
				same++
			}
		}
		before := fmt.Sprint(p, y)
		hamming, err1 := HammingLoss(p, y, m)
		exact, err2 := SubsetAccuracy(p, y, m)
		labels, err3 := PerLabel(p, y, m)
		if err1 != nil || err2 != nil || err3 != nil || fmt.Sprint(p, y) != before {
			t.Fatal(err1, err2, err3)
		}
		if hamming != float64(wrong)/float64(n*m) || exact != float64(same)/float64(n) {
			t.Fatalf("%v for %v: Hamming loss %v, subset accuracy %v, want %d/%d, %d/%d", p, y, hamming, exact, wrong,
				n*m, same, n)
		}
		correct, all, mean := 0, 0, 0.0
		for c, k := range want {
			got := labels[c]
			if got.Count != k.Count || got.Predicted != k.Predicted || got.Correct != k.Correct {
				t.Fatalf("label %d: %+v, want %+v", c, got, k)
			}
			f := 0.0
			if k.Count+k.Predicted > 0 {
				f = float64(2*k.Correct) / float64(k.Count+k.Predicted)
			}
			correct, all, mean = correct+k.Correct, all+k.Count+k.Predicted, mean+f
		}
		micro := 0.0
		if all > 0 {
			micro = float64(2*correct) / float64(all)
		}
		if MicroF1(labels) != micro || MacroF1(labels) != mean/float64(m) {
			t.Fatalf("micro F1 %v, want %v; macro F1 %v, want %v", MicroF1(labels), micro, MacroF1(labels),
				mean/float64(m))
		}
	}
}

// Micro F1 of one label an example is the accuracy.
func TestMicroF1OfClasses(t *testing.T) {
	p, y := []int{0, 1, 2, 1, 1}, []int{0, 2, 2, 1, 0}
	counts, err := Confusion(p, y, 3)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := Accuracy(p, y); err != nil || a != 3./5 || MicroF1(PerClass(counts)) != a {
		t.Errorf("accuracy %v, micro F1 %v, %v", a, MicroF1(PerClass(counts)), err)
	}
	if MicroF1(nil) != 0 || MacroF1(nil) != 0 || MicroF1(make([]Class, 2)) != 0 {
		t.Error("F1 of nothing")
	}
}

func TestRankingsAgainstDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	for range 500 {
		n, m := 1+rng.IntN(8), 1+rng.IntN(6)
		k := 1 + rng.IntN(m)
		scores, y := vec.NewMatrix[float32](n, m), make([][]int, n)
		hits := make([]int, k)
		sum, count := 0.0, 0
		for i := range n {
			s := scores.Row(i)
			for c := range s {
				s[c] = []float32{float32(math.Inf(-1)), -1, 0, 1, float32(math.Inf(1))}[rng.IntN(5)]
			}
			y[i] = randomSet(rng, m)
			wrong := 0
			for c := range m {
				before := 0 // labels that come before c
				for e := range m {
					if s[e] > s[c] || s[e] == s[c] && e < c {
						before++
					}
					if slices.Contains(y[i], c) && !slices.Contains(y[i], e) && s[c] <= s[e] {
						wrong++
					}
				}
				for j := before; j < k && slices.Contains(y[i], c); j++ {
					hits[j]++
				}
			}
			if pairs := len(y[i]) * (m - len(y[i])); pairs > 0 {
				sum, count = sum+float64(wrong)/float64(pairs), count+1
			}
		}
		p, err := PrecisionAtK(scores, y, k)
		if err != nil {
			t.Fatal(err)
		}
		for j, h := range hits {
			if want := float64(h) / float64(n) / float64(j+1); p[j] != want {
				t.Fatalf("scores %v, sets %v: precision at %d is %v, want %v", scores.Data, y, j+1, p[j], want)
			}
		}
		loss, err := RankingLoss(scores, y)
		if count == 0 {
			checkError(t, err, "ranking loss of")
		} else if err != nil || loss != sum/float64(count) {
			t.Fatalf("scores %v, sets %v: ranking loss %v, %v, want %v", scores.Data, y, loss, err, sum/float64(count))
		}
	}
}

func TestSetErrors(t *testing.T) {
	one := [][]int{{0}}
	for want, c := range map[string]struct {
		p, y [][]int
		m    int
	}{
		"1 predicted and 2 true label sets":                  {one, [][]int{{0}, {1}}, 2},
		"0 predicted and 0 true label sets":                  {nil, nil, 2},
		"sets of 0 labels":                                   {one, one, 0},
		"predicted label 2 of row 0, want one in 0..1":       {[][]int{{2, 0}}, one, 2},
		"true label -1 of row 0, want one in 0..1":           {one, [][]int{{0, -1}}, 2},
		"true label 1 of row 0 stands in its set twice":      {one, [][]int{{1, 0, 1}}, 2},
		"predicted label 0 of row 0 stands in its set twice": {[][]int{{0, 0}}, one, 2},
	} {
		l, err := HammingLoss(c.p, c.y, c.m)
		checkError(t, err, want)
		a, err := SubsetAccuracy(c.p, c.y, c.m)
		checkError(t, err, want)
		if _, err = PerLabel(c.p, c.y, c.m); l != 0 || a != 0 {
			t.Errorf("%v and %v with an error", l, a)
		}
		checkError(t, err, want)
	}
	_, err := PerLabel(one, one, 1<<24+1)
	checkError(t, err, "sets of 16777217 labels, want at most 16777216")
	_, err = PerLabel(one, one, -1)
	checkError(t, err, "sets of -1 labels")
}

func TestRankingErrors(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		scores vec.Matrix[float64]
		y      [][]int
		want   string
	}{
		{vec.NewMatrix[float64](2, 3), [][]int{{0}}, "scores of 2 examples and 1 label sets"},
		{vec.NewMatrix[float64](0, 3), nil, "scores of 0 examples and 0 label sets"},
		{vec.NewMatrix[float64](1, 0), [][]int{{}}, "scores of 1 examples and 0 labels"},
		{vec.MatrixOf(2, 2, []float64{0, 1, 1, nan}), [][]int{{0}, {}}, "score of row 1, label 1 is NaN"},
		{vec.NewMatrix[float64](1, 3), [][]int{{3}}, "true label 3 of row 0, want one in 0..2"},
		{vec.NewMatrix[float64](1, 3), [][]int{{1, 1}}, "true label 1 of row 0 stands in its set twice"},
		{vec.Matrix[float64]{Rows: 1, Cols: 3, Stride: 3}, [][]int{{0}}, "scores: "},
	} {
		_, err := PrecisionAtK(c.scores, c.y, 1)
		checkError(t, err, c.want)
		_, err = RankingLoss(c.scores, c.y)
		checkError(t, err, c.want)
	}
	for _, k := range []int{0, 4} {
		_, err := PrecisionAtK(vec.NewMatrix[float64](1, 3), [][]int{{0}}, k)
		checkError(t, err, fmt.Sprintf("precision at %d of 3 labels", k))
	}
	_, err := RankingLoss(vec.NewMatrix[float64](2, 2), [][]int{{}, {1, 0}})
	checkError(t, err, "ranking loss of 2 examples that have no label or all 2")
}

// TestMostLabels: 2^24 labels are allowed, and no more.
func TestMostLabels(t *testing.T) {
	if err := checkLabels(1 << 24); err != nil {
		t.Error(err)
	}
	if _, err := PerLabel(nil, nil, 1<<24+1); err == nil || !strings.Contains(err.Error(), "16777217 labels") {
		t.Error(err)
	}
}
