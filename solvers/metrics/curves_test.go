package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), "metrics: ") || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

func ExamplePrecisionAtRecall() {
	scores := []float64{.9, .8, .8, .4, .1}
	positive := []bool{true, true, false, false, true}
	p, threshold, err := PrecisionAtRecall(scores, positive, .5)
	fmt.Printf("%.3f from %v on %v\n", p, threshold, err)
	// Output: 0.667 from 0.8 on <nil>
}

func ExampleROC() {
	curve, err := ROC([]float64{.9, .8, .8, .4}, []bool{true, true, false, false})
	fmt.Println(curve.Threshold, curve.FalseRate, curve.TrueRate, curve.Area, err)
	// Output: [0.9 0.8 0.4] [0 0.5 1] [0.5 1 1] 0.875 <nil>
}

func ExamplePrecisionRecall() {
	curve, err := PrecisionRecall([]float64{.9, .8, .7, .4}, []bool{true, false, false, true})
	fmt.Printf("%.2f %.2f area %.2f %v\n", curve.Recall, curve.Precision, curve.Area, err)
	// Output: [0.50 0.50 0.50 1.00] [1.00 0.50 0.33 0.50] area 0.75 <nil>
}

// from counts the examples with scores >= v, positive and not.
func from(scores []float32, positive []bool, v float32) (right, wrong int) {
	for i, s := range scores {
		if s >= v && positive[i] {
			right++
		} else if s >= v {
			wrong++
		}
	}
	return right, wrong
}

func TestCurvesAgainstDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	inf := float32(math.Inf(1))
	levels := []float32{-inf, -2, -1, 0, .5, 1, 2, inf}
	for range 1000 {
		n := 1 + rng.IntN(20)
		scores, positive := make([]float32, n), make([]bool, n)
		chance, kinds := rng.IntN(5), 1+rng.IntN(len(levels))
		count, distinct := 0, map[float32]bool{}
		for i := range n {
			scores[i], positive[i] = levels[rng.IntN(kinds)], rng.IntN(4) < chance
			distinct[scores[i]] = true
			if positive[i] {
				count++
			}
		}
		pr, err := PrecisionRecall(scores, positive)
		if count == 0 {
			checkError(t, err, fmt.Sprintf("none of %d examples is positive", n))
			continue
		}
		if err != nil || len(pr.Threshold) != len(distinct) {
			t.Fatal(pr, err)
		}
		// The average over the positive examples of the precision at their scores.
		area := 0.0
		for i, s := range scores {
			if positive[i] {
				right, wrong := from(scores, positive, s)
				area += float64(right) / float64(right+wrong) / float64(count)
			}
		}
		// Each of at most n positive terms has 2 roundings here and 1 there, then come n sums and a division.
		if math.Abs(area-pr.Area) > float64(2*n+4)*0x1p-52*area {
			t.Fatalf("scores %v of %v: area %v, want %v", scores, positive, pr.Area, area)
		}
		for j, v := range pr.Threshold {
			right, wrong := from(scores, positive, v)
			if j > 0 && v >= pr.Threshold[j-1] || pr.Precision[j] != float64(right)/float64(right+wrong) ||
				pr.Recall[j] != float64(right)/float64(count) {
				t.Fatalf("scores %v of %v: point %d of %+v", scores, positive, j, pr)
			}
		}
		checkROC(t, scores, positive, count)
		for k := 1; k <= count; k++ {
			checkAtRecall(t, scores, positive, float64(k)/float64(count), k)
			if r := (float64(k) - rng.Float64()*.9) / float64(count); r > 0 {
				checkAtRecall(t, scores, positive, r, k)
			}
		}
	}
}

func checkROC(t *testing.T, scores []float32, positive []bool, count int) {
	t.Helper()
	roc, err := ROC(scores, positive)
	negatives := len(scores) - count
	if negatives == 0 {
		checkError(t, err, fmt.Sprintf("all of %d examples are positive", count))
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for j, v := range roc.Threshold {
		right, wrong := from(scores, positive, v)
		if j > 0 && v >= roc.Threshold[j-1] || roc.TrueRate[j] != float64(right)/float64(count) ||
			roc.FalseRate[j] != float64(wrong)/float64(negatives) {
			t.Fatalf("scores %v of %v: point %d of %+v", scores, positive, j, roc)
		}
	}
	halves := 0
	for i, s := range scores {
		for k, v := range scores {
			if positive[i] && !positive[k] && s > v {
				halves += 2
			} else if positive[i] && !positive[k] && s == v {
				halves++
			}
		}
	}
	if want := float64(halves) / float64(2*count*negatives); roc.Area != want {
		t.Fatalf("scores %v of %v: area %v, want %v", scores, positive, roc.Area, want)
	}
}

// checkAtRecall compares with the score of the k-th positive example from above.
func checkAtRecall(t *testing.T, scores []float32, positive []bool, r float64, k int) {
	t.Helper()
	want := float32(math.NaN())
	for i, s := range scores {
		above, at := 0, 0 // positive examples with larger scores, and with this one
		for j, v := range scores {
			if positive[j] && v > s {
				above++
			} else if positive[j] && v == s {
				at++
			}
		}
		if positive[i] && above < k && k <= above+at {
			want = s
		}
	}
	right, wrong := from(scores, positive, want)
	p, threshold, err := PrecisionAtRecall(scores, positive, r)
	if err != nil || threshold != want || p != float64(right)/float64(right+wrong) {
		t.Fatalf("scores %v of %v, recall %v: %v from %v on, %v; want from %v on", scores, positive, r, p, threshold,
			err, want)
	}
}

// Recalls that are k/n+ in decimals need k examples, however the product rounds.
func TestAtRecallOfRounding(t *testing.T) {
	for count := 1; count <= 1000; count++ {
		for k := 1; k <= count; k++ {
			r := float64(k) / float64(count)
			if got := atRecall(r, count); got != k {
				t.Fatalf("recall %v of %d: %d, want %d", r, count, got, k)
			}
			if got := atRecall(math.Nextafter(r, 2), count); k < count && got != k+1 {
				t.Fatalf("just above recall %v of %d: %d, want %d", r, count, got, k+1)
			}
		}
	}
	if atRecall(math.SmallestNonzeroFloat64, 5) != 1 || atRecall(.07, 100) != 7 {
		t.Error("smallest recall, and .07 of 100")
	}
}

func TestCurveErrors(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		scores   []float64
		positive []bool
		want     string
	}{
		{[]float64{1, 2}, []bool{true}, "2 scores for 1 examples"},
		{nil, nil, "none of 0 examples is positive"},
		{[]float64{1}, []bool{false}, "none of 1 examples is positive"},
		{[]float64{1, nan}, []bool{true, false}, "score of row 1 is NaN"},
	} {
		_, err := ROC(c.scores, c.positive)
		checkError(t, err, c.want)
		_, err = PrecisionRecall(c.scores, c.positive)
		checkError(t, err, c.want)
		_, _, err = PrecisionAtRecall(c.scores, c.positive, 1)
		checkError(t, err, c.want)
	}
	for _, r := range []float64{0, -1, 1.5, nan} {
		_, _, err := PrecisionAtRecall([]float64{1}, []bool{true}, r)
		checkError(t, err, fmt.Sprintf("precision at recall %v", r))
	}
	for want, call := range map[string]func() (float64, error){
		"1 predictions for 2 labels": func() (float64, error) { return Accuracy([]int{1}, []int{1, 2}) },
		"0 predictions for 0 labels": func() (float64, error) { return Accuracy(nil, nil) },
	} {
		_, err := call()
		checkError(t, err, want)
	}
}
