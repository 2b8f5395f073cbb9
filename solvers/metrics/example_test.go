package metrics_test

import (
	"fmt"
	"log"

	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

func ExampleAccuracy() {
	fmt.Println(metrics.Accuracy([]int{0, 1, 1, 2}, []int{0, 1, 2, 2}))
	// Output: 0.75 <nil>
}

func ExampleTopKRanked() {
	guesses := [][]int{{0, 2}, {1, 2}} // of solvers.TopK
	fmt.Println(metrics.TopKRanked(guesses, []int{0, 2}, 2))
	// Output: [0.5 1] <nil>
}

// Class 1 has three examples, one of them found.
func ExamplePerClass() {
	for c, k := range metrics.PerClass([][]int{{1, 0}, {2, 1}}) {
		fmt.Printf("class %d: precision %.2f, recall %.2f, F1 %.2f\n", c, k.Precision, k.Recall, k.F1)
	}
	// Output:
	// class 0: precision 0.33, recall 1.00, F1 0.50
	// class 1: precision 1.00, recall 0.33, F1 0.50
}

// 99 examples of class 0, one of class 1: a guess that is always 0 is nearly always right, and no good.
func ExampleMeanRecall() {
	fmt.Println(metrics.MeanRecall(metrics.PerClass([][]int{{99, 0}, {1, 0}})))
	// Output: 0.5
}

var predicted, truth = [][]int{{0, 2}, {}, {1}}, [][]int{{0, 1}, {}, {1}}

func ExampleHammingLoss() {
	loss, err := metrics.HammingLoss(predicted, truth, 3)
	fmt.Printf("%.3f %v\n", loss, err) // 2 of 9 decisions
	// Output: 0.222 <nil>
}

func ExampleSubsetAccuracy() {
	part, err := metrics.SubsetAccuracy(predicted, truth, 3)
	fmt.Printf("%.3f %v\n", part, err)
	// Output: 0.667 <nil>
}

func ExampleMicroF1() {
	labels, err := metrics.PerLabel(predicted, truth, 3)
	fmt.Printf("%.3f %v\n", metrics.MicroF1(labels), err)
	// Output: 0.667 <nil>
}

func ExampleMacroF1() {
	labels, err := metrics.PerLabel(predicted, truth, 3)
	fmt.Printf("%.3f %v\n", metrics.MacroF1(labels), err)
	// Output: 0.556 <nil>
}

// Two of the three other labels have a larger score than the true one, or as large a one.
func ExampleRankingLoss() {
	scores := vec.MatrixOf(1, 4, []float64{.9, .5, .5, .1})
	loss, err := metrics.RankingLoss(scores, [][]int{{1}})
	fmt.Printf("%.3f %v\n", loss, err)
	// Output: 0.667 <nil>
}

func ExampleCalibrationError() {
	bins, err := metrics.Calibration([]float64{.1, .2, .7, .9, 1}, []bool{false, true, true, true, true}, 2)
	fmt.Printf("%.2f %v\n", metrics.CalibrationError(bins), err)
	// Output: 0.22 <nil>
}

func ExampleSilverman() {
	h, err := metrics.Silverman([]float64{-1, 0, 0, 1})
	fmt.Printf("%.3f %v\n", h, err)
	// Output: 0.255 <nil>
}

// A threshold that finds at least 3 of 4 positive examples, with as few false alarms as can be.
func ExampleThreshold() {
	scores := []float64{5, 4, 3, 2, 1, 0}
	positive := []bool{true, false, true, true, false, true}
	choice, err := metrics.Threshold(scores, positive, metrics.RecallAtLeast(.75))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("from %v on: recall %v, precision %v, false alarms %v of all others\n", choice.At, choice.Recall,
		choice.Precision, choice.FalseRate)
	// Output: from 2 on: recall 0.75, precision 0.75, false alarms 0.5 of all others
}

// A threshold for each label. No score of label 1 tells what has it.
func ExampleLabelThresholds() {
	scores := vec.MatrixOf(3, 2, []float64{.9, .5, .2, .5, .1, .5})
	choices, err := metrics.LabelThresholds(scores, [][]int{{0, 1}, {0}, {}}, metrics.PrecisionAtLeast(.9))
	if err != nil {
		log.Fatal(err)
	}
	for l, c := range choices {
		fmt.Printf("label %d: recall %v at %.2f, unreachable: %v\n", l, c.Recall, c.At, c.Unreachable)
	}
	// Output:
	// label 0: recall 1 at 0.20, unreachable: false
	// label 1: recall 0 at 0.50, unreachable: true
}

func ExampleParseConstraint() {
	c, err := metrics.ParseConstraint("false-rate <= .01")
	fmt.Println(c, err, c == metrics.FalseRateAtMost(.01))
	// Output: false-rate<=0.01 <nil> true
}
