package m3l_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// A cost of 100000: in float32 rounding leaves a gap, which training tells. In float64 it converges.
func ExampleProblem_largeCost() {
	for _, o := range []solvers.Outcome{eights[float32](), eights[float64]()} {
		fmt.Printf("converged: %v, relative gap <= 1e-6: %v\n", o.Status == solvers.Converged,
			o.Certificate.RelativeGap() <= 1e-6)
	}
	// Output:
	// converged: false, relative gap <= 1e-6: false
	// converged: true, relative gap <= 1e-6: true
}

// eights trains a support vector machine of eights against the other digits.
func eights[T vec.Float]() solvers.Outcome {
	data := samples.Digits[T]()
	sets := make([][]int, len(data.Y))
	for i, class := range data.Y {
		if class == 8 {
			sets[i] = []int{0}
		}
	}
	k, err := kernel.New(design.Matrix[T](data.X), kernel.Gaussian{Gamma: .001}, 1<<26)
	if err != nil {
		log.Fatal(err)
	}
	r, err := m3l.Problem[T]{Kernel: k, Sets: sets}.Fit(context.Background(),
		m3l.Config{C: 1e5, Loss: m3l.Hinge, Labels: 1, Tol: 1e-6, Epochs: 100000})
	if err != nil {
		log.Fatal(err)
	}
	return r.Outcome
}

// Two widths of a Gaussian kernel on images of 8 by 8 pixels: gamma 1/d, and 1/(d v), v = 36 being the variance of the
// pixels. Both trainings are proved to have converged, so that what differs is the width's doing.
func ExampleProblem_width() {
	data := samples.Digits[float64]()
	parts, err := solvers.Strata{Y: data.Y}.Split(.25, 1)
	if err != nil {
		log.Fatal(err)
	}
	sets := func(rows []int) (sets [][]int) { // the class of each image, as its only label
		for _, i := range rows {
			sets = append(sets, []int{data.Y[i]})
		}
		return sets
	}
	x := design.Matrix[float64](data.X)
	for _, gamma := range []float64{1. / 64, 1. / (64 * 36)} {
		k, err := kernel.New(design.Subset(x, parts.Train), kernel.Gaussian{Gamma: gamma}, 1<<26)
		if err != nil {
			log.Fatal(err)
		}
		p := m3l.Problem[float64]{Kernel: k, Sets: sets(parts.Train)}
		r, err := p.Fit(context.Background(), m3l.Config{Loss: m3l.Hinge, Tol: 1e-6})
		if err != nil {
			log.Fatal(err)
		}
		found, err := solvers.LabelSets(r, design.Subset(x, parts.Test), 0)
		if err != nil {
			log.Fatal(err)
		}
		right, err := metrics.SubsetAccuracy(found, sets(parts.Test), 10)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("relative gap <= 1e-6: %v, %.0f%% right\n", r.Certificate.RelativeGap() <= 1e-6, 100*right)
	}
	// Output:
	// relative gap <= 1e-6: true, 98% right
	// relative gap <= 1e-6: true, 95% right
}

// The order of the examples does not decide which score belongs to which class: with a 0 first or an 8 first the
// predictions are the same, and each training is proved.
func ExampleOneVsAll_order() {
	data := samples.Digits[float64]()
	var guesses [2][]int
	for turn := range guesses {
		rows, y := make([]int, len(data.Y)), make([]int, len(data.Y))
		for i := range rows {
			rows[i] = i
			if turn == 1 {
				rows[i] = len(rows) - 1 - i
			}
			y[i] = data.Y[rows[i]]
		}
		x := design.Subset(design.Matrix[float64](data.X), rows)
		r, err := m3l.OneVsAll(context.Background(), x, y, m3l.Config{C: 1e-3, Tol: 1e-6})
		if err != nil {
			log.Fatal(err)
		}
		if guesses[turn], err = solvers.Predict(r, design.Matrix[float64](data.X), 0); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d first: relative gap <= 1e-6: %v\n", y[0], r.Certificate.RelativeGap() <= 1e-6)
	}
	same, err := metrics.Accuracy(guesses[0], guesses[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f%% of the predictions are the same\n", 100*same)
	// Output:
	// 0 first: relative gap <= 1e-6: true
	// 8 first: relative gap <= 1e-6: true
	// 100% of the predictions are the same
}
